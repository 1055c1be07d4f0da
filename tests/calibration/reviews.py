"""A world with disagreements, and labels that its gold follows from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotation.models import Label
from tests.annotation.factory import START
from tests.calibration.world import Told, World, make_world

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.test import Client

    from annotation.models import Pair

EN, DE = {"language": "en"}, {"language": "de"}
TOLD = (
    Told("dev", "B", "B", "B", EN, "BBB", raw="raw en"),  # case-0000
    Told("dev", "C", "C", "C", EN, "CCC"),
    Told("dev", "T", "I", "T", EN, "TTB"),  # 2: invalid
    Told("dev", "C", "B", "B", DE, "CCB", raw="raw wrong"),  # 3: wrong
    Told("dev", "B", "B", "C", DE, "BBB", raw="raw flip"),  # 4: a flip
    Told("held_out", "B", "C", "C", EN, "BBB", raw="raw closed"),  # 5: wrong
    Told("held_out", "C", "C", "C", EN, "CCC"),
)


def review_world(told: Sequence[Told] = TOLD, **fields: str) -> World:
    """Gold that stands on labels, so that it can be sent to correction."""
    world = make_world(told, **fields)
    Label.objects.bulk_create(
        Label(
            pair=item.pair,
            outcome=outcome,
            external_reviewer=f"r{number}",
            note=f"note {number} on {item.pair.case.external_id}",
            created_at=START,
        )
        for item in world.gold.items.select_related("pair__case").order_by("pk")
        for number, outcome in enumerate(item.labels)
    )
    return world


def pair_named(world: World, case: str) -> Pair:
    found: Pair = world.gold_set.pairs.get(case__external_id=case)
    return found


def looked(client: Client, path: str) -> Any:
    """The page at an address, once the look that it needs is taken."""
    return client.post(path, {"reason": "the release is due"}, follow=True)
