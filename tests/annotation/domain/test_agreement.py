from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.agreement import (
    NO_OVERLAP,
    ONE_LABEL,
    ac1_se,
    gwet_ac1,
    krippendorff_alpha,
    pair_agreement,
    percent_agreement,
    unanimous_share,
)
from annotation.domain.estimates import Estimate, Undefined
from annotation.domain.intervals import wilson
from annotation.domain.resampling import alpha_interval
from annotation.presenters.figures import limits_text

# The four-observer example of Krippendorff (2011); also Gwet's, with missing labels.
FOUR = [
    [1, 1, None, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [2, 2, 2, 2],
    [1, 2, 3, 4],
    [4, 4, 4, 4],
    [1, 1, 2, 1],
    [2, 2, 2, 2],
    [None, 5, 5, 5],
    [None, None, 1, 1],
    [None, 3, None, None],
]
LABELS = [1, 2, 3, 4, 5]
SIX = ["BBB", "BBC", "CCC", "CTC", "TTT", "BBT"]

ratings = st.lists(
    st.lists(st.sampled_from(["B", "C", "T", None]), max_size=4), max_size=25
)


def test_reference_values():
    assert krippendorff_alpha(FOUR, LABELS).value == pytest.approx(
        0.743421052631579, abs=1e-9
    )
    assert krippendorff_alpha(SIX, "BCT").value == pytest.approx(
        0.5233644859813085, abs=1e-12
    )
    assert percent_agreement(FOUR, LABELS).value == pytest.approx(9 / 11)
    ac1 = gwet_ac1(FOUR, LABELS)
    assert ac1.value == pytest.approx(0.775444068126995, abs=6e-6)
    assert ac1_se(FOUR, LABELS) == pytest.approx(0.1429499506407653, abs=6e-6)


def test_ac1_interval_is_students_t():
    ac1 = gwet_ac1(FOUR, LABELS)
    # Quantile of Student's t at .975 with 11 degrees of freedom: 2.200985.
    half = 2.200985 * ac1_se(FOUR, LABELS)
    assert ac1.low == pytest.approx(ac1.value - half, abs=1e-6)
    assert ac1.high == 1.0  # capped
    assert (ac1.level, ac1.denominator) == (0.95, 12)


def test_percent_agreement_counts_cases_not_label_pairs():
    figure = percent_agreement(FOUR, LABELS)
    assert figure.denominator == 11
    assert figure.low == pytest.approx(wilson(9, 11).low)


def test_percent_agreement_widens_with_clusters():
    rows = ["BB", "BB", "BC", "BC", "CC", "CC", "CT", "CT"]
    plain = percent_agreement(rows, "BCT")
    clustered = percent_agreement(rows, "BCT", clusters=[1, 1, 2, 2, 3, 3, 4, 4])
    assert clustered.value == plain.value == 0.5
    assert clustered.design_effect == pytest.approx(2 * 4 / 3)
    assert clustered.low < plain.low


def test_unanimous_share():
    figure = unanimous_share(FOUR, LABELS)
    assert (figure.numerator, figure.denominator) == (8, 11)
    assert unanimous_share(["B", ""], "BCT") == Undefined(NO_OVERLAP, 0, 0)


@pytest.mark.parametrize("rows", [[], [[None, None]], [["B"], ["C", None], []]])
@pytest.mark.parametrize("figure", [krippendorff_alpha, percent_agreement, gwet_ac1])
def test_nothing_to_compare_is_undefined(figure, rows):
    assert figure(rows, "BCT") == Undefined(NO_OVERLAP, None, 0)


def test_one_label_only():
    rows = ["TT", "TTT", "TT"]
    assert krippendorff_alpha(rows, "BCT") == Undefined(ONE_LABEL, None, 3)
    assert percent_agreement(rows, "BCT").value == 1.0
    ac1 = gwet_ac1(rows, "BCT")
    assert (ac1.value, ac1.low, ac1.high, ac1.method) == (1.0, None, None, None)


def test_a_reviewer_who_never_overlaps_changes_nothing_but_prevalence():
    rows = [["B", "B", None], ["C", "C", None], ["B", "C", None], [None, None, "T"]]
    alone = rows[:3]
    assert krippendorff_alpha(rows, "BCT") == krippendorff_alpha(alone, "BCT")
    assert percent_agreement(rows, "BCT") == percent_agreement(alone, "BCT")


def test_full_agreement_on_several_labels_claims_no_interval():
    rows = ["BB", "CC", "TT"]
    for figure in (krippendorff_alpha(rows, "BCT"), gwet_ac1(rows, "BCT")):
        assert figure.value == pytest.approx(1.0)
        assert figure.low is figure.high is None


def test_an_unused_label_of_the_set_changes_ac1():
    assert gwet_ac1(SIX, "BCT").value != gwet_ac1(SIX, "BCTA").value
    assert krippendorff_alpha(SIX, "BCT") == krippendorff_alpha(SIX, "BCTA")


def test_labels_outside_the_set_are_refused():
    with pytest.raises(ValueError, match="'X'"):
        krippendorff_alpha(["BX"], "BCT")
    assert isinstance(gwet_ac1(["BB"], "B"), Undefined)


def test_pair_agreement_of_one_case():
    assert pair_agreement("BBT") == pytest.approx(1 / 3)
    assert pair_agreement("BB") == 1
    assert pair_agreement("BC") == 0
    assert pair_agreement("B") is None
    assert pair_agreement("") is None


@given(ratings, st.randoms(use_true_random=False))
def test_order_of_cases_and_reviewers_is_irrelevant(rows, random):
    shuffled = [random.sample(row, len(row)) for row in rows]
    random.shuffle(shuffled)
    for figure in (krippendorff_alpha, percent_agreement, gwet_ac1):
        before, after = figure(rows, "BCT"), figure(shuffled, "BCT")
        assert type(before) is type(after)
        if isinstance(before, Estimate):
            assert after.value == pytest.approx(before.value, abs=1e-9)


@given(ratings)
def test_figures_stay_in_range_and_hold_their_value(rows):
    for figure in (krippendorff_alpha, percent_agreement, gwet_ac1, unanimous_share):
        result = figure(rows, "BCT")
        if isinstance(result, Undefined):
            continue
        assert -1 - 1e-9 <= result.value <= 1 + 1e-9
        if result.low is not None:
            assert result.low <= result.value <= result.high
            assert result.low < result.high


class TestAlphaInterval:
    ROWS = SIX * 10

    def test_the_same_seed_gives_the_same_interval(self):
        first, second = (
            alpha_interval(self.ROWS, "BCT", rng=np.random.default_rng(7))
            for _ in range(2)
        )
        assert first == second
        assert first.low < first.value < first.high
        assert first.method == "bootstrap, percentile, 2000"

    def test_it_matches_resampling_the_cases_themselves(self):
        random = np.random.default_rng(3)
        drawn = []
        for _ in range(1500):
            picks = random.integers(0, len(self.ROWS), len(self.ROWS))
            rows = [self.ROWS[pick] for pick in picks]
            drawn.append(krippendorff_alpha(rows, "BCT").value)
        low, high = np.quantile(drawn, [0.025, 0.975])
        figure = alpha_interval(self.ROWS, "BCT", rng=np.random.default_rng(11))
        assert figure.low == pytest.approx(low, abs=0.03)
        assert figure.high == pytest.approx(high, abs=0.03)

    def test_a_higher_level_is_wider(self):
        narrow, wide = (
            alpha_interval(self.ROWS, "BCT", rng=np.random.default_rng(7), level=level)
            for level in (0.8, 0.99)
        )
        assert wide.low < narrow.low < narrow.high < wide.high

    def test_few_cases_or_no_variation_have_none(self):
        rng = np.random.default_rng(1)
        for rows, clusters, reason in (
            (SIX, None, "fewer than 20 cases with two labels"),
            (["BB", "BC"] * 12, [1, 2] * 12, "fewer than 20 prompts with two labels"),
            (["BB", "CC"] * 20, None, "all resamples agree"),
        ):
            figure = alpha_interval(rows, "BCT", rng=rng, clusters=clusters)
            assert isinstance(figure, Estimate)
            assert (figure.low, figure.high, figure.method) == (None, None, reason)
            assert limits_text(figure, str) == f"no interval: {reason}"

    def test_mostly_undefined_resamples_give_none(self):
        # One C in 40: a third of the resamples hold one label only.
        rows = ["BB"] * 39 + ["BC"]
        figure = alpha_interval(rows, "BCT", rng=np.random.default_rng(1))
        assert isinstance(figure, Estimate)
        assert figure.low is None
        assert figure.method == "undefined in over 5 % of resamples"

    def test_undefined_stays_undefined(self):
        rng = np.random.default_rng(1)
        assert alpha_interval(["BB"] * 30, "BCT", rng=rng).reason == ONE_LABEL
