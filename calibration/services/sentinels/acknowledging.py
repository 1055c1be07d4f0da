"""Taking note of an alarm: by whom, when, and what it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction

from annotation.domain.texts import says_something
from calibration.models import SentinelAcknowledgement, SentinelAlarm
from config.errors import Conflict, InvalidInput, NotFound

if TYPE_CHECKING:
    from datetime import datetime

    from config.accounts.models import User

LONGEST_NOTE = 2_000


def acknowledge_alarm(
    *,
    alarm: SentinelAlarm,
    note: str,
    by: User | None,
    now: datetime,
    actor: str = "",
) -> SentinelAcknowledgement:
    """Take note of an alarm, once; it stays on the page, and so does the note.

    What the alarm is about does not go away by it: the headline still says so.
    """
    words = note.strip()
    if not says_something(words):
        raise InvalidInput("note_missing", "Say what the alarm was, or what is done.")
    if len(words) > LONGEST_NOTE:
        message = f"A note has {LONGEST_NOTE:,} characters at most."
        raise InvalidInput("note_too_long", message)
    try:
        with transaction.atomic():
            return SentinelAcknowledgement.objects.create(
                alarm=alarm,
                note=words,
                acknowledged_at=now,
                acknowledged_by=by,
                actor=actor,
            )
    except IntegrityError as error:
        first = SentinelAcknowledgement.objects.filter(alarm=alarm).first()
        if first is None:
            raise
        message = f"Alarm {alarm.pk} has been acknowledged by {first.author} already."
        raise Conflict("alarm_acknowledged", message) from error


def alarm_by_id(alarm_id: int, panel: str = "") -> SentinelAlarm:
    """One alarm, of a panel where one is named; raises ``NotFound``."""
    rows = SentinelAlarm.objects.select_related("panel")
    if panel:
        rows = rows.filter(panel__name=panel)
    found = rows.filter(pk=alarm_id).first()
    if found is None:
        where = f" of {panel}" if panel else ""
        raise NotFound("alarm_unknown", f"There is no alarm {alarm_id}{where}.")
    return found
