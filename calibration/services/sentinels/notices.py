"""Telling people of alarms: tried again after a failure, and never in the way."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction

from calibration.domain.alarms import NoticeFailed
from calibration.models import NoticeChannel, SentinelAlarm, SentinelNotice

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    Sender = Callable[[SentinelAlarm, datetime], None]

logger = logging.getLogger(__name__)
MOST_ATTEMPTS = 5
FIRST_WAIT = timedelta(minutes=5)  # doubled after each failure
RECENT = timedelta(days=7)  # older alarms are no news to a channel that is set up now
LONGEST_DETAIL = 500


def send_notices(
    *, senders: Mapping[NoticeChannel, Sender], now: datetime
) -> tuple[SentinelNotice, ...]:
    """Send what has not gone out by each channel; a failure is kept, and tried again.

    Nothing is sent inside a transaction. Two that send at once may both reach a
    receiver, who can tell by the alarm's number; one of the two attempts is kept.
    """
    found = []
    recent = SentinelAlarm.objects.filter(raised_at__gte=now - RECENT)
    for alarm in recent.select_related("panel", "series__config").order_by("pk"):
        for channel, sender in senders.items():
            number = _next_attempt(alarm, channel, now)
            if number is not None:
                found.append(_attempt(alarm, channel, sender, number, now))
    return tuple(notice for notice in found if notice is not None)


def _next_attempt(
    alarm: SentinelAlarm, channel: NoticeChannel, now: datetime
) -> int | None:
    """The number of the attempt that is due, if one is."""
    tried = list(alarm.notices.filter(channel=channel).order_by("attempt"))
    if not tried:
        return 1
    last = tried[-1]
    if any(one.sent for one in tried) or last.attempt >= MOST_ATTEMPTS:
        return None
    wait = FIRST_WAIT * 2 ** (last.attempt - 1)
    return last.attempt + 1 if now >= last.tried_at + wait else None


def _attempt(
    alarm: SentinelAlarm,
    channel: NoticeChannel,
    sender: Sender,
    number: int,
    now: datetime,
) -> SentinelNotice | None:
    detail = ""
    try:
        sender(alarm, now)
    except NoticeFailed as failed:
        detail = str(failed)[:LONGEST_DETAIL] or "it failed without a word"
        logger.warning("Alarm %s by %s: %s", alarm.pk, channel, detail)
    try:
        with transaction.atomic():
            return SentinelNotice.objects.create(
                alarm=alarm,
                channel=channel,
                attempt=number,
                sent=not detail,
                detail=detail,
                tried_at=now,
            )
    except IntegrityError:  # somebody else sent the same attempt
        return None
