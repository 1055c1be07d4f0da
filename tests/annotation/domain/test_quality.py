from __future__ import annotations

import random
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.agreement import krippendorff_alpha
from annotation.domain.consensus import ConsensusRule
from annotation.domain.estimates import Estimate, Undefined
from annotation.domain.intervals import SignTest
from annotation.domain.outcomes import Order, Outcome
from annotation.domain.quality import Rating, median_of, reviewer_qualities
from annotation.domain.team import LABELS, human_ipi, team_quality

B, C, T, A = Outcome.BASELINE, Outcome.CANDIDATE, Outcome.TIE, Outcome.ABSTAIN
BF, CF = Order.BASELINE_FIRST, Order.CANDIDATE_FIRST
MAJORITY = ConsensusRule.MAJORITY_ELSE_ADJUDICATE
UNANIMOUS = ConsensusRule.UNANIMOUS_ELSE_ADJUDICATE


def rate(pair, reviewer, outcome, order=BF, **rest) -> Rating:
    return Rating(pair, reviewer, outcome, order, rest.pop("cluster", pair), **rest)


def of(reviewer, ratings, rule=MAJORITY, wanted=3):
    found = {q.reviewer: q for q in reviewer_qualities(ratings, rule, wanted)}
    return found[reviewer]


def counts(figure):
    assert isinstance(figure, Estimate), figure
    return figure.numerator, figure.denominator


class TestConsensus:
    RATINGS = (
        # ann alone against two; with her own label the majority would not change
        *(rate(1, *said) for said in (("ann", B), ("bob", C), ("cyd", C))),
        # all the same
        *(rate(2, *said) for said in (("ann", T), ("bob", T), ("cyd", T))),
        # her own label makes the majority: the others disagree, so no reference
        *(rate(3, *said) for said in (("ann", B), ("bob", B), ("cyd", C))),
        # only one other label where two are needed
        *(rate(4, *said) for said in (("ann", B), ("bob", B))),
    )

    def test_ones_own_label_is_left_out(self):
        ann = of("ann", self.RATINGS)
        assert counts(ann.consensus) == (1, 2)
        assert ann.without_reference == 2
        assert ann.labels == 4

    def test_the_sets_rule_decides_with_one_label_fewer(self):
        ratings = [
            rate(1, name, said) for name, said in zip("abcd", (B, B, B, C), strict=True)
        ]
        assert counts(of("a", ratings, MAJORITY, 4).consensus) == (1, 1)
        assert isinstance(of("a", ratings, UNANIMOUS, 4).consensus, Undefined)
        assert counts(of("d", ratings, UNANIMOUS, 4).consensus) == (0, 1)

    def test_with_two_labels_a_pair_the_other_one_is_the_reference(self):
        ratings = [rate(1, "ann", B), rate(1, "bob", B), rate(2, "ann", T)]
        assert counts(of("ann", ratings, wanted=2).consensus) == (1, 1)

    def test_alone_there_is_no_reference(self):
        figure = of("ann", [rate(1, "ann", B)], wanted=1).consensus
        assert figure == Undefined("no pair whose other labels agree", 0, 0)

    def test_repeats_count_to_no_reference(self):
        ratings = [
            rate(1, "ann", B),
            rate(1, "bob", C),
            rate(1, "bob", C, is_repeat=True),
        ]
        assert isinstance(of("ann", ratings).consensus, Undefined)
        assert of("bob", ratings).labels == 1


