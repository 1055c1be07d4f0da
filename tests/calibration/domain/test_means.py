"""Intervals of means: against scipy, by what must hold, and by how often they cover."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import bootstrap

from annotation.domain.estimates import Undefined
from calibration.domain.bootstrap import BCA, FEW_CASES, FEW_CLUSTERS, PERCENTILE
from calibration.domain.means import (
    bootstrap_mean,
    mean_part,
    mean_with_interval,
    sums_of,
)

THIRDS = np.array([0.0, 1 / 3, 2 / 3, 1.0])


def rng(seed: int = 5) -> np.random.Generator:
    return np.random.default_rng(seed)


def alone(values):
    return np.arange(len(values))


def test_a_mean_is_as_scipy_has_it():
    values = rng(1).choice(THIRDS, 60, p=[0.5, 0.2, 0.1, 0.2])
    found = mean_with_interval(values, alone(values), rng(), 0.95)
    oracle = bootstrap((values,), np.mean, n_resamples=9999, rng=rng(2))
    low, high = oracle.confidence_interval
    assert found.value == pytest.approx(values.mean())
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.01)
    assert (found.method, found.denominator, found.level) == (BCA, 60, 0.95)


def test_the_other_level_is_narrower():
    values = rng(1).choice(THIRDS, 60)
    wide, narrow = (
        mean_with_interval(values, alone(values), rng(), level) for level in (0.95, 0.8)
    )
    assert wide.low < narrow.low < narrow.high < wide.high


def test_sums_of_kinds_are_those_of_the_cases():
    parts = [rng(3).choice(THIRDS, 50), rng(4).integers(0, 3, 50).astype(float)]
    found = sums_of(parts, np.arange(50), rng())
    assert found.table == pytest.approx([parts[0].sum(), parts[1].sum()])
    assert found.times.sum() == 50
    assert len(found.units) <= 12


def test_statistics_share_their_draws():
    one = rng(3).choice(THIRDS, 50)
    drawn = sums_of([one, 2 * one, np.ones(50)], np.arange(50), rng()).drawn
    assert mean_part(1, 2)(drawn) == pytest.approx(2 * mean_part(0, 2)(drawn))


def test_a_rate_is_not_bootstrapped():
    values = np.array([1.0] * 4 + [0.0] * 26)
    found = mean_with_interval(values, alone(values), rng(), 0.95)
    assert found.method == "wilson"
    assert (found.low, found.high) == pytest.approx((0.0531, 0.2968), abs=1e-4)


def test_where_all_are_alike_the_interval_has_a_width():
    values = np.full(30, 1 / 3)
    found = mean_with_interval(values, alone(values), rng(), 0.95)
    assert found.low < 1 / 3 < found.high
    assert found.method == "wilson"
    assert bootstrap_mean(values, alone(values), rng(), 0.95).low is None


@pytest.mark.parametrize("n", [1, 2, 19])
def test_below_20_cases_there_is_none(n):
    values = np.resize(THIRDS[1:], n)
    found = mean_with_interval(values, alone(values), rng(), 0.95)
    assert (found.value, found.denominator) == (pytest.approx(values.mean()), n)
    assert (found.low, found.high, found.method) == (None, None, FEW_CASES)


def test_no_case_at_all():
    none = np.zeros(0)
    nothing = Undefined("0 cases", None, 0)
    assert mean_with_interval(none, alone(none), rng(), 0.95) == nothing
    assert bootstrap_mean(none, alone(none), rng(), 0.95) == nothing


def test_clusters_are_drawn_whole():
    values = np.repeat(rng(6).choice(THIRDS, 40), 4)
    one = mean_with_interval(values, np.arange(160), rng(), 0.95)
    other = mean_with_interval(values, np.repeat(np.arange(40), 4), rng(), 0.95)
    assert other.method == PERCENTILE
    assert other.value == one.value
    assert other.high - other.low > 1.7 * (one.high - one.low)


def test_few_clusters_and_very_many():
    few = mean_with_interval(np.tile(THIRDS, 10), np.arange(40) // 4, rng(), 0.95)
    assert (few.method, few.low) == (FEW_CLUSTERS, None)
    values = rng(7).choice(THIRDS, 4_200)
    many = mean_with_interval(values, np.arange(4_200) // 2, rng(), 0.95)
    assert many.method.startswith("wilson")
    assert many.low < many.value < many.high


@settings(deadline=None, max_examples=40)
@given(st.lists(st.sampled_from(list(THIRDS)), min_size=20, max_size=50), st.integers())
def test_bounds_hold_and_order_does_not_matter(shares, seed):
    values = np.array(shares)
    found = mean_with_interval(values, alone(values), rng(), 0.95)
    assert -1e-12 <= found.low <= found.value <= found.high <= 1 + 1e-12
    assert found.low < found.high
    shuffled = np.random.default_rng(abs(seed)).permutation(values)
    again = mean_with_interval(shuffled, alone(values), rng(), 0.95)
    assert (again.low, again.high) == (found.low, found.high)
