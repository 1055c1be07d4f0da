from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from annotation.domain.estimates import Estimate, Undefined
from annotation.domain.intervals import holm
from calibration.domain.flags import binomial_tail, flags
from calibration.domain.samples import Sample
from tests.calibration.factory import SYSTEMS, block_of, rows


def share(x: int, n: int, effect: float = 1.0) -> Estimate:
    return Estimate(x / n, x, n, None, None, None, None, effect)


TENTH = share(1, 10)


def first_flagged(slices: int) -> int:
    """The fewest errors of 40 that flag one slice where the others are clean."""
    return next(
        k
        for k in range(41)
        if flags([share(k, 40), *[share(0, 40)] * (slices - 1)], TENTH)[0].flagged
    )


def test_false_flags_and_power_of_twenty_slices():
    """METHODS 3.8: 58 % without the correction, 2.7 % with it; power falls little."""
    alone, corrected = first_flagged(1), first_flagged(20)
    by_chance = [1 - binom.cdf(k - 1, 40, 0.1) for k in (alone, corrected)]
    assert 1 - (1 - by_chance[0]) ** 20 == pytest.approx(0.58, abs=0.01)
    assert 1 - (1 - by_chance[1]) ** 20 == pytest.approx(0.027, abs=0.002)
    power = [1 - binom.cdf(k - 1, 40, 0.35) for k in (alone, corrected)]
    assert power == pytest.approx([0.985, 0.88], abs=0.01)


@given(st.integers(0, 200), st.integers(0, 200), st.floats(0.001, 0.999))
def test_the_tail_is_that_of_the_binomial(x, more, rate):
    n = x + more
    expected = float(binom.sf(x - 1, n, rate)) if n else 1.0
    assert binomial_tail(x, n, rate) == pytest.approx(expected, abs=1e-9)


def test_holm_runs_over_the_slices_that_are_large_enough():
    found = flags([share(9, 40), share(19, 19), share(2, 20), share(12, 40)], TENTH)
    tested = [found[i].p_value for i in (0, 2, 3)]
    adjusted = [found[i].adjusted for i in (0, 2, 3)]
    assert adjusted == pytest.approx(list(holm(tested)))
    assert (found[1].p_value, found[1].flagged, found[1].needed) == (None, False, 1)
    assert [flag.needed for flag in found] == [0, 1, 0, 0]


def test_shares_of_right_verdicts_are_turned():
    (flag,) = flags([share(20, 40)], share(90, 100), turned=True)
    assert (flag.errors, flag.n) == (20, 40)
    assert flag.limit == pytest.approx(0.1)
    assert flag.flagged


def test_clusters_weaken_the_evidence():
    (alone,) = flags([share(10, 40)], TENTH)
    (clustered,) = flags([share(10, 40, 4.0)], TENTH)
    assert clustered.p_value > alone.p_value
    assert clustered.p_value == pytest.approx(binomial_tail(10, 40, 0.1, 4.0))
    assert alone.method == "binomial, exact, one-sided; holm"
    assert clustered.method == "binomial, exact, one-sided, clustered; holm"
    assert (clustered.errors, clustered.n) == (10, 40)


def test_without_a_limit_or_a_rate_nothing_is_tested():
    nothing = Undefined("0 cases", 0, 0)
    assert flags([share(9, 40)], nothing)[0].p_value is None
    (flag,) = flags([nothing], TENTH)
    assert (flag.needed, flag.flagged, flag.limit) == (20, False, 0.1)


def test_no_errors_anywhere_is_no_flag():
    (flag,) = flags([share(0, 30)], share(0, 100))
    assert (flag.p_value, flag.adjusted, flag.flagged) == (1.0, 1.0, False)


def test_a_bad_slice_is_flagged_in_the_report():
    good, bad = ["BB", "CC"] * 50, ["BC"] * 15 + ["CC"] * 15
    made = rows(good + bad)
    cut = len(good)
    tagged = [
        replace(one, slices={"lang": "fr" if i >= cut else "en"})
        for i, one in enumerate(made)
    ]
    found = block_of(Sample.build(tagged, SYSTEMS)).slices["lang"]
    assert found["fr"].agreement_flag.flagged
    assert not found["en"].agreement_flag.flagged
    assert found["fr"].false_candidate_flag.needed == 5
