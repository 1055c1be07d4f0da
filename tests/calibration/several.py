"""A gold set of three systems: each case has three pairs, and they are one prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.outcomes import Order
from annotation.models import GoldItem, Pair
from tests.annotation.factory import add_case
from tests.calibration.factory import GOLD
from tests.calibration.world import World, make_world, say

if TYPE_CHECKING:
    from collections.abc import Sequence

SYSTEMS = ("v12", "v13", "v14")
PER_CASE = 3


def add_pairs(
    world: World, said: Sequence[str], split: str = "dev", group: str = ""
) -> list[Pair]:
    """A case for each text: of each of its pairs gold, and the judge in both orders.

    ``BBB CBC UTT`` is right, flips to wrong, and has no gold; pairs in the set's order.
    """
    begun = world.gold_set.cases.count()
    made: list[Pair] = []
    for index, told in enumerate(said, begun):
        case = add_case(
            world.gold_set,
            list(world.gold_set.systems.order_by("position")),
            f"case-{index:04d}",
            split=split,
            slices={"language": "en"},
            group=group,
        )
        pairs = list(Pair.objects.filter(case=case).in_order())
        for pair, letters in zip(pairs, told.split(), strict=True):
            outcome = GOLD[letters[0]]
            GoldItem.objects.create(
                version=world.gold,
                pair=pair,
                split=split,
                outcome=outcome.value if outcome else "",
                source="consensus" if outcome else "none",
                labels=[],
            )
            for order, letter in zip(Order, letters[1:], strict=True):
                say(world.run, pair, order, letter, "")
        made += pairs
    return made


def several_world(said: Sequence[str], split: str = "dev") -> World:
    """Start a set of three systems with its frozen gold and its finished run."""
    world = make_world((), systems=SYSTEMS)
    add_pairs(world, said, split)
    return world
