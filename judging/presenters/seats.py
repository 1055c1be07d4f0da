"""A panel's seats before its run is started: who would sit with which run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from judging.models import RunStatus
from judging.services.seats import runs_to_seat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from annotation.models import GoldSet
    from judging.models import Run
    from judging.services.seats import Seat


@dataclass(frozen=True, slots=True)
class SeatChoice:
    """One member, what its seat would be taken by, and what else it could be."""

    seat: Seat
    words: str
    runs: tuple[tuple[int, str], ...]

    @property
    def chosen(self) -> int | None:
        """The complete run that is chosen; none for one that goes on, or a new one."""
        run = self.seat.run
        return run.pk if run is not None and run.status == RunStatus.DONE else None

    @property
    def field(self) -> str:
        """The name of the form field that chooses the run."""
        return seat_field(self.seat.member.pk)


def seat_field(member_id: int) -> str:
    """The name of the form field for a member's run."""
    return f"seat-{member_id}"


def seat_choices(seats: Sequence[Seat], gold_set: GoldSet) -> tuple[SeatChoice, ...]:
    """The seats of a panel with all complete runs that could take them."""
    return tuple(
        SeatChoice(
            seat,
            seat_words(seat),
            tuple((r.pk, _when(r)) for r in runs_to_seat(seat.member, gold_set)),
        )
        for seat in seats
    )


def seat_words(seat: Seat) -> str:
    """Which run a member sits with, and why that one."""
    if seat.run is None:
        return "a new run"
    if seat.named:
        return f"{_when(seat.run)}, as named"
    if seat.run.status == RunStatus.DONE:
        return f"{_when(seat.run)}, its newest complete one"
    return f"run {seat.run.pk}, which is unfinished and goes on"


def _when(run: Run) -> str:
    finished = run.finished_at
    day = f" of {finished:%Y-%m-%d %H:%M} UTC" if finished else ""
    return f"run {run.pk}{day} ({run.purpose})"
