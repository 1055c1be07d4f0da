"""Drafts: what was chosen and typed is kept on the server before it is an answer."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from annotation.models import Assignment, Draft, Label, RoundMember, Seat, Skip
from annotation.services.labelling import said_in
from annotation.services.late_answers import NEWER
from annotation.services.places import REMOVED
from annotation.services.queue import no_such_pair
from config.errors import Conflict, NotAllowed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from annotation.domain.answers import Answer
    from config.accounts.models import User

RENEWED_EVERY = timedelta(minutes=1)


class Reservation(StrEnum):
    """Where a reviewer stands with the pair that a draft is for."""

    HELD = "held"  # theirs until the time given
    WANTED = "wanted"  # lost, but the pair still takes an answer
    TAKEN = "taken"  # lost, and others have all that was left of the pair
    LABELLED = "labelled"  # answered; the answer may be changed
    CLOSED = "closed"  # the round takes no answers any more
    GIVEN_BACK = "given_back"  # skipped, by this reviewer
    REMOVED = "removed"  # this reviewer was taken out of the round


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
    says what was answered already (a late one) is not kept. A draft without seconds, as
    a program may send it, takes none away.
    """
    assignment = _own(token, reviewer)
    earlier = Label.objects.of_assignment(assignment).first()
    if earlier is None or not _same(earlier, assignment, content):
        said: dict[str, object] = {"content": dict(content), "saved_at": now}
        timed = said | {"active_seconds": active_seconds}
        Draft.objects.update_or_create(
            assignment=assignment,
            defaults=timed if active_seconds else said,
            create_defaults=timed,
        )
    reservation, until = _standing(assignment, earlier, now)
    return Kept(saved_at=now, reservation=reservation, until=until)


def _same(
    earlier: Label, assignment: Assignment, content: Mapping[str, object]
) -> bool:
    return earlier.order == assignment.order and said_in(earlier) == content


def _own(token: str, reviewer: User) -> Any:
    """Their assignment, with whether they were ``removed`` or ``gave_back`` its pair.

    Nobody who was removed may lose what they had written by then.
    """
    here = {"round": OuterRef("round"), "reviewer": reviewer}
    mine = Assignment.objects.select_related("round", "seat").annotate(
        removed=Exists(RoundMember.objects.filter(**here, removed_at__isnull=False)),
        gave_back=Exists(Skip.objects.filter(**here, pair=OuterRef("pair"))),
    )
    found = mine.filter(token=token, reviewer=reviewer).first()
    if found is None:
        raise no_such_pair()
    return found


def _standing(
    assignment: Any, earlier: Label | None, now: datetime
) -> tuple[Reservation, datetime | None]:
    if assignment.removed:
        return Reservation.REMOVED, None
    if not assignment.round.is_open:
        return Reservation.CLOSED, None
    if earlier is not None:
        return Reservation.LABELLED, None
    if assignment.gave_back:
        return Reservation.GIVEN_BACK, None
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


@contextmanager
def kept_if_refused(
    *, token: str, reviewer: User, answer: Answer, now: datetime
) -> Iterator[None]:
    """An answer that comes too late is kept as a draft, and that is said."""
    try:
        yield
    except (Conflict, NotAllowed) as refusal:
        save_draft(
            token=token,
            reviewer=reviewer,
            content=_with_what_was_kept(token, reviewer, answer.said()),
            active_seconds=answer.active_seconds or 0.0,
            now=now,
        )
        if refusal.code == REMOVED:
            raise
        where = "as a draft" if refusal.code == NEWER else "under My labels"
        said = f"{refusal.message} What it says is kept {where}."
        raise type(refusal)(refusal.code, said, refusal.detail) from refusal


KEPT = ("note", "confidence", "critical", "criteria")


def _with_what_was_kept(
    token: str, reviewer: User, said: dict[str, object]
) -> dict[str, object]:
    """An answer with what it leaves empty as an earlier draft of it has it.

    The answer may come from another tab or program than what was written before.
    """
    mine = Draft.objects.filter(assignment__token=token, assignment__reviewer=reviewer)
    draft = mine.first()
    before = draft.content if draft else {}
    return said | {name: said[name] or before.get(name, said[name]) for name in KEPT}
