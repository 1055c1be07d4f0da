"""What one reply said about one response, and how repeats become one mark.

A mark is never compared with a verdict here: whether the response with the higher mark
is also the one preferred in pairs is a question for the report.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING

from judging.domain.terms import RepeatRule
from judging.domain.verdicts import Invalid

if TYPE_CHECKING:
    from collections.abc import Sequence

CAPPED = "capped"


@dataclass(frozen=True, slots=True)
class Mark:
    """The mark that a reply gave.

    ``score`` is on the scale of the format (1 or 0 for PASS or FAIL), after the cap;
    ``stated`` is what the reply said. ``passed`` is ``None`` where the format declares
    no pass mark and no gates. ``failed_gates`` names the gates that were not passed.
    """

    score: int
    passed: bool | None = None
    stated: int | None = None
    failed_gates: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    span: tuple[int, int] | None = None

    @property
    def said(self) -> tuple[int, int | None, tuple[str, ...]]:
        """What makes two marks the same, wherever they stand in the reply."""
        return (self.score, self.stated, self.failed_gates)


@dataclass(frozen=True, slots=True)
class Abstained:
    """A reply that says that the response cannot be marked from what is given."""

    span: tuple[int, int] | None = None


MarkReading = Mark | Abstained | Invalid


class MarkState(StrEnum):
    """What the repeats of one response came to."""

    MARKED = "marked"
    ABSTAIN = "abstain"
    INVALID = "invalid"


@dataclass(frozen=True, slots=True)
class ResponseMark:
    """The mark of one response.

    ``score`` is the mean over the marks that count, ``passed`` what more than half of
    them say. Both are ``None`` unless ``state`` is ``marked``; ``passed`` also where
    there is nothing to pass, or the marks are split evenly.
    """

    state: MarkState
    score: Fraction | None
    passed: bool | None
    marked: int
    abstained: int
    invalid: int


def combine_marks(
    readings: Sequence[MarkReading], *, rule: RepeatRule, repeats: int
) -> ResponseMark:
    """Combine the repeats on one response, of which ``repeats`` were planned.

    More than half invalid or missing: invalid. ``mean``: the mean over the marks;
    abstains are left out unless nothing else is left. ``majority``: the score that over
    half of the planned repeats gave, else abstain. Raises ``ValueError`` for more
    readings than planned.
    """
    rule = RepeatRule(rule)
    if repeats < 1 or len(readings) > repeats:
        msg = f"{len(readings)} readings of {repeats} planned"
        raise ValueError(msg)
    marks = [reading for reading in readings if isinstance(reading, Mark)]
    abstained = sum(isinstance(reading, Abstained) for reading in readings)
    invalid = repeats - len(marks) - abstained
    counts = (len(marks), abstained, invalid)
    if 2 * invalid > repeats:
        return ResponseMark(MarkState.INVALID, None, None, *counts)
    if rule is RepeatRule.MAJORITY:
        marks = _majority(marks, repeats)
    if not marks:
        return ResponseMark(MarkState.ABSTAIN, None, None, *counts)
    score = Fraction(sum(mark.score for mark in marks), len(marks))
    return ResponseMark(MarkState.MARKED, score, _passed(marks), *counts)


def _majority(marks: Sequence[Mark], repeats: int) -> list[Mark]:
    for score, count in Counter(mark.score for mark in marks).most_common(1):
        if 2 * count > repeats:
            return [mark for mark in marks if mark.score == score]
    return []


def _passed(marks: Sequence[Mark]) -> bool | None:
    """Say what more than half of the marks say; a mark without a pass says neither."""
    for passed in (True, False):
        if 2 * sum(mark.passed is passed for mark in marks) > len(marks):
            return passed
    return None
