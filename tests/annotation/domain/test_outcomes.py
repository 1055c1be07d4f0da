from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.outcomes import (
    Order,
    Outcome,
    SlotChoice,
    choice_for,
    outcome_of,
)

choices = st.sampled_from(SlotChoice)
orders = st.sampled_from(Order)


@pytest.mark.parametrize(
    ("choice", "order", "outcome"),
    [
        ("first", "baseline_first", "baseline"),
        ("second", "baseline_first", "candidate"),
        ("tie", "baseline_first", "tie"),
        ("abstain", "baseline_first", "abstain"),
        ("first", "candidate_first", "candidate"),
        ("second", "candidate_first", "baseline"),
        ("tie", "candidate_first", "tie"),
        ("abstain", "candidate_first", "abstain"),
    ],
)
def test_every_choice_in_both_orders(choice, order, outcome):
    assert outcome_of(SlotChoice(choice), Order(order)) == outcome
    assert outcome_of(choice, order) is Outcome(outcome)


@given(choices, orders)
def test_there_and_back(choice, order):
    assert choice_for(outcome_of(choice, order), order) is choice


@given(choices, orders)
def test_swapping_slots_and_choice_says_the_same(choice, order):
    assert outcome_of(choice.swapped, order.opposite) is outcome_of(choice, order)
    assert choice.swapped.swapped is choice
    assert order.opposite.opposite is order
    assert order.opposite is not order


def test_decisive_outcomes():
    assert {o for o in Outcome if o.is_decisive} == {"baseline", "candidate"}


@pytest.mark.parametrize(
    ("choice", "order"),
    [("left", "baseline_first"), ("invalid", "baseline_first"), ("first", "first")],
)
def test_anything_else_is_refused(choice, order):
    with pytest.raises(ValueError):
        outcome_of(choice, order)


def test_an_invalid_outcome_has_no_choice():
    with pytest.raises(ValueError):
        choice_for("invalid", Order.BASELINE_FIRST)
