from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.estimates import Undefined
from calibration.domain.moves import moves
from calibration.domain.samples import Sample
from tests.calibration.factory import SYSTEMS, block_of, row, sample


def found_of(before, after):
    found = moves(sample(before), sample(after))
    return {one.figure: one for one in found.moves}


def test_by_hand():
    before = ["BC"] * 10 + ["BB"] * 30 + ["CC"] * 20 + ["TT"] * 5 + ["UB"]
    after = ["BB"] * 40 + ["CC"] * 20 + ["TC"] * 5 + ["UI"]
    found = found_of(before, after)
    wins = found["false_candidate_wins"]
    assert (wins.before.numerator, wins.after.numerator) == (10, 0)
    assert wins.before.denominator == wins.after.denominator == 40
    assert (wins.gained, wins.lost) == (0, 10)
    assert wins.difference.value == pytest.approx(-10 / 40)
    assert wins.difference.high < 0
    assert wins.test.p_value == pytest.approx(2 / 2**10)
    assert wins.adjusted == pytest.approx(8 * 2 / 2**10)
    assert wins.shown
    ties = found["missed_ties"]
    assert (ties.gained, ties.test.p_value) == (5, pytest.approx(2 / 2**5))
    assert not ties.shown
    assert found["invalid_rate"].gained == 1
    assert found["exact_agreement"].difference.value == pytest.approx(5 / 65)


def test_flips_count_where_both_were_usable():
    before = [("U", "B", "C"), ("U", "B", "B"), ("U", "B", "C")]
    after = [("U", "B", "B"), ("U", "B", "C"), ("U", "A", "B")]
    flip = found_of(before, after)["position.flip_rate"]
    assert (flip.before.denominator, flip.gained, flip.lost) == (2, 1, 1)
    assert flip.difference.value == 0


def test_only_pairs_that_both_judged():
    one = sample(["BB", "CC"])
    other = Sample.build([row("C", "B", pair="p1", case="c1")], SYSTEMS)
    found = moves(one, other)
    assert found.pairs == 1
    assert found.moves[0].lost == 1


def test_nothing_in_common():
    found = moves(sample([]), sample(["BB"]))
    assert found.pairs == 0
    for one in found.moves:
        assert one.difference == Undefined("0 cases", None, 0)
        assert (one.shown, one.test.p_value) == (False, None)


def test_other_gold_is_refused():
    with pytest.raises(ValueError, match="same gold"):
        moves(sample(["BB"]), sample(["CB"]))


triples = st.lists(
    st.tuples(st.sampled_from("BCTAU"), *[st.sampled_from("BCTAI")] * 4), max_size=25
)


@given(triples)
def test_each_side_is_the_rate_of_its_own_report(told):
    """On the same pairs, but for flips, whose denominators differ."""
    before, after = ([(t[0], *t[i : i + 2]) for t in told] for i in (1, 3))
    found = found_of(before, after)
    for side, rows in (("before", before), ("after", after)):
        block = block_of(sample(rows))
        for name in ("exact_agreement", "false_candidate_wins", "invalid_rate"):
            assert getattr(found[name], side) == getattr(block, name)


@given(triples)
def test_turned_round_every_difference_turns_its_sign(told):
    before, after = ([(t[0], *t[i : i + 2]) for t in told] for i in (1, 3))
    there, back = found_of(before, after), found_of(after, before)
    for name, move in there.items():
        assert (move.gained, move.lost) == (back[name].lost, back[name].gained)
        assert move.adjusted == pytest.approx(back[name].adjusted)


def test_the_difference_covers():
    """Paired rates that fall by 10 points: Tango within 92 to 98 %."""
    rng, rounds, covered = np.random.default_rng(3), 300, 0
    for _ in range(rounds):
        draw = rng.random(120)
        before = ["BC" if x < 0.2 else "BB" for x in draw]
        after = ["BC" if x < 0.05 or x > 0.95 else "BB" for x in draw]
        found = found_of(before, after)["false_candidate_wins"].difference
        covered += found.low <= -0.10 <= found.high
    assert 0.92 <= covered / rounds <= 0.99
