from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from annotation.domain.estimates import Estimate, Undefined
from calibration.domain.bradley_terry import fit
from calibration.domain.ranking import FEWEST, rank
from calibration.domain.samples import Sample
from tests.calibration.factory import row, sample

SEED = 5


def played(strengths: dict[str, float], cases: int, rng, ties: float = 0.3, **fields):
    """Every two systems on every case, drawn from Davidson's model."""
    names, rows = tuple(strengths), []
    for case in range(cases):
        for a, b in combinations(names, 2):
            one, two = np.exp([strengths[a], strengths[b]])
            weights = np.array([one, two, ties * (one * two) ** 0.5])
            said = "BCT"[rng.choice(3, p=weights / weights.sum())]
            rows.append(
                row(
                    "U", said, pair=f"{case}-{a}{b}", case=f"c{case}",
                    systems=(a, b), **fields,
                )
            )  # fmt: skip
    return Sample.build(rows, names)


def ranked(found: Sample, **options):
    said = found.columns.verdict
    return rank(found, said, np.random.default_rng(SEED), count=300, **options)


def test_clear_differences_are_found_in_order():
    found = ranked(
        played({"a": -1.0, "b": 0.0, "c": 1.2}, 60, np.random.default_rng(1))
    )
    assert [one.system for one in found.systems] == ["c", "b", "a"]
    assert found.groups == ()
    assert all(two.separable for two in found.versus)
    assert [(one.best, one.worst) for one in found.systems] == [(1, 1), (2, 2), (3, 3)]
    assert (found.pairs, found.cases, found.left_out) == (180, 60, 0)
    top = found.systems[0]
    assert isinstance(top.strength, Estimate)
    assert top.strength.low < top.strength.value < top.strength.high
    assert top.strength.method == "percentile bootstrap over cases"
    assert top.preferred.value == pytest.approx(1 / (1 + np.exp(-top.strength.value)))
    assert top.wins + top.losses + top.ties == top.pairs == 120


def test_equal_systems_are_one_group_and_keep_every_rank_open():
    found = ranked(played({"a": 0.0, "b": 0.0, "c": 0.0}, 40, np.random.default_rng(2)))
    assert len(found.groups) == 1
    assert set(found.groups[0]) == {"a", "b", "c"}
    assert {(one.best, one.worst) for one in found.systems} == {(1, 3)}


def test_two_equal_ones_below_a_better_one():
    found = ranked(played({"a": 1.5, "b": 0.0, "c": 0.0}, 60, np.random.default_rng(3)))
    assert found.systems[0].system == "a"
    assert [set(group) for group in found.groups] == [{"b", "c"}]
    assert (found.systems[0].best, found.systems[0].worst) == (1, 1)


def test_false_separations_stay_rare():
    """Six equal systems: any two told apart in at most 5 % of data sets."""
    names = dict.fromkeys("abcdef", 0.0)
    wrong = 0
    for seed in range(60):
        found = ranked(played(names, 30, np.random.default_rng(seed)))
        wrong += any(two.separable for two in found.versus)
    assert wrong / 60 <= 0.05 + 3 * (0.05 * 0.95 / 60) ** 0.5


def test_intervals_hold_the_truth_often_enough():
    truth = {"a": -0.5, "b": 0.0, "c": 0.5}
    held = 0
    for seed in range(60):
        found = ranked(played(truth, 40, np.random.default_rng(100 + seed)))
        for one in found.systems:
            strength = one.strength
            assert isinstance(strength, Estimate)
            held += strength.low <= truth[one.system] <= strength.high
    assert held / 180 >= 0.95 - 0.06


