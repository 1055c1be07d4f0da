"""What holds for verdicts whatever the calls said."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.outcomes import Order, SlotChoice
from judging.domain.terms import (
    CombiningRule,
    Consistency,
    InvalidReason,
    JudgeOutcome,
    RepeatRule,
)
from judging.domain.verdicts import (
    CallReading,
    Invalid,
    Verdict,
    call_outcome,
    combine,
    consistency_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judging.domain.verdicts import CaseVerdict

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


readings = st.one_of(
    st.builds(Verdict, st.sampled_from(SlotChoice)),
    st.builds(
        Verdict,
        st.sampled_from([SlotChoice.FIRST, SlotChoice.SECOND]),
        st.sampled_from([1, 2]),
    ),
    st.builds(Invalid, st.sampled_from(InvalidReason)),
)


@st.composite
def plans(draw):
    repeats = draw(st.integers(1, 4))
    keys = itertools.product(Order, range(1, repeats + 1))
    kept = [key for key in keys if draw(st.integers(0, 5))]
    calls = [CallReading(order, number, draw(readings)) for order, number in kept]
    return calls, repeats


settings = st.tuples(st.sampled_from(CombiningRule), st.sampled_from(RepeatRule))


def run(
    calls: Sequence[CallReading], repeats: int, rules: tuple[CombiningRule, RepeatRule]
) -> CaseVerdict:
    return combine(calls, rule=rules[0], repeat_rule=rules[1], repeats=repeats)


@given(plans(), settings)
def test_exchanging_the_systems_mirrors_the_verdict(plan, rules):
    calls, repeats = plan
    case = run(calls, repeats, rules)
    other = run([replace(c, order=c.order.opposite) for c in calls], repeats, rules)
    assert other.outcome is MAPPED[case.outcome]
    assert other.baseline_first is MAPPED[case.candidate_first]
    assert other.candidate_first is MAPPED[case.baseline_first]
    assert (other.consistency, other.tie_source) == (case.consistency, case.tie_source)
    assert other.mean == (None if case.mean is None else -case.mean)
    assert other.level == (None if case.level is None else -case.level)


@given(plans(), settings)
def test_the_sequence_of_calls_does_not_matter(plan, rules):
    calls, repeats = plan
    assert run(calls[::-1], repeats, rules) == run(calls, repeats, rules)


@given(plans(), settings)
def test_verdict_and_class_follow_from_the_order_outcomes(plan, rules):
    case = run(plan[0], plan[1], rules)
    pair = (case.baseline_first, case.candidate_first)
    assert case.consistency is consistency_of(*pair)
    assert (case.outcome is I) == (I in pair)
    if I not in pair and A in pair:
        assert case.outcome is A
    if case.consistency is Consistency.CONSISTENT:
        assert case.outcome is pair[0]
    assert (case.tie_source is None) == (case.outcome is not T)
    assert (case.mean is None) == (A in pair or I in pair)


@given(plans(), settings, st.sampled_from(InvalidReason))
def test_spoiling_a_call_never_makes_a_tie_out_of_invalid(plan, rules, reason):
    calls, repeats = plan
    before = run(calls, repeats, rules)
    for place in range(len(calls)):
        spoiled = list(calls)
        spoiled[place] = replace(calls[place], reading=Invalid(reason))
        after = run(spoiled, repeats, rules)
        assert not (before.outcome is I and after.outcome is not I)
        missing = run(calls[:place] + calls[place + 1 :], repeats, rules)
        assert missing == after


@given(readings, st.sampled_from(Order), st.sampled_from(InvalidReason))
def test_a_call_is_mapped_through_its_order(reading, order, reason):
    assert call_outcome(CallReading(order, 1, Invalid(reason))) is I
    outcome = call_outcome(CallReading(order, 1, reading))
    mirrored = call_outcome(CallReading(order.opposite, 1, reading))
    assert mirrored is MAPPED[outcome]
