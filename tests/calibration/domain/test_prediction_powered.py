"""PPI++: against its definition on rows, its limits, and its coverage."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from annotation.domain.estimates import Estimate, Undefined
from calibration.domain.prediction_powered import (
    GOLD_VALUES,
    SAID_VALUES,
    Powered,
    prediction_powered,
)
from tests.calibration.domain.test_correction import GOOD, SHARES, estimate

WEAK = np.array(
    [[0.5, 0.3, 0.18, 0.01, 0.01], [0.3, 0.5, 0.18, 0.01, 0.01],
     [0.4, 0.4, 0.18, 0.01, 0.01]]
)  # fmt: skip
COUNTS = np.array([310.0, 420.0, 230.0, 25.0, 15.0])


def width(figure: object) -> float:
    found = estimate(figure)
    assert found.low is not None
    assert found.high is not None
    return found.high - found.low


def test_it_is_the_formula_on_single_pairs() -> None:
    table = np.array([[20, 3, 4, 1, 0], [4, 30, 6, 0, 2], [2, 5, 12, 1, 0]], np.float64)
    gold, said = np.nonzero(table)
    times = table[gold, said].astype(int)
    y, f = np.repeat(GOLD_VALUES[gold], times), np.repeat(SAID_VALUES[said], times)
    rest = np.repeat(SAID_VALUES, COUNTS.astype(int))
    n, many = len(y), len(rest)
    shared = np.cov(y, f)[0, 1]
    weight = shared / (f.var(ddof=1) + n / many * rest.var(ddof=1))
    value = y.mean() + weight * (rest.mean() - f.mean())
    spread = (y - weight * f).var(ddof=1) / n + weight**2 * rest.var(ddof=1) / many

    found = prediction_powered(table, COUNTS)
    assert found.weight == pytest.approx(weight)
    net = estimate(found.net)
    assert net.value == pytest.approx(value)
    assert width(net) == pytest.approx(2 * 1.959964 * np.sqrt(spread), rel=1e-6)
    alone = estimate(found.gold_only)
    assert alone.value == pytest.approx(y.mean())
    assert width(alone) == pytest.approx(2 * 1.959964 * y.std(ddof=1) / np.sqrt(n))


def test_the_weight_is_the_best_one() -> None:
    """Any other leaves a wider interval."""
    table = 200 * SHARES[:, None] * GOOD
    best = prediction_powered(table, COUNTS)
    said, total = table.sum(0), table.sum()
    y_mean = GOLD_VALUES @ table.sum(1) / total
    f_mean = SAID_VALUES @ said / total
    outer = GOLD_VALUES[:, None] - y_mean, SAID_VALUES[None] - f_mean
    rest = float(np.average(SAID_VALUES**2, weights=COUNTS))
    rest -= float(np.average(SAID_VALUES, weights=COUNTS)) ** 2

    def variance(weight: float) -> float:
        left = ((outer[0] - weight * outer[1]) ** 2 * table).sum() / (total - 1)
        many = COUNTS.sum()
        return float(left / total + weight**2 * rest * many / (many - 1) / many)

    grid = np.linspace(-1, 2, 601)
    least = grid[np.argmin([variance(weight) for weight in grid])]
    assert best.weight == pytest.approx(least, abs=0.005)
    half = 1.959964 * np.sqrt(variance(best.weight or 0))
    assert width(best.net) == pytest.approx(2 * half, rel=1e-6)


def test_a_judge_that_always_says_the_same_adds_nothing() -> None:
    table = np.zeros((3, 5))
    table[:, 1] = [30, 50, 20]
    found = prediction_powered(table, np.array([0, 500.0, 0, 0, 0]))
    assert found.weight == 0
    assert estimate(found.net).value == estimate(found.gold_only).value == 0.2
    assert width(found.net) == width(found.gold_only) > 0


def test_a_good_judge_narrows_the_interval_as_the_table_of_methods_says() -> None:
    """200 gold and 2,000 more: .25 by gold alone, .17 with a good judge."""
    table, said = 200 * SHARES[:, None] * GOOD, 2000 * SHARES @ GOOD
    found = prediction_powered(table, said)
    assert width(found.gold_only) == pytest.approx(0.25, abs=0.005)
    assert width(found.net) == pytest.approx(0.17, abs=0.005)
    weak = prediction_powered(200 * SHARES[:, None] * WEAK, 2000 * SHARES @ WEAK)
    assert width(weak.net) > 0.95 * width(weak.gold_only)


@pytest.mark.parametrize(
    ("table", "said", "reason"),
    [
        (19 * np.eye(3, 5) / 3, COUNTS, "fewer than 20 held-out pairs with gold"),
        (np.zeros((3, 5)), COUNTS, "fewer than 20 held-out pairs with gold"),
        (60 * np.eye(3, 5)[[0, 0, 0]] * [[1], [0], [0]], COUNTS, "all held-out gold"),
        (20 * np.eye(3, 5), np.zeros(5), "0 cases"),
    ],
)
def test_what_is_undefined_says_why(table, said, reason) -> None:
    found = prediction_powered(table, said)
    assert isinstance(found.net, Undefined)
    assert reason in found.net.reason
    assert found.weight is None
    assert isinstance(found.gold_only, Estimate) == (reason == "0 cases")


@given(
    arrays(np.float64, (3, 5), elements=st.integers(0, 40).map(float)),
    arrays(np.float64, 5, elements=st.integers(0, 300).map(float)),
)
def test_it_is_never_wider_than_gold_alone(table, said) -> None:
    found = prediction_powered(table, said)
    assume(isinstance(found.net, Estimate))
    net = estimate(found.net)
    assume(net.low is not None)
    assert net.low is not None
    assert net.high is not None
    assert -1 <= net.low <= net.value <= net.high <= 1
    assert net.high - net.low <= 2
    inside = net.low > -1 and net.high < 1  # else the scale cut it
    alone = estimate(found.gold_only)
    assert alone.low is not None
    if inside and alone.low > -1:
        assert width(net) <= width(alone) + 1e-9


def test_design_effects_widen_it() -> None:
    def found(**changes: float) -> Powered:
        return prediction_powered(200 * SHARES[:, None] * GOOD, COUNTS, **changes)

    plain = width(found().net)
    assert plain < width(found(effect=3).net)
    assert width(found(gold_effect=4).gold_only) == pytest.approx(
        2 * width(found().gold_only)
    )
    assert width(found(level=0.8).net) < plain


def test_coverage_by_simulation() -> None:
    """95 % for either judge, and none where gold is drawn in another mix."""
    rng, truth, times = np.random.default_rng(21), SHARES[1] - SHARES[0], 600
    other = np.array([0.2, 0.7, 0.1])
    for judge, drawn, low, high in (
        (GOOD, SHARES, 0.925, 0.975),
        (WEAK, SHARES, 0.925, 0.975),
        (GOOD, other, 0.0, 0.2),
    ):
        hits = 0
        for _ in range(times):
            table = rng.multinomial(200, (drawn[:, None] * judge).ravel())
            said = rng.multinomial(2000, SHARES @ judge)
            net = estimate(
                prediction_powered(
                    table.reshape(3, 5).astype(np.float64), said.astype(np.float64)
                ).net
            )
            assert net.low is not None
            assert net.high is not None
            hits += net.low <= truth <= net.high
        assert low <= hits / times <= high


def test_where_nothing_varies_there_is_no_interval_of_zero_width() -> None:
    """A judge without an error in the gold, and one verdict for all the rest."""
    found = prediction_powered(20 * np.eye(3, 5), np.array([0, 500.0, 0, 0, 0]))
    net = estimate(found.net)
    assert net.value == pytest.approx(1)
    assert (net.low, net.high, net.method) == (None, None, "nothing varies")
    assert width(found.gold_only) > 0
