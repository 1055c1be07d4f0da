"""How a pair is laid before an adjudicator: order, letters and sides."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.hearings import (
    Sides,
    choice_here,
    letter,
    letters_for,
    order_for,
    secret_rank,
    secret_ranks,
    sides_of,
)
from annotation.domain.outcomes import Order, SlotChoice, outcome_of

orders = st.sampled_from(Order)
choices = st.sampled_from(SlotChoice)


def test_the_order_stays_and_is_a_fair_coin_over_pairs_and_people():
    for person in (1, 2):
        found = Counter(order_for("seed", person, f"pair {n}") for n in range(2000))
        assert abs(found[Order.BASELINE_FIRST] - 1000) < 150
    assert order_for("seed", 1, "pair") is order_for("seed", 1, "pair")
    by_person = {order_for("seed", person, "pair") for person in range(20)}
    by_seed = {order_for(f"seed {n}", 1, "pair") for n in range(20)}
    assert by_person == by_seed == set(Order)


def test_ranks_depend_on_seed_and_every_part():
    ranks = {
        secret_rank("s", "queue", 1, 2),
        secret_rank("t", "queue", 1, 2),
        secret_rank("s", "order", 1, 2),
        secret_rank("s", "queue", 2, 2),
        secret_rank("s", "queue", 1, 1),
        secret_rank("s", "queue", 12),
    }
    assert len(ranks) == 6
    assert all(len(rank) == 64 for rank in ranks)


@pytest.mark.parametrize(
    ("place", "name"),
    [(0, "A"), (1, "B"), (25, "Z"), (26, "AA"), (51, "AZ"), (52, "BA")],
)
def test_letters_go_on_past_z(place: int, name: str):
    assert letter(place) == name


@given(st.lists(st.text(), unique=True, max_size=40), st.integers(0, 9))
def test_letters_are_a_to_whatever_in_a_shuffle_of_ones_own(labels, person):
    found = letters_for("seed", person, labels)
    assert set(found) == set(labels)
    assert list(found.values()) == [letter(n) for n in range(len(labels))]
    assert found == letters_for("seed", person, labels[::-1])


def test_letters_differ_between_people():
    names = ["seat 1", "seat 2", "seat 3"]
    first = {next(iter(letters_for("seed", person, names))) for person in range(30)}
    assert first == set(names)


def test_sides():
    one, two = Order
    assert sides_of(one, one) is Sides.SAME
    assert sides_of(one, two) is Sides.SWAPPED
    assert sides_of(None, two) is Sides.UNKNOWN


@given(choices, orders, orders)
def test_a_choice_keeps_its_meaning_in_another_order(choice, shown, here):
    moved = choice_here(choice, shown, here)
    assert outcome_of(moved, here) is outcome_of(choice, shown)
    assert (moved is choice) is (shown is here or choice.swapped is choice)


def test_many_ranks_are_those_one_by_one():
    many = secret_ranks("sé", "queue", 3)
    assert [many(n) for n in (0, 7, 2**63 - 1)] == [
        secret_rank("sé", "queue", 3, n) for n in (0, 7, 2**63 - 1)
    ]
