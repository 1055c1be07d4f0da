from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.domain.marks import Abstained, Mark, MarkState, combine_marks
from judging.domain.terms import InvalidReason, RepeatRule
from judging.domain.verdicts import Invalid

BAD = Invalid(InvalidReason.UNPARSED)
PASS, FAIL = Mark(1, passed=True), Mark(0, passed=False)


def readings(text: str):
    """``"7 P F - ?"``: scores, pass, fail, abstain and invalid."""
    special = {"P": PASS, "F": FAIL, "-": Abstained(), "?": BAD}
    return [special[t] if t in special else Mark(int(t)) for t in text.split()]


def combined(text: str, rule: str, repeats: int | None = None):
    given_ones = readings(text)
    return combine_marks(
        given_ones, rule=RepeatRule(rule), repeats=repeats or len(given_ones)
    )


@pytest.mark.parametrize(
    ("text", "rule", "state", "score", "passed"),
    [
        ("7", "mean", "marked", 7, None),
        ("7 8", "mean", "marked", Fraction(15, 2), None),
        ("1 1 2", "mean", "marked", Fraction(4, 3), None),
        ("P P F", "mean", "marked", Fraction(2, 3), True),
        ("P F F", "mean", "marked", Fraction(1, 3), False),
        ("P F", "mean", "marked", Fraction(1, 2), None),
        ("P - -", "mean", "marked", 1, True),
        ("- -", "mean", "abstain", None, None),
        ("P ?", "mean", "marked", 1, True),
        ("P ? ?", "mean", "invalid", None, None),
        ("?", "mean", "invalid", None, None),
        ("P P F", "majority", "marked", 1, True),
        ("P F -", "majority", "abstain", None, None),
        ("P P - ?", "majority", "abstain", None, None),
        ("4 4 5", "majority", "marked", 4, None),
        ("4 5 6", "majority", "abstain", None, None),
        ("- - P", "majority", "abstain", None, None),
    ],
)
def test_repeats_become_one_mark(text, rule, state, score, passed):
    got = combined(text, rule)
    assert (got.state, got.score, got.passed) == (MarkState(state), score, passed)


def test_calls_that_are_missing_count_as_invalid():
    got = combined("P", "mean", repeats=3)
    assert (got.state, got.marked, got.invalid) == (MarkState.INVALID, 1, 2)
    assert combined("P P", "mean", repeats=3).state is MarkState.MARKED
    assert combine_marks([], rule=RepeatRule.MEAN, repeats=1).state is (
        MarkState.INVALID
    )


def test_more_readings_than_planned_are_an_error():
    with pytest.raises(ValueError, match="2 readings of 1 planned"):
        combined("P P", "mean", repeats=1)


@given(
    st.lists(
        st.sampled_from(["0", "3", "10", "P", "F", "-", "?"]), min_size=1, max_size=7
    ),
    st.sampled_from(["mean", "majority"]),
)
def test_a_score_comes_from_marks_only_and_lies_between_them(items, rule):
    got = combined(" ".join(items), rule)
    marks = [r.score for r in readings(" ".join(items)) if isinstance(r, Mark)]
    assert got.marked + got.abstained + got.invalid == len(items)
    if got.state is MarkState.MARKED:
        assert got.score is not None
        assert min(marks) <= got.score <= max(marks)
    else:
        assert (got.score, got.passed) == (None, None)
    if not marks:
        assert got.state is not MarkState.MARKED
