"""A run while it goes on: counts of calls, tokens and cost, never an outcome."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from config.errors import NotFound
from judging.models import Batch, Run, RunNote, RunStatus
from judging.services.panels import runs_behind
from judging.services.silences import silence_words
from judging.services.watching import progress_of

if TYPE_CHECKING:
    from datetime import datetime

    from judging.services.watching import RunProgress

ACTIVE = (RunStatus.PENDING, RunStatus.RUNNING)
ENDED = (RunStatus.DONE, RunStatus.STOPPED)
MINUTE, HOUR = 60, 3600
LOOK, LONGEST_LOOK, MANY_CALLS = 2, 10, 5000


@dataclass(frozen=True, slots=True)
class LiveRun:
    """How far a run is, and what a lead may do to it now.

    ``members`` are the runs that hold a panel's calls; none for other runs. A run call
    by call has no ``batches``. ``waiting`` says in words that its provider does not
    answer, if so.
    """

    run: Run
    progress: RunProgress
    notes: tuple[RunNote, ...]
    members: tuple[Run, ...]
    batches: tuple[Batch, ...]
    waiting: str = ""

    @property
    def active(self) -> bool:
        """Whether somebody works on it or may take it up by himself."""
        return self.run.status in ACTIVE

    @property
    def look_seconds(self) -> int:
        """How often its page looks anew: long runs are counted long, batches wait."""
        if self.batches:
            return LONGEST_LOOK
        return min(LONGEST_LOOK, LOOK + self.progress.total // MANY_CALLS)

    @property
    def most_in_flight(self) -> int:
        """How many of the calls in hand may be in flight at once."""
        return sum(each.concurrency for each in self.members or (self.run,))

    @property
    def may_resume(self) -> bool:
        """Whether a lead may let it, or a member's run of a panel, go on."""
        if self.run.status in ENDED:
            return False
        held = {RunStatus.PAUSED, RunStatus.FAILED}
        return any(each.status in held for each in (self.run, *self.members))

    @property
    def may_stop(self) -> bool:
        """Whether a lead may end it for good."""
        return self.run.status not in ENDED

    @property
    def calls_a_minute(self) -> str:
        """The rate in words; empty where nobody can tell."""
        rate = self.progress.rate
        return "" if rate is None else f"{rate * MINUTE:.0f}"

    @property
    def time_left(self) -> str:
        """The time left in words; empty where nobody can tell."""
        left = self.progress.seconds_left
        return "" if left is None else duration(left)


def run_by_id(run_id: int) -> Run:
    """One run; raises ``NotFound``."""
    found = Run.objects.for_pages().filter(pk=run_id).first()
    if found is None:
        raise NotFound("run_unknown", f"There is no run {run_id}.")
    return found


def live_run(run: Run, *, now: datetime) -> LiveRun:
    """Count where a run stands now."""
    notes = RunNote.objects.filter(run=run).select_related("noted_by").order_by("pk")
    behind = runs_behind(run)
    progress = progress_of(run, now=now)
    silence = progress.silence
    return LiveRun(
        run=run,
        progress=progress,
        notes=tuple(notes),
        members=() if behind == [run] else tuple(behind),
        batches=tuple(Batch.objects.filter(run__in=behind).order_by("pk")),
        waiting="" if silence is None else silence_words(silence, now),
    )


def duration(seconds: float) -> str:
    """A time in its two largest units, as rough as it is."""
    whole = round(seconds)
    if whole < MINUTE:
        return f"{whole} s"
    if whole < HOUR:
        return f"{whole // MINUTE} min {whole % MINUTE} s"
    return f"{whole // HOUR} h {whole % HOUR // MINUTE} min"
