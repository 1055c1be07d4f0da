"""Rule 7: each reviewer's own sides differ by 1 at most while both are open to them."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from annotation.domain.outcomes import Order
from annotation.models import Assignment, Seat
from annotation.services.progress import open_to
from tests.annotation.factory import START, Clock, Desk, make_round, make_set

if TYPE_CHECKING:
    from collections.abc import Callable

    from config.accounts.models import User


@dataclass
class Seen:
    """What one reviewer was shown, by order, and the case they saw last."""

    desk: Desk
    counts: Counter[str] = field(default_factory=Counter)
    last_case: int = 0

    def wanted(self) -> Order | None:
        """The order that they saw less of."""
        lead = self.counts[Order.BASELINE_FIRST] - self.counts[Order.CANDIDATE_FIRST]
        if lead == 0:
            return None
        return Order.CANDIDATE_FIRST if lead > 0 else Order.BASELINE_FIRST

    def is_open(self, order: Order) -> bool:
        """Whether they could be given a seat of this order, of another case."""
        round_, me = self.desk.round, self.desk.reviewer
        seats = Seat.objects.filter(
            open_to(round_.pk, me.pk), round=round_, available_at__lte=START
        )
        return seats.filter(order=order).exclude(case=self.last_case).exists()


@pytest.mark.parametrize(("cases", "labels"), [(21, 3), (30, 2), (45, 1)])
def test_the_side_seen_less_comes_next_as_long_as_there_is_one(
    cases: int,
    labels: int,
    make_user: Callable[..., User],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Three people at random turns; when one side runs out, the other goes on."""
    monkeypatch.setattr("annotation.services.rounds.new_seed", lambda: "autumn")
    clock, rng = Clock(), random.Random(cases)
    people = [make_user(f"person {n}") for n in range(3)]
    round_ = make_round(make_set(cases=cases), *people, labels_per_pair=labels)
    all_of_them = [Seen(Desk(round_, user, clock, rng)) for user in people]
    working, ran_out = list(all_of_them), 0
    while working:
        one = rng.choice(working)
        wanted = one.wanted()
        had = wanted is not None and one.is_open(wanted)
        found = one.desk.next()
        if not isinstance(found, Assignment):
            working.remove(one)
            continue
        if had:
            assert found.order == wanted
        ran_out += wanted is not None and not had
        one.counts[found.order] += 1
        one.last_case = found.pair.case_id
        one.desk.submit(found)
    assert sum(one.counts.total() for one in all_of_them) == cases * labels
    assert ran_out < cases * labels / 3
