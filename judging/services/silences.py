"""What the runners of a run, and those who watch it, know of its provider's silence."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction

from judging.models import RunStatus, Silence

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from judging.models import Run

# A look may take as long as a call; whoever should have looked by then has died.
SHOWN_AFTER = timedelta(minutes=3)


@transaction.atomic
def note_silence(
    *,
    run_id: int,
    since: datetime,
    try_at: datetime,
    looks: int,
    detail: str,
    lapses: timedelta,
) -> datetime:
    """Keep that a provider does not answer; return since when, for any runner.

    What was noted longer ago than ``lapses`` was another silence.
    """
    known = standing_silence(run_id=run_id, now=since, lapses=lapses)
    if known is not None:
        since = min(since, known.since)
    Silence.objects.update_or_create(
        run_id=run_id,
        defaults={"since": since, "try_at": try_at, "looks": looks, "detail": detail},
    )
    return since


def end_silence(*, run_id: int) -> None:
    """The provider answers, or nobody waits for it any more."""
    Silence.objects.filter(run_id=run_id).delete()


def standing_silence(
    *, run_id: int, now: datetime, lapses: timedelta
) -> Silence | None:
    """The silence that the runners of a run wait out at present."""
    return Silence.objects.filter(run_id=run_id, try_at__gte=now - lapses).first()


def shown_silence(runs: Iterable[Run], now: datetime) -> Silence | None:
    """The silence that any of the runs waits out, as whoever watches may be told."""
    going_on = [
        run.pk for run in runs if run.status in {RunStatus.PENDING, RunStatus.RUNNING}
    ]
    shown = Silence.objects.filter(run__in=going_on, try_at__gte=now - SHOWN_AFTER)
    return shown.order_by("try_at").first()


def silence_words(silence: Silence, now: datetime) -> str:
    """What a run waits for, and how long still."""
    return waiting_words((silence.try_at - now).total_seconds())


def waiting_words(seconds: float) -> str:
    """Say that a provider does not answer, and when somebody looks again."""
    left = round(seconds)
    when = f"in {left} s" if left > 0 else "now"
    return f"The provider does not answer; trying again {when}"
