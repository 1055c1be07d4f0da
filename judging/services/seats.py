"""Which runs a panel's run takes its votes from: said before it is started.

Each member's seat is taken by the run that is named for it; else by the unfinished or
the newest complete run of the same purpose; else by a new one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from config.errors import InvalidInput
from judging.models import ConfigKind, Run
from judging.services.finding import complete_run, complete_runs_of, unfinished_run
from judging.services.panels import members_of

if TYPE_CHECKING:
    from annotation.models import GoldSet
    from judging.models import JudgeConfig
    from judging.services.run_options import RunOptions


@dataclass(frozen=True, slots=True)
class Seat:
    """One member of a panel, and the run that it is to sit with; none: a new one."""

    member: JudgeConfig
    run: Run | None
    named: bool = False


def seats_for(
    config: JudgeConfig, gold_set: GoldSet, options: RunOptions
) -> tuple[Seat, ...]:
    """Whose runs a panel would take if it were started now; none for other judges.

    Raises ``InvalidInput`` for a named run that no member may sit with.
    """
    if config.kind != ConfigKind.PANEL:
        if options.member_runs:
            raise InvalidInput(
                "members_not_panel", f"member runs: {config} is no panel."
            )
        return ()
    named = {pk: _named(pk, gold_set) for pk in options.member_runs}
    seats = tuple(
        _seat(member, gold_set, options, list(named.values()))
        for member in members_of(config)
    )
    taken = {seat.run.pk for seat in seats if seat.run is not None and seat.named}
    for pk in named:
        if pk not in taken:
            raise InvalidInput(
                "member_run_unfit",
                f"member runs: run {pk} is of no member of {config}, or another run "
                "was named for the same one.",
            )
    return seats


def runs_to_seat(member: JudgeConfig, gold_set: GoldSet) -> list[Run]:
    """The complete runs that a member could sit with, the newest first."""
    return list(complete_runs_of(member.digest, gold_set))


def _named(pk: int, gold_set: GoldSet) -> Run:
    run = Run.objects.select_related("config").filter(pk=pk).first()
    if run is None or run.gold_set_id != gold_set.pk:
        raise InvalidInput(
            "member_run_unknown", f"member runs: {gold_set.name} has no run {pk}."
        )
    if run not in complete_runs_of(run.config.digest, gold_set):
        raise InvalidInput(
            "member_run_unfit",
            f"member runs: run {pk} is no complete run of verdicts over the whole set.",
        )
    return run


def _seat(
    member: JudgeConfig, gold_set: GoldSet, options: RunOptions, named: list[Run]
) -> Seat:
    for run in named:
        if run.config.digest == member.digest:
            return Seat(member, run, named=True)
    if not options.reuses or options.pair_ids is not None:
        return Seat(member, None)
    found = unfinished_run(
        config=member, gold_set=gold_set, purpose=options.purpose
    ) or complete_run(config=member, gold_set=gold_set, purpose=options.purpose)
    return Seat(member, found)
