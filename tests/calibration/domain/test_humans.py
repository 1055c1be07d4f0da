from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.agreement import krippendorff_alpha, percent_agreement
from annotation.domain.estimates import Undefined
from annotation.domain.outcomes import Outcome
from calibration.domain.humans import humans
from calibration.domain.rates import Rates
from calibration.domain.samples import Sample
from tests.calibration.factory import GOLD, SYSTEMS, row

LABELS = list(Outcome)


def built(ratings, verdict="T", clusters=None):
    made = [
        row(
            "U",
            verdict,
            pair=f"p{i}",
            case=f"c{i}",
            cluster=f"g{clusters[i] if clusters else i}",
            labels=tuple(GOLD[letter] for letter in given_labels),
        )
        for i, given_labels in enumerate(ratings)
    ]
    return Sample.build(made, SYSTEMS)


def block_of(sample):
    return humans(sample, Rates.of(sample, 0.95), np.random.default_rng(3))


six = st.lists(st.text("BCTA", max_size=4), max_size=25)


@given(six)
def test_matches_the_reference(ratings):
    found = block_of(built(ratings))
    named = [[GOLD[letter] for letter in one] for one in ratings]
    for ours, theirs in [
        (found.alpha, krippendorff_alpha(named, LABELS)),
        (found.pairwise_agreement, percent_agreement(named, LABELS)),
    ]:
        if isinstance(theirs, Undefined):
            assert ours == theirs
        else:
            assert ours.value == pytest.approx(theirs.value)
            assert ours.denominator == theirs.denominator


def test_published_six_cases():
    found = block_of(built(["BBB", "BBC", "CCC", "CTC", "TTT", "BBT"]))
    assert found.alpha.value == pytest.approx(0.5233644859813085, abs=1e-12)
    assert (found.alpha.low, found.alpha.method) == (None, "fewer than 20 cases")
    assert found.unanimous.numerator == 3
    assert (found.pairs, found.labels) == (6, 18)


def test_the_judge_beside_the_reviewers():
    found = block_of(built(["TTT", "TTB", "BC", "T"]))
    assert found.pairs == 3
    assert found.judge_agreement.value == pytest.approx((1 + 2 / 3 + 0) / 3)


def test_an_invalid_verdict_agrees_with_nobody():
    assert block_of(built(["AA", "BB"], verdict="I")).judge_agreement.value == 0


def test_one_label_only():
    found = block_of(built(["TT", "TT"]))
    assert found.pairwise_agreement.value == 1
    assert found.alpha == Undefined("only one label used", None, 2)


def test_no_pair_with_two_labels():
    found = block_of(built(["B", "", "C"]))
    assert found.pairs == found.labels == 0
    for figure in (found.unanimous, found.pairwise_agreement, found.alpha):
        assert figure == Undefined("no case has two labels", None, 0)


def test_the_interval_is_near_the_spread_of_alpha():
    """Half its width is close to the spread of alpha over fresh samples."""
    rng = np.random.default_rng(8)
    values, halves = [], []
    for _ in range(60):
        truth = rng.integers(0, 3, 120)
        noisy = rng.random((120, 3)) < 0.3
        votes = np.where(noisy, rng.integers(0, 3, (120, 3)), truth[:, None])
        alpha = block_of(built(["".join("BCT"[v] for v in r) for r in votes])).alpha
        values.append(alpha.value)
        halves.append((alpha.high - alpha.low) / 2)
    ratio = np.mean(halves) / 1.98 / np.std(values)
    assert 0.75 < ratio < 1.3


def test_clusters_widen_alpha():
    ratings = ["BB", "BB", "CC", "CC", "BC", "BC", "TB", "TB"] * 6
    alone = block_of(built(ratings)).alpha
    together = block_of(built(ratings, clusters=[i // 2 for i in range(48)])).alpha
    assert together.value == alone.value
    assert together.high - together.low > alone.high - alone.low
