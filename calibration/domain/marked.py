"""Whether marks of single responses and verdicts on pairs tell the same (METHODS 6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotation.domain.estimates import Undefined
from calibration.domain.columns import NONE, TIE
from calibration.domain.confusion import scored

if TYPE_CHECKING:
    from annotation.domain.estimates import Figure
    from calibration.domain.rates import Rates
    from calibration.domain.samples import Sample

NO_MARKS = "no pair with marks of both responses"


@dataclass(frozen=True, slots=True)
class MarksBlock:
    """Pairs by the marks of a pointwise run of the same model.

    The response with the higher mark is preferred, equal marks are a tie. ``pairs``
    have both marks and a baseline, candidate or tie verdict; ``unmarked`` lack a mark
    and ``unanswered`` a verdict of these three. ``consistency`` is the share of
    ``pairs`` on which marks and verdict prefer the same. Source: Sage (arXiv
    2512.16041), table 9. ``agreement`` is that of the marks with gold, on scored pairs
    with both marks.
    """

    pairs: int
    unmarked: int
    unanswered: int
    consistency: Figure
    agreement: Figure


def marks_block(sample: Sample, rates: Rates) -> MarksBlock:
    """Compute the block."""
    columns = sample.columns
    marked, answered = columns.by_marks != NONE, columns.verdict <= TIE
    used = marked & answered
    if not marked.any():
        nothing = Undefined(NO_MARKS, 0, 0)
        return MarksBlock(0, len(sample), 0, nothing, nothing)
    return MarksBlock(
        pairs=int(used.sum()),
        unmarked=int((~marked).sum()),
        unanswered=int((marked & ~answered).sum()),
        consistency=rates.share(columns.by_marks == columns.verdict, used),
        agreement=rates.share(
            columns.by_marks == columns.gold, marked & scored(sample)
        ),
    )
