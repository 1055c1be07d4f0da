"""Which pairs a round gets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from annotation.domain.outcomes import Order, Outcome, Split, choice_for
from annotation.domain.round_notes import shortfalls
from annotation.models import GoldSet, Pair, Round, Seat, System
from annotation.services.named_pairs import name_of
from annotation.services.round_planning import (
    RoundPlan,
    Selection,
    Which,
    choose_pairs,
)
from annotation.services.rounds import open_chosen
from config.errors import InvalidInput
from tests.annotation.factory import START, Clock, Desk, add_case, make_round, make_set

if TYPE_CHECKING:
    from config.accounts.models import User

SPLITS = ("", Split.DEV.value, Split.HELD_OUT.value)


@pytest.fixture
def mixed(db: None) -> GoldSet:
    """20 cases over three splits and two topics; every fourth pair is designed."""
    gold_set = make_set(cases=0, systems=("v12", "v13"), labels_per_pair=2)
    systems = list(System.objects.filter(gold_set=gold_set))
    for n in range(20):
        add_case(
            gold_set,
            systems,
            f"c-{n:02d}",
            designed="tie" if n % 4 == 0 else "",
            split=SPLITS[n % 3],
            slices={"topic": f"t{n % 2}", "number": n % 5},
        )
    return gold_set


def chosen(gold_set: GoldSet, rate: float = 0, **selection: Any) -> list[int]:
    found = choose_pairs(
        gold_set=gold_set,
        plan=RoundPlan("r", 1, designed_rate=rate),
        selection=Selection(**selection),
        seed="secret",
        now=START,
    )
    return sorted(int(pair.case.external_id[2:]) for pair in found.all)


def test_conditions_hold_together(mixed: GoldSet) -> None:
    assert chosen(mixed) == list(range(20))
    assert chosen(mixed, split="dev") == [1, 4, 7, 10, 13, 16, 19]
    assert chosen(mixed, split="none") == [0, 3, 6, 9, 12, 15, 18]
    topic: dict[str, Any] = {"slice_key": "topic", "slice_value": "t1"}
    assert chosen(mixed, split="dev", **topic) == [1, 7, 13, 19]
    assert chosen(mixed, slice_key="number", slice_value="4") == [4, 9, 14, 19]
    listed = ("c-03", "c-07", "c-07")
    assert chosen(mixed, case_ids=listed) == [3, 7]
    assert chosen(mixed, case_ids=listed, split="dev") == [7]


def test_an_unknown_case_is_named(mixed: GoldSet) -> None:
    with pytest.raises(InvalidInput, match=r"no pair of a, b, c, d, e and 2 more$"):
        chosen(mixed, case_ids=("c-01", *"abcdefg"))


@pytest.mark.django_db
def test_one_pair_of_a_case_is_named_by_its_systems() -> None:
    gold_set = make_set(2, systems=("v 1", "v|2", "v3"))

    def named(*names: str) -> list[str]:
        found = choose_pairs(
            gold_set=gold_set, plan=RoundPlan("r", 1), seed="secret", now=START,
            selection=Selection(case_ids=names),
        )  # fmt: skip
        return [name_of(pair) for pair in found.all]

    one = "case-0001 v 1|v|2"
    assert named(one) == [one]
    assert named(one, " case-0001 v|2|v3 ", one) == [one, "case-0001 v|2|v3"]
    assert len(named("case-0001")) == 3
    assert len(named("case-0000 v 1|v3", "case-0001")) == 4
    for wrong in ("case-0001 v3|v 1", "case-0001 v 1", "case-0002 v 1|v3"):
        with pytest.raises(InvalidInput, match="no pair of case-"):
            named(wrong)


@pytest.mark.django_db
def test_a_name_of_a_case_and_of_a_pair_is_refused() -> None:
    gold_set = make_set(1)
    add_case(gold_set, list(gold_set.systems.all()), "case-0000 v12|v13")
    with pytest.raises(InvalidInput) as refused:
        choose_pairs(
            gold_set=gold_set, plan=RoundPlan("r", 1), seed="secret", now=START,
            selection=Selection(case_ids=("case-0000 v12|v13",)),
        )  # fmt: skip
    assert refused.value.code == "pair_ambiguous"


def test_a_sample_is_the_same_for_one_seed(mixed: GoldSet) -> None:
    first = chosen(mixed, sample=6, seed="x")
    assert first == chosen(mixed, sample=6, seed="x")
    assert len(first) == 6
    assert first != chosen(mixed, sample=6, seed="y")
    assert chosen(mixed, sample=60, seed="x") == list(range(20))


def test_without_gold_and_disputed(
    mixed: GoldSet, reviewer: User, other_reviewer: User, clock: Clock
) -> None:
    """Case 1 is agreed on, case 2 disputed, case 3 has one label of two."""
    outcomes = {1: ("baseline", "baseline"), 2: ("baseline", "tie"), 3: ("tie",)}
    for number, said in outcomes.items():
        pairs = list(Pair.objects.filter(case__external_id=f"c-{number:02d}"))
        round_ = make_round(
            mixed, reviewer, other_reviewer, name=str(number), labels_per_pair=2,
            pairs=pairs,
        )  # fmt: skip
        for user, outcome in zip((reviewer, other_reviewer), said, strict=False):
            desk = Desk(round_, user, clock)
            found = desk.claim()
            desk.submit(found, choice_for(Outcome(outcome), Order(found.order)))

    assert chosen(mixed, which=Which.DISPUTED) == [2]
    assert chosen(mixed, which=Which.WITHOUT_GOLD) == [0, *range(2, 20)]


def test_designed_pairs_are_mixed_in_at_a_rate(mixed: GoldSet) -> None:
    """15 other pairs; of the five designed ones, a fifth of 15 makes three."""
    found = chosen(mixed, rate=0.2)
    others = [n for n in range(20) if n % 4]
    assert [n for n in found if n % 4] == others
    assert len([n for n in found if n % 4 == 0]) == 3
    few = choose_pairs(
        gold_set=mixed,
        plan=RoundPlan("r", 1, designed_rate=1),
        selection=Selection(split="dev"),
        seed="s",
        now=START,
    )
    assert few.notes == (
        "2 of 5 asked for were taken: no more designed pairs are to be had.",
    )
    assert (len(few.pairs), len(few.designed), few.designed_wanted) == (5, 2, 5)


def test_which_designed_pairs_hangs_on_the_secret_seed(mixed: GoldSet) -> None:
    plan, drawn = RoundPlan("r", 1, designed_rate=0.2), set()
    for seed in "abcdefgh":
        found = choose_pairs(
            gold_set=mixed, plan=plan, selection=Selection(), seed=seed, now=START
        )
        drawn.add(frozenset(pair.pk for pair in found.designed))
    assert len(drawn) > 1


def test_designed_pairs_have_balanced_seats_like_all(mixed: GoldSet) -> None:
    round_ = open_chosen(
        gold_set=mixed,
        plan=RoundPlan("r", 2, designed_rate=0.2),
        selection=Selection(),
        reviewers=[],
        by=None,
        now=START,
    )
    for number in (1, 2):
        seats = Seat.objects.filter(round=round_, pass_no=number)
        first = seats.filter(order=Order.BASELINE_FIRST.value).count()
        assert (seats.count(), first) == (18, 9)
    assert round_.selection == {
        "which": "all", "pairs": 18, "seats": 36, "retests": 0,
        "designed": 3, "set_aside": 0, "unchecked": True,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("selection", "reason"),
    [
        (Selection(split="test"), "split:"),
        (Selection(slice_value="x"), "slice:"),
        (Selection(sample=0, seed="s"), "sample:"),
        (Selection(sample=10**30, seed="s"), "sample: must be 1 to 1000000"),
        (Selection(sample=3), "seed:"),
        (Selection(sample=3, seed="s" * 65), "seed:"),
    ],
)
def test_a_selection_that_cannot_be_is_refused(
    selection: Selection, reason: str, gold_set: GoldSet
) -> None:
    with pytest.raises(InvalidInput, match=f"^{reason}"):
        choose_pairs(
            gold_set=gold_set,
            plan=RoundPlan("r", 1),
            selection=selection,
            seed="s",
            now=START,
        )


@pytest.mark.parametrize("change", [{"retest_share": 1.1}, {"designed_rate": -0.1}])
def test_shares_lie_between_0_and_1(change: dict[str, Any], gold_set: GoldSet) -> None:
    with pytest.raises(InvalidInput, match="must be 0 to 1"):
        make_round(gold_set, **change)
    assert not Round.objects.exists()


def test_a_sample_that_falls_short_says_so(mixed: GoldSet) -> None:
    def opened(sample: int) -> Round:
        return open_chosen(
            gold_set=mixed,
            plan=RoundPlan(f"r{sample}", 2),
            selection=Selection(split="dev", sample=sample, seed="s"),
            reviewers=[],
            by=None,
            now=START,
        )

    assert "sample_taken" not in opened(7).selection
    short = opened(30).selection
    assert (short["pairs"], short["sample"], short["sample_taken"]) == (7, 30, 7)
    assert shortfalls(short) == (
        "7 of 30 asked for were taken: no more pairs meet the conditions.",
        "The checks of the set have not been run before this round.",
    )
