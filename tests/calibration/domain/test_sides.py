from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.estimates import Undefined
from annotation.domain.outcomes import Outcome
from calibration.domain.errors import direction, fisher_exact
from calibration.domain.rates import Rates
from calibration.domain.samples import Sample
from calibration.domain.sides import side_block
from tests.calibration.factory import GOLD, SYSTEMS, block_of, row

BASELINE, CANDIDATE = Outcome.BASELINE, Outcome.CANDIDATE


def built(told, side="B"):
    """Pairs from (gold, verdict) letters; all have the trait on one side."""
    made = [
        row(*letters, pair=f"p{i}", case=f"c{i}", formatted=GOLD[side])
        for i, letters in enumerate(told)
    ]
    return Sample.build(made, SYSTEMS)


def found_of(sample):
    rates = Rates.of(sample, 0.95)
    return side_block(sample, sample.columns.formatted, rates)


def test_by_hand():
    told = ["CB"] * 3 + ["CC"] * 5 + ["CT"] * 2 + ["BC"] + ["BB"] * 9
    found = found_of(built([*told, "TB", "TB", "TC", "TT", "UB", "BI"]))
    assert found.pairs == 26
    assert (found.judge_wins.numerator, found.judge_wins.denominator) == (15, 22)
    assert (found.gold_wins.numerator, found.gold_wins.denominator) == (11, 21)
    assert (found.ties_wins.numerator, found.ties_wins.denominator) == (2, 3)
    assert found.ties_test.p_value == 1.0
    assert (found.false_wins.numerator, found.false_wins.denominator) == (3, 10)
    assert (found.false_losses.numerator, found.false_losses.denominator) == (1, 11)
    assert found.difference.value == pytest.approx(3 / 10 - 1 / 11)
    assert found.test.p_value == fisher_exact(3, 10, 1, 11)


letters = st.tuples(st.sampled_from("BCTAU"), st.sampled_from("BCTAI"))


@given(st.lists(letters, max_size=30))
def test_always_the_candidate_is_the_direction_of_errors(told):
    sample = built(told, side="C")
    ours, theirs = found_of(sample), direction(sample, Rates.of(sample, 0.95))
    assert (ours.difference, ours.test) == (theirs.difference, theirs.test)


@given(st.lists(letters, max_size=30))
def test_the_other_side_turns_the_sign(told):
    one, other = found_of(built(told, "B")), found_of(built(told, "C"))
    assert one.false_wins == other.false_losses
    if not isinstance(one.difference, Undefined):
        assert one.difference.value == pytest.approx(-other.difference.value)


def test_without_the_trait_there_is_nothing():
    plain = Sample.build([row("B", "B")], SYSTEMS)
    found = found_of(plain)
    assert found.pairs == 0
    assert found.judge_wins == Undefined("0 cases", 0, 0)
    assert found.difference == Undefined("a gold class has 0 cases", None, 0)
    assert found.ties_test.undefined == "no decisive cases"


def test_both_traits_stand_in_the_block():
    rows = [row("B", "C", own_family=CANDIDATE, formatted=BASELINE)]
    found = block_of(Sample.build(rows, SYSTEMS))
    assert (found.own_family.false_wins.numerator, found.own_family.pairs) == (1, 1)
    assert found.formatting.false_losses.numerator == 1


def test_the_difference_covers():
    """A judge that errs towards the trait by 10 points: Newcombe, 92 % or more."""
    rng, rounds, covered = np.random.default_rng(5), 400, 0
    for _ in range(rounds):
        wrong = rng.random(160) < np.repeat([0.25, 0.15], 80)
        told = [
            f"{gold}{other if bad else gold}"
            for (gold, other), bad in zip(["CB"] * 80 + ["BC"] * 80, wrong, strict=True)
        ]
        found = found_of(built(told)).difference
        covered += found.low <= 0.10 <= found.high
    assert covered / rounds > 0.92