class TestOwnFigures:
    def test_designed_pairs(self):
        ratings = [
            rate(1, "ann", T, designed=T),
            rate(2, "ann", B, designed=T),
            rate(3, "ann", B),
        ]
        assert counts(of("ann", ratings).designed) == (1, 2)

    def test_repeats_are_compared_with_the_first(self):
        ratings = [
            rate(1, "ann", B),
            rate(1, "ann", B, CF, is_repeat=True),
            rate(2, "ann", B),
            rate(2, "ann", C, CF, is_repeat=True),
            rate(3, "ann", T),
            rate(3, "ann", C, CF, is_repeat=True),
            rate(4, "ann", T, CF, is_repeat=True),  # its first label is not known
            rate(1, "bob", C),
        ]
        ann = of("ann", ratings)
        assert counts(ann.retest) == (1, 3)
        assert ann.retest_flips == 1
        assert of("bob", ratings).retest == Undefined("no planned repeat yet", 0, 0)

    def test_left_counts_slots_and_not_systems(self):
        ratings = [
            rate(1, "ann", B, BF),
            rate(2, "ann", C, CF),
            rate(3, "ann", B, CF),
            rate(4, "ann", T, BF),
            rate(5, "ann", A, BF),
            rate(6, "ann", B, None),
        ]
        ann = of("ann", ratings)
        assert counts(ann.left) == (2, 3)
        assert ann.left_test == SignTest(2, 1, 1.0)
        assert counts(ann.ties) == (1, 6)
        assert counts(ann.abstains) == (1, 6)

    def test_pairs_of_one_prompt_widen_the_interval(self):
        tied = [rate(n, "ann", T if n < 20 else B, cluster=n // 10) for n in range(40)]
        figure = of("ann", tied).ties
        assert isinstance(figure, Estimate)
        assert figure.design_effect > 5

    def test_times(self):
        ratings = [rate(n, "ann", B, active=float(n), elapsed=None) for n in range(9)]
        ann = of("ann", ratings)
        assert isinstance(ann.active, Estimate)
        assert (ann.active.value, ann.active.denominator) == (4.0, 9)
        assert (ann.active.low, ann.active.high) == (1.0, 7.0)
        assert ann.elapsed == Undefined("no times recorded", None, 0)


class TestMedian:
    @given(st.integers(1, 80))
    def test_the_interval_is_the_narrowest_that_covers(self, n):
        figure = median_of(float(value) for value in range(n))
        assert isinstance(figure, Estimate)

        def outside(k):  # chance that fewer than k of n values lie below the median
            return sum(comb(n, j) for j in range(k)) / 2**n

        if figure.low is None:
            assert outside(1) > 0.025
            return
        k = int(figure.low) + 1
        assert figure.high == n - k
        assert outside(k) <= 0.025 < outside(k + 1)


class TestTeam:
    def team(self, ratings):
        return team_quality(ratings, rng=np.random.default_rng(1), resamples=500)

    def test_every_two_reviewers_on_what_both_labelled(self):
        ratings = [
            rate(n, name, said)
            for n, row in enumerate([(B, B, C), (C, C, None), (T, B, T), (B, B, B)])
            for name, said in zip(("ann", "bob", "cyd"), row, strict=True)
            if said
        ]
        found = {(b.one, b.other): b for b in self.team(ratings).between}
        assert list(found) == [("ann", "bob"), ("ann", "cyd"), ("bob", "cyd")]
        assert counts(found["ann", "bob"].agreement) == (3, 4)
        assert counts(found["ann", "cyd"].agreement) == (2, 3)
        kappa = found["ann", "bob"].kappa
        assert isinstance(kappa, Estimate)
        # observed 3/4; expected (2*3 + 1*1) / 16
        assert kappa.value == pytest.approx((3 / 4 - 7 / 16) / (1 - 7 / 16))

    def test_a_label_from_two_rounds_counts_once(self):
        ratings = [rate(1, "ann", B), rate(1, "ann", C), rate(1, "bob", C)]
        team = self.team(ratings)
        assert team.labels == 2
        assert counts(team.between[0].agreement) == (1, 1)

    def test_repeats_are_left_out(self):
        ratings = [rate(1, "ann", B), rate(1, "ann", C, CF, is_repeat=True)]
        team = self.team(ratings)
        assert (team.pairs, team.labels) == (1, 1)
        assert isinstance(team.alpha, Undefined)
        assert team.ipi.comparisons == 0

    def test_alpha_has_an_interval_over_prompts(self):
        rng = random.Random(4)
        ratings = []
        for n in range(200):
            truth = rng.choice([B, C])
            for name in ("ann", "bob", "cyd"):
                said = truth if rng.random() < 0.8 else rng.choice([B, C, T])
                ratings.append(rate(n, name, said, cluster=n // 4))
        team = self.team(ratings)
        assert isinstance(team.alpha, Estimate)
        assert team.alpha.method == "bootstrap over prompts, percentile, 500"
        assert team.alpha.low < team.alpha.value < team.alpha.high
        rows = [[r.outcome for r in ratings if r.pair == n] for n in range(200)]
        plain = krippendorff_alpha(rows, LABELS)
        assert isinstance(plain, Estimate)
        assert team.alpha.value == plain.value

    def test_prompts_that_repeat_widen_the_interval_of_alpha(self):
        ratings = []
        for n in range(200):
            good = (n // 10) % 3
            ratings += [rate(n, "ann", B if n % 2 else C, cluster=n // 10)]
            said = (B if n % 2 else C) if good else T
            ratings += [rate(n, "bob", said, cluster=n // 10)]
        tied = self.team(ratings).alpha
        alone = self.team([r._replace(cluster=r.pair) for r in ratings]).alpha
        assert isinstance(tied, Estimate)
        assert isinstance(alone, Estimate)
        assert tied.high - tied.low > 2 * (alone.high - alone.low)


class TestHumanIpi:
    def ipi(self, *ratings):
        by_pair = {}
        for rating in ratings:
            by_pair.setdefault(rating.pair, []).append(rating)
        return human_ipi(by_pair)

    def test_a_pair_counts_once_however_many_labels_it_has(self):
        found = self.ipi(
            # two against two: 4 comparisons, 3 differ
            rate(1, "ann", B, BF),
            rate(1, "bob", T, BF),
            rate(1, "cyd", B, CF),
            rate(1, "dan", C, CF),
            # one against one: the same
            rate(2, "ann", C, BF),
            rate(2, "bob", C, CF),
        )
        assert isinstance(found.instability, Estimate)
        assert found.instability.value == pytest.approx((3 / 4 + 0) / 2)
        assert found.instability.denominator == 2
        assert (found.differing, found.comparisons) == (3, 5)
        assert isinstance(found.flips, Estimate)
        assert found.flips.value == pytest.approx(1 / 4 / 2)

    def test_the_same_order_is_the_yardstick(self):
        found = self.ipi(
            rate(1, "ann", B, BF),
            rate(1, "bob", T, BF),
            rate(1, "cyd", B, CF),
        )
        assert (found.same_order_differing, found.same_order_comparisons) == (1, 1)
        assert isinstance(found.same_order_disagreement, Estimate)
        assert found.same_order_disagreement.value == 1
        assert found.instability.value == 0.5

    def test_the_same_person_and_abstains_make_no_comparison(self):
        found = self.ipi(
            rate(1, "ann", B, BF),
            rate(1, "ann", C, CF),
            rate(2, "ann", B, BF),
            rate(2, "bob", A, CF),
            rate(3, "ann", B, None),
            rate(3, "bob", C, None),
        )
        assert (found.pairs, found.abstains, found.comparisons) == (2, 1, 0)
        assert isinstance(found.instability, Undefined)
        assert found.instability.denominator == 0

    @given(
        st.lists(
            st.tuples(
                st.integers(0, 5),
                st.sampled_from("abc"),
                st.sampled_from([B, C, T, A]),
                st.sampled_from([BF, CF]),
            ),
            max_size=40,
        )
    )
    def test_swapping_all_orders_changes_nothing(self, said):
        ratings = [rate(*one) for one in said]
        swapped = [r._replace(order=r.order.opposite) for r in ratings]
        assert self.ipi(*ratings) == self.ipi(*swapped)
