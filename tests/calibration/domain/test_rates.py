from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain import clusters as reference
from annotation.domain import intervals
from annotation.domain.estimates import Undefined
from calibration.domain.columns import all_alone
from calibration.domain.kinds import closed
from calibration.domain.rates import Rates, design_effect, mean_share, share

pairs = st.lists(st.tuples(st.booleans(), st.integers(0, 8)), min_size=1, max_size=60)


@given(pairs)
def test_design_effect_is_the_reference(drawn):
    hits, names = zip(*drawn, strict=True)
    expected = reference.design_effect(reference.cluster_counts(hits, names))
    ours = design_effect(np.array(hits, float), np.array(names))
    assert ours == pytest.approx(expected, rel=1e-9)


@given(pairs)
def test_share_is_the_reference(drawn):
    hits, names = zip(*drawn, strict=True)
    ours = share(np.array(hits), np.array(names), 0.9)
    theirs = intervals.share(
        sum(hits),
        len(hits),
        hits_by_cluster=reference.cluster_counts(hits, names),
        level=0.9,
    )
    assert (ours.value, ours.method) == (theirs.value, theirs.method)
    assert ours.low == pytest.approx(theirs.low, abs=1e-9)
    assert ours.high == pytest.approx(theirs.high, abs=1e-9)


@pytest.mark.parametrize("hit", [False, True])
def test_where_all_or_none_count_a_cluster_is_one_case(hit):
    """40 pairs, asked in 2 orders 9 times each, tell no more than 40 pairs."""
    found = share(np.full(720, hit), np.repeat(np.arange(40), 18), 0.95)
    alone = share(np.full(40, hit), np.arange(40), 0.95)
    assert (found.numerator, found.denominator) == (720 * hit, 720)
    assert (found.design_effect, found.method) == (18, "wilson, clustered")
    assert (found.low, found.high) == pytest.approx((alone.low, alone.high))
    assert (found.high - found.low) == pytest.approx(0.0876, abs=1e-4)


def test_nothing_is_undefined():
    none = np.zeros(0)
    assert share(none.astype(bool), none.astype(int), 0.95) == Undefined(
        "0 cases", 0, 0
    )
    assert mean_share(none, none.astype(int), 0.95) == Undefined("0 cases", None, 0)


def test_a_constant_share_has_an_interval():
    figure = mean_share(np.full(20, 0.5), np.arange(20), 0.95, units=200)
    assert figure.value == 0.5
    assert figure.low < 0.45
    assert figure.high > 0.55
    assert figure.denominator == 20


def test_clustered_shares_cover():
    """Four pairs a prompt, correlated by one half: plain Wilson covers about 80 %."""
    rng = np.random.default_rng(17)
    names = np.repeat(np.arange(60), 4)
    clustered = plain = 0
    for _ in range(600):
        # Each pair repeats its prompt's draw with chance sqrt(1/2): correlation 1/2.
        prompt = rng.random((60, 1)) < 0.25
        own = rng.random((60, 4)) < 0.25
        repeats = rng.random((60, 4)) < np.sqrt(0.5)
        hits = np.where(repeats, prompt, own).ravel()
        figure = share(hits, names, 0.95)
        clustered += figure.low <= 0.25 <= figure.high
        lone = share(hits, np.arange(240), 0.95)
        plain += lone.low <= 0.25 <= lone.high
    assert plain / 600 < 0.88
    assert 0.925 < clustered / 600 < 0.98


def test_wilson_covers():
    """Exact coverage over a grid of true rates: never below 92 %, mean 94 to 96 %."""
    from scipy.stats import binom

    hits = np.arange(51)
    figures = [share(np.arange(50) < k, np.arange(50), 0.95) for k in hits]
    low = np.array([f.low for f in figures])
    high = np.array([f.high for f in figures])
    grid = np.linspace(0.05, 0.95, 181)
    covered = [binom.pmf(hits, 50, p)[(low <= p) & (p <= high)].sum() for p in grid]
    assert min(covered) > 0.92
    assert 0.94 < np.mean(covered) < 0.96


class TestShortCuts:
    """What is counted without clusters comes to the same as with them."""

    def test_rows_that_stand_alone(self) -> None:
        rng = np.random.default_rng(5)
        hits, among = rng.random(400) < 0.3, rng.random(400) < 0.6
        clusters = np.arange(400)
        short = Rates(clusters, 0.95, alone=True)
        assert short.share(hits, among) == Rates(clusters, 0.95).share(hits, among)

    def test_nothing_among(self) -> None:
        none = np.zeros(3, bool)
        found = Rates(np.arange(3), 0.95, alone=True).share(none, none)
        assert found == Undefined("0 cases", 0, 0)

    @pytest.mark.parametrize("codes", [[], [0], [4, 4, 9], [7, 0, 3, 3, 0, 12]])
    def test_numbers_without_gaps(self, codes: list[int]) -> None:
        given = np.array(codes, np.int64)
        wanted = np.unique(given, return_inverse=True)[1]
        assert closed(given).tolist() == wanted.tolist()

    @pytest.mark.parametrize(
        ("codes", "alone"), [([], True), ([0, 1, 2], True), ([0, 1, 1], False)]
    )
    def test_all_alone(self, codes: list[int], alone: bool) -> None:
        assert all_alone(np.array(codes, np.int64)) is alone
