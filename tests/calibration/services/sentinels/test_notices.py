from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.db import IntegrityError, transaction

from calibration.domain.alarms import NoticeFailed
from calibration.models import NoticeChannel, SentinelAlarm, SentinelNotice
from calibration.services.sentinels.notices import MOST_ATTEMPTS, send_notices
from tests.annotation.factory import START
from tests.calibration.sentinels import make_watched

pytestmark = pytest.mark.django_db


@pytest.fixture
def alarm(db):
    return SentinelAlarm.objects.create(
        panel=make_watched().panel,
        kind="overdue",
        key="overdue:0",
        detail="No check has been finished.",
        raised_at=START,
    )


class Post:
    """A channel that fails as often as it is told to."""

    def __init__(self, failures: int = 0) -> None:
        self.failures = failures
        self.sent: list[tuple[int, datetime]] = []

    def __call__(self, alarm, now):
        self.sent.append((alarm.pk, now))
        if len(self.sent) <= self.failures:
            raise NoticeFailed("answered with 500")


def send(minutes, **posts):
    senders = {NoticeChannel(name): post for name, post in posts.items()}
    return send_notices(senders=senders, now=START + timedelta(minutes=minutes))


def test_an_alarm_goes_out_once_by_each_channel(alarm):
    webhook, email = Post(), Post()
    assert len(send(1, webhook=webhook, email=email)) == 2
    assert send(500, webhook=webhook, email=email) == ()
    assert len(webhook.sent) == len(email.sent) == 1


def test_a_failure_is_kept_waited_for_and_tried_again(alarm):
    webhook = Post(failures=2)
    (first,) = send(0, webhook=webhook)
    assert (first.sent, first.detail) == (False, "answered with 500")
    assert send(4, webhook=webhook) == ()
    (second,) = send(5, webhook=webhook)
    assert (second.attempt, second.sent) == (2, False)
    assert send(14, webhook=webhook) == ()
    (third,) = send(15, webhook=webhook)
    assert (third.attempt, third.sent) == (3, True)


def test_one_channel_that_fails_holds_no_other_up(alarm):
    webhook, email = Post(failures=9), Post()
    told = send(0, webhook=webhook, email=email)
    assert {one.channel: one.sent for one in told} == {"webhook": False, "email": True}


def test_it_gives_up_after_some_attempts(alarm):
    webhook = Post(failures=99)
    for hour in range(40):
        send(60 * hour, webhook=webhook)
    assert len(webhook.sent) == MOST_ATTEMPTS


def test_old_alarms_are_no_news(alarm):
    webhook = Post()
    assert send(60 * 24 * 8, webhook=webhook) == ()


def test_without_channels_nothing_is_written(alarm):
    assert send(0) == ()
    assert not SentinelNotice.objects.exists()


def test_attempts_stay_as_they_were(alarm):
    send(0, webhook=Post(failures=1))
    with pytest.raises(IntegrityError, match="guard"), transaction.atomic():
        SentinelNotice.objects.update(sent=True)
