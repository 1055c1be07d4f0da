"""The run's rows: claiming calls, keeping the claim, storing what came of them.

Every function here is one short transaction and runs in the runner's one database
thread. A call is claimed under a lease; a lease that ran out counts as pending, so a
dead runner's calls are retaken without a sweeper.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F, Q

from judging.models import Attempt, Call, CallState, Reply, Run, RunStatus

if TYPE_CHECKING:
    import uuid
    from collections.abc import Sequence

# A dead runner's claims must be retaken within 15 s (DESIGN rule 22).
LEASE = timedelta(seconds=12)
HEARTBEAT_SECONDS = 3.0


@dataclass(slots=True)
class Result:
    """What came of one request: an attempt to keep, and the answer if it was one."""

    call_id: int
    attempt: Attempt | None
    reply: Reply | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """What a group of results came to in the database."""

    answered: int
    invalid: int
    lost: int = field(default=0)


def _free(now: datetime) -> Q:
    return Q(state=CallState.PENDING) | Q(state=CallState.CLAIMED, lease_until__lt=now)


@transaction.atomic
def claim(*, run_id: int, owner: uuid.UUID, limit: int, now: datetime) -> list[Call]:
    """Take up to ``limit`` free calls of a run, with the texts that they need."""
    ids = list(
        Call.objects.select_for_update(skip_locked=True)
        .filter(_free(now), run_id=run_id)
        .order_by("pk")
        .values_list("pk", flat=True)[:limit]
    )
    Call.objects.filter(pk__in=ids).update(
        state=CallState.CLAIMED, owner=owner, lease_until=now + LEASE
    )
    return list(
        Call.objects.filter(pk__in=ids)
        .select_related(
            "pair__case", "pair__baseline", "pair__candidate", "pair__gold_set"
        )
        .order_by("pk")
    )


def renew(*, run_id: int, owner: uuid.UUID, now: datetime) -> RunStatus:
    """Keep this runner's claims, and learn how the run stands meanwhile."""
    Call.objects.filter(run_id=run_id, owner=owner, state=CallState.CLAIMED).update(
        lease_until=now + LEASE
    )
    return RunStatus(Run.objects.values_list("status", flat=True).get(pk=run_id))


def release(*, run_id: int, owner: uuid.UUID) -> int:
    """Give back what was claimed and not answered; return how many."""
    return Call.objects.filter(
        run_id=run_id, owner=owner, state=CallState.CLAIMED
    ).update(state=CallState.PENDING, owner=None, lease_until=None)


@transaction.atomic
def store(*, owner: uuid.UUID, results: Sequence[Result]) -> Stored:
    """Write a group of results; a call that is no longer ours keeps its own answer.

    The attempt is kept either way: it was paid for.
    """
    attempts = [result.attempt for result in results if result.attempt is not None]
    Attempt.objects.bulk_create(attempts)
    Call.objects.filter(pk__in=[a.call_id for a in attempts]).update(
        tries=F("tries") + 1
    )
    answers = {r.call_id: r.reply for r in results if r.reply is not None}
    ours = list(
        Call.objects.select_for_update()
        .filter(pk__in=answers, owner=owner, state=CallState.CLAIMED)
        .order_by("pk")
        .values_list("pk", flat=True)
    )
    replies = [answers[pk] for pk in ours]
    Reply.objects.bulk_create(replies)
    Call.objects.filter(pk__in=ours).update(
        state=CallState.DONE, owner=None, lease_until=None
    )
    return Stored(
        answered=len(ours),
        invalid=sum(1 for reply in replies if reply.invalid_reason),
        lost=len(answers) - len(ours),
    )


def unanswered(run_id: int) -> int:
    """How many calls of the run still lack their answer."""
    return Call.objects.filter(run_id=run_id).unanswered().count()


@transaction.atomic
def finish(*, run_id: int, failure: str, now: datetime) -> RunStatus:
    """Close the books of a run: done when nothing is left, else failed or running."""
    run = Run.objects.select_for_update().get(pk=run_id)
    if not unanswered(run_id):
        run.status, run.failure, run.finished_at = RunStatus.DONE, "", now
    elif failure:
        run.status, run.failure, run.finished_at = RunStatus.FAILED, failure, now
    run.save(update_fields=["status", "failure", "finished_at"])
    return RunStatus(run.status)


def begin(*, run_id: int, now: datetime) -> None:
    """Mark a run as running; a failed one is resumed."""
    Run.objects.filter(pk=run_id, started_at__isnull=True).update(started_at=now)
    Run.objects.filter(pk=run_id).exclude(status=RunStatus.DONE).update(
        status=RunStatus.RUNNING, failure="", finished_at=None
    )
