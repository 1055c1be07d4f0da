"""What beat does for sentinels."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

import judging.tasks
from calibration import tasks
from calibration.models import SentinelAlarm, SentinelCheck, SentinelPoint
from config.celery import TEND_SECONDS, app
from tests.calibration.sentinels import finish, make_watched

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def sent(monkeypatch, settings):
    """The messages that would have gone to the broker."""
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    messages = []
    monkeypatch.setattr(
        judging.tasks.app,
        "send_task",
        lambda name, args, **_: messages.append((name, *args)),
    )
    return messages


def test_beat_knows_the_task_and_drops_late_messages():
    entry = app.conf.beat_schedule["tend-sentinels"]
    assert entry["task"] == tasks.TEND
    assert entry["schedule"] == entry["options"]["expires"] == TEND_SECONDS
    assert tasks.TEND in app.tasks


def test_what_is_due_is_started_and_rung_for_once(sent):
    make_watched()
    assert tasks.tend_sentinels() == 1
    check = SentinelCheck.objects.get()
    assert sent == [("judging.work_on_run", check.run_id)]
    assert check.started_by is None
    assert tasks.tend_sentinels() == 0
    assert len(sent) == 1


def test_what_has_finished_is_recorded_and_told(sent, settings, mailoutbox):
    settings.NOTICE_EMAILS = ["ann@example.org"]
    watched = make_watched()
    tasks.tend_sentinels()
    finish(SentinelCheck.objects.get())
    SentinelAlarm.objects.create(
        panel=watched.panel,
        kind="overdue",
        key="overdue:0",
        detail="No check has been finished.",
        raised_at=timezone.now() - timedelta(minutes=1),
    )
    tasks.tend_sentinels()
    assert SentinelPoint.objects.count() == 1
    assert [mail.subject for mail in mailoutbox] == ["Evenhand: overdue alarm of daily"]
