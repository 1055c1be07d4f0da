"""The pair of an assignment with all texts that its page needs; no system."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from annotation.models import Assignment, Case, Pair, Response
from config.db.plain import Statement, columns, read, run_together, width

if TYPE_CHECKING:
    from collections.abc import Sequence

TEXTS = """
SELECT {pair}, {case}, {baseline}, {candidate} FROM annotation_pair p
JOIN annotation_case c ON c.id = p.case_id
JOIN annotation_response b ON b.id = p.baseline_id
JOIN annotation_response o ON o.id = p.candidate_id WHERE p.id = %s
"""


def shown_pair(assignment: Assignment) -> Pair:
    """The pair with its case and responses, which may have come with the claim."""
    if not Assignment.pair.is_cached(assignment):
        [[row]] = run_together([texts_of(assignment.pair_id)])
        note_texts(assignment, row)
    return assignment.pair


def texts_of(pair_id: int) -> Statement:
    """The statement that reads what `note_texts` takes."""
    sql = TEXTS.format(
        pair=columns(Pair, "p"),
        case=columns(Case, "c"),
        baseline=columns(Response, "b"),
        candidate=columns(Response, "o"),
    )
    return Statement(sql, [pair_id], planned=True)


def note_texts(assignment: Assignment, row: Sequence[Any]) -> None:
    """Give an assignment its pair, read with all its texts."""
    values = iter(row)
    pair = read(Pair, list(islice(values, width(Pair))))
    pair.case = read(Case, list(islice(values, width(Case))))
    pair.baseline = read(Response, list(islice(values, width(Response))))
    pair.candidate = read(Response, list(values))
    pair.gold_set = assignment.round.gold_set  # read already
    assignment.pair = pair
