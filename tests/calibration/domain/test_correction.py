"""Preference corrected for the judge's errors: references, properties, coverage."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize

from annotation.domain.estimates import Estimate, Undefined
from calibration.domain.correction import correct, gold_shares
from tests.shared import shared_data

# Chances of each verdict by gold: the good and the weak judge of METHODS 3.12.
GOOD = np.array(
    [[0.8, 0.08, 0.1, 0.01, 0.01], [0.06, 0.78, 0.14, 0.01, 0.01],
     [0.08, 0.12, 0.78, 0.01, 0.01]]
)  # fmt: skip
PERFECT = np.eye(3, 5)
SHARES = np.array([0.35, 0.45, 0.2])


def estimate(figure: object) -> Estimate:
    assert isinstance(figure, Estimate)
    return figure


def test_the_golden_shares() -> None:
    entries = json.loads(shared_data("golden.json").read_text("utf-8"))["entries"]
    (entry,) = [e for e in entries if e["id"] == "rogan-gladen/3x5"]
    table = np.array(entry["inputs"]["calibration"])
    found = correct(table, np.array(entry["inputs"]["verdicts"]))

    assert found.shares == pytest.approx(entry["expected"], abs=entry["tolerance"])
    lost, won, _ = found.shares or (0, 0, 0)
    assert estimate(found.net).value == pytest.approx(won - lost)
    assert estimate(found.decisive_share).value == pytest.approx(won / (won + lost))


def test_the_shares_solve_the_least_squares_that_another_method_solves() -> None:
    said = np.array([0.31, 0.4, 0.25, 0.02, 0.02])

    def misfit(free: np.ndarray) -> float:
        shares = np.append(free, 1 - free.sum())
        return float(((GOOD.T @ shares - said) ** 2).sum())

    other = minimize(misfit, [0.3, 0.3], method="Nelder-Mead", tol=1e-12).x
    assert gold_shares(GOOD, said)[:2] == pytest.approx(other, abs=1e-5)


def test_a_judge_without_errors_leaves_the_counts_as_they_are() -> None:
    found = correct(100 * PERFECT, np.array([30, 50, 20, 0, 0]))

    assert found.shares == pytest.approx((0.3, 0.5, 0.2))
    assert estimate(found.net).value == pytest.approx(0.2)
    assert estimate(found.post_stratified).value == pytest.approx(0.2)
    assert not found.weak


def test_exact_verdict_shares_give_back_the_gold_shares() -> None:
    found = correct(1000 * GOOD, 10_000 * (GOOD.T @ SHARES))
    assert found.shares == pytest.approx(tuple(SHARES), abs=1e-9)
    assert estimate(found.post_stratified).value != pytest.approx(0.1, abs=0.01)


def test_the_correction_can_turn_the_sign() -> None:
    """A judge that hands half of the baseline's wins to the candidate."""
    table = np.array([[50, 50, 0, 0, 0], [0, 100, 0, 0, 0], [0, 0, 100, 0, 0]])
    found = correct(table, np.array([300, 500, 200, 0, 0]))
    assert estimate(found.net).value == pytest.approx(-0.4, abs=1e-6)


def test_a_judge_that_says_the_same_whatever_the_gold_is_not_identified() -> None:
    table = np.array([[40, 40, 20, 0, 0]] * 3)
    found = correct(table, np.array([400, 400, 200, 0, 0]))

    assert isinstance(found.net, Undefined)
    assert found.net.reason.startswith("not identified")
    assert found.separation == pytest.approx(0, abs=1e-9)
    assert found.shares is None
    assert isinstance(found.post_stratified, Estimate)


def test_a_weak_judge_is_said_to_be_weak() -> None:
    table = np.array([[60, 15, 25, 0, 0], [15, 60, 25, 0, 0], [25, 25, 50, 0, 0]])
    found = correct(table, np.array([300, 500, 200, 0, 0]))
    assert found.separation is not None
    assert 0.2 < found.separation < 0.4
    assert found.weak


@pytest.mark.parametrize("row", range(3))
def test_a_gold_outcome_without_held_out_pairs_is_named(row: int) -> None:
    table = 100 * PERFECT
    table[row] = [4, 0, 0, 0, 0]
    found = correct(table, np.array([30, 50, 20, 0, 0]))

    name = ("baseline", "candidate", "tie")[row]
    assert found.few_gold == (name,)
    assert isinstance(found.net, Undefined)
    assert found.net.reason.endswith(name)


