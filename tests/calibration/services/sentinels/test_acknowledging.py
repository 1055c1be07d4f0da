from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from calibration.models import SentinelAcknowledgement
from calibration.services.sentinels.acknowledging import (
    LONGEST_NOTE,
    acknowledge_alarm,
    alarm_by_id,
)
from calibration.services.sentinels.tending import settle_sentinels
from config.errors import Conflict, InvalidInput, NotFound
from tests.annotation.factory import START
from tests.calibration.sentinels import DAY, make_watched

pytestmark = pytest.mark.django_db


@pytest.fixture
def alarm(db):
    make_watched()
    (found,) = settle_sentinels(now=START + 9 * DAY).alarms
    return found


def test_who_when_and_what_is_kept(alarm, lead):
    made = acknowledge_alarm(
        alarm=alarm, note=" The key had run out. ", by=lead, now=START + 9 * DAY
    )
    assert (made.note, made.author) == ("The key had run out.", lead.username)
    assert made.acknowledged_at == START + 9 * DAY
    assert alarm.acknowledgement == made


def test_it_is_taken_note_of_once(alarm, lead):
    acknowledge_alarm(alarm=alarm, note="one", by=None, now=START, actor="cron")
    with pytest.raises(Conflict, match="acknowledged by cron already"):
        acknowledge_alarm(alarm=alarm, note="two", by=lead, now=START)
    assert SentinelAcknowledgement.objects.get().note == "one"


@pytest.mark.parametrize("note", ["", "  ", "x" * (LONGEST_NOTE + 1)])
def test_a_note_is_words(alarm, lead, note):
    with pytest.raises(InvalidInput, match=r"Say what|at most"):
        acknowledge_alarm(alarm=alarm, note=note, by=lead, now=START)


def test_no_alarm_is_raised_again_for_being_noted(alarm, lead):
    acknowledge_alarm(alarm=alarm, note="seen", by=lead, now=START + 9 * DAY)
    assert settle_sentinels(now=START + 10 * DAY).alarms == ()


def test_alarms_of_another_panel_are_not_found(alarm):
    assert alarm_by_id(alarm.pk, "daily") == alarm
    for number, panel in ((alarm.pk, "other"), (alarm.pk + 1, ""), (alarm.pk + 1, "x")):
        with pytest.raises(NotFound, match="There is no alarm"):
            alarm_by_id(number, panel)


def test_the_database_keeps_it_as_it_was(alarm, lead):
    acknowledge_alarm(alarm=alarm, note="seen", by=lead, now=START)
    rows = SentinelAcknowledgement.objects
    for change in (lambda: rows.update(note="other"), lambda: rows.all().delete()):
        with pytest.raises(IntegrityError, match="guard"), transaction.atomic():
            change()


@pytest.mark.parametrize("fields", [{"note": ""}, {"actor": ""}])
def test_the_database_wants_words_and_an_author(alarm, fields):
    given = {"note": "seen", "actor": "cron", "acknowledged_at": START} | fields
    with pytest.raises(IntegrityError), transaction.atomic():
        SentinelAcknowledgement.objects.create(alarm=alarm, **given)
