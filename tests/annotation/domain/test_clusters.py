from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.clusters import (
    ClusterCount,
    cluster_counts,
    clustered_se,
    design_effect,
    floored,
)

# Hits of a simulated table of 12 prompts with 2 to 4 cases each.
PROMPTS = [(4, 4), (1, 4), (3, 3), (0, 2), (4, 4), (2, 3), (3, 4), (2, 2), (1, 3)]

cluster = st.integers(1, 5).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def test_hits_are_summed_by_cluster():
    counted = cluster_counts([1, 0, 1, 1], ["p", "q", "p", "q"])
    assert counted == (ClusterCount(2, 2), ClusterCount(1, 2))
    assert cluster_counts([], []) == ()
    with pytest.raises(ValueError):
        cluster_counts([1], ["p", "q"])


def test_the_se_is_the_linearised_ratio():
    sklearn_free = pytest.importorskip("statsmodels.api")
    y = [hit for hits, n in PROMPTS for hit in [1] * hits + [0] * (n - hits)]
    groups = [i for i, (_, n) in enumerate(PROMPTS) for _ in range(n)]
    fit = sklearn_free.OLS(y, [[1.0]] * len(y)).fit(
        cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False}
    )
    c = len(PROMPTS)
    assert clustered_se(PROMPTS) == pytest.approx(
        fit.bse[0] * (c / (c - 1)) ** 0.5, rel=1e-9
    )


def test_cases_that_stand_alone_have_no_effect():
    assert design_effect([(1, 1), (0, 1), (1, 1)]) == 1.0


def test_identical_cases_count_once():
    # Each prompt's four cases agree, so 4 prompts carry the news of 4 cases.
    effect = design_effect([(4, 4), (0, 4), (4, 4), (0, 4)])
    assert effect == pytest.approx(4 * 4 / 3)


def test_negative_correlation_is_floored():
    assert design_effect([(1, 2), (1, 2), (1, 2), (1, 2)]) == 1.0


def test_rates_of_zero_and_one_cannot_tell():
    assert design_effect([(0, 4), (0, 3)]) == 3.5
    assert design_effect([(4, 4), (3, 3)]) == 3.5
    assert design_effect([(0, 1), (0, 1)]) == 1.0
    assert design_effect([]) == 1.0


def test_a_single_cluster_counts_as_one_case():
    assert design_effect([(3, 8)]) == 8.0


@pytest.mark.parametrize("bad", [[(1, 2)], [], [(1, 2), (0, 0)], [(3, 2), (1, 2)]])
def test_what_has_no_se_is_refused(bad):
    with pytest.raises(ValueError):
        clustered_se(bad)


@given(st.lists(cluster, min_size=2, max_size=30))
def test_the_effect_is_at_least_one_and_ignores_order(clusters):
    effect = design_effect(clusters)
    assert effect >= 1
    assert design_effect(clusters[::-1]) == pytest.approx(effect)


def test_rounding_noise_is_no_clustering():
    # Two hits of five in clusters whose sums vary exactly as independent cases would:
    # floating point gives 1.0000000000000002, which is 1.
    assert floored(1.0000000000000002) == 1.0
    assert floored(0.3) == 1.0
    assert floored(1.01) == 1.01
