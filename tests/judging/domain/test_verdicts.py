from __future__ import annotations

import itertools
import json
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, cast

import pytest

from annotation.domain.outcomes import Order, SlotChoice
from judging.domain.terms import (
    CombiningRule,
    Consistency,
    InvalidReason,
    JudgeOutcome,
    RepeatRule,
    TieSource,
)
from judging.domain.verdicts import (
    CallReading,
    Invalid,
    Verdict,
    combine,
    consistency_of,
    five_level,
    order_result,
    three_way,
)
from tests.shared import shared_data

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from judging.domain.verdicts import CaseVerdict, Reading, Strength

B, C, T, A, I = (  # noqa: E741 - the letters of the methods page
    JudgeOutcome.BASELINE,
    JudgeOutcome.CANDIDATE,
    JudgeOutcome.TIE,
    JudgeOutcome.ABSTAIN,
    JudgeOutcome.INVALID,
)
BC, CB = Order.BASELINE_FIRST, Order.CANDIDATE_FIRST
LETTERS = {"B": B, "C": C, "T": T, "A": A, "I": I}
ORDERS = {"BC": BC, "CB": CB}
MAPPED = {B: C, C: B, T: T, A: A, I: I}
LOST = Invalid(InvalidReason.UNPARSED)

FIVE = {
    "A>>B": Verdict(SlotChoice.FIRST, 2),
    "A>B": Verdict(SlotChoice.FIRST, 1),
    "A=B": Verdict(SlotChoice.TIE),
    "B>A": Verdict(SlotChoice.SECOND, 1),
    "B>>A": Verdict(SlotChoice.SECOND, 2),
}
LEVELS = {"much better": 2, "better": 1, "tie": 0, "worse": -1, "much worse": -2}


def reading_of(choice: str) -> Reading:
    return LOST if choice == "invalid" else Verdict(SlotChoice(choice))


def calls_from(pairs: Iterable[Sequence[str]]) -> tuple[list[CallReading], int]:
    counts = dict.fromkeys(Order, 0)
    calls = []
    for order_name, choice in pairs:
        order = ORDERS[order_name]
        counts[order] += 1
        calls.append(CallReading(order, counts[order], reading_of(choice)))
    return calls, max(counts.values())


def judged(
    pairs: Iterable[Sequence[str]], rule: CombiningRule = CombiningRule.AGREE_ELSE_TIE
) -> CaseVerdict:
    calls, planned = calls_from(pairs)
    return combine(calls, rule=rule, repeat_rule=RepeatRule.MEAN, repeats=planned)


@pytest.mark.parametrize(
    ("round1", "round2", "mean", "level"),
    [
        ("A>B", "B>A", Fraction(1), "better"),
        ("A>>B", "A>B", Fraction(1, 2), "better"),
        ("B>A", "A>>B", Fraction(-3, 2), "much worse"),
        ("A>B", "A>B", Fraction(0), "tie"),
        ("A>>B", "B>>A", Fraction(2), "much better"),
        ("A=B", "A>B", Fraction(-1, 2), "worse"),
        ("A=B", "A=B", Fraction(0), "tie"),
        ("A>>B", "B>A", Fraction(3, 2), "much better"),
    ],
)
def test_five_levels_over_both_orders(round1, round2, mean, level):
    case = combine(
        [CallReading(CB, 1, FIVE[round1]), CallReading(BC, 1, FIVE[round2])],
        rule=CombiningRule.MEAN_STRENGTH,
        repeat_rule=RepeatRule.MEAN,
        repeats=1,
    )
    assert (case.mean, case.level) == (mean, LEVELS[level])
    assert case.outcome is three_way(mean)


@pytest.mark.parametrize(
    ("pairs", "by_mean", "by_agreement"),
    [
        ([("CB", "first"), ("BC", "tie")], C, T),
        (
            [
                ("CB", "first"),
                ("CB", "tie"),
                ("CB", "tie"),
                ("BC", "second"),
                ("BC", "second"),
                ("BC", "tie"),
            ],
            C,
            T,
        ),
        ([("CB", "first"), ("BC", "invalid")], I, I),
        ([("CB", "first"), ("BC", "abstain")], A, A),
        ([("CB", "first")], I, I),
        (
            [("CB", "first"), ("CB", "abstain"), ("BC", "second"), ("BC", "second")],
            C,
            C,
        ),
        ([("CB", "abstain"), ("BC", "abstain")], A, A),
    ],
)
def test_case_verdicts_of_the_check_values(pairs, by_mean, by_agreement):
    assert judged(pairs, CombiningRule.MEAN_STRENGTH).outcome is by_mean
    assert judged(pairs).outcome is by_agreement


def test_the_shared_check_values_agree():
    entries = json.loads(shared_data("golden.json").read_text())["entries"]
    seen = 0
    for entry in entries:
        kind = entry["id"].split("/")[0]
        if kind == "map5":
            case = combine(
                [
                    CallReading(CB, 1, FIVE[entry["inputs"]["round1"]]),
                    CallReading(BC, 1, FIVE[entry["inputs"]["round2_swapped"]]),
                ],
                rule=CombiningRule.MEAN_STRENGTH,
                repeat_rule=RepeatRule.MEAN,
                repeats=1,
            )
            mean, level = entry["expected"]
            assert (case.mean, case.level) == (Fraction(mean), LEVELS[level])
        elif kind == "verdict":
            pairs = entry["inputs"]["calls"]
            rules = [CombiningRule.MEAN_STRENGTH, CombiningRule.AGREE_ELSE_TIE]
            got = [judged(pairs, rule).outcome for rule in rules]
            wanted = [LETTERS[letter] for letter in entry["expected"]]
            assert got[: len(wanted)] == wanted, entry["id"]
        seen += kind in ("map5", "verdict")
    assert seen >= 15


