from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction

from calibration.models import SentinelAlarm
from calibration.services.sentinels.tending import settle_sentinels
from tests.annotation.factory import START
from tests.calibration.sentinels import DAY, make_watched

pytestmark = pytest.mark.django_db


def kinds() -> list[str]:
    return list(SentinelAlarm.objects.order_by("pk").values_list("kind", flat=True))


def test_no_alarm_without_a_reason():
    watched = make_watched(least_agreement=Decimal("0.5"))
    watched.cycle("B")
    assert kinds() == []


def test_drift_is_raised_once_when_the_evidence_reaches_twenty():
    watched = make_watched(24, parts=4)
    watched.check("B")
    watched.check("C")  # 6 of 6 for the worse: evidence 28.9
    assert kinds() == ["drift"]
    alarm = SentinelAlarm.objects.get()
    assert "6 groups of pairs got worse and 0 better" in alarm.detail
    assert alarm.sentinel_check.part == 1
    watched.check("C")
    assert kinds() == ["drift"]


def test_improvement_is_no_drift_to_the_worse():
    watched = make_watched(24, parts=1)
    watched.check("C")
    watched.check("B")
    assert kinds() == []


def test_a_new_reference_that_differs_from_the_first_one():
    watched = make_watched(8, parts=1)
    watched.check("B")
    watched.check("B")
    watched.check("C")  # 8 of 8: p = 0.0078 against 0.025
    assert kinds() == ["shift"]
    assert (
        "Reference 2 differs from the first one" in SentinelAlarm.objects.get().detail
    )


def test_later_references_need_stronger_proof():
    watched = make_watched(7, parts=1)
    for _ in range(3):
        watched.check("B")
    watched.check("B")
    watched.check("C")  # 7 of 7: p = 0.0156 is over 0.05/6
    assert kinds() == []


def test_agreement_that_has_fallen_below_what_was_asked():
    watched = make_watched(24, parts=1, least_agreement=Decimal("0.8"))
    watched.check("C")
    assert kinds() == []  # a reference is one look; it is watched over the parts
    watched.check("C")
    assert kinds() == ["agreement"]
    assert "below 80.0 %" in SentinelAlarm.objects.get().detail


def test_few_pairs_do_not_prove_that_agreement_fell():
    watched = make_watched(2, parts=1, least_agreement=Decimal("0.8"))
    watched.check("C")
    watched.check("C")
    assert kinds() == []


def test_another_served_model_or_build_is_told_once():
    watched = make_watched(parts=4)
    watched.check(model="m-1", fingerprint="a")
    watched.check(model="m-1", fingerprint="a")
    assert kinds() == []
    watched.check(model="m-1", fingerprint="b")
    watched.check(model="m-1", fingerprint="b")
    assert kinds() == ["served_model"]
    said = SentinelAlarm.objects.get().detail
    assert "m-1 (b); before it was m-1 (a)" in said
    watched.check(model="m-2", fingerprint="b")
    assert kinds() == ["served_model"] * 2


def test_a_check_that_does_not_come_is_told_once_a_gap():
    watched = make_watched()
    assert settle_sentinels(now=START + 1.4 * DAY).alarms == ()
    assert [a.kind for a in settle_sentinels(now=START + 1.6 * DAY).alarms] == [
        "overdue"
    ]
    assert settle_sentinels(now=START + 5 * DAY).alarms == ()
    watched.now = START + 5 * DAY
    watched.check(days=0)
    assert kinds() == ["overdue"]
    settle_sentinels(now=watched.now + timedelta(hours=40))
    assert kinds() == ["overdue"] * 2
    assert "one is due every 24 hours" in SentinelAlarm.objects.first().detail


def test_an_open_run_does_not_keep_the_alarm_away():
    watched = make_watched()
    watched.check()
    watched.start()
    settle_sentinels(now=watched.now + 2 * DAY)
    assert kinds() == ["overdue"]


def test_an_ended_panel_is_not_overdue(lead):
    from calibration.services.sentinels.defining import end_sentinel

    watched = make_watched()
    end_sentinel(panel=watched.panel, by=lead, now=START)
    assert settle_sentinels(now=START + 9 * DAY).alarms == ()


def test_alarms_stay_as_they_were():
    watched = make_watched()
    settle_sentinels(now=watched.now + 9 * DAY)
    with pytest.raises(IntegrityError, match="guard"), transaction.atomic():
        SentinelAlarm.objects.update(detail="nothing happened")
