"""A sealed world in which everything that is held out carries a canary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.outcomes import Outcome
from annotation.domain.rulings import RulingCategory
from annotation.models import GoldItem, GoldSet, Label, LookMode, Pair
from annotation.services.adjudicating import Opinion, adjudicate
from calibration.services.sealed_looks import plan_looks
from tests.annotation.factory import START
from tests.calibration.world import Told, World, make_world

if TYPE_CHECKING:
    from collections.abc import Mapping

    from config.accounts.models import User

LIMITS = {"agreement": 0.5}
CANARY = "canary"
# Twenty held-out pairs, all of them right: enough to pass a limit of 50 %.
GOOD = (
    *(Told("dev", "B", "B", "B", {"language": "en"}, "BBB") for _ in range(3)),
    Told("dev", "C", "B", "C", {"language": "de"}, "CCC"),
    *(
        Told("held_out", "C", "C", "C", {"language": "en"}, "CCB", raw=f"{CANARY}reply")
        for _ in range(20)
    ),
)


def seal(
    gold_set: GoldSet, limits: Mapping[str, float] | None = None, budget: int = 3
) -> None:
    """Plan sealed looks at a set."""
    plan_looks(
        gold_set=gold_set,
        mode=LookMode.SEALED,
        budget=budget,
        limits=LIMITS if limits is None else limits,
        by=None,
        now=START,
    )


def sealed_world(ruler: User, **fields: str) -> World:
    """Plant canaries in held-out labels, rulings and replies; then seal the set."""
    world = make_world(GOOD, **fields)
    held_out = Pair.objects.filter(gold_set=world.gold_set, case__split="held_out")
    Label.objects.bulk_create(
        Label(
            pair=pair,
            outcome=Outcome.CANDIDATE.value,
            external_reviewer="ann",
            note=f"{CANARY}note",
            revision=1,
            created_at=START,
        )
        for pair in held_out
    )
    first = held_out.earliest("pk")
    opinion = Opinion(
        Outcome.CANDIDATE, RulingCategory.GENUINELY_CLOSE, f"{CANARY}ruling"
    )
    adjudicate(pair=first, opinion=opinion, by=ruler, now=START)
    _second_version(world)
    seal(world.gold_set)
    return world


def _second_version(world: World) -> None:
    """A newer version in which one held-out pair moved, so that there is a change."""
    old = world.gold
    new = type(old).objects.create(
        gold_set=old.gold_set, number=2, rule=old.rule, digest="2" * 64, pairs=0,
        left_open=0, created_at=START,
    )  # fmt: skip
    items = list(old.items.order_by("pk"))
    GoldItem.objects.bulk_create(
        GoldItem(
            version=new, pair=item.pair, split=item.split,
            outcome="tie" if item is items[-1] else item.outcome,
            source=item.source, labels=item.labels,
        )
        for item in items
    )  # fmt: skip
