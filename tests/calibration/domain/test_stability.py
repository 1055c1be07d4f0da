from __future__ import annotations

from math import ceil
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.estimates import Undefined
from annotation.domain.outcomes import Order
from calibration.domain.means import bootstrap_mean
from calibration.domain.samples import Sample
from calibration.domain.stability import conformal_bound, stability
from tests.calibration.factory import SYSTEMS, block_of, call, part_of, row


def asked(there: str, back: str, index: int, **changes: Any):
    """A pair whose calls said these letters, repeat by repeat."""
    calls = [call(x, Order.BASELINE_FIRST, i) for i, x in enumerate(there, 1)]
    calls += [call(x, Order.CANDIDATE_FIRST, i) for i, x in enumerate(back, 1)]
    fields: dict[str, Any] = {"pair": f"p{index:04}", "case": f"c{index:04}", **changes}
    return row("B", "B", calls=tuple(calls), **fields)


def built(pairs: Any, **changes: Any) -> Sample:
    return Sample.build(
        [asked(there, back, i, **changes) for i, (there, back) in enumerate(pairs)],
        SYSTEMS,
    )


def found_of(pairs: Any, **changes: Any):
    return stability(part_of(built(pairs, **changes)))


def test_by_hand():
    found = found_of([("BBC", "BBB"), ("BBB", "BBB"), ("CI", "CC"), ("B", "B")])
    assert (found.pairs, found.calls) == (3, 16)
    expected = ((2 / 3 + 1) / 2 + 1 + (1 / 2 + 1) / 2) / 3
    assert found.modal_share.value == pytest.approx(expected)
    assert found.unchanged.numerator == 1
    assert found.unchanged.denominator == 3
    assert found.bound == Undefined("fewer than 19 repeated cases", None, 3)
    assert found.order_effect.method == "fewer than 20 cases"


def test_order_beyond_noise():
    always_first = found_of([("BB", "CC")] * 12 + [("BB", "BB")] * 18)
    assert always_first.order_effect.value == pytest.approx(12 / 30)
    low, high = always_first.order_effect.low, always_first.order_effect.high
    assert 0.2 < low < 0.4 < high <= 0.6
    noise = found_of([("BC", "BC")] * 30)
    assert noise.order_effect.value == pytest.approx(0.5 - 1.0)
    assert noise.order_effect.low is None  # nothing varies: no interval of no width


def test_repeats_are_no_cases():
    once, often = [built([("B" * r, "B" * r)] * 10) for r in (2, 5)]
    for one in (once, often):
        assert stability(part_of(one)).unchanged.denominator == 10
    few, many = (block_of(one) for one in (once, often))
    assert few.exact_agreement == many.exact_agreement
    assert few.stability.modal_share == many.stability.modal_share


def test_nothing_repeated_is_undefined():
    for pairs in ([], [("B", "B")], [("BB", "B")]):
        found = found_of(pairs)
        assert (found.pairs, found.calls) == (0, 0)
        assert found.modal_share == Undefined("no repeated calls", None, 0)
        assert found.bound == found.order_effect == found.unchanged == found.modal_share


def test_clusters_widen():
    pairs = [("BB", "CC"), ("BB", "CC"), ("BB", "BB"), ("BB", "BB")] * 12
    made = [asked(*p, i) for i, p in enumerate(pairs)]
    pooled = [asked(*p, i, cluster=f"g{i // 2}") for i, p in enumerate(pairs)]
    alone, together = (
        stability(part_of(Sample.build(rows, SYSTEMS))).order_effect
        for rows in (made, pooled)
    )
    assert alone.value == together.value
    assert together.high - together.low > alone.high - alone.low
    assert together.method == "percentile bootstrap, clustered"


@pytest.mark.parametrize(
    ("n", "place"), [(19, 19), (20, 20), (39, 38), (100, 96), (399, 380)]
)
def test_the_bound_is_the_order_statistic(n, place):
    values = np.arange(1, n + 1) / 1000
    assert place == ceil(0.95 * (n + 1) - 1e-9)
    assert conformal_bound(values[::-1], 0.95).value == pytest.approx(place / 1000)


def test_the_bound_needs_enough():
    assert conformal_bound(np.zeros(18), 0.95).reason == "fewer than 19 repeated cases"
    assert conformal_bound(np.zeros(8), 0.9).reason == "fewer than 9 repeated cases"


def test_the_bound_covers_the_next_pair():
    """At least 95 %, within three Monte-Carlo standard errors, for lumpy values."""
    rng = np.random.default_rng(4)
    rounds, covered = 4000, 0
    for _ in range(rounds):
        values = 1 - rng.binomial(5, 0.8, 31) / 5
        covered += values[-1] <= conformal_bound(values[:-1], 0.95).value
    assert covered / rounds >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / rounds)


def test_the_bootstrap_mean_covers():
    """93 to 97 % for 60 pairs with skewed values, within three standard errors."""
    rng, rounds, covered = np.random.default_rng(11), 300, 0
    kinds, chances = np.array([0.0, 0.5, 1.0]), np.array([0.7, 0.2, 0.1])
    for _ in range(rounds):
        values = rng.choice(kinds, 60, p=chances)
        found = bootstrap_mean(values, np.arange(60), rng, 0.95)
        covered += found.low <= kinds @ chances <= found.high
    slack = 3 * np.sqrt(0.95 * 0.05 / rounds)
    assert 0.93 - slack <= covered / rounds <= 0.97 + slack


letters = st.text("BCTAI", min_size=2, max_size=4)


@given(st.lists(st.tuples(letters, letters), min_size=1, max_size=12))
def test_bounds_and_order_of_repeats(pairs):
    found = found_of(pairs)
    assert 0.25 <= found.modal_share.value <= 1
    assert -1 <= found.order_effect.value <= 1
    turned = found_of([(there[::-1], back[::-1]) for there, back in pairs])
    assert turned == found


def test_an_empty_mean():
    found = bootstrap_mean(np.zeros(0), np.zeros(0, int), np.random.default_rng(), 0.95)
    assert found == Undefined("0 cases", None, 0)
