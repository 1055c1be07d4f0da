"""Taking a label, once, whatever happened to the reservation meanwhile."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction

from annotation.domain.answers import LONGEST_NOTE, Answer
from annotation.domain.outcomes import Order, outcome_of
from annotation.models import Assignment, Draft, Label
from annotation.services.guidelines import Known, questions_of
from annotation.services.late_answers import NEWER, refuse_stale, refuse_what_is_over
from annotation.services.places import locked_assignment
from annotation.services.queue import COUNTS, end
from annotation.services.retests import plan_retest
from annotation.services.seat_taking import (
    is_held,
    store_and_claim,
    take_free_seat,
    take_own_seat,
)
from config.accounts.permissions import reads_all
from config.db.plain import insertion, run_together
from config.errors import Conflict, InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from annotation.models import RoundMember
    from annotation.services.claims import Claimed, Search
    from config.accounts.models import User

__all__ = ["LONGEST_NOTE", "NEWER", "Answer", "Given", "store_label", "submit_label"]


@dataclass(frozen=True, slots=True)
class Given:
    """A label that was stored, and whose place in the round it counts for.

    ``known`` is the guideline it was given by; ``holds_none``: its author is known to
    have no other pair reserved. ``searched``: the search for the next pair that went
    along, and what it claimed.
    """

    label: Label
    assignment: Assignment
    member: RoundMember
    known: Known
    holds_none: bool = False
    searched: tuple[Search, Claimed | None] | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """An answer, the guideline that it was given by, and whether it has a draft."""

    answer: Answer
    known: Known
    drafted: bool


def submit_label(
    *,
    token: str,
    reviewer: User,
    answer: Answer,
    now: datetime,
    revision: int | None = None,
) -> Label:
    """Store a label and return it; the same answer sent twice is stored once."""
    with one_label_a_pair():
        given = store_label(
            token=token, reviewer=reviewer, answer=answer, now=now, revision=revision
        )
        given.member.save(update_fields=COUNTS)
        end(given.assignment, now)
    return given.label


@contextmanager
def one_label_a_pair() -> Iterator[None]:
    """A transaction; what the constraints on labels refuse is told in words."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        raise Conflict(
            "label_raced", "Another answer of yours for this pair came first."
        ) from error


def store_label(
    *,
    token: str,
    reviewer: User,
    answer: Answer,
    now: datetime,
    revision: int | None = None,
    claiming: Callable[[RoundMember], Search] | None = None,
) -> Given:
    """Store a label in the caller's transaction, who then saves the member's counts.

    ``revision`` is the number of the label that its author had before them, 0 for none:
    a change made in ignorance of a newer one is refused. None leaves that out. With
    ``claiming`` the usual label and the claim of the next pair are one message to the
    database, and `SeatLost` is raised where it turns out that it was not the usual one.

    Numbered because of the races: (1) the reviewer's place in the round is locked, so
    that their requests are worked off one after the other, and closing the round waits
    for them; (2) what is stored already is returned, even when the round was closed in
    between; (3) a pair that this reviewer has labelled gets a new revision; (4)
    otherwise the assigned seat is taken if it is still reserved for them, or another
    one of the pair that nobody holds; (5) if there is none, the label is refused, and
    the page keeps the text.
    """
    member, assignment, before = locked_assignment(token=token, reviewer=reviewer)
    known = before.known
    asked = questions_of(assignment.round.gold_set, known.criteria)
    if (problem := answer.problem(asked)) is not None:
        raise InvalidInput("label_invalid", problem)
    earlier = None
    if before.labelled:
        earlier = Label.objects.of_assignment(assignment).first()
    if earlier is not None and _says_the_same(earlier, assignment, answer):
        return Given(earlier, assignment, member, known)
    refuse_what_is_over(assignment, before, earlier)
    said = Said(answer, known, before.drafted)
    refuse_stale(earlier, revision)
    if earlier is not None:
        label = _revise(assignment, earlier, said, now)
        return Given(label, assignment, member, known)
    _count(member, assignment)
    if claiming and is_held(assignment) and not assignment.seat.retest_wanted:
        return _give_and_claim(assignment, said, member, claiming(member), now)
    return _give(assignment, said, member, now)


def _give_and_claim(
    assignment: Assignment,
    said: Said,
    member: RoundMember,
    search: Search,
    now: datetime,
) -> Given:
    """The usual first label: of a pair that is still theirs."""
    label = _written(assignment.seat_id, assignment, said, revision=1, now=now)
    claimed = store_and_claim(label, assignment, search)
    return Given(
        label,
        assignment,
        member,
        said.known,
        holds_none=True,
        searched=(search, claimed),
    )


def _give(
    assignment: Assignment, said: Said, member: RoundMember, now: datetime
) -> Given:
    own = take_own_seat(assignment)
    seat = own or take_free_seat(assignment, now)
    label = _insert(seat.pk, assignment, said, revision=1, now=now)
    plan_retest(seat, label, labels=member.labels, now=now)
    return Given(label, assignment, member, said.known, holds_none=own is not None)


def _revise(assignment: Assignment, earlier: Label, said: Said, now: datetime) -> Label:
    assert earlier.seat_id is not None  # noqa: S101 - a queue label has a seat
    revision = earlier.revision + 1
    return _insert(earlier.seat_id, assignment, said, revision=revision, now=now)


def _count(member: RoundMember, assignment: Assignment) -> None:
    if assignment.order == Order.BASELINE_FIRST.value:
        member.baseline_first += 1
    else:
        member.candidate_first += 1
    member.retests += assignment.seat.retest_of_id is not None


def _says_the_same(earlier: Label, assignment: Assignment, answer: Answer) -> bool:
    """Whether nothing would change: same slot in the same order, same words."""
    return earlier.order == assignment.order and said_in(earlier) == answer.said()


def said_in(label: Label) -> dict[str, object]:
    """What a stored label says, in the form of `Answer.said`."""
    return {
        "choice": label.choice,
        "strength": label.strength,
        "note": label.note,
        "confidence": label.confidence,
        "abstain_reason": label.abstain_reason,
        "critical": label.critical,
        "criteria": label.criteria,
    }


def _insert(
    seat_id: int,
    assignment: Assignment,
    said: Said,
    *,
    revision: int,
    now: datetime,
) -> Label:
    label = _written(seat_id, assignment, said, revision=revision, now=now)
    [[[label.pk]]] = run_together([insertion(label)])
    return label


def _written(
    seat_id: int,
    assignment: Assignment,
    said: Said,
    *,
    revision: int,
    now: datetime,
) -> Label:
    order, answer = Order(assignment.order), said.answer
    extra = dict(answer.extra)
    if reads_all(assignment.reviewer):
        extra["not_blind"] = True
    if said.drafted:
        Draft.objects.filter(assignment=assignment).delete()
    return Label(
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
        guideline_id=said.known.guideline_id,
        confidence=answer.confidence,
        abstain_reason=answer.abstain_reason,
        critical=answer.stored_critical(),
        criteria=dict(answer.criteria),
        view=dict(answer.view),
        elapsed_seconds=answer.elapsed_seconds,
        active_seconds=answer.active_seconds,
        extra=extra,
        created_at=now,
    )
