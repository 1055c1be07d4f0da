"""Disputed pairs for the tests, and an adjudicator at work on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from annotation.domain.outcomes import Order, Outcome, SlotChoice, choice_for
from annotation.models import GoldSet, Label, Pair, Round, Seat
from annotation.services.hearings import (
    Docket,
    Statement,
    give_back,
    next_hearing,
    rule,
    rule_first,
)
from tests.annotation.factory import START, Clock

if TYPE_CHECKING:
    from collections.abc import Sequence

    from annotation.models import Adjudication, Hearing
    from config.accounts.models import User

B, C, T, A = Outcome.BASELINE, Outcome.CANDIDATE, Outcome.TIE, Outcome.ABSTAIN
DISPUTE, SPLIT, AGREED = (B, C, T), (B, B, C), (C, C, C)


def pairs_of(gold_set: GoldSet) -> list[Pair]:
    return list(Pair.objects.with_texts().filter(gold_set=gold_set).order_by("pk"))


def label(
    gold_set: GoldSet,
    people: Sequence[User],
    said: Sequence[Sequence[Outcome]],
    *,
    closed: bool = True,
    **fields: Any,
) -> Round:
    """A round in which person n gave pair m the outcome ``said[m][n]``.

    Orders alternate between people, so that of two neighbours one saw the pair swapped.
    """
    round_ = Round.objects.create(
        gold_set=gold_set,
        name=f"Round {Round.objects.count()}",
        labels_per_pair=max(1, *map(len, said), 1),
        opened_at=START,
        closed_at=START if closed else None,
    )
    for pair, outcomes in zip(pairs_of(gold_set), said, strict=False):
        for place, (person, outcome) in enumerate(zip(people, outcomes, strict=False)):
            give(round_, pair, person, outcome, place, **fields)
    return round_


def give(
    round_: Round, pair: Pair, person: User, outcome: Outcome, place: int, **fields: Any
) -> Label:
    order = list(Order)[place % 2]
    seat = Seat.objects.create(
        round=round_,
        pair=pair,
        case=pair.case,
        pass_no=place + 1,
        order=order.value,
        rank=pair.pk * 10 + place,
        reviewer=person,
        available_at=None,
    )
    return Label.objects.create(
        pair=pair,
        seat=seat,
        reviewer=person,
        choice=choice_for(outcome, order).value,
        order=order.value,
        outcome=outcome.value,
        created_at=START,
        **fields,
    )


@dataclass
class Bench:
    """One adjudicator at work."""

    person: User
    clock: Clock

    def next(self) -> Docket:
        return next_hearing(adjudicator=self.person, now=self.clock.now)

    def hearing(self) -> Hearing:
        found = self.next().hearing
        assert found is not None
        return found

    def first(self, hearing: Hearing, choice: SlotChoice) -> Hearing:
        return rule_first(
            token=str(hearing.token),
            adjudicator=self.person,
            choice=choice,
            now=self.clock.now,
        )

    def rule(
        self,
        hearing: Hearing,
        outcome: Outcome = T,
        note: str = "Both say the same.",
        category: str = "genuinely_close",
    ) -> Adjudication:
        choice = choice_for(outcome, Order(hearing.order))
        return rule(
            token=str(hearing.token),
            adjudicator=self.person,
            statement=Statement(choice, category, note),
            now=self.clock.pass_minutes(1),
        )

    def give_back(self, hearing: Hearing) -> None:
        give_back(token=str(hearing.token), adjudicator=self.person, now=self.clock.now)

    def seen(self) -> list[int]:
        """Rule on all that comes; the pairs in the order in which they came."""
        pairs = []
        while (hearing := self.next().hearing) is not None:
            pairs.append(hearing.pair_id)
            self.rule(hearing)
        return pairs


def asked(bench: Bench) -> dict[str, Any]:
    """Who asks, and when, as the queue's functions take it."""
    return {"adjudicator": bench.person, "now": bench.clock.now}
