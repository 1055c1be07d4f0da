"""Taking a label, once, whatever happened to the reservation meanwhile."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.db.models import BooleanField, ExpressionWrapper, Q

from annotation.domain.outcomes import Order, SlotChoice, outcome_of
from annotation.models import Assignment, Exposure, Guideline, Label, Seat
from annotation.services.claims import still_open
from annotation.services.queue import ROUND_CLOSED, end, locked_assignment
from config.accounts.permissions import has_role
from config.accounts.roles import Role
from config.errors import Conflict, InvalidInput, NotAllowed

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import OrderBy

    from config.accounts.models import User

LONGEST_NOTE = 10_000


@dataclass(frozen=True, slots=True)
class Answer:
    """What a reviewer said: a slot, a tie or an abstain, and what goes with it."""

    choice: SlotChoice
    strength: int | None = None
    note: str = ""
    elapsed_seconds: float | None = None
    extra: dict[str, object] = field(default_factory=dict)

    def problem(self) -> str | None:
        """Why this answer can't be taken, in words, or None."""
        decisive = self.choice in (SlotChoice.FIRST, SlotChoice.SECOND)
        if self.strength is not None and not decisive:
            return "strength: only a choice of left or right has one"
        if self.strength not in (None, 1, 2):
            return "strength: must be 1 or 2"
        if len(self.note) > LONGEST_NOTE:
            return f"note: longer than {LONGEST_NOTE} characters"
        if not _storable(self.note):
            return "note: holds characters that cannot be stored"
        return None


def _storable(text: str) -> bool:
    return "\x00" not in text and not any("\ud800" <= c <= "\udfff" for c in text)


@transaction.atomic
def submit_label(*, token: str, reviewer: User, answer: Answer, now: datetime) -> Label:
    """Store a label and return it; the same answer sent twice is stored once.

    Numbered because of the races: (1) the assignment is locked, so that the same
    request delivered twice is worked off one after the other; (2) what is stored
    already is returned, even when the round was closed in between; (3) the round is
    held open until the label is in; (4) a pair that this reviewer has labelled gets a
    new revision; (5) otherwise the assigned seat is taken if it is still reserved for
    them, or another one of the pair that nobody holds; (6) if there is none, the label
    is refused, and the page keeps the text.
    """
    if (problem := answer.problem()) is not None:
        raise InvalidInput("label_invalid", problem)
    assignment = locked_assignment(token=token, reviewer=reviewer)
    earlier = Label.objects.of_assignment(assignment).first()
    if earlier is not None and _says_the_same(earlier, assignment, answer):
        return earlier
    if not still_open(assignment.round_id):
        raise Conflict(ROUND_CLOSED, "This round was closed meanwhile.")
    _refuse_exposed(assignment)
    try:
        with transaction.atomic():
            label = _store(assignment, earlier, answer, now)
    except IntegrityError as error:
        raise Conflict(
            "label_raced", "Another answer of yours for this pair came first."
        ) from error
    end(assignment, now)
    return label


def _store(
    assignment: Assignment, earlier: Label | None, answer: Answer, now: datetime
) -> Label:
    if earlier is None:
        seat_id = _take_own_seat(assignment) or _take_free_seat(assignment, now)
        return _insert(seat_id, assignment, answer, revision=1, now=now)
    assert earlier.seat_id is not None  # noqa: S101 - a queue label has a seat
    revision = earlier.revision + 1
    return _insert(earlier.seat_id, assignment, answer, revision=revision, now=now)


def _says_the_same(earlier: Label, assignment: Assignment, answer: Answer) -> bool:
    """Whether nothing would change: same slot in the same order, same words."""
    return (earlier.order, earlier.choice, earlier.strength, earlier.note) == (
        assignment.order,
        answer.choice.value,
        answer.strength,
        answer.note,
    )


def _refuse_exposed(assignment: Assignment) -> None:
    seen = Exposure.objects.filter(
        user_id=assignment.reviewer_id, pair_id=assignment.pair_id
    )
    if seen.exists():
        raise NotAllowed(
            "pair_exposed", "You have seen results of this pair, so you can't label it."
        )


def _take_own_seat(assignment: Assignment) -> int | None:
    taken = Seat.objects.filter(
        pk=assignment.seat_id,
        reviewer_id=assignment.reviewer_id,
        available_at__isnull=False,
    ).update(available_at=None)
    return assignment.seat_id if taken else None


def _take_free_seat(assignment: Assignment, now: datetime) -> int:
    """Take a seat of the pair that nobody else holds now, or refuse.

    The assigned one comes first, then one of the order that was shown.
    """
    seats = Seat.objects.filter(
        Q(reviewer__isnull=True)
        | Q(reviewer_id=assignment.reviewer_id)
        | Q(available_at__lte=now),
        round_id=assignment.round_id,
        pair_id=assignment.pair_id,
        available_at__isnull=False,
    ).order_by(_holds(pk=assignment.seat_id), _holds(order=assignment.order), "pass_no")
    free = seats.select_for_update(skip_locked=True).first()
    if free is None:
        raise Conflict(
            "pair_complete",
            "Your reservation ran out and others have taken this pair. "
            "Your answer was not counted; its text is still here.",
        )
    Seat.objects.filter(pk=free.pk).update(
        reviewer_id=assignment.reviewer_id, available_at=None
    )
    return free.pk


def _holds(**condition: object) -> OrderBy:
    return ExpressionWrapper(Q(**condition), output_field=BooleanField()).desc()


def _insert(
    seat_id: int,
    assignment: Assignment,
    answer: Answer,
    *,
    revision: int,
    now: datetime,
) -> Label:
    order = Order(assignment.order)
    guideline = Guideline.objects.in_force(assignment.round.gold_set_id)
    extra = dict(answer.extra)
    if has_role(assignment.reviewer, Role.LEAD):
        extra["not_blind"] = True
    return Label.objects.create(
        pair_id=assignment.pair_id,
        seat_id=seat_id,
        assignment=assignment,
        reviewer_id=assignment.reviewer_id,
        revision=revision,
        choice=answer.choice.value,
        order=order.value,
        outcome=outcome_of(answer.choice, order).value,
        strength=answer.strength,
        note=answer.note,
        guideline=guideline,
        elapsed_seconds=answer.elapsed_seconds,
        extra=extra,
        created_at=now,
    )
