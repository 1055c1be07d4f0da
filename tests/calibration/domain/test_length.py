from __future__ import annotations

from dataclasses import replace
from math import log

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit

from annotation.domain.agreement import gwet_ac1
from annotation.domain.estimates import Undefined
from calibration.domain import cells
from calibration.domain.length import (
    NO_SPREAD,
    NOT_ESTIMABLE,
    NOT_SEPARABLE,
    length_block,
    similar,
)
from calibration.domain.rates import Rates
from calibration.domain.samples import Sample
from tests.calibration.factory import SYSTEMS, block_of, row, rows, sample


def built(told, size=1):
    """(gold, verdict, candidate less baseline in characters); None is unknown."""
    made = [
        row(
            gold,
            said,
            pair=f"p{i:04}",
            case=f"c{i:04}",
            cluster=f"g{i // size:04}",
            lengths=None if gap is None else (1000, 1000 + gap),
        )
        for i, (gold, said, gap) in enumerate(told)
    ]
    return Sample.build(made, SYSTEMS)


def found_of(told, size=1):
    given = built(told, size)
    return length_block(given, Rates.of(given, 0.95))


def drawn(n, liking, seed=7):
    """A judge that follows gold, and likes length with weight ``liking``."""
    rng = np.random.default_rng(seed)
    gaps = rng.integers(-400, 400, n)
    golds = rng.integers(0, 3, n)
    towards = np.array([-1, 1, 0])[golds]
    chance = expit(liking * np.tanh(gaps / gaps.std()) + 1.2 * towards)
    said = np.where(rng.random(n) < chance, "C", "B")
    return [
        ("BCT"[g], str(s), int(x)) for g, s, x in zip(golds, said, gaps, strict=True)
    ]


def test_the_three_steps_by_hand():
    found = found_of(
        [
            ("T", "C", 50),
            ("T", "B", 50),
            ("T", "B", -50),
            ("T", "T", 50),
            ("B", "C", 10),
            ("C", "B", 10),
            ("B", "B", -9),
            ("C", "C", 0),
            ("U", "C", 10),
            ("B", "C", None),
        ]
    )
    assert (found.pairs, found.unknown) == (8, 1)
    assert (found.ties_longer.numerator, found.ties_longer.denominator) == (2, 3)
    assert found.ties_test.n == 3
    # Wrong: three gold ties, and the two other false wins.
    assert (found.wrong_longer.numerator, found.wrong_longer.denominator) == (3, 5)
    assert (found.judge_longer.numerator, found.judge_longer.denominator) == (5, 7)
    assert (found.gold_longer.numerator, found.gold_longer.denominator) == (2, 3)


