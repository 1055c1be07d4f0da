from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact as scipy_fisher

from annotation.domain.estimates import Undefined
from annotation.domain.intervals import share
from annotation.domain.outcomes import Order
from calibration.domain import errors
from calibration.domain.columns import BASELINE, CANDIDATE
from calibration.domain.rates import Rates
from calibration.domain.samples import Sample
from tests.calibration.factory import SYSTEMS, call, row, sample

LETTERS = ["BB", "BC", "BC", "BT", "BA", "CC", "CB", "CTC", "CI", "TT", "TC", "TB"]
LETTERS += ["TA", "AA", "AB", "AT", "AI", "UC"]


@pytest.fixture
def mixed() -> Sample:
    return sample(LETTERS)


@pytest.fixture
def rates(mixed: Sample) -> Rates:
    return Rates.of(mixed, 0.95)


@pytest.mark.parametrize(
    ("metric", "k", "n"),
    [
        (errors.false_candidate_wins, 2, 5),
        (errors.false_baseline_wins, 1, 4),
        (errors.unearned_candidate_wins, 3, 9),
        (errors.missed_ties, 2, 4),
        (errors.invented_ties, 2, 9),
        (errors.missed_abstains, 2, 4),
        (errors.invented_abstains, 2, 13),
        (errors.wrong_candidate_verdicts, 3, 4),
        (errors.invalid_rate, 2, 18),
        (errors.invalid_verdicts, 1, 13),
        (errors.invalid_call_rate, 4, 36),
    ],
)
def test_counts(mixed, rates, metric, k, n):
    figure = metric(mixed, rates)
    assert (figure.numerator, figure.denominator) == (k, n)
    assert figure.low <= figure.value <= figure.high


def test_missed_ties_by_where_they_went(mixed, rates):
    there = errors.missed_ties_to(mixed, rates, CANDIDATE)
    back = errors.missed_ties_to(mixed, rates, BASELINE)
    assert there.numerator == back.numerator == 1
    assert there.denominator == back.denominator == 4


def test_invalid_calls_are_counted_by_reason(mixed):
    counts = errors.invalid_calls(mixed)
    assert counts["unparsed"] == 4
    assert sum(counts.values()) == 4
    assert len(counts) == 12


def test_an_invalid_repeat_counts_as_a_call_only():
    calls = (
        call("B", Order.BASELINE_FIRST, 1),
        call("B", Order.BASELINE_FIRST, 2),
        call("I", Order.BASELINE_FIRST, 3),
    )
    built = Sample.build([row("B", "B", calls=calls)], SYSTEMS)
    assert errors.invalid_calls(built)["unparsed"] == 1
    assert errors.invalid_rate(built, Rates.of(built, 0.95)).numerator == 0


def test_tie_verdicts_by_source():
    ties = errors.tie_counts(sample(["TT", "BTT", "BBC", "CBT", "CTC", "UT", "BBI"]))
    assert (ties.stated, ties.transition, ties.flip) == (3, 2, 1)


def test_direction_of_errors():
    letters = ["BC"] * 6 + ["BB"] * 4 + ["CB"] * 1 + ["CC"] * 9
    built = sample(letters)
    found = errors.direction(built, Rates.of(built, 0.95))
    assert found.difference.value == pytest.approx(0.5)
    # Newcombe's method 10 by hand: Wilson .3127-.8318 and .0179-.4042.
    assert found.difference.low == pytest.approx(0.0816, abs=1e-4)
    assert found.difference.high == pytest.approx(0.7459, abs=1e-4)
    expected = scipy_fisher([[6, 4], [1, 9]])[1]
    assert found.test.p_value == pytest.approx(expected, rel=1e-10)
    assert found.test.n == 20


@pytest.mark.parametrize("letters", [[], ["BB"], ["CC", "TT"]])
def test_direction_needs_both_gold_classes(letters):
    built = sample(letters)
    found = errors.direction(built, Rates.of(built, 0.95))
    assert isinstance(found.difference, Undefined)
    assert found.test.p_value is None
    assert found.test.undefined == "a gold class has 0 cases"


@given(st.lists(st.integers(0, 40), min_size=4, max_size=4))
def test_fisher_is_scipys(cells):
    a, b, c, d = cells
    ours = errors.fisher_exact(a, a + b, c, c + d)
    assert ours == pytest.approx(scipy_fisher([[a, b], [c, d]])[1], rel=1e-7)


def test_fisher_on_large_counts():
    ours = errors.fisher_exact(30_100, 60_000, 29_900, 60_000)
    expected = scipy_fisher([[30_100, 29_900], [29_900, 30_100]])[1]
    assert ours == pytest.approx(expected, rel=1e-6)


def test_newcombe_covers():
    rng = np.random.default_rng(11)
    covered = []
    for first, second in [(0.1, 0.1), (0.3, 0.05), (0.6, 0.4)]:
        hits = 0
        draws = rng.binomial([60, 90], [first, second], (800, 2))
        for x, y in draws.tolist():
            gap = errors.gap_of(share(x, 60), share(y, 90))
            hits += gap.low <= first - second <= gap.high
        covered.append(hits / 800)
    assert min(covered) > 0.925
    assert 0.935 < np.mean(covered) < 0.975
