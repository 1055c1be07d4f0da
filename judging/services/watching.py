"""How far a run is: for people who watch it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import Count

from judging.models import Call, CallState, Reply, RunEvent, RunNote, RunStatus
from judging.services.panels import runs_behind
from judging.services.pricing import cost_of_runs
from judging.services.sealing import any_sealed, not_sealed
from judging.services.silences import shown_silence

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from judging.models import Run, Silence
    from judging.services.pricing import RunCost

WINDOW = timedelta(seconds=30)
LEAST_SECONDS = 1.0
GOING_ON = (RunStatus.PENDING, RunStatus.RUNNING)


@dataclass(frozen=True, slots=True)
class RunProgress:
    """Where the calls of a run stand.

    Those ``done`` have their answer, or were given up. Those ``in_hand`` are a living
    runner's: in flight, or next in its line. ``rate`` is answers a second, over the
    last half minute of a run under way, and while it was not paused of one that has
    ended; it and ``seconds_left`` are ``None`` where nothing can be told. Copied
    replies are counted under ``done`` and ``reused``, not in the rate. Where
    ``sealed``, the calls that are about sealed pairs are left out of ``invalid``.
    ``silence`` is there while the provider does not answer, when no time left can be
    told.
    """

    total: int
    done: int
    in_hand: int
    waiting: int
    reused: int
    invalid: Mapping[str, int]
    requests: int
    cost: RunCost
    rate: float | None
    seconds_left: float | None
    sealed: bool
    silence: Silence | None = None

    @property
    def invalid_total(self) -> int:
        """Calls whose answer is no verdict."""
        return sum(self.invalid.values())


def progress_of(run: Run, *, now: datetime) -> RunProgress:
    """Count the calls of a run."""
    runs = runs_behind(run)
    calls = Call.objects.filter(run__in=runs)
    states = dict(calls.values_list("state").annotate(n=Count("pk")).order_by())
    total, done = sum(states.values()), states.get(CallState.DONE, 0)
    live = calls.filter(state=CallState.CLAIMED, lease_until__gte=now).count()
    cost, rate = cost_of_runs(runs), _rate(run, runs, now)
    silence = shown_silence(runs, now)
    foreseeable = rate and run.status in GOING_ON and silence is None
    return RunProgress(
        total=total,
        done=done,
        in_hand=live,
        waiting=total - done - live,
        reused=cost.reused,
        invalid=_invalid(runs),
        requests=cost.requests,
        cost=cost,
        rate=rate,
        seconds_left=(total - done) / rate if rate and foreseeable else None,
        sealed=any_sealed(runs),
        silence=silence,
    )


def _invalid(runs: list[Run]) -> dict[str, int]:
    rows = (
        Reply.objects.filter(call__run__in=runs)
        .exclude(invalid_reason="")
        .filter(not_sealed("call__"))
        .values_list("invalid_reason")
        .annotate(n=Count("pk"))
        .order_by("invalid_reason")
    )
    return dict(rows)


def _rate(run: Run, runs: list[Run], now: datetime) -> float | None:
    """Answers a second of late, or over the whole of a run that has ended.

    Of a panel while any member's run was at work.
    """
    going_on = run.status in GOING_ON
    if run.started_at is None or (run.finished_at is None and not going_on):
        return None
    until, since = run.finished_at or now, run.started_at
    if going_on:
        since = max(since, now - WINDOW, _resumed_at(run) or since)
    answered = Reply.objects.filter(
        call__run__in=runs, reused_from__isnull=True, answered_at__range=(since, until)
    ).count()
    seconds = _at_work(runs, since, until).total_seconds()
    return answered / seconds if answered and seconds >= LEAST_SECONDS else None


def _at_work(runs: list[Run], since: datetime, until: datetime) -> timedelta:
    """How long any of the runs was at work within a time; side by side counts once."""
    whole, covered = timedelta(), since
    spans = [span for run in runs for span in _spans(run, until)]
    for begun, ended in sorted(spans):
        first, last = max(begun, covered), min(ended, until)
        if last > first:
            whole += last - first
            covered = last
    return whole


def _spans(run: Run, until: datetime) -> list[tuple[datetime, datetime]]:
    """From when to when a run was at work until then, its pauses left out."""
    spans: list[tuple[datetime, datetime]] = []
    begun = run.started_at
    for event, at in _halts(run):
        if event == RunEvent.PAUSED and begun is not None:
            spans.append((begun, at))
            begun = None
        elif event == RunEvent.RESUMED and run.started_at is not None:
            begun = begun or max(at, run.started_at)
    if begun is not None:
        spans.append((begun, run.finished_at or until))
    return spans


def _resumed_at(run: Run) -> datetime | None:
    """When a run was last let go on."""
    return max(
        (at for event, at in _halts(run) if event == RunEvent.RESUMED), default=None
    )


def _halts(run: Run) -> list[tuple[str, datetime]]:
    notes = RunNote.objects.filter(
        run=run, event__in=[RunEvent.PAUSED, RunEvent.RESUMED]
    )
    return list(notes.order_by("pk").values_list("event", "noted_at"))
