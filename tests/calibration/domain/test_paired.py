"""Two judges on the same pairs, several of them of one prompt."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, norm

from annotation.domain.estimates import Estimate, Undefined
from calibration.domain.judges import compare_judges
from calibration.domain.paired import paired
from calibration.domain.rates import Rates
from calibration.domain.samples import Sample
from tests.calibration.factory import SYSTEMS, row


def rates_of(clusters: np.ndarray) -> Rates:
    return Rates(clusters, 0.95, len(np.unique(clusters)) == len(clusters))


def test_pairs_that_stand_alone_have_the_exact_test() -> None:
    gains, losses = np.arange(100) < 15, np.arange(100) >= 96
    found = paired(gains, losses, rates_of(np.arange(100)))
    assert (found.gains, found.losses, found.test.method) == (15, 4, "mcnemar, exact")
    assert found.p_value == found.test.p_value
    assert found.p_value == pytest.approx(binomtest(15, 19).pvalue)


def test_pairs_that_go_together_count_as_one() -> None:
    """Of 40 prompts with 4 alike pairs each, it is the test of 40 pairs, nearly.

    The design effect of clusters that are fully alike is their size, times G/(G - 1).
    """
    prompts = np.arange(40)
    clusters = np.repeat(prompts, 4)
    gains, losses = clusters < 9, clusters >= 38
    found = paired(gains, losses, rates_of(clusters))
    assert found.test.p_value == pytest.approx(binomtest(36, 44).pvalue)
    assert found.p_value is not None
    assert isinstance(found.difference, Estimate)
    assert found.difference.design_effect == pytest.approx(4 * 40 / 39)
    # 9 of 11 is 0.065; counts over 40/39 more than that are a little less sure.
    assert binomtest(9, 11).pvalue < found.p_value < 0.08


def test_nothing_that_differs_is_no_test() -> None:
    none = np.zeros(8, bool)
    found = paired(none, none, rates_of(np.repeat([0, 1], 4)))
    assert (found.test.p_value, found.p_value) == (None, None)
    empty = paired(none[:0], none[:0], rates_of(np.zeros(0, int)))
    assert empty.p_value is None
    assert isinstance(empty.difference, Undefined)
    assert empty.difference.reason == "0 cases"


@given(
    st.lists(st.tuples(st.integers(0, 9), st.sampled_from("gl-")), min_size=1),
)
def test_clusters_never_make_it_surer_and_turned_round_it_is_the_same(told) -> None:
    clusters = np.array([place for place, _ in told])
    gains = np.array([said == "g" for _, said in told])
    losses = np.array([said == "l" for _, said in told])
    there = paired(gains, losses, rates_of(clusters))
    back = paired(losses, gains, rates_of(clusters))
    assert there.p_value == back.p_value
    if there.p_value is not None:
        assert there.test.p_value is not None
        assert 0 <= there.p_value <= 1
        assert there.p_value >= there.test.p_value - 1e-9


@pytest.mark.parametrize(
    ("groups", "size", "alike"),
    [(48, 10, 0.3), (48, 10, 0.6), (160, 3, 0.5), (12, 10, 0.6)],
)
def test_two_equal_judges_are_told_apart_in_5_percent(groups, size, alike) -> None:
    """By the exact test of pairs it would be up to a third of all times."""
    rng, times = np.random.default_rng(8), 400
    rates = rates_of(np.repeat(np.arange(groups), size))

    def right() -> np.ndarray:
        shared = np.sqrt(alike) * rng.normal(size=(groups, 1))
        own = np.sqrt(1 - alike) * rng.normal(size=(groups, size))
        return (shared + own < norm.ppf(0.7)).ravel()

    told = exact = 0
    for _ in range(times):
        one, other = right(), right()
        found = paired(one & ~other, other & ~one, rates)
        assert found.p_value is not None
        assert found.test.p_value is not None
        told += found.p_value <= 0.05
        exact += found.test.p_value <= 0.05
    # Three Monte Carlo standard errors of 5 % are 3.3 points.
    assert told / times <= 0.083
    assert exact / times > 0.083


def test_words_rest_on_the_test_that_heeds_clusters() -> None:
    """Nine prompts of four pairs for one, two for the other: not told apart."""

    def judge(wrong: set[int]) -> Sample:
        made = [
            row("B", "C" if g in wrong else "B", pair=f"{g}-{i}", case=f"{g}-{i}",
                cluster=f"g{g}")
            for g in range(40) for i in range(4)
        ]  # fmt: skip
        return Sample.build(made, SYSTEMS)

    found = compare_judges({"one": judge({38, 39}), "two": judge(set(range(9)))})
    (two,) = found.versus
    assert two.test.p_value is not None
    assert two.test.p_value < 0.001
    assert two.p_value is not None
    assert two.adjusted == two.p_value > 0.05
    assert not two.separable
    assert found.judges[0].not_separable == ("two",)
