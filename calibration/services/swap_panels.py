"""Starting a release run over a swapped diagnostic panel of a set's pairs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.db import transaction

from annotation.models import Case, Pair
from calibration.domain.swap_panel import draw_panel
from calibration.models import SwapPanel
from config.errors import Conflict, InvalidInput
from judging.models import RunPurpose
from judging.services.run_options import USUAL, RunOptions
from judging.services.starting import start_run

if TYPE_CHECKING:
    from datetime import datetime

    from annotation.models import GoldSet
    from config.accounts.models import User
    from judging.models import JudgeConfig

LONGEST_SEED = 64


@dataclass(frozen=True, slots=True)
class PanelWish:
    """How large a panel, from which seed, in proportion to which slices.

    Critical pairs are always in it: the rule about them asks for each.
    """

    share: float
    seed: str
    slices: tuple[str, ...] = ()


@transaction.atomic
def start_panel(
    *,
    config: JudgeConfig,
    gold_set: GoldSet,
    wish: PanelWish,
    concurrency: int,
    by: User | None,
    now: datetime,
    options: RunOptions = USUAL,
) -> SwapPanel:
    """Draw the panel, and start a run that judges it in both orders."""
    drawn, total = panel_of(gold_set, wish)
    options = replace(options, purpose=RunPurpose.RELEASE, pair_ids=drawn)
    run = start_run(
        config=config, gold_set=gold_set, concurrency=concurrency, by=by, now=now,
        options=options,
    )  # fmt: skip
    return SwapPanel.objects.create(
        run=run,
        share=wish.share,
        seed=wish.seed,
        slices=list(wish.slices),
        drawn=len(drawn),
        pairs=total,
        drawn_at=now,
        drawn_by=by,
    )


def panel_of(gold_set: GoldSet, wish: PanelWish) -> tuple[tuple[int, ...], int]:
    """The pairs of a panel, and of how many they were drawn.

    Strata are the combinations of the slices' values. Pairs are told apart by their
    place in the set's own order, so that the panel follows from the set and the seed.
    """
    _refuse(gold_set, wish)
    rows = list(
        Pair.objects.filter(gold_set=gold_set)
        .in_order()
        .values_list("pk", "case__slices", "case__critical")
    )
    strata = {
        place: tuple(str(slices.get(key, "")) for key in wish.slices)
        for place, (_, slices, critical) in enumerate(rows)
        if not critical
    }
    places = {p for p, (_, _, critical) in enumerate(rows) if critical}
    places |= set(draw_panel(strata, share=wish.share, seed=wish.seed))
    return tuple(rows[place][0] for place in sorted(places)), len(rows)


def _refuse(gold_set: GoldSet, wish: PanelWish) -> None:
    if not 0 < wish.share <= 1:
        raise InvalidInput("panel_invalid", "share: must be above 0 and at most 1")
    if not 1 <= len(wish.seed) <= LONGEST_SEED or not wish.seed.isprintable():
        message = f"seed: 1 to {LONGEST_SEED} visible characters are needed"
        raise InvalidInput("panel_invalid", message)
    cases = Case.objects.filter(gold_set=gold_set).values_list("slices", flat=True)
    known = {key for slices in cases for key in slices}
    unknown = sorted(set(wish.slices) - known)
    if unknown:
        message = f"slices: no case of {gold_set.name} has {', '.join(unknown)}"
        raise InvalidInput("panel_invalid", message)
    if not cases:
        raise Conflict("gold_empty", f"{gold_set.name} has no pairs to judge.")