def test_without_verdicts_nothing_is_defined() -> None:
    found = correct(100 * GOOD, np.zeros(5))
    assert isinstance(found.net, Undefined)
    assert isinstance(found.post_stratified, Undefined)


def test_without_held_out_pairs_nothing_is_defined() -> None:
    found = correct(np.zeros((3, 5)), np.array([30, 50, 20, 0, 0]))
    assert isinstance(found.net, Undefined)
    assert isinstance(found.post_stratified, Undefined)
    assert found.few_gold == ("baseline", "candidate", "tie")


def test_no_interval_has_no_width() -> None:
    found = correct(50 * PERFECT, np.array([0, 500, 0, 0, 0]))
    for figure in (found.net, found.decisive_share, found.post_stratified):
        low, high = estimate(figure).low, estimate(figure).high
        assert low is not None
        assert high is not None
        assert high - low > 1e-3


@pytest.mark.parametrize(
    ("table", "verdicts", "changes"),
    [
        (np.ones((3, 4)), np.ones(5), {}),
        (np.ones((3, 5)), np.ones(4), {}),
        (-np.ones((3, 5)), np.ones(5), {}),
        (np.full((3, 5), np.nan), np.ones(5), {}),
        (np.ones((3, 5)), np.ones(5), {"effect": 0.5}),
        (np.ones((3, 5)), np.ones(5), {"gold_effect": float("inf")}),
    ],
)
def test_what_are_no_counts_is_refused(table, verdicts, changes) -> None:
    with pytest.raises(ValueError, match=r"counts|effect"):
        correct(table, verdicts, **changes)


def test_design_effects_widen_the_interval() -> None:
    def width(**changes: float) -> float:
        net = estimate(correct(100 * GOOD, 500 * (GOOD.T @ SHARES), **changes).net)
        assert net.low is not None
        assert net.high is not None
        return net.high - net.low

    assert width() < width(effect=3) < width(effect=3, gold_effect=3)
    assert width(level=0.8) < width()


@given(
    arrays(np.float64, (3, 5), elements=st.integers(0, 60).map(float)),
    arrays(np.float64, 5, elements=st.integers(0, 300).map(float)),
)
def test_values_stay_in_range_and_inside_their_intervals(table, verdicts) -> None:
    found = correct(table, verdicts)
    for figure, least in (
        (found.net, -1), (found.post_stratified, -1), (found.decisive_share, 0),
    ):  # fmt: skip
        if isinstance(figure, Estimate):
            assert figure.low is not None
            assert figure.high is not None
            assert least <= figure.low <= figure.value + 1e-9
            assert figure.value - 1e-9 <= figure.high <= 1
    if found.shares:
        assert sum(found.shares) == pytest.approx(1)
        assert min(found.shares) >= 0


@given(st.permutations(range(2)))
def test_naming_the_systems_the_other_way_turns_the_net(order) -> None:
    places = [*order, 2]
    table, verdicts = 200 * GOOD, np.array([310.0, 420.0, 230.0, 20.0, 20.0])
    turned = table[np.ix_(places, [*places, 3, 4])]
    one = estimate(correct(table, verdicts).net)
    other = estimate(correct(turned, verdicts[[*places, 3, 4]]).net)
    sign = 1 if places == [0, 1, 2] else -1
    assert other.value == pytest.approx(sign * one.value, abs=1e-6)


def test_coverage_by_simulation() -> None:
    """200 gold and 2,000 new pairs, as in METHODS 3.12: about 95 % for both."""
    rng = np.random.default_rng(12)
    truth, times, hits, post = SHARES[1] - SHARES[0], 400, 0, 0
    for _ in range(times):
        gold = rng.multinomial(200, SHARES)
        table = np.array(
            [rng.multinomial(n, row) for n, row in zip(gold, GOOD, strict=True)]
        )
        traffic = rng.multinomial(2000, SHARES @ GOOD).astype(np.float64)
        found = correct(table.astype(np.float64), traffic)
        net, other = estimate(found.net), estimate(found.post_stratified)
        assert net.low is not None
        assert net.high is not None
        assert other.low is not None
        assert other.high is not None
        hits += net.low <= truth <= net.high
        post += other.low <= truth <= other.high
    # Three Monte Carlo standard errors are 3.3 points.
    assert hits / times > 0.93
    assert post / times > 0.917
