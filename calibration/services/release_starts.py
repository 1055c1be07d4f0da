"""Starting a release run: over all pairs of a set, of two systems, or over a panel."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.db import transaction

from annotation.models import GoldSet, Pair
from calibration.services.releases import run_pairs
from calibration.services.swap_panels import PanelWish, panel_of, start_panel
from config.errors import Conflict, InvalidInput
from judging.models import ConfigKind, Run, RunPurpose
from judging.services.admitting import refuse_start
from judging.services.budgets import refuse_budget
from judging.services.comparing import refuse_release
from judging.services.estimating import RunEstimate, estimate_run
from judging.services.run_options import RunOptions
from judging.services.seats import seats_for
from judging.services.starting import start_run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from config.accounts.models import User
    from judging.models import JudgeConfig
    from judging.services.seats import Seat

USUAL = RunOptions(purpose=RunPurpose.RELEASE)


@dataclass(frozen=True, slots=True)
class ReleaseWish:
    """Which judge over which pairs.

    ``systems`` names a baseline and a candidate where a set compares more; ``panel``
    judges a part of a set in both orders instead of all of it.
    """

    config: JudgeConfig
    gold_set: GoldSet
    panel: PanelWish | None = None
    systems: tuple[str, ...] = ()
    options: RunOptions = USUAL


def asked_for(
    share: float | None, seed: str, slices: Sequence[str]
) -> PanelWish | None:
    """The panel that was asked for: share and seed together, or neither."""
    if share is None and not seed and not slices:
        return None
    if share is None or not seed:
        message = "A panel needs both a share and a seed; leave both out for all pairs."
        raise InvalidInput("panel_invalid", message)
    return PanelWish(share, seed, tuple(slices))


def estimate_release(
    wish: ReleaseWish, *, now: datetime
) -> tuple[RunEstimate, list[Seat]]:
    """Say what it would come to, and ask nothing; refuses what a start refuses."""
    options = _options(wish)
    seats = list(seats_for(wish.config, wish.gold_set, options))
    refuse_start(wish.config, wish.gold_set, options, seats=seats, day=now.date())
    found = estimate_run(
        config=wish.config,
        gold_set=wish.gold_set,
        now=now,
        reuse=options.reuses,
        pair_ids=options.pair_ids,
        seats=seats,
    )
    return found, seats


@transaction.atomic
def start_release(
    wish: ReleaseWish, *, concurrency: int, by: User | None, now: datetime
) -> Run:
    """Start the run; two that ask for the same at once start one.

    Raises ``Conflict`` for pairs of more than two systems, and while the same release
    of this judge is unfinished.
    """
    GoldSet.objects.select_for_update().get(pk=wish.gold_set.pk)
    options = _options(wish)
    refuse_budget(options.budget)
    refuse_release(wish.gold_set, options)
    _refuse_unfinished(wish, options)
    if wish.panel is not None:
        panel = start_panel(
            config=wish.config,
            gold_set=wish.gold_set,
            wish=wish.panel,
            concurrency=concurrency,
            by=by,
            now=now,
            options=wish.options,
        )
        return panel.run
    return start_run(
        config=wish.config,
        gold_set=wish.gold_set,
        concurrency=concurrency,
        by=by,
        now=now,
        options=options,
    )


def _options(wish: ReleaseWish) -> RunOptions:
    if wish.config.kind == ConfigKind.POINTWISE:
        message = f"{wish.config} marks single responses; a release compares two."
        raise Conflict("judge_pointwise", message)
    ids = None
    if wish.panel is not None:
        if wish.systems:
            message = (
                "A panel is drawn from a set that compares two systems: import the "
                "pairs of these two as a set of their own."
            )
            raise Conflict("panel_of_systems", message)
        ids = panel_of(wish.gold_set, wish.panel)[0]
    elif wish.systems:
        ids = _between(wish.gold_set, wish.systems)
    return replace(wish.options, purpose=RunPurpose.RELEASE, pair_ids=ids)


def _between(gold_set: GoldSet, systems: tuple[str, ...]) -> tuple[int, ...]:
    if len(systems) != 2:  # noqa: PLR2004 - a baseline and a candidate
        message = "systems: a baseline and a candidate are two names"
        raise InvalidInput("systems_invalid", message)
    baseline, candidate = systems
    pairs = Pair.objects.filter(
        gold_set=gold_set,
        baseline__system__name=baseline,
        candidate__system__name=candidate,
    )
    ids = tuple(pairs.in_order().values_list("pk", flat=True))
    if not ids:
        message = (
            f"systems: {gold_set.name} has no pair of {candidate} with {baseline} "
            "as the baseline"
        )
        raise InvalidInput("systems_invalid", message)
    return ids


def _refuse_unfinished(wish: ReleaseWish, options: RunOptions) -> None:
    runs = Run.objects.filter(
        config=wish.config, gold_set=wish.gold_set, purpose=RunPurpose.RELEASE
    ).resumable()
    if wish.panel is None:
        runs = runs.filter(swap_panel=None)
    else:
        runs = runs.filter(
            swap_panel__share=wish.panel.share,
            swap_panel__seed=wish.panel.seed,
            swap_panel__slices=list(wish.panel.slices),
        )
    wanted = _wanted(wish.gold_set, options)
    for run in runs.order_by("-pk"):
        if set(run_pairs(run).values_list("pk", flat=True)) == wanted:
            raise Conflict(
                "run_unfinished",
                f"Run {run.pk} is this very release, and is unfinished: let it go on, "
                "or stop it first.",
            )


def _wanted(gold_set: GoldSet, options: RunOptions) -> set[int]:
    if options.pair_ids is not None:
        return set(options.pair_ids)
    return set(Pair.objects.filter(gold_set=gold_set).values_list("pk", flat=True))