def test_pairs_of_a_case_are_drawn_together():
    """The same counts from ten times fewer groups say less."""
    rng = np.random.default_rng(4)
    alone = played({"a": 0.4, "b": 0.0}, 200, rng)
    grouped = Sample.build(
        [
            row(
                "U", "BCT"[alone.columns.verdict[i]], pair=one.pair, case=one.case,
                cluster=f"g{'BCT'[alone.columns.verdict[i]]}{i % 12}",
                systems=one.systems,
            )
            for i, one in enumerate(alone.rows)
        ],
        alone.systems,
    )  # fmt: skip
    free, bound = ranked(alone), ranked(grouped)
    assert free.systems[0].strength.value == bound.systems[0].strength.value
    assert bound.cases < free.cases
    assert _width(bound.systems[0].strength) > 1.3 * _width(free.systems[0].strength)


def _width(figure):
    return figure.high - figure.low


def test_the_point_is_the_plain_fit_of_all_pairs():
    found = ranked(played({"a": 0.3, "b": 0.0}, 40, np.random.default_rng(6)))
    by_name = {one.system: one for one in found.systems}
    a = by_name["a"]
    wins = np.array([[[0, a.wins], [a.losses, 0]]], float)
    ties = np.array([[[0, a.ties], [a.ties, 0]]], float)
    assert a.strength.value == pytest.approx(fit(wins, ties).strengths[0, 0])


class TestTooLittle:
    def test_few_cases_have_counts_and_no_ranking(self):
        found = ranked(sample(["UC"] * 12 + ["UB"] * 5))
        assert found.undefined == "fewer than 20 cases with an outcome: old 17, new 17"
        assert [one.system for one in found.systems] == ["old", "new"]
        assert (found.systems[1].wins, found.systems[1].losses) == (12, 5)
        assert isinstance(found.systems[0].strength, Undefined)
        assert found.versus == found.groups == ()
        assert found.systems[0].best is None

    def test_abstain_and_invalid_are_left_out_and_counted(self):
        found = ranked(sample(["UC"] * 15 + ["UB"] * 10 + ["UA"] * 3 + ["UI"] * 4))
        assert (found.pairs, found.left_out) == (25, 7)
        assert found.undefined is None

    def test_only_invalid_and_nothing_at_all(self):
        for rows in (["UI"] * 30, []):
            found = ranked(sample(rows))
            assert found.pairs == 0
            assert "fewer than 20" in found.undefined

    def test_a_system_that_always_wins_has_no_finite_strength(self):
        found = ranked(sample(["UC"] * 40))
        assert "never lose" in found.undefined
        assert found.systems[1].wins == 40

    def test_only_ties(self):
        assert "nothing was decided" in ranked(sample(["UT"] * 40)).undefined

    def test_a_loss_that_most_resamples_miss_gives_no_interval(self):
        found = ranked(sample(["UC"] * 40 + ["UB"]))
        assert found.undefined is None
        assert found.dropped > 0.05 * found.resamples
        strength = found.systems[0].strength
        assert isinstance(strength, Estimate)
        assert strength.low is None
        assert strength.method == "undefined in over 5 % of resamples"
        assert not found.versus[0].separable
        assert found.versus[0].adjusted is None
        assert found.systems[0].best is None

    def test_the_limit_is_twenty_of_each(self):
        assert FEWEST == 20
        assert ranked(sample(["UC"] * 12 + ["UB"] * 8)).undefined is None


def test_the_same_seed_gives_the_same_ranking():
    found = played({"a": 0.2, "b": 0.0, "c": -0.1}, 30, np.random.default_rng(7))
    assert ranked(found) == ranked(found)


def test_cases_that_all_say_the_same_leave_no_interval_of_zero_width():
    """Of each group one for a and one for b: nothing varies, and nothing is told."""
    made = [
        row(
            "U",
            said,
            pair=f"{case}{said}",
            case=f"{case}{said}",
            cluster=f"g{case}",
            systems=("a", "b"),
        )
        for case in range(30)
        for said in "BC"
    ]
    found = ranked(Sample.build(made, ("a", "b")))
    (two,) = found.versus
    assert two.adjusted == 1
    assert not two.separable
    for figure in (two.difference, found.systems[0].strength):
        assert figure.value == pytest.approx(0, abs=1e-9)
        assert (figure.low, figure.method) == (None, "all resamples agree")
