"""Storing what came of a group of calls: attempts, answers, and what they cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F

from judging.models import Attempt, Call, CallState, Reply, Run
from judging.services.at_once import write_at_once
from judging.services.budgets import add_spending, places_left
from judging.services.inserting import insert

if TYPE_CHECKING:
    import uuid
    from collections.abc import Collection, Mapping, Sequence

LIMITS = ("run__max_calls", "run__max_tokens", "run__max_cost")
NONE: frozenset[int] = frozenset()


@dataclass(slots=True)
class Result:
    """What came of one request: an attempt to keep, and the answer if it was one."""

    call_id: int
    attempt: Attempt | None
    reply: Reply | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """What a group of results came to; ``lost`` answers came after another's.

    ``returned`` calls were given back, since the budget has no room to repeat them.
    ``status`` is the run's, so that a pause is noticed with the next reply.
    """

    answered: int
    invalid: int
    lost: int
    returned: frozenset[int] = NONE
    status: str = ""


def store(
    *,
    owner: uuid.UUID,
    results: Sequence[Result],
    again: bool = False,
    run_id: int | None = None,
) -> Stored:
    """Write a group of results; a call that is no longer ours keeps its own answer.

    The attempt is kept either way: it was paid for. ``again`` is set where an earlier
    try may have been committed although its confirmation was lost; the budget
    of ``run_id``, if it has one, is charged.
    """
    ids = {result.call_id for result in results}
    attempts = [result.attempt for result in results if result.attempt is not None]
    answers = {r.call_id: r.reply for r in results if r.reply is not None}
    written = None
    if not again:
        replies = list(answers.values())
        written = write_at_once(
            owner=owner, ids=ids, attempts=attempts, replies=replies, run_id=run_id
        )
    if written is None:
        return _store(owner, ids, attempts, answers, again=again, run_id=run_id)
    lost = len(answers) - written.answered
    return Stored(
        answered=written.answered,
        invalid=written.invalid,
        lost=lost,
        status=written.status,
    )


@transaction.atomic
def _store(
    owner: uuid.UUID,
    ids: Collection[int],
    attempts: Sequence[Attempt],
    answers: Mapping[int, Reply],
    *,
    again: bool,
    run_id: int | None,
) -> Stored:
    """The same in several statements: for any database, and for runs with a budget."""
    if again:
        attempts = _unknown(attempts)
    held, limited, status = _lock(ids, owner)
    ours = held & answers.keys()
    insert(Attempt, attempts)
    replies = [answers[pk] for pk in sorted(ours)]
    insert(Reply, replies)
    asked = {attempt.call_id for attempt in attempts}
    _answered(ours & asked, tries=1)
    _answered(ours - asked, tries=0)
    Call.objects.filter(pk__in=asked - ours).update(tries=F("tries") + 1)
    return Stored(
        answered=len(ours),
        invalid=sum(1 for reply in replies if reply.invalid_reason),
        lost=len(answers) - len(ours),
        returned=_charge(run_id, owner, attempts) if run_id and limited else NONE,
        status=status,
    )


def _charge(
    run_id: int, owner: uuid.UUID, attempts: Sequence[Attempt]
) -> frozenset[int]:
    """Count what was sent; give back calls that there is no room to repeat."""
    if not attempts:
        return NONE
    run = Run.objects.select_for_update(of=("self",)).get(pk=run_id)
    add_spending(run, attempts)
    run.save(update_fields=["spent_calls", "spent_tokens", "spent_cost"])
    ours = Call.objects.filter(run_id=run_id, owner=owner, state=CallState.CLAIMED)
    failed = list(
        ours.filter(pk__in=[a.call_id for a in attempts]).values_list("pk", flat=True)
    )
    claimed = Call.objects.filter(run_id=run_id, state=CallState.CLAIMED).count()
    places = places_left(run, claimed)
    too_many = frozenset(failed[: max(0, -places)] if places is not None else ())
    Call.objects.filter(pk__in=too_many).update(
        state=CallState.PENDING, owner=None, lease_until=None
    )
    return too_many


def _lock(ids: Collection[int], owner: uuid.UUID) -> tuple[set[int], bool, str]:
    """Lock calls in one order, against deadlocks.

    Returns those that are ours still, whether their run has a budget, and its status.
    """
    rows = list(
        Call.objects.select_for_update(of=("self",))
        .filter(pk__in=ids)
        .order_by("pk")
        .values_list("pk", "owner", "state", "run__status", *LIMITS)
    )
    claimed = {pk for pk, by, at, *_ in rows if by == owner and at == CallState.CLAIMED}
    limited = any(limit is not None for row in rows for limit in row[4:])
    return claimed, limited, str(rows[0][3]) if rows else ""


def _answered(ids: Collection[int], *, tries: int) -> None:
    Call.objects.filter(pk__in=ids).update(
        state=CallState.DONE, owner=None, lease_until=None, tries=F("tries") + tries
    )


def _unknown(attempts: Sequence[Attempt]) -> list[Attempt]:
    """Leave out attempts that were stored already: one owner sends one at a time."""
    known = set(
        Attempt.objects.filter(
            call_id__in=[attempt.call_id for attempt in attempts]
        ).values_list("call_id", "owner", "sent_at")
    )
    return [a for a in attempts if (a.call_id, a.owner, a.sent_at) not in known]
