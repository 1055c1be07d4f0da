from __future__ import annotations

import json
from math import inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import betaln
from scipy.stats import binomtest

from annotation.domain.estimates import Undefined
from calibration.domain.monitor import (
    ALARM_AT,
    ALPHA,
    Counted,
    alpha_of,
    confidence_sequence,
    evidence,
    log_evidence,
    watch,
)
from tests.shared import shared_data

SMALL = st.integers(0, 60)
CHECKS, TRIALS = 60, 1500


def _golden(prefix):
    entries = json.loads(shared_data("golden.json").read_text())["entries"]
    return [entry for entry in entries if entry["id"].startswith(prefix)]


def test_the_published_e_values():
    for entry in _golden("evalue/"):
        one, two = entry["expected"]
        counts = entry["inputs"]
        assert evidence(**counts) == pytest.approx(one, abs=1e-6)
        assert evidence(**counts, two_sided=True) == pytest.approx(two, abs=1e-6)


def test_the_published_confidence_sequence():
    (entry,) = _golden("cs/")
    found = confidence_sequence(entry["inputs"]["x"], entry["inputs"]["n"])
    assert [found.low, found.high] == pytest.approx(entry["expected"], abs=2e-6)


@given(SMALL, SMALL)
def test_the_e_value_is_the_integral_that_it_stands_for(worse, better):
    def ratio(p: float) -> float:
        prior = p**-0.5 * (1 - p) ** -0.5 / np.exp(betaln(0.5, 0.5))
        return 2 * prior * (2 * p) ** worse * (2 * (1 - p)) ** better

    # The prior has a pole at 1: a substitution takes it away.
    found, _ = quad(lambda u: ratio(1 - u * u) * 2 * u, 0, 0.5**0.5, limit=200)
    assert evidence(worse, better) == pytest.approx(found, rel=1e-5)


@given(SMALL, SMALL)
def test_the_next_change_is_a_fair_bet_without_drift(worse, better):
    """Expected evidence after one more change is today's: what makes looking free."""
    after = evidence(worse + 1, better) / 2 + evidence(worse, better + 1) / 2
    assert after == pytest.approx(evidence(worse, better), rel=1e-9)


@given(SMALL, SMALL)
def test_more_for_the_worse_is_more_evidence(worse, better):
    assert evidence(worse + 1, better) > evidence(worse, better)
    assert evidence(worse, better + 1) < evidence(worse + 1, better)


def test_nothing_yet_is_one_and_extremes_stay_finite():
    assert evidence(0, 0) == pytest.approx(1)
    assert watch([]).evidence == 1.0
    assert not watch([]).alarm
    assert 0 <= evidence(0, 5000) < 1e-100
    assert evidence(5000, 0) < inf
    assert watch([Counted(5000, 0)]).alarm
    with pytest.raises(ValueError, match="negative"):
        log_evidence(-1, 0)


def test_the_alarm_is_at_twenty_and_evidence_multiplies_over_references():
    assert not watch([Counted(14, 3)]).alarm
    assert watch([Counted(15, 3)]).alarm
    two = watch([Counted(6, 1), Counted(6, 1)])
    assert two.evidence == pytest.approx(evidence(6, 1) ** 2)
    assert (two.worse, two.better, two.references) == (12, 2, 2)
    assert two.level == 1 - ALPHA == 0.95


def _paths(rng, share, a_day=3):
    days = rng.binomial(a_day, share, (TRIALS, CHECKS)).cumsum(1)
    return days, a_day * np.arange(1, CHECKS + 1) - days


def test_looking_daily_raises_no_more_false_alarms_than_promised():
    """Sixty looks without drift: the monitor keeps 5 %, a daily test does not."""
    worse, better = _paths(np.random.default_rng(6), 0.5)
    known: dict[tuple[int, int], tuple[bool, bool]] = {}

    def both(w: int, b: int) -> tuple[bool, bool]:
        if (w, b) not in known:
            daily = binomtest(w, w + b).pvalue < 0.05
            known[w, b] = evidence(w, b) >= ALARM_AT, bool(daily)
        return known[w, b]

    ever = np.zeros(2)
    for one, other in zip(worse, better, strict=True):
        ever += np.any([both(w, b) for w, b in zip(one, other, strict=True)], axis=0)
    monitor, daily = ever / TRIALS
    assert monitor <= ALPHA + 3 * (ALPHA * (1 - ALPHA) / TRIALS) ** 0.5
    assert monitor == pytest.approx(0.018, abs=0.012)
    assert daily > 0.15


def test_real_drift_is_found_within_days():
    """Four changes of five for the worse, three changes a run: about the sixth run."""
    worse, better = _paths(np.random.default_rng(7), 0.8)
    first = []
    for one, other in zip(worse[:300], better[:300], strict=True):
        alarms = [evidence(w, b) >= ALARM_AT for w, b in zip(one, other, strict=True)]
        first.append(alarms.index(True) + 1 if any(alarms) else CHECKS)
    assert 4 <= np.median(first) <= 9


def test_false_alarms_stay_rare_over_many_references():
    """Every reference drawn afresh, ten changes each, looked at after each of ten."""
    rng, alarms = np.random.default_rng(8), 0
    for _ in range(400):
        past: list[Counted] = []
        for worse in rng.binomial(10, 0.5, 10):
            past.append(Counted(int(worse), int(10 - worse)))
            if watch(past).alarm:
                alarms += 1
                break
    assert alarms / 400 <= ALPHA + 3 * (ALPHA * (1 - ALPHA) / 400) ** 0.5


def test_a_confidence_sequence_is_never_wrong_more_often_than_promised():
    rng, wrong = np.random.default_rng(9), 0
    for _ in range(300):
        hits = rng.binomial(1, 0.1, 100).cumsum()
        for n in range(5, 101, 5):
            found = confidence_sequence(float(hits[n - 1]), n)
            if not found.low <= 0.1 <= found.high:
                wrong += 1
                break
    assert wrong / 300 <= ALPHA + 3 * (ALPHA * (1 - ALPHA) / 300) ** 0.5


@given(st.integers(1, 400), st.data())
def test_limits_hold_the_rate_and_widen_with_the_level(n, data):
    hits = data.draw(st.integers(0, n))
    usual, strict = confidence_sequence(hits, n), confidence_sequence(hits, n, 0.999)
    assert 0 <= strict.low <= usual.low <= hits / n <= usual.high <= strict.high <= 1
    assert usual.low < usual.high


@given(st.integers(1, 200), st.floats(0, 1))
def test_shares_of_a_unit_are_taken(n, share):
    found = confidence_sequence(share * n, n)
    assert found.low <= found.value <= found.high


def test_limits_of_nothing_and_of_nonsense():
    assert isinstance(confidence_sequence(0, 0), Undefined)
    for hits, n in ((-1, 5), (6, 5), (nan, 5), (1, inf)):
        with pytest.raises(ValueError, match="no rate"):
            confidence_sequence(hits, n)
    with pytest.raises(ValueError, match="level"):
        confidence_sequence(1, 2, 1.0)


def test_error_rates_of_an_endless_row_add_up():
    assert sum(alpha_of(k) for k in range(1, 100_000)) == pytest.approx(ALPHA, rel=1e-4)
    with pytest.raises(ValueError, match="counted from 1"):
        alpha_of(0)
