from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control, ttest_1samp

from calibration.domain.rates import Rates
from calibration.domain.reviewers import (
    NOT_ENOUGH_REVIEWERS,
    benjamini_yekutieli,
    by_consensus,
    single_reviewers,
)
from calibration.domain.samples import Sample
from tests.calibration.factory import GOLD, SYSTEMS, row


def built(told, size=1):
    """(verdict letters, labels by reviewer) of each pair; ``size`` pairs a cluster."""
    made = [
        row(
            "B",
            verdict,
            pair=f"p{i:04}",
            case=f"c{i:04}",
            cluster=f"g{i // size}",
            labels=tuple(GOLD[x] for x in said if x != "-"),
            reviewers={f"R{k}": GOLD[x] for k, x in enumerate(said, 1) if x != "-"},
        )
        for i, (verdict, said) in enumerate(told)
    ]
    return Sample.build(made, SYSTEMS)


def found_of(sample):
    return single_reviewers(sample, Rates.of(sample, 0.95), np.random.default_rng(3))


def noisy(n, right, seed=1):
    """A judge that is right with ``right``, three reviewers with 0.75."""
    random = Random(seed)

    def said(chance, truth):
        return truth if random.random() < chance else random.choice("BCT")

    truths = [random.choice("BCT") for _ in range(n)]
    return [(said(right, t), "".join(said(0.75, t) for _ in range(3))) for t in truths]


@pytest.mark.parametrize("right", [0.05, 0.6, 0.95])
def test_alt_test_is_that_of_an_independent_reckoning(right):
    told = noisy(120, right)
    rows, test = found_of(built(told))
    p_values, advantages = [], []
    for j in range(3):
        judge, human = [], []
        for verdict, said in told:
            rest = [x for k, x in enumerate(said) if k != j]
            judge.append(np.mean([x == verdict for x in rest]))
            human.append(np.mean([x == said[j] for x in rest]))
        judge, human = np.array(judge), np.array(human)
        lead = (human >= judge).astype(float) - (judge >= human)
        p_values.append(ttest_1samp(lead, 0.2, alternative="less").pvalue)
        advantages.append(np.mean(judge >= human))
    adjusted = false_discovery_control(p_values, method="by")
    assert [r.p_value for r in rows] == pytest.approx(p_values)
    assert [r.adjusted for r in rows] == pytest.approx(list(adjusted))
    assert [r.advantage.value for r in rows] == pytest.approx(advantages)
    assert test.won == sum(p <= 0.05 for p in adjusted)
    assert test.stands_in == (test.won / 3 >= 0.5)


def test_a_good_judge_stands_in_and_a_bad_one_does_not():
    assert found_of(built(noisy(120, 0.95)))[1].stands_in
    assert not found_of(built(noisy(120, 0.05)))[1].stands_in


@given(st.lists(st.floats(0, 1), max_size=12))
def test_benjamini_yekutieli_is_that_of_scipy(p_values):
    theirs = false_discovery_control(p_values, method="by") if p_values else []
    assert benjamini_yekutieli(p_values) == pytest.approx(tuple(theirs))


def test_shares_with_one_reviewer():
    rows, _ = found_of(built([("B", "BB-"), ("C", "BCC"), ("I", "T--"), ("T", "--T")]))
    first, second, third = rows
    assert [r.reviewer for r in rows] == ["R1", "R2", "R3"]
    assert (first.labels, first.shared) == (3, 2)
    assert first.judge_agreement.numerator == 1
    assert first.peer_agreement.value == pytest.approx(0.5)
    assert second.peer_agreement.value == pytest.approx((1 + 0.5) / 2)
    assert (third.labels, third.shared) == (2, 1)


def test_29_shared_pairs_or_two_reviewers_are_too_few():
    for told in (noisy(29, 0.9), [(v, f"{s[:2]}-") for v, s in noisy(60, 0.9)]):
        rows, test = found_of(built(told))
        assert test.undefined == NOT_ENOUGH_REVIEWERS
        assert test.stands_in is None
        assert {r.adjusted for r in rows} == {None}


def test_nobody_known_is_an_empty_list():
    rows, test = found_of(Sample.build([], SYSTEMS))
    assert rows == ()
    assert test.undefined == NOT_ENOUGH_REVIEWERS


def test_clusters_weaken_the_test():
    told = [pair for pair in noisy(40, 0.8) for _ in range(3)]
    alone, together = found_of(built(told))[0], found_of(built(told, 3))[0]
    assert all(b.p_value > a.p_value for a, b in zip(alone, together, strict=True))


def test_a_judge_that_is_always_as_close_wins_without_spread():
    _, test = found_of(built([("B", "BBB")] * 30))
    assert (test.won, test.winning_rate) == (3, 1.0)


def test_unanimous_and_split_gold_are_apart():
    parts = by_consensus(
        built([("B", "BBB"), ("C", "BBB"), ("B", "BBC"), ("B", "B--")]), 0.95
    )
    assert (parts.unanimous.n, parts.split.n) == (2, 1)
    assert parts.unanimous.exact_agreement.value == 0.5
    assert parts.unanimous.false_candidate_wins.numerator == 1
    assert parts.split.exact_agreement.value == 1