def test_orders_that_disagree_never_favour_the_candidate():
    case = judged([("BC", "first"), ("CB", "first")])
    assert (case.outcome, case.tie_source) == (T, TieSource.FLIP)
    assert case.consistency is Consistency.FLIP
    assert (case.baseline_first, case.candidate_first) == (B, C)
    abstaining = judged(
        [("BC", "first"), ("CB", "first")], CombiningRule.AGREE_ELSE_ABSTAIN
    )
    assert abstaining.outcome is A
    assert abstaining.tie_source is None
    assert abstaining.consistency is Consistency.FLIP


@pytest.mark.parametrize(
    ("pairs", "source"),
    [
        ([("BC", "tie"), ("CB", "tie")], TieSource.STATED),
        ([("BC", "first"), ("CB", "tie")], TieSource.TRANSITION),
        ([("BC", "second"), ("CB", "second")], TieSource.FLIP),
        ([("BC", "second"), ("CB", "first")], None),
    ],
)
def test_a_tie_keeps_where_it_came_from(pairs, source):
    assert judged(pairs).tie_source is source


def test_a_strong_verdict_outweighs_a_weak_opposite_one_and_is_still_a_flip():
    case = combine(
        [CallReading(CB, 1, FIVE["A>>B"]), CallReading(BC, 1, FIVE["A>B"])],
        rule=CombiningRule.MEAN_STRENGTH,
        repeat_rule=RepeatRule.MEAN,
        repeats=1,
    )
    assert case.outcome is C
    assert case.consistency is Consistency.FLIP
    assert case.tie_source is None


def test_consistency_of_every_pair_of_order_outcomes():
    for one, other in itertools.product(JudgeOutcome, repeat=2):
        if I in (one, other):
            wanted = Consistency.INVALID
        elif one == other:
            wanted = Consistency.CONSISTENT
        elif A in (one, other):
            wanted = Consistency.ABSTAIN_TRANSITION
        elif {one, other} == {B, C}:
            wanted = Consistency.FLIP
        else:
            wanted = Consistency.TIE_TRANSITION
        assert consistency_of(one, other) is wanted


@pytest.mark.parametrize(
    ("choices", "repeats", "by_mean", "by_majority"),
    [
        (["first"], 1, B, B),
        (["first", "invalid"], 2, B, A),  # half lost is not more than half
        (["first"], 2, B, A),
        (["first", "invalid", "invalid"], 3, I, I),
        (["first"], 3, I, I),
        ([], 1, I, I),
        (["first", "second"], 2, T, A),
        (["first", "first", "second"], 3, T, B),
        (["first", "tie"], 2, B, A),
        (["tie", "tie", "second"], 3, T, T),
        (["abstain", "abstain", "first"], 3, B, A),
        (["abstain", "abstain", "abstain"], 3, A, A),
        (["first", "abstain", "invalid"], 3, B, A),
    ],
)
def test_repeats_become_one_order_outcome(choices, repeats, by_mean, by_majority):
    calls, _ = calls_from([("BC", choice) for choice in choices])
    for repeat_rule, wanted in ((RepeatRule.MEAN, by_mean), ("majority", by_majority)):
        result = order_result(
            calls, repeat_rule=RepeatRule(repeat_rule), repeats=repeats
        )
        assert result.outcome is wanted, repeat_rule
        assert (result.score is None) == (wanted in (A, I))


def test_majority_scores_only_the_calls_that_made_it():
    strong, weak = Verdict(SlotChoice.FIRST, 2), Verdict(SlotChoice.SECOND, 1)
    calls = [
        CallReading(CB, 1, weak),
        CallReading(CB, 2, weak),
        CallReading(CB, 3, strong),
    ]
    result = order_result(calls, repeat_rule=RepeatRule.MAJORITY, repeats=3)
    assert (result.outcome, result.score) == (B, Fraction(-1))


def test_two_calls_with_one_number_are_refused():
    call = CallReading(BC, 1, Verdict(SlotChoice.TIE))
    with pytest.raises(ValueError, match="2 calls for baseline_first, repeat 1"):
        combine(
            [call, replace(call, reading=LOST)],
            rule=CombiningRule.AGREE_ELSE_TIE,
            repeat_rule=RepeatRule.MEAN,
            repeats=2,
        )


@pytest.mark.parametrize(("repeat", "repeats"), [(0, 1), (2, 1), (1, 0)])
def test_unplanned_calls_are_refused(repeat, repeats):
    with pytest.raises(ValueError, match="repeat"):
        combine(
            [CallReading(BC, repeat, LOST)],
            rule=CombiningRule.AGREE_ELSE_TIE,
            repeat_rule=RepeatRule.MEAN,
            repeats=repeats,
        )


@pytest.mark.parametrize("choice", [SlotChoice.TIE, SlotChoice.ABSTAIN])
def test_only_a_decisive_verdict_has_strength(choice):
    with pytest.raises(ValueError, match="no strength"):
        Verdict(choice, 1)
    with pytest.raises(ValueError, match="strength must be"):
        Verdict(SlotChoice.FIRST, cast("Strength", 3))


def test_levels_at_and_around_the_thresholds():
    tiny = Fraction(1, 10**9)
    cases = {Fraction(1, 2): 1, Fraction(1, 2) - tiny: 0, Fraction(3, 2): 2}
    cases |= {Fraction(3, 2) - tiny: 1, Fraction(0): 0}
    for score, level in cases.items():
        assert five_level(score) == level
        assert five_level(-score) == -level
