from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.estimates import Undefined
from calibration.domain.marked import marks_block
from calibration.domain.rates import Rates
from calibration.domain.samples import Sample
from tests.calibration.factory import GOLD, SYSTEMS, block_of, row


def built(told):
    """Pairs from letters: gold, verdict, what the marks prefer (U for no marks)."""
    made = [
        row(gold, said, pair=f"p{i}", case=f"c{i}", by_marks=GOLD[marks])
        for i, (gold, said, marks) in enumerate(told)
    ]
    return Sample.build(made, SYSTEMS)


def found_of(told):
    sample = built(told)
    return marks_block(sample, Rates.of(sample, 0.95))


def test_by_hand():
    found = found_of(["BBB", "CBC", "TTT", "TBT", "UCC", "AAB", "BIB", "BBU"])
    assert (found.pairs, found.unmarked, found.unanswered) == (5, 1, 2)
    assert (found.consistency.numerator, found.consistency.denominator) == (3, 5)
    assert (found.agreement.numerator, found.agreement.denominator) == (5, 5)


def test_no_marks():
    nothing = Undefined("no pair with marks of both responses", 0, 0)
    for told in ([], ["BBU", "CIU"]):
        found = found_of(told)
        assert (found.pairs, found.unmarked) == (0, len(told))
        assert found.consistency == found.agreement == nothing


def test_marks_without_any_verdict():
    found = found_of(["BIB"])
    assert found.consistency == Undefined("0 cases", 0, 0)
    assert found.agreement.value == 1


letter = st.sampled_from
told = st.tuples(letter("BCTAU"), letter("BCTAI"), letter("BCTU"))


@given(st.lists(told, max_size=25))
def test_every_pair_is_counted_once(pairs):
    found = found_of(pairs)
    assert found.pairs + found.unmarked + found.unanswered == len(pairs)
    assert block_of(built(pairs)).marks == found


@given(st.lists(letter("BCT"), min_size=1, max_size=25))
def test_the_same_answers_agree_wholly(said):
    found = found_of([(one, one, one) for one in said])
    assert found.consistency.value == found.agreement.value == 1
    assert found.consistency.low < 1
