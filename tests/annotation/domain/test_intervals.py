from __future__ import annotations

from dataclasses import astuple
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.estimates import Estimate, Undefined
from annotation.domain.intervals import (
    EXACT_SIGN_TEST_LIMIT,
    SignTest,
    clopper_pearson,
    holm,
    holm_of_tests,
    lower_bound,
    newcombe_difference,
    share,
    sign_test,
    upper_bound,
    wilson,
)

counts = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
levels = st.sampled_from([0.5, 0.9, 0.95, 0.99])
effects = st.floats(1, 8)


# Source: METHODS check values, two independent computations each.
@pytest.mark.parametrize(
    ("x", "n", "low", "high"),
    [
        (31, 50, 0.4815044693099298, 0.7413721068980641),
        (0, 20, 0.0, 0.1611251580528193),
        (20, 20, 0.8388748419471808, 1.0),
        (1, 20, 0.008881448800795375, 0.236131193446742),
        (59, 60, 0.9114487027240993, 0.9970518402052136),
        (3, 7, 0.1582198552514697, 0.7495416354723428),
    ],
)
def test_wilson_reference_values(x, n, low, high):
    interval = wilson(x, n)
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-9)
    assert (interval.level, interval.method) == (0.95, "wilson")


@pytest.mark.parametrize(
    ("x", "n", "low", "high"),
    [
        (31, 50, 0.47174916305285525, 0.7534989222001378),
        (20, 20, 0.8315665290169147, 1.0),
        (1, 20, 0.0012650894979498047, 0.24873276277202777),
        (3, 7, 0.09898827844250789, 0.8159484323599169),
    ],
)
def test_clopper_pearson_reference_values(x, n, low, high):
    interval = clopper_pearson(x, n)
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-9)
    assert (interval.level, interval.method) == (0.95, "clopper-pearson")


def test_one_sided_bounds_reference_values():
    assert lower_bound(190, 200) == pytest.approx(0.916664848933628, abs=1e-9)
    assert upper_bound(190, 200) == pytest.approx(0.9726257464748855, abs=1e-9)


def test_clustered_bounds_reference_values():
    assert lower_bound(2, 100, design_effect=2) == pytest.approx(
        0.0010253398672320645, abs=1e-9
    )
    assert upper_bound(2, 100, design_effect=2) == pytest.approx(
        0.09139813071969738, abs=1e-9
    )


def test_a_perfect_record_still_leaves_room():
    # The closed form: (1 - level) ** (1 / n), and METHODS 3.16's smallest samples.
    assert upper_bound(0, 59) == pytest.approx(1 - 0.05 ** (1 / 59))
    assert upper_bound(0, 59) < 0.05 < upper_bound(0, 58)
    assert lower_bound(14, 14) > 0.8 > lower_bound(13, 13)


def test_one_sided_and_two_sided_levels_differ():
    two_sided = clopper_pearson(7, 40, 0.95)
    assert two_sided.low == lower_bound(7, 40, 0.975)
    assert two_sided.low < lower_bound(7, 40, 0.95)
    assert two_sided.high > upper_bound(7, 40, 0.95)


@given(counts, levels, effects, st.sampled_from([wilson, clopper_pearson]))
def test_an_interval_holds_its_rate_and_has_width(count, level, effect, method):
    x, n = count
    interval = method(x, n, level, effect)
    assert 0 <= interval.low <= x / n + 1e-12
    assert x / n - 1e-12 <= interval.high <= 1
    assert interval.low < interval.high


@given(counts, levels, st.sampled_from([wilson, clopper_pearson]))
def test_swapping_hits_and_misses_mirrors_the_interval(count, level, method):
    x, n = count
    interval, mirrored = method(x, n, level), method(n - x, n, level)
    assert interval.low == pytest.approx(1 - mirrored.high, abs=1e-9)
    assert interval.high == pytest.approx(1 - mirrored.low, abs=1e-9)


@given(counts, effects, st.sampled_from([wilson, clopper_pearson]))
def test_clusters_and_higher_levels_only_widen(count, effect, method):
    x, n = count
    plain, clustered = method(x, n), method(x, n, 0.95, effect)
    sure = method(x, n, 0.99)
    assert clustered.low <= plain.low + 1e-12
    assert clustered.high >= plain.high - 1e-12
    assert sure.low <= plain.low
    assert sure.high >= plain.high


def test_clopper_pearson_covers_at_least_its_level():
    n = 30
    intervals = [clopper_pearson(x, n) for x in range(n + 1)]
    for rate in (0.01, 0.05, 0.1, 0.33, 0.5, 0.77):
        covered = sum(
            comb(n, x) * rate**x * (1 - rate) ** (n - x)
            for x, interval in enumerate(intervals)
            if interval.low <= rate <= interval.high
        )
        assert covered >= 0.95


@pytest.mark.parametrize("method", [wilson, clopper_pearson, lower_bound, upper_bound])
@pytest.mark.parametrize(
    "arguments",
    [
        (0, 0),
        (5, 4),
        (-1, 4),
        (1, float("inf")),
        (float("nan"), 4),
        (1, float("nan")),
        (1, 4, 0.0),
        (1, 4, 1.0),
        (1, 4, 95),
        (1, 4, 0.95, 0.5),
        (1, 4, 0.95, float("nan")),
    ],
)
def test_nonsense_is_refused(method, arguments):
    with pytest.raises(ValueError):
        method(*arguments)


