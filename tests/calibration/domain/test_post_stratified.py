"""Post-stratified preference where few held-out pairs tell of a verdict."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from annotation.domain.estimates import Estimate
from calibration.domain.correction import correct
from tests.calibration.domain.test_correction import estimate

GOLD = np.array([0.3, 0.45, 0.25])
JUDGE = np.array(
    [[0.75, 0.05, 0.15, 0.03, 0.02], [0.05, 0.75, 0.15, 0.03, 0.02],
     [0.15, 0.15, 0.65, 0.03, 0.02]]
)  # fmt: skip
SIDES = np.array([-1.0, 1.0, 0.0])


def test_one_pair_of_gold_is_a_mean_of_its_own() -> None:
    """By hand: tie says 1 for the candidate; abstain and invalid take the mean of all.

    Baseline -4/6, candidate 8/10, tie 1; 17 pairs with net 5/17.
    """
    table = np.array([[5, 1, 0, 0, 0], [1, 9, 1, 0, 0], [0, 0, 0, 0, 0]], np.float64)
    found = correct(table, np.array([40.0, 40, 10, 6, 4]))
    by_hand = 0.4 * -4 / 6 + 0.4 * 8 / 10 + 0.1 * 1 + 0.1 * 5 / 17
    assert estimate(found.post_stratified).value == pytest.approx(by_hand)
    assert found.few_verdicts == {"tie": 1, "abstain": 0, "invalid": 0}


def test_the_interval_knows_that_the_mean_of_all_rests_on_the_same_pairs() -> None:
    """Its variance is that of the figure over held-out pairs drawn again and again."""
    rng, traffic = np.random.default_rng(3), np.array([3e8, 4e8, 2e8, 1e8, 0])
    judge = np.array(
        [[0.8, 0.1, 0.1, 0, 0], [0.1, 0.8, 0.1, 0, 0], [0.2, 0.2, 0.6, 0, 0]]
    )
    joint = (GOLD[:, None] * judge).ravel()
    drawn = [
        estimate(
            correct(
                rng.multinomial(2000, joint).reshape(3, 5).astype(np.float64), traffic
            ).post_stratified
        )
        for _ in range(800)
    ]
    half = np.mean([(one.high or 0) - (one.low or 0) for one in drawn]) / 2
    spread = np.std([one.value for one in drawn])
    # A standard deviation of 800 is known to 2.5 %.
    assert half / 1.959964 == pytest.approx(spread, rel=0.075)


def test_verdicts_that_the_run_does_not_give_are_not_named() -> None:
    found = correct(4 * np.eye(3, 5), np.array([10.0, 10, 0, 0, 0]))
    assert found.few_verdicts == {"baseline": 4, "candidate": 4}
    assert correct(np.zeros((3, 5)), np.zeros(5)).few_verdicts == {}


@given(
    arrays(np.float64, (3, 5), elements=st.integers(0, 9).map(float)),
    arrays(np.float64, 5, elements=st.integers(0, 300).map(float)),
    st.floats(1, 9),
)
def test_design_effects_widen_it_and_move_nothing(table, verdicts, effect) -> None:
    plain = correct(table, verdicts)
    wide = correct(table, verdicts, gold_effect=effect)
    assert plain.few_verdicts == wide.few_verdicts
    one, other = plain.post_stratified, wide.post_stratified
    assert type(one) is type(other)
    if isinstance(one, Estimate) and isinstance(other, Estimate):
        assert other.value == pytest.approx(one.value)
        assert one.low is not None
        assert other.low is not None
        assert other.low <= one.low + 1e-9
        assert -1 <= one.low <= one.value + 1e-9


@pytest.mark.parametrize("held_out", [15, 20, 30, 40])
def test_coverage_and_bias_with_few_held_out_pairs(held_out: int) -> None:
    """Three Monte Carlo standard errors of 500 draws are 2.9 points below 95 %."""
    rng, truth, times = np.random.default_rng(17), float(GOLD @ SIDES), 500
    hits, total, squares = 0, 0.0, 0.0
    for _ in range(times):
        table = rng.multinomial(held_out, (GOLD[:, None] * JUDGE).ravel())
        said = rng.multinomial(500, GOLD @ JUDGE).astype(np.float64)
        made = table.reshape(3, 5).astype(np.float64)
        found = estimate(correct(made, said).post_stratified)
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= truth <= found.high
        total += found.value - truth
        squares += (found.value - truth) ** 2
    assert hits / times > 0.921
    error = (squares / times) ** 0.5 / times**0.5
    assert abs(total / times) < 3 * error + 0.005
