"""Drafts: what was chosen and typed is kept on the server before it is an answer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Q

from annotation.models import Assignment, Draft, Label, Seat
from annotation.services.labelling import said_in
from annotation.services.queue import no_such_pair

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from config.accounts.models import User

RENEWED_EVERY = timedelta(minutes=1)


class Reservation(StrEnum):
    """Where a reviewer stands with the pair that a draft is for."""

    HELD = "held"  # theirs until the time given
    WANTED = "wanted"  # lost, but the pair still takes an answer
    TAKEN = "taken"  # lost, and others have all that was left of the pair
    LABELLED = "labelled"  # answered; the answer may be changed
    CLOSED = "closed"  # the round takes no answers any more


@dataclass(frozen=True, slots=True)
class Kept:
    """A draft that was stored, and what became of the reservation."""

    saved_at: datetime
    reservation: Reservation
    until: datetime | None = None


@transaction.atomic
def save_draft(
    *,
    token: str,
    reviewer: User,
    content: Mapping[str, object],
    active_seconds: float,
    now: datetime,
) -> Kept:
    """Store a draft and renew the reservation, at most once a minute.

    It is stored whatever became of the reservation: text is never lost. A draft that
    says what was answered already (a late one) is not kept.
    """
    assignment = _own(token, reviewer)
    earlier = Label.objects.of_assignment(assignment).first()
    if earlier is None or not _same(earlier, assignment, content):
        Draft.objects.update_or_create(
            assignment=assignment,
            defaults={
                "content": dict(content),
                "active_seconds": active_seconds,
                "saved_at": now,
            },
        )
    reservation, until = _standing(assignment, earlier, now)
    return Kept(saved_at=now, reservation=reservation, until=until)


def _same(
    earlier: Label, assignment: Assignment, content: Mapping[str, object]
) -> bool:
    return earlier.order == assignment.order and said_in(earlier) == content


def _own(token: str, reviewer: User) -> Assignment:
    mine = Assignment.objects.select_related("round", "seat").filter(
        token=token,
        reviewer=reviewer,
        round__members__reviewer=reviewer,
        round__members__removed_at__isnull=True,
    )
    found = mine.first()
    if found is None:
        raise no_such_pair()
    return found


def _standing(
    assignment: Assignment, earlier: Label | None, now: datetime
) -> tuple[Reservation, datetime | None]:
    if not assignment.round.is_open:
        return Reservation.CLOSED, None
    if earlier is not None:
        return Reservation.LABELLED, None
    until = _renewed(assignment, now)
    if until is not None:
        return Reservation.HELD, until
    return (Reservation.WANTED if _wanted(assignment, now) else Reservation.TAKEN), None


def _renewed(assignment: Assignment, now: datetime) -> datetime | None:
    """The new end of a reservation that is still theirs, or None.

    Expired or not: nobody has taken the seat. One statement checks and renews, so that
    a claim by somebody else in the same moment wins or loses as a whole.
    """
    until = now + timedelta(minutes=assignment.round.reservation_minutes)
    own = Seat.objects.filter(
        pk=assignment.seat_id,
        reviewer_id=assignment.reviewer_id,
        available_at__isnull=False,
    )
    if own.filter(available_at__lt=until - RENEWED_EVERY).update(available_at=until):
        return until
    return own.values_list("available_at", flat=True).first()


def _wanted(assignment: Assignment, now: datetime) -> bool:
    if assignment.seat.retest_of_id is not None:
        return True  # a planned repeat waits for its one reviewer
    return Seat.objects.filter(
        Q(reviewer__isnull=True)
        | Q(reviewer=assignment.reviewer_id)
        | Q(available_at__lte=now),
        round=assignment.round_id,
        pair=assignment.pair_id,
        available_at__isnull=False,
        retest_of__isnull=True,
    ).exists()


def draft_of(assignment: Assignment) -> Draft | None:
    """The draft of an assignment, if there is one."""
    return Draft.objects.filter(assignment=assignment).first()


def drop_draft(assignment: Assignment) -> None:
    """Forget a draft: its pair was given back."""
    Draft.objects.filter(assignment=assignment).delete()


def unsent_draft(*, token: str, reviewer: User) -> Draft | None:
    """The one of `unsent_drafts` that is of this assignment, if it is."""
    round_id = _own(token, reviewer).round_id
    drafts = unsent_drafts(round_id=round_id, reviewer=reviewer)
    return next((one for one in drafts if str(one.assignment.token) == token), None)


def unsent_drafts(*, round_id: int, reviewer: User) -> Sequence[Draft]:
    """Drafts of pairs that this reviewer does not hold any more and never answered."""
    labelled = Label.objects.filter(reviewer=reviewer, seat__round=round_id)
    drafts: Any = Draft.objects.filter(
        assignment__round=round_id,
        assignment__reviewer=reviewer,
        assignment__ended_at__isnull=False,
    ).exclude(assignment__pair__in=labelled.values("pair_id"))
    found: Sequence[Draft] = list(
        drafts.select_related("assignment__pair__case").order_by("-saved_at")
    )
    return found
