from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.domain import orders
from calibration.domain.orders import MISSING, conflicts, order_violations
from tests.shared import shared_data


def matrix(y):
    coded = [[MISSING if v is None else v for v in line] for line in y]
    return np.array([coded], np.int8)


def enumerated(y):
    """Try every ranking with ties, the plain way."""
    n = len(y)
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j]
    best = n * n
    for rank in product(range(n), repeat=n):
        wrong = sum(
            y[i][j] != np.sign(rank[j] - rank[i])
            for i, j in pairs
            if y[i][j] != MISSING
        )
        best = min(best, wrong)
    return best


def test_all_published_cases():
    cases = json.loads(shared_data("tov_cases.json").read_text("utf-8"))["cases"]
    assert len(cases) == 100
    for case in cases:
        y = matrix(case["y"])
        clashes, pairs = conflicts(y)
        found = (clashes[0], pairs[0], order_violations(y)[0])
        expected = (case["ipi_conflicts"], case["ipi_pairs"], case["tov"])
        assert found == expected, case["id"]


def test_check_values():
    text = shared_data("golden.json").read_text("utf-8")
    entries = [e for e in json.loads(text)["entries"] if "Y" in e["inputs"]]
    assert len(entries) >= 6
    for entry in entries:
        y = matrix(entry["inputs"]["Y"])
        clashes, pairs = conflicts(y)
        assert clashes[0] / pairs[0] == pytest.approx(entry["expected"][0])
        assert order_violations(y)[0] == entry["expected"][1]


def test_a_clean_cycle_costs_two():
    y = matrix([[0, 1, -1], [-1, 0, 1], [1, -1, 0]])
    assert conflicts(y)[0][0] == 0
    assert order_violations(y)[0] == 2


def test_always_first():
    y = np.ones((1, 6, 6), np.int8)
    assert conflicts(y)[0][0] == 15
    assert order_violations(y)[0] == 15


squares = st.integers(2, 4).flatmap(
    lambda n: st.lists(
        st.lists(st.sampled_from([-1, 0, 1, MISSING]), min_size=n, max_size=n),
        min_size=n,
        max_size=n,
    )
)


@given(squares)
@settings(max_examples=60, deadline=None)
def test_agrees_with_enumeration(lines):
    y = np.array([lines], np.int8)
    assert order_violations(y)[0] == enumerated(lines)


@given(squares)
@settings(deadline=None)
def test_each_conflict_costs_at_least_one(lines):
    y = np.array([lines], np.int8)
    assert order_violations(y)[0] >= conflicts(y)[0][0]


@given(squares, st.randoms(use_true_random=False))
@settings(max_examples=50, deadline=None)
def test_names_of_systems_do_not_matter(lines, random):
    y = np.array([lines], np.int8)
    order = list(range(len(lines)))
    random.shuffle(order)
    moved = y[:, order][:, :, order]
    assert order_violations(y)[0] == order_violations(moved)[0]


def test_integer_programme_agrees_with_the_subset_programme(monkeypatch):
    y = np.random.default_rng(5).integers(-1, 2, (12, 6, 6)).astype(np.int8)
    y[:4, 0, 3] = MISSING
    by_subsets = order_violations(y)
    monkeypatch.setattr(orders, "LARGEST_DP", 5)
    assert order_violations(y).tolist() == by_subsets.tolist()


def test_thirteen_systems_in_a_clear_order():
    rank = np.arange(13)
    y = np.sign(rank[None, :] - rank[:, None]).astype(np.int8)[None]
    y[0, 3, 9] = -1
    assert order_violations(y).tolist() == [1]


def test_questions_are_scored_apart(monkeypatch):
    y = np.random.default_rng(6).integers(-1, 2, (40, 5, 5)).astype(np.int8)
    together = order_violations(y)
    monkeypatch.setattr(orders, "_CHUNK_CELLS", 1 << 6)
    assert order_violations(y).tolist() == together.tolist()
    assert order_violations(y[:0]).tolist() == []
