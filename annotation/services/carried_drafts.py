"""A draft goes with its reviewer: whoever gets a pair again finds what they wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotation.domain.answers import SLOTS
from annotation.domain.outcomes import SlotChoice
from annotation.models import Draft
from config.db.plain import Statement

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from annotation.models import Assignment

# A planned repeat asks anew: what was written of the first time is not put before it.
EARLIER = """
SELECT d.id, a."order" FROM annotation_seat s
JOIN annotation_assignment a ON a.seat_id = s.id
JOIN annotation_draft d ON d.assignment_id = a.id
WHERE s.round_id = %s AND s.pair_id = %s AND a.reviewer_id = %s
  AND (s.retest_of_id IS NULL) =
    (SELECT mine.retest_of_id IS NULL FROM annotation_seat mine WHERE mine.id = %s)
ORDER BY d.saved_at DESC, d.id DESC LIMIT 1
"""


def earlier_draft(assignment: Assignment) -> Statement:
    """The statement that finds what this reviewer wrote when they had the pair last."""
    of = assignment
    values = [of.round_id, of.pair_id, of.reviewer_id, of.seat_id]
    return Statement(EARLIER, values, planned=True)


def carry(assignment: Assignment, found: Sequence[Sequence[Any]]) -> None:
    """Move a draft that `earlier_draft` found to the assignment that goes on with it.

    It says the same of the same texts, whichever side they are on now.
    """
    if not found:
        return
    [[row, order]] = found
    draft = Draft.objects.get(pk=row)
    if order != assignment.order:
        draft.content = _swapped(draft.content)
    draft.assignment = assignment
    draft.save(update_fields=["assignment", "content"])
    assignment.brings_draft = True


def _swapped(content: Mapping[str, Any]) -> dict[str, Any]:
    """What a draft says, with the sides exchanged; its words stay as they are."""
    first, second = SLOTS
    sides = {first.value: second.value, second.value: first.value}
    critical, criteria = content.get("critical") or {}, content.get("criteria") or {}
    return {
        **content,
        "choice": _other(content.get("choice")),
        "critical": {sides.get(slot, slot): codes for slot, codes in critical.items()},
        "criteria": {code: _other(choice) for code, choice in criteria.items()},
    }


def _other(choice: object) -> object:
    if not isinstance(choice, str) or choice not in set(SlotChoice):
        return choice
    return SlotChoice(choice).swapped.value