def test_newcombe_reference_value():
    # Newcombe (1998), table II, row (a): 56/70 - 48/80, method 10.
    interval = newcombe_difference(56, 70, 48, 80)
    assert (interval.low, interval.high) == pytest.approx((0.0524, 0.3339), abs=5e-5)
    assert interval.method == "newcombe"


def test_newcombe_of_two_perfect_records_has_width():
    interval = newcombe_difference(0, 20, 0, 30)
    assert interval.low == pytest.approx(-wilson(0, 30).high)
    assert interval.high == pytest.approx(wilson(0, 20).high)


@given(counts, counts)
def test_newcombe_reverses_with_its_groups(first, second):
    forth = newcombe_difference(*first, *second)
    back = newcombe_difference(*second, *first)
    assert (forth.low, forth.high) == pytest.approx((-back.high, -back.low))
    assert -1 <= forth.low < forth.high <= 1


@pytest.mark.parametrize(
    ("wins", "losses", "p_value"),
    [
        (31, 19, 0.11892045255943628),
        (36, 14, 0.0026021714567221466),
        (44, 16, 0.00039404324272610154),
        (0, 5, 0.0625),
        (5, 5, 1.0),
        (1, 0, 1.0),
        (600, 540, 0.08051743870796572),
        (113, 2, 3.2119696647518126e-31),
    ],
)
def test_sign_test_reference_values(wins, losses, p_value):
    test = sign_test(wins, losses)
    assert isinstance(test, SignTest)
    assert test.p_value == pytest.approx(p_value, rel=1e-9)
    assert test.n == wins + losses


def test_sign_test_without_decisive_cases_is_undefined():
    assert sign_test(0, 0) == Undefined("no decisive cases", 0, 0)
    with pytest.raises(ValueError):
        sign_test(-1, 3)


@given(st.integers(0, 700), st.integers(0, 700))
def test_sign_test_is_the_exact_tail_on_both_sides_of_its_limit(wins, losses):
    test = sign_test(wins, losses)
    if wins + losses == 0:
        assert isinstance(test, Undefined)
        return
    n, few = wins + losses, min(wins, losses)
    tail = Fraction(2 * sum(comb(n, k) for k in range(few + 1)), 2**n)
    assert test.p_value == pytest.approx(float(min(Fraction(1), tail)), rel=1e-9)
    assert test.p_value == sign_test(losses, wins).p_value


def test_sign_test_of_many_cases_is_fast_and_finite():
    test = sign_test(10_100, 9_900)
    assert test.n > EXACT_SIGN_TEST_LIMIT
    assert test.p_value == pytest.approx(0.1593, abs=5e-4)  # normal, with correction


def test_holm_reference_value():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert holm([]) == ()


@given(st.lists(st.floats(0, 1), max_size=20))
def test_holm_keeps_the_order_and_never_lowers(p_values):
    adjusted = holm(p_values)
    pairs = sorted(zip(p_values, adjusted, strict=True))
    assert all(0 <= p <= a <= 1 for p, a in pairs)
    assert [a for _, a in pairs] == sorted(adjusted)


@pytest.mark.parametrize("bad", [-0.1, 1.1, float("nan")])
def test_holm_refuses_what_is_no_p_value(bad):
    with pytest.raises(ValueError):
        holm([0.2, bad])


def test_share_carries_counts_level_and_method():
    assert share(31, 50) == Estimate(
        value=0.62,
        numerator=31,
        denominator=50,
        low=wilson(31, 50).low,
        high=wilson(31, 50).high,
        level=0.95,
        method="wilson",
        design_effect=1.0,
    )
    assert share(31, 50, level=0.9).low == wilson(31, 50, 0.9).low


def test_share_of_nothing_is_undefined_never_zero():
    assert share(0, 0) == Undefined("0 cases", 0, 0)
    assert share(0, 0, reason="no gold ties") == Undefined("no gold ties", 0, 0)


def test_share_widens_with_clusters():
    clusters = [(4, 4), (0, 4), (4, 4), (0, 4), (4, 4), (0, 4)]
    figure = share(12, 24, hits_by_cluster=clusters)
    assert figure.design_effect == pytest.approx(4.8)  # 4 x C/(C-1)
    assert figure.method == "wilson, clustered"
    assert figure.low == pytest.approx(wilson(12 / 4.8, 24 / 4.8).low)
    assert share(12, 24, hits_by_cluster=[(1, 1)] * 12 + [(0, 1)] * 12) == share(12, 24)


def test_share_refuses_clusters_that_do_not_add_up():
    with pytest.raises(ValueError, match="add up"):
        share(3, 8, hits_by_cluster=[(1, 4), (1, 4)])
    with pytest.raises(ValueError):
        share(9, 8)


@given(counts)
def test_shares_are_plain_python_numbers(count):
    # numpy scalars would not survive canonical JSON.
    figure = share(*count)
    assert {type(value) for value in astuple(figure)} <= {float, int, str}


def test_holm_gives_no_p_value_where_nothing_was_tested():
    """And what was is corrected for all that were to be."""
    assert holm_of_tests([0.01, None, 0.03]) == pytest.approx((0.03, None, 0.06))
    assert holm_of_tests([None, None]) == (None, None)
    assert holm_of_tests([]) == ()
