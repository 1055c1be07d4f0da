"""From repeats with abstains to the confusion: every value worked out by hand.

Three calls an order. ``mean`` leaves abstains out while something else is left;
``majority`` takes them as an outcome, and where modal outcomes tie there is none, which
is an abstain (DESIGN rule 4, METHODS 3.1).
"""

from __future__ import annotations

from dataclasses import astuple

import pytest

from annotation.domain.estimates import Estimate
from annotation.domain.outcomes import Order, Outcome, choice_for
from calibration.domain.samples import CallOutcome, Row, Sample
from judging.domain.terms import CombiningRule, InvalidReason, RepeatRule
from judging.domain.verdicts import (
    CallReading,
    CaseVerdict,
    Invalid,
    Verdict,
    call_outcome,
    combine,
)
from tests.calibration.factory import GOLD, JUDGED, SYSTEMS, block_of

LETTERS = {outcome: letter for letter, outcome in JUDGED.items()}
# gold, calls baseline first, candidate first; verdict by mean and by majority
TOLD = (
    ("B", "BBA", "BAA", "B", "A"),  # two of three abstain: the modal outcome
    ("C", "CCA", "CAT", "C", "A"),  # C and T: a mean of 1/2; three modes tie
    ("T", "TTA", "BCT", "T", "A"),  # B, C and T cancel out; three modes tie
    ("A", "AAA", "AAB", "A", "A"),  # either order abstains
    ("B", "BCA", "BBB", "T", "A"),  # B and C are a tie by mean: from a transition
    ("C", "AII", "CCC", "I", "I"),  # more than half of an order is invalid
    ("C", "ACI", "CCI", "C", "A"),  # one C of three is no majority
)


def reading(letter: str, order: Order, repeat: int) -> CallReading:
    if letter == "I":
        return CallReading(order, repeat, Invalid(InvalidReason.UNPARSED))
    outcome = Outcome(JUDGED[letter].value)
    return CallReading(order, repeat, Verdict(choice_for(outcome, order)))


def readings(there: str, back: str) -> list[CallReading]:
    return [
        reading(letter, order, repeat)
        for order, letters in zip(Order, (there, back), strict=True)
        for repeat, letter in enumerate(letters, 1)
    ]


def verdict(there: str, back: str, rule: RepeatRule) -> CaseVerdict:
    calls = readings(there, back)
    agree = CombiningRule.AGREE_ELSE_TIE
    return combine(calls, rule=agree, repeat_rule=rule, repeats=3)


def outcome_of(call: CallReading) -> CallOutcome:
    if isinstance(call.reading, Invalid):
        reason = call.reading.reason
        return CallOutcome(call.order, call.repeat, JUDGED["I"], reason=reason)
    choice = call.reading.choice
    return CallOutcome(call.order, call.repeat, call_outcome(call), choice)


def sample_by(rule: RepeatRule) -> Sample:
    rows = []
    for number, (gold, there, back, _, _) in enumerate(TOLD):
        found = verdict(there, back, rule)
        rows.append(
            Row(
                pair=f"p{number}",
                case=f"c{number}",
                cluster=f"c{number}",
                systems=SYSTEMS,
                split=None,
                slices={},
                critical=False,
                gold=GOLD[gold],
                gold_source="consensus",
                baseline_first=found.baseline_first,
                candidate_first=found.candidate_first,
                verdict=found.outcome,
                consistency=found.consistency,
                tie_source=found.tie_source,
                calls=tuple(map(outcome_of, readings(there, back))),
            )
        )
    return Sample.build(rows, SYSTEMS)


@pytest.mark.parametrize("told", TOLD, ids=lambda told: f"{told[1]}-{told[2]}")
def test_verdicts(told: tuple[str, str, str, str, str]) -> None:
    _, there, back, by_mean, by_majority = told
    for rule, wanted in (
        (RepeatRule.MEAN, by_mean),
        (RepeatRule.MAJORITY, by_majority),
    ):
        assert LETTERS[verdict(there, back, rule).outcome] == wanted, rule


@pytest.mark.parametrize(
    ("rule", "confusion", "right"),
    [
        (
            RepeatRule.MEAN,
            ((1, 0, 1, 0, 0), (0, 2, 0, 0, 1), (0, 0, 1, 0, 0), (0, 0, 0, 1, 0)),
            4,
        ),
        (
            RepeatRule.MAJORITY,
            ((0, 0, 0, 2, 0), (0, 0, 0, 2, 1), (0, 0, 0, 1, 0), (0, 0, 0, 1, 0)),
            0,
        ),
    ],
)
def test_confusion_and_agreement(
    rule: RepeatRule, confusion: tuple[tuple[int, ...], ...], right: int
) -> None:
    found = block_of(sample_by(rule))
    assert astuple(found.confusion) == confusion
    agreement = found.exact_agreement
    assert (agreement.numerator, agreement.denominator) == (right, 6)


def test_ties_from_repeats_keep_where_they_came_from() -> None:
    found = block_of(sample_by(RepeatRule.MEAN))
    assert (found.ties.stated, found.ties.transition, found.ties.flip) == (1, 1, 0)
    assert found.stated_agreement.numerator == 4
    assert found.position.tie_transition == 1
    assert found.position.abstain_transition == 1  # A, then B


def test_the_modal_share_counts_abstain_and_invalid_as_outcomes() -> None:
    """Whatever the repeat rule; tied modes have one share, so none must be chosen."""
    shares = (4 / 3, 1, 1, 5 / 3, 4 / 3, 5 / 3, 1)  # of both orders together
    for rule in RepeatRule:
        found = block_of(sample_by(rule)).stability
        assert (found.pairs, found.calls) == (7, 42)
        assert isinstance(found.modal_share, Estimate)
        assert found.modal_share.value == pytest.approx(sum(shares) / 2 / 7)
        assert found.unchanged.numerator == 0
