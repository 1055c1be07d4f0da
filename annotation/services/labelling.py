"""Taking a label, once, whatever happened to the reservation meanwhile."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.db.models import Q

from annotation.domain.outcomes import Order, SlotChoice, outcome_of
from annotation.models import Assignment, Guideline, Label, Seat
from annotation.services.queue import assignment_for, end_open_assignment
from config.accounts.permissions import has_role
from config.accounts.roles import Role
from config.errors import Conflict, InvalidInput

if TYPE_CHECKING:
    from datetime import datetime

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
        if "\x00" in self.note:
            return "note: contains a NUL character"
        return None


@transaction.atomic
def submit_label(*, token: str, reviewer: User, answer: Answer, now: datetime) -> Label:
    """Store a label and return it; the same answer sent twice is stored once.

    Numbered because of the races: (1) the assigned seat, if it is still reserved for
    this reviewer; (2) a seat already labelled by them: a repeated request, or a new
    revision; (3) reservation lost: the same seat or another of the pair if one is
    free; (4) otherwise refused, and the page keeps the text.
    """
    if (problem := answer.problem()) is not None:
        raise InvalidInput("label_invalid", problem)
    assignment = assignment_for(token=token, reviewer=reviewer)
    if not assignment.round.is_open:
        raise Conflict("round_closed", "This round was closed meanwhile.")
    seat_id = _take_own_seat(assignment)
    if seat_id is None:
        earlier = _latest_by(assignment)
        if earlier is not None:
            return _revise(earlier, assignment, answer, now)
        seat_id = _take_free_seat(assignment, now)
    label = _insert(seat_id, assignment, answer, revision=1, now=now)
    end_open_assignment(round_id=assignment.round_id, reviewer=reviewer, now=now)
    return label


def _take_own_seat(assignment: Assignment) -> int | None:
    taken = Seat.objects.filter(
        pk=assignment.seat_id,
        reviewer_id=assignment.reviewer_id,
        available_at__isnull=False,
    ).update(available_at=None)
    return assignment.seat_id if taken else None


def _take_free_seat(assignment: Assignment, now: datetime) -> int:
    """Take any seat of the pair that nobody holds now, or refuse."""
    free = (
        Seat.objects.select_for_update(skip_locked=True)
        .filter(
            Q(reviewer__isnull=True) | Q(available_at__lte=now),
            round_id=assignment.round_id,
            pair_id=assignment.pair_id,
            available_at__isnull=False,
        )
        .order_by("pass_no")
        .first()
    )
    refusal = Conflict(
        "pair_complete",
        "Your reservation ran out and others have taken this pair. "
        "Your answer was not counted; its text is still here.",
    )
    if free is None:
        raise refusal
    try:
        with transaction.atomic():
            free.reviewer_id = assignment.reviewer_id
            free.available_at = None
            free.save(update_fields=["reviewer", "available_at"])
    except IntegrityError as error:
        raise refusal from error
    return free.pk


def _latest_by(assignment: Assignment) -> Label | None:
    return (
        Label.objects.filter(
            seat__round_id=assignment.round_id,
            pair_id=assignment.pair_id,
            reviewer_id=assignment.reviewer_id,
        )
        .order_by("-revision")
        .first()
    )


def _revise(
    earlier: Label, assignment: Assignment, answer: Answer, now: datetime
) -> Label:
    same = (earlier.choice, earlier.strength, earlier.note) == (
        answer.choice.value,
        answer.strength,
        answer.note,
    )
    if same:
        return earlier
    assert earlier.seat_id is not None  # noqa: S101 - a queue label always has a seat
    return _insert(
        earlier.seat_id, assignment, answer, revision=earlier.revision + 1, now=now
    )


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
    try:
        with transaction.atomic():
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
    except IntegrityError as error:
        raise Conflict(
            "label_raced", "Another answer of yours for this pair came first."
        ) from error
