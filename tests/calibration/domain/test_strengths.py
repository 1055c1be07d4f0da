"""The library's fit beside our own Newton steps, and what it does not tell."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.domain.bradley_terry import Fit, Floats, fit
from calibration.domain.strengths import fit_one
from tests.calibration.domain.test_bradley_terry import THREE, TIES, WINS, tables

TWO = np.array([[0.0, 8.0], [2.0, 0.0]])


def alone(wins: Floats, ties: Floats) -> Fit:
    return fit(wins[None], ties[None])


def test_the_same_strengths_as_a_library_for_rankings():
    found = fit_one(WINS[0], TIES[0])
    theirs = np.log([1.932338, 0.911096, 0.573220])
    assert found.strengths[0] == pytest.approx(theirs - theirs.mean(), abs=2e-6)
    assert found.ties[0] == pytest.approx(2 * 0.36436062970268235, abs=1e-6)


@settings(deadline=None, max_examples=60)  # the first call imports the library
@given(THREE)
def test_both_fits_are_the_same_where_there_is_one(counts):
    wins, ties = counts
    theirs, ours = fit_one(wins[0], ties[0]), fit(wins, ties)
    assert theirs.found[0] == ours.found[0]
    if ours.found[0]:
        assert theirs.strengths == pytest.approx(ours.strengths, abs=1e-4)
        assert theirs.ties == pytest.approx(ours.ties, rel=1e-4)


@settings(deadline=None, max_examples=30)
@given(st.integers(2, 6), st.integers(0, 10_000))
def test_usual_data_have_both(systems, seed):
    rng = np.random.default_rng(seed)
    wins = rng.integers(1, 40, (systems, systems)).astype(float)
    np.fill_diagonal(wins, 0)
    ties = np.triu(rng.integers(0, 9, (systems, systems)), 1).astype(float)
    ties += ties.T
    theirs, ours = fit_one(wins, ties), alone(wins, ties)
    assert theirs.found[0]
    assert ours.found[0]
    assert theirs.strengths == pytest.approx(ours.strengths, abs=1e-7)
    assert theirs.ties == pytest.approx(ours.ties, abs=1e-7)
    assert theirs.strengths.sum() == pytest.approx(0, abs=1e-9)


def test_equal_systems_have_their_tie_parameter():
    wins = np.array([[0.0, 6.0], [6.0, 0.0]])
    ties = np.array([[0.0, 24.0], [24.0, 0.0]])
    found = fit_one(wins, ties)
    assert found.strengths[0] == pytest.approx([0, 0], abs=1e-9)
    assert found.ties[0] == pytest.approx(24 / (6 * 6) ** 0.5)


def test_the_odds_that_a_library_for_rankings_misses():
    """Of two systems: wins over losses, whatever the ties; evalica 0.4.2 says 1.96."""
    found = fit_one(np.array([[0.0, 2], [1, 0]]), np.array([[0.0, 3], [3, 0]]))
    odds = np.exp(found.strengths[0, 0] - found.strengths[0, 1])
    assert odds == pytest.approx(2, abs=1e-9)
    assert found.ties[0] == pytest.approx(3 / 2**0.5)


def test_without_ties_the_odds_are_the_counts():
    found = fit_one(TWO, np.zeros((2, 2)))
    assert np.exp(found.strengths[0, 0] - found.strengths[0, 1]) == pytest.approx(4)
    assert found.ties[0] == 0.0


@pytest.mark.parametrize(
    ("upper", "lower", "ties"),
    [
        ((5, 5, 5), (0, 0, 3), (0, 0, 0)),
        ((0, 0, 0), (0, 0, 0), (4, 4, 4)),
        ((0, 0, 0), (0, 0, 0), (0, 0, 0)),
        ((9, 0, 0), (7, 0, 0), (3, 0, 0)),
        ((9, 0, 0), (0, 0, 0), (0, 5, 5)),
    ],
)
def test_data_that_determine_no_strengths_have_none(upper, lower, ties):
    """The library alone would return numbers for them."""
    wins, tied = tables(upper, lower, ties)
    found = fit_one(wins[0], tied[0])
    assert not found.found[0]
    assert np.isnan(found.strengths).all()
    assert np.isnan(found.ties).all()


def test_many_systems_are_left_to_our_own_steps(monkeypatch):
    monkeypatch.setattr("calibration.domain.strengths.MOST_BY_LIBRARY", 2)
    found = fit_one(WINS[0], TIES[0])
    assert (found.strengths == fit(WINS, TIES).strengths).all()


@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf])
def test_counts_that_cannot_be(bad):
    wins = TWO.copy()
    wins[0, 1] = bad
    with pytest.raises(ValueError, match="0 or more"):
        fit_one(wins, np.zeros((2, 2)))
