"""The design effect of a plan: its formula, where it comes from, and what it buys."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.intervals import upper_bound, wilson
from calibration.domain.plan_clusters import (
    Clustering,
    EffectSource,
    Reported,
    Shape,
    clustering,
    correlation_of,
    kish_effect,
    shape_of,
)
from calibration.domain.planning import failures_allowed, gate_pairs, half_width_pairs
from calibration.domain.rates import design_effect

SIXES = Shape(pairs=600, cases=100, prompts=100, several=100, size=6.0)
SINGLES = Shape(pairs=50, cases=50, prompts=50, several=0, size=1.0)


def told(effect: float, shape: Shape = SIXES) -> Reported:
    return Reported(3, effect, shape)


def test_the_effect_of_kish() -> None:
    assert kish_effect(4, 0.5) == 2.5
    assert kish_effect(1, 1) == 1
    assert kish_effect(6, 0) == 1
    assert kish_effect(6, 1) == 6


@pytest.mark.parametrize(
    ("size", "alike"),
    [(0.5, 0), (2, -0.1), (2, 1.1), (float("nan"), 0.5), (2, float("nan"))],
)
def test_what_is_no_clustering(size: float, alike: float) -> None:
    with pytest.raises(ValueError, match="a plan needs"):
        kish_effect(size, alike)
    with pytest.raises(ValueError, match="a plan needs"):
        clustering(SIXES, per_prompt=size, correlation=alike)


@pytest.mark.parametrize("asked", [{"per_prompt": 0}, {"correlation": 2}])
def test_what_is_no_clustering_of_single_pairs_either(asked: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="a plan needs"):
        clustering(SINGLES, **asked)


@given(st.floats(1.1, 50), st.floats(0, 1))
def test_the_correlation_comes_back(size: float, alike: float) -> None:
    assert correlation_of(kish_effect(size, alike), size) == pytest.approx(
        alike, abs=1e-9
    )


def test_a_correlation_stays_one() -> None:
    assert correlation_of(9.0, 6) == 1
    assert correlation_of(0.9, 6) == 0
    assert correlation_of(2.0, 1) is None


def test_shapes() -> None:
    pairs = [("a", "g"), ("a", "g"), ("b", "g"), ("c", "c")]
    found = shape_of(pairs)
    assert found == Shape(pairs=4, cases=3, prompts=2, several=1, size=2.5)
    assert (found.per_case, found.per_prompt) == (4 / 3, 2)
    assert shape_of([]) is None


def test_fully_alike_pairs_weigh_as_the_squares_of_their_numbers() -> None:
    """Of hits that a prompt shares, the variance of the rate has this very factor."""
    sizes = np.array([1, 1, 2, 5])
    shape = shape_of((None, prompt) for prompt in np.repeat(range(4), sizes))
    assert shape is not None
    exact = (sizes**2).sum() / sizes.sum() ** 2 / (1 / sizes.sum())
    assert clustering(shape).design_effect == pytest.approx(exact)


class TestSource:
    def test_without_a_set_every_pair_stands_alone(self) -> None:
        found = clustering(None)
        assert found == Clustering(1.0, EffectSource.ASSUMED, 1.0, 1.0)

    def test_single_pairs_have_none(self) -> None:
        found = clustering(SINGLES, told(1.0, SINGLES))
        assert (found.design_effect, found.source) == (1, EffectSource.SINGLE)

    def test_what_a_report_found(self) -> None:
        found = clustering(SIXES, told(1.5))
        assert (found.source, found.report, found.prompts) == ("report", 3, 100)
        assert found.design_effect == pytest.approx(1.5)
        assert found.correlation == pytest.approx(0.1)
        assert (found.pairs(100), found.cases(150)) == (150, 25)
        assert found.independent(150) == 100

    def test_it_is_carried_over_to_prompts_of_another_size(self) -> None:
        asked = clustering(SIXES, told(1.5), per_prompt=3)
        assert asked.design_effect == pytest.approx(1.2)
        thin = Shape(pairs=60, cases=30, prompts=30, several=30, size=2.0)
        assert clustering(thin, told(1.5)).design_effect == pytest.approx(1.1)

    @pytest.mark.parametrize(
        "reported",
        [
            None,
            told(1.5, Shape(pairs=114, cases=19, prompts=19, several=19, size=6.0)),
            told(1.0, SINGLES),
            told(1.0, Shape(pairs=60, cases=50, prompts=50, several=10, size=1.3)),
        ],
    )
    def test_where_nothing_tells_pairs_are_fully_alike(
        self, reported: Reported | None
    ) -> None:
        found = clustering(SIXES, reported)
        assert (found.design_effect, found.source) == (6, EffectSource.WORST)
        assert found.report is None

    def test_what_is_asked_goes_first(self) -> None:
        found = clustering(SIXES, told(1.5), per_prompt=4, correlation=0.5)
        assert (found.design_effect, found.source) == (2.5, EffectSource.ASKED)
        assert clustering(SIXES, told(1.5), correlation=0).design_effect == 1
        assert clustering(SIXES, told(1.5), per_prompt=1).design_effect == 1

    def test_cases_of_one_group_are_one_prompt(self) -> None:
        groups = Shape(pairs=60, cases=60, prompts=20, several=20, size=3.0)
        assert clustering(groups).cases(30) == 30
        assert clustering(groups, per_prompt=2).cases(30) == 30
        assert clustering(SIXES, per_prompt=2).cases(30) == 15


def drawn(rng: np.random.Generator, prompts: int, size: int, rate: float, alike: float):
    """Hits of prompts whose own rates vary so that their pairs correlate (beta)."""
    spread = 1 / alike - 1
    own = rng.beta(rate * spread, (1 - rate) * spread, prompts)
    return (rng.random((prompts, size)) < own[:, None]).ravel()


def test_so_many_pairs_give_the_half_width_asked_for() -> None:
    """With the effect of each sample itself, and the truth within in 95 % of them."""
    rng, size, rate, alike, wanted = np.random.default_rng(7), 5, 0.7, 0.25, 0.06
    lies = clustering(None, per_prompt=size, correlation=alike)
    pairs = lies.pairs(half_width_pairs(wanted, rate))
    prompts = lies.cases(pairs)
    clusters = np.repeat(np.arange(prompts), size)
    halves, covered, naive = [], 0, 0
    for _ in range(1500):
        hits = drawn(rng, prompts, size, rate, alike)
        effect = design_effect(hits.astype(float), clusters)
        found = wilson(int(hits.sum()), len(hits), 0.95, effect)
        plain = wilson(int(hits.sum()), len(hits))
        halves.append((found.high - found.low) / 2)
        covered += found.low <= rate <= found.high
        naive += plain.low <= rate <= plain.high
    assert float(np.mean(halves)) == pytest.approx(wanted, rel=0.03)
    assert 0.93 <= covered / 1500 <= 0.97
    assert naive / 1500 < 0.87  # what planning with single pairs would have come to


def test_so_many_pairs_pass_a_gate_as_often_as_asked_for() -> None:
    rng, size, alike, limit, true = np.random.default_rng(11), 4, 0.2, 0.1, 0.05
    lies = clustering(None, per_prompt=size, correlation=alike)
    alone = gate_pairs(limit, true)
    assert alone == 203
    pairs = lies.pairs(alone)
    prompts = lies.cases(pairs)
    allowed = failures_allowed(prompts * size, limit, effect=lies.design_effect)
    assert allowed is not None
    failures = [drawn(rng, prompts, size, true, alike).sum() for _ in range(2000)]
    passed = float(np.mean(np.array(failures) <= allowed))
    assert passed == pytest.approx(0.8, abs=0.05)
    assert upper_bound(allowed, prompts * size, 0.95, lies.design_effect) <= limit
