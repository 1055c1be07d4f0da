"""Taking a label, once, whatever happened to the reservation meanwhile."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import IntegrityError, connection, transaction
from django.db.models import BooleanField, ExpressionWrapper, Q

from annotation.domain.answers import LONGEST_NOTE, Answer
from annotation.domain.outcomes import Order, outcome_of
from annotation.models import Assignment, Draft, Label, Seat
from annotation.services.guidelines import Known, questions_of
from annotation.services.places import locked_assignment
from annotation.services.queue import COUNTS, ROUND_CLOSED, end
from annotation.services.retests import plan_retest
from config.accounts.permissions import has_role
from config.accounts.roles import Role
from config.db.plain import insertion, run_together
from config.errors import Conflict, InvalidInput, NotAllowed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from django.db.models import OrderBy

    from annotation.models import RoundMember
    from config.accounts.models import User

NEWER = "label_changed"

__all__ = ["LONGEST_NOTE", "NEWER", "Answer", "Given", "store_label", "submit_label"]


@dataclass(frozen=True, slots=True)
class Given:
    """A label that was stored, and whose place in the round it counts for.

    ``known`` is the guideline it was given by; ``holds_none``: its author is known to
    have no other pair reserved.
    """

    label: Label
    assignment: Assignment
    member: RoundMember
    known: Known
    holds_none: bool = False


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
) -> Given:
    """Store a label in the caller's transaction, who then saves the member's counts.

    ``revision`` is the number of the label that its author had before them, 0 for none:
    a change made in ignorance of a newer one is refused. None leaves that out.

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
    if not assignment.round.is_open:
        raise Conflict(ROUND_CLOSED, "This round was closed meanwhile.")
    if before.exposed:
        raise NotAllowed(
            "pair_exposed", "You have seen results of this pair, so you can't label it."
        )
    if before.elsewhere and earlier is None and assignment.seat.retest_of_id is None:
        raise Conflict(
            "labelled_elsewhere",
            "You labelled this pair in another round meanwhile, and one person has one "
            "vote on a pair. This answer was not counted.",
        )
    said = Said(answer, known, before.drafted)
    _refuse_stale(earlier, revision)
    if earlier is not None:
        label = _revise(assignment, earlier, said, now)
        return Given(label, assignment, member, known)
    own = _take_own_seat(assignment)
    seat = own or _take_free_seat(assignment, now)
    label = _insert(seat.pk, assignment, said, revision=1, now=now)
    _count(member, label, assignment)
    plan_retest(seat, label, labels=member.labels, now=now)
    return Given(label, assignment, member, known, holds_none=own is not None)


def _refuse_stale(earlier: Label | None, revision: int | None) -> None:
    """Two tabs, or an answer sent again otherwise: neither overwrites the other."""
    if earlier is None:
        if revision:
            raise InvalidInput(
                "label_invalid",
                "revision: there is no label of yours to change; a first one has 0",
            )
        return
    if revision in (None, earlier.revision):
        return
    raise Conflict(
        NEWER,
        "Your label of this pair is in already, given elsewhere or before its "
        "reply arrived, and says something else. This answer was not counted. Open "
        "the label to look at it and change it.",
        {"revision": earlier.revision},
    )


def _revise(assignment: Assignment, earlier: Label, said: Said, now: datetime) -> Label:
    assert earlier.seat_id is not None  # noqa: S101 - a queue label has a seat
    revision = earlier.revision + 1
    return _insert(earlier.seat_id, assignment, said, revision=revision, now=now)


def _count(member: RoundMember, label: Label, assignment: Assignment) -> None:
    if label.order == Order.BASELINE_FIRST.value:
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


TAKE = """
UPDATE annotation_seat SET available_at = NULL
WHERE id = %s AND reviewer_id = %s AND available_at IS NOT NULL
"""


def _take_own_seat(assignment: Assignment) -> Seat | None:
    with connection.cursor() as cursor:
        cursor.execute(TAKE, [assignment.seat_id, assignment.reviewer_id])
        return assignment.seat if cursor.rowcount else None


def _take_free_seat(assignment: Assignment, now: datetime) -> Seat:
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
            "Your answer was not counted; its text is still here.",
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


def _insert(
    seat_id: int,
    assignment: Assignment,
    said: Said,
    *,
    revision: int,
    now: datetime,
) -> Label:
    order, answer = Order(assignment.order), said.answer
    extra = dict(answer.extra)
    if has_role(assignment.reviewer, Role.LEAD):
        extra["not_blind"] = True
    if said.drafted:
        Draft.objects.filter(assignment=assignment).delete()
    label = Label(
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
    [[[label.pk]]] = run_together([insertion(label)])
    return label