@pytest.mark.parametrize("size", [1, 4])
def test_the_model_is_that_of_statsmodels(size):
    told = drawn(400, 1.5)
    found = found_of(told, size)
    gaps = np.array([gap for _, _, gap in told], float)
    towards = np.array([{"B": -1, "C": 1, "T": 0}[g] for g, _, _ in told])
    inputs = np.column_stack([np.ones(400), np.tanh(gaps / gaps.std()), towards])
    won = np.array([said == "C" for _, said, _ in told], float)
    theirs = sm.Logit(won, inputs).fit(
        disp=0,
        tol=1e-10,
        cov_type="cluster",
        cov_kwds={"groups": np.arange(400) // size},
    )
    low, high = theirs.conf_int()[1]
    assert found.coefficient.value == pytest.approx(theirs.params[1], abs=1e-5)
    width = found.coefficient.high - found.coefficient.low
    assert width == pytest.approx(high - low, rel=0.01)
    even = expit(theirs.params[0] + theirs.params[2] * towards).mean()
    assert found.adjusted_share.value == pytest.approx(even, abs=1e-5)


def test_a_planted_liking_shows_and_none_does_not():
    liking, fair = found_of(drawn(600, 1.5)), found_of(drawn(600, 0.0))
    assert liking.coefficient.low > 0
    assert liking.ties_test.p_value < 0.001
    assert fair.coefficient.low < 0 < fair.coefficient.high
    assert liking.ties_longer.value > 0.6


def test_turning_the_systems_round_turns_nothing_of_length():
    told = drawn(300, 1.0)
    turn = str.maketrans("BC", "CB")
    other = found_of([(g.translate(turn), s.translate(turn), -x) for g, s, x in told])
    mine = found_of(told)
    assert other.ties_longer == mine.ties_longer
    assert other.coefficient.value == pytest.approx(mine.coefficient.value, abs=1e-5)
    both = mine.adjusted_share.value + other.adjusted_share.value
    assert both == pytest.approx(1, abs=1e-5)


def reasons(found):
    assert isinstance(found.coefficient, Undefined)
    assert found.adjusted_share == found.coefficient
    return found.coefficient.reason


def test_what_is_not_estimable_says_why():
    nine = [("B", "C", 9)] * 9 + [("C", "B", 7)] * 40
    assert reasons(found_of(nine)) == NOT_ESTIMABLE
    assert reasons(found_of([])) == NOT_ESTIMABLE
    even = [("B", "C", 5), ("B", "B", 5), ("C", "C", 5)] * 10
    assert reasons(found_of(even)) == NO_SPREAD
    apart = [("T", "C", 90), ("T", "B", -90), ("T", "C", 40), ("T", "B", -30)] * 10
    assert reasons(found_of(apart)) == NOT_SEPARABLE


def test_one_gold_outcome_alone_is_estimable():
    told = [("T", said, gap) for _, said, gap in drawn(200, 0.5)]
    assert found_of(told).coefficient.low < found_of(told).coefficient.high


def test_ac1_of_two_raters_is_gwet_s():
    table = [[40, 5, 3], [8, 30, 4], [2, 3, 15]]
    letters = [
        g + j
        for g, line in zip("BCT", table, strict=True)
        for j, n in zip("BCT", line, strict=True)
        for _ in range(n)
    ]
    expected = gwet_ac1([list(x) for x in letters], list("BCT"))
    found = block_of(sample([*letters, "BI", "AB", "UC"])).ac1
    assert found.value == pytest.approx(expected.value, abs=1e-12)
    assert found.denominator == 110
    assert found.low < found.value < found.high
    assert (found.low, found.high) == pytest.approx(
        (expected.low, expected.high), abs=0.02
    )


def test_ac1_keeps_its_meaning_where_one_label_dominates():
    found = block_of(sample(["BB"] * 45 + ["BC", "CB"] * 2 + ["CC"]))
    assert found.kappa.value < 0.4
    assert found.ac1.value > 0.85
    assert np.isnan(cells.ac1(np.zeros((5, 5))))


def of_lengths(told):
    """(letters, lengths) of each pair."""
    made = rows([letters for letters, _ in told])
    return Sample.build(
        [
            replace(one, lengths=lengths)
            for one, (_, lengths) in zip(made, told, strict=True)
        ],
        SYSTEMS,
    )


def test_agreement_on_pairs_of_similar_length():
    """1.2 either way is similar, beyond is not; unknown lengths are no case."""
    sample = of_lengths(
        [
            ("BB", (100, 120)),
            ("BC", (120, 100)),
            ("CC", (100, 100)),
            ("TC", (0, 0)),
            ("UB", (10, 11)),
            ("CC", (100, 121)),
            ("CC", (0, 5)),
            ("CC", None),
        ]
    )
    found = block_of(sample).length
    kept, agreed = found.similar_pairs, found.similar_agreement
    assert (kept.numerator, kept.denominator) == (5, 7)
    assert (agreed.numerator, agreed.denominator) == (2, 4)
    assert similar(sample).tolist() == [True] * 5 + [False] * 3
    assert block_of(of_lengths([("BB", None)])).length.similar_pairs == Undefined(
        "0 cases", 0, 0
    )


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=30))
def test_similar_is_what_release_policies_take_for_it(lengths):
    sample = of_lengths([("UB", two) for two in lengths])
    expected = [
        a == b if min(a, b) == 0 else abs(log(a / b)) <= log(1.2) + 1e-12
        for a, b in (one.lengths for one in sample.rows)  # sorted by their names
    ]
    assert similar(sample).tolist() == expected
