"""Opening rounds with balanced seats, and closing them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from annotation.domain.outcomes import Order, Split
from annotation.models import Pair, Round, RoundMember, Seat, System
from annotation.services.claims import TOP_RANK
from annotation.services.round_members import add_members
from annotation.services.round_planning import RoundPlan
from annotation.services.rounds import close_round, open_round
from config.errors import Conflict, InvalidInput
from tests.annotation.factory import START, Clock, Desk, add_case, make_round, make_set

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from annotation.models import GoldSet
    from config.accounts.models import User

TOPICS = ("refund", "delivery", "account")


def sliced_set() -> GoldSet:
    """31 cases, unevenly over two splits and three topics."""
    gold_set = make_set(cases=0, systems=("v12", "v13"), primary_slice="topic")
    systems = list(System.objects.filter(gold_set=gold_set))
    for n in range(31):
        add_case(
            gold_set,
            systems,
            f"c-{n:04d}",
            split=(Split.DEV if n % 3 else Split.HELD_OUT).value,
            slices={"topic": TOPICS[n * n % 3], "language": "en" if n % 2 else "de"},
        )
    return gold_set


def differences(rows: Iterable[tuple[Hashable, str]]) -> list[int]:
    counts: Counter[Hashable] = Counter()
    for label, order in rows:
        counts[label] += 1 if order == Order.BASELINE_FIRST else -1
    return [abs(value) for value in counts.values()]


@pytest.mark.parametrize("labels", [1, 2, 3])
def test_orders_balance_in_each_pass_by_split_slice_and_cell(
    labels: int, db: None
) -> None:
    round_ = make_round(sliced_set(), labels_per_pair=labels)
    seats = list(Seat.objects.filter(round=round_).select_related("case"))

    assert len(seats) == 31 * labels
    for number in range(1, labels + 1):
        one = [seat for seat in seats if seat.pass_no == number]
        for key in (
            lambda seat: "all",
            lambda seat: seat.case.split,
            lambda seat: seat.case.slices["topic"],
            lambda seat: (seat.case.split, seat.case.slices["topic"]),
        ):
            assert max(differences((key(seat), seat.order) for seat in one)) <= 1


def test_successive_labels_of_a_pair_alternate(db: None) -> None:
    round_ = make_round(make_set(cases=5), labels_per_pair=3)
    for pair in Pair.objects.all():
        orders = Seat.objects.filter(round=round_, pair=pair).order_by("pass_no")
        first, second, third = (seat.order for seat in orders)
        assert first != second
        assert first == third


def test_ranks_spread_over_the_whole_range(db: None) -> None:
    """A search that starts at a random rank must be able to start anywhere."""
    round_ = make_round(make_set(cases=50), labels_per_pair=2)
    ranks = sorted(Seat.objects.filter(round=round_).values_list("rank", flat=True))

    assert len(set(ranks)) == 100
    assert ranks[0] < TOP_RANK / 50
    assert TOP_RANK * 0.98 < ranks[-1] < TOP_RANK


@pytest.mark.parametrize(
    ("plan", "field"),
    [
        (RoundPlan(" ", 1), "name"),
        (RoundPlan("r", 0), "labels_per_pair"),
        (RoundPlan("r", 6), "labels_per_pair"),
        (RoundPlan("r", 1, 0), "reservation_minutes"),
        (RoundPlan("r", 1, 1441), "reservation_minutes"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(
    plan: RoundPlan, field: str, gold_set: GoldSet
) -> None:
    with pytest.raises(InvalidInput, match=f"^{field}:"):
        open_round(
            gold_set=gold_set,
            plan=plan,
            pairs=list(Pair.objects.all()),
            reviewers=[],
            by=None,
            now=START,
        )
    assert not Round.objects.exists()


def test_pairs_must_be_of_the_set_once_each(gold_set: GoldSet) -> None:
    own, other = list(Pair.objects.all()), make_set(cases=1)
    foreign = Pair.objects.filter(gold_set=other)
    for pairs, code in (
        ([], "round_empty"),
        ([*own, *foreign], "round_foreign_pair"),
        ([*own, own[0]], "round_repeated_pair"),
    ):
        with pytest.raises(InvalidInput) as refusal:
            open_round(
                gold_set=gold_set,
                plan=RoundPlan("r", 1),
                pairs=pairs,
                reviewers=[],
                by=None,
                now=START,
            )
        assert refusal.value.code == code


def test_a_name_is_used_once_in_a_set(gold_set: GoldSet) -> None:
    make_round(gold_set, name="spring")
    with pytest.raises(Conflict) as refusal:
        make_round(gold_set, name="spring")
    assert refusal.value.code == "round_exists"
    assert make_round(make_set(cases=1), name="spring").name == "spring"


def test_adding_a_member_twice_changes_nothing(round_: Round, reviewer: User) -> None:
    before = RoundMember.objects.count()
    add_members(round_=round_, reviewers=[reviewer], now=START)
    assert RoundMember.objects.count() == before


def test_closing_takes_effect_once(round_: Round, lead: User, clock: Clock) -> None:
    close_round(round_=round_, by=lead, now=clock.now)
    with pytest.raises(Conflict) as refusal:
        close_round(round_=round_, by=None, now=clock.pass_minutes(5))
    assert refusal.value.code == "round_closed"
    round_.refresh_from_db()
    assert (round_.closed_at, round_.closed_by) == (START, lead)


def test_labels_prove_the_balance(desk: Desk, other_desk: Desk) -> None:
    labels = [*desk.label_all(), *other_desk.label_all()]
    rows = [(label.seat.pass_no, label.order) for label in labels if label.seat]
    assert max(differences(rows)) <= 1
