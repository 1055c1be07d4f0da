"""A set under way, for the pages, the API and the commands on gold."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from annotation.domain.consensus import ConsensusRule
from annotation.models import GoldSet, Label, Pair
from annotation.services.freezing import freeze_gold
from tests.annotation.factory import START, add_case, make_set


@dataclass(frozen=True)
class GoldWorld:
    """Eight cases, two of them held out, with labels and two gold versions.

    Case 0 moved in dev, case 7 in held-out; case 3 is disputed, case 4 has one label.
    """

    gold_set: GoldSet

    @property
    def name(self) -> str:
        return self.gold_set.name

    def pair(self, number: int) -> Pair:
        return Pair.objects.get(
            gold_set=self.gold_set, case__external_id=f"case-{number}"
        )


def say(pair: Pair, *outcomes: str, revision: int = 1, hours: int = 0) -> None:
    Label.objects.bulk_create(
        Label(
            pair=pair,
            external_reviewer=name,
            outcome=outcome,
            revision=revision,
            created_at=START + timedelta(hours=hours),
        )
        for name, outcome in zip(("ann", "bob"), outcomes, strict=False)
    )


def freeze(gold_set: GoldSet, hours: int) -> None:
    freeze_gold(
        gold_set=gold_set,
        rule=ConsensusRule.MAJORITY_ELSE_ADJUDICATE,
        by=None,
        now=START + timedelta(hours=hours),
        leave_open=True,
    )


def make_gold_world() -> GoldWorld:
    gold_set = make_set(cases=0, labels_per_pair=2, name="shop", title="The shop")
    systems = list(gold_set.systems.order_by("position"))
    for number in range(8):
        add_case(
            gold_set,
            systems,
            f"case-{number}",
            texts=[f"As v12 I say {number}.", f"Reply {number} it was."],
            prompt=f"{number * 7919} or {number * 104729} or {number * 1299709} then?",
            slices={"category": "refund" if number % 2 else "order"},
            split="held_out" if number > 5 else "dev",
        )
    world = GoldWorld(gold_set)
    for number in (0, 1, 2, 5, 6, 7):
        say(world.pair(number), "candidate", "candidate")
    say(world.pair(3), "baseline", "tie")
    say(world.pair(4), "tie")
    freeze(gold_set, 1)
    for number in (0, 7):
        say(world.pair(number), "tie", "tie", revision=2, hours=2)
    freeze(gold_set, 3)
    return world
