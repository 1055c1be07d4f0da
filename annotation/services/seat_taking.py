"""Taking the seat that a label fills: one's own, or another that nobody holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import BooleanField, ExpressionWrapper, Q

from annotation.models import Seat
from config.db.plain import Statement, insertion, run_together
from config.errors import Conflict

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import OrderBy

    from annotation.models import Assignment, Label
    from annotation.services.claims import Claimed, Search

# "+ 0" as in `annotation.services.claims`: the seat is to be found by its id.
TAKE = """
UPDATE annotation_seat SET available_at = NULL
WHERE id = %s AND reviewer_id + 0 = %s AND available_at IS NOT NULL RETURNING id
"""
TAKEN = """
SELECT 1 FROM annotation_seat
WHERE id = %s AND reviewer_id + 0 = %s AND available_at IS NULL
"""


class SeatLost(Exception):
    """Somebody took an expired reservation between two statements of this request."""


def is_held(assignment: Assignment) -> bool:
    """Whether the seat was still reserved for its reviewer when it was read."""
    seat = assignment.seat
    return seat.reviewer_id == assignment.reviewer_id and seat.available_at is not None


def store_and_claim(
    label: Label, assignment: Assignment, search: Search
) -> Claimed | None:
    """Take the held seat, store its label, and begin to search for the next one.

    All in one message. Raises `SeatLost` if the seat was taken meanwhile: whatever this
    did must then be undone.
    """
    held = [assignment.seat_id, assignment.reviewer_id]
    statements = [
        Statement(TAKE, held, planned=True),
        insertion(label, only_if=Statement(TAKEN, held)),
    ]
    first = search.statement()
    if first is not None:
        statements.append(first)
    taken, stored, *claimed = run_together(statements)
    if not taken:
        raise SeatLost
    [[label.pk]] = stored
    found = search.read(claimed[0]) if claimed else None
    return found or search.run()


def take_own_seat(assignment: Assignment) -> Seat | None:
    """Take the assigned seat if it is still reserved for them, expired or not."""
    held = [assignment.seat_id, assignment.reviewer_id]
    [taken] = run_together([Statement(TAKE, held, planned=True)])
    return assignment.seat if taken else None


def take_free_seat(assignment: Assignment, now: datetime) -> Seat:
    """Take a seat of the pair that nobody else holds now, or refuse.

    One that they hold themselves comes first, then the assigned one, then one of the
    order that was shown.
    """
    if assignment.seat.retest_of_id is not None:
        return _take_again(assignment)
    seats = Seat.objects.filter(
        Q(reviewer__isnull=True)
        | Q(reviewer_id=assignment.reviewer_id)
        | Q(available_at__lte=now),
        round_id=assignment.round_id,
        pair_id=assignment.pair_id,
        available_at__isnull=False,
        retest_of__isnull=True,
    ).order_by(
        _holds(reviewer_id=assignment.reviewer_id),
        _holds(pk=assignment.seat_id),
        _holds(order=assignment.order),
        "pass_no",
    )
    free = seats.select_for_update(skip_locked=True).first()
    if free is None:
        raise Conflict(
            "pair_complete",
            "Your reservation ran out and others have taken this pair. "
            "Your answer was not counted.",
        )
    Seat.objects.filter(pk=free.pk).update(
        reviewer_id=assignment.reviewer_id, available_at=None
    )
    return free


def _take_again(assignment: Assignment) -> Seat:
    """A planned repeat is for one person alone: its seat waits, given back or not."""
    Seat.objects.filter(pk=assignment.seat_id).update(
        reviewer_id=assignment.reviewer_id, available_at=None
    )
    return assignment.seat


def _holds(**condition: object) -> OrderBy:
    return ExpressionWrapper(Q(**condition), output_field=BooleanField()).desc()
