"""The run's rows: claiming calls, keeping the claim, storing what came of them.

Every function here is one short transaction and runs in the runner's one database
thread. A call is claimed under a lease; a lease that ran out counts as pending, so a
dead runner's calls are retaken without a sweeper.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q

from judging.models import Call, CallState, Run, RunStatus
from judging.services.budgets import places_left
from judging.services.controlling import pause, spent_reason
from judging.services.loading import attach_rubrics, ready
from judging.services.panels import settle_panels
from judging.services.served import look_who_served
from judging.services.shares import drop_share
from judging.services.silences import end_silence

if TYPE_CHECKING:
    import uuid
    from collections.abc import Collection

    from judging.models.calls import CallQuerySet

# A dead runner's claims must be retaken within 15 s (DESIGN rule 22).
LEASE = timedelta(seconds=12)
HEARTBEAT_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Standing:
    """How the run stands, and which calls are still this runner's."""

    status: RunStatus
    owned: frozenset[int]


def free(now: datetime, prefix: str = "") -> Q:
    """Calls that nobody works on."""
    return Q(**{f"{prefix}state": CallState.PENDING}) | Q(
        **{f"{prefix}state": CallState.CLAIMED, f"{prefix}lease_until__lt": now}
    )


@transaction.atomic
def claim(
    *,
    run_id: int,
    owner: uuid.UUID,
    limit: int,
    now: datetime,
    known: Collection[int] = (),
) -> list[Call]:
    """Take up to ``limit`` free calls of a run, with the texts that they need.

    ``known`` are the calls that this owner has in hand; others in its name were
    claimed without its hearing of it, and are free. A run that is paused or stopped has
    none, nor has one whose budget has no room; that pauses it, once nothing is under
    way.
    """
    run = Run.objects.get(pk=run_id)
    limit = _room(run, limit, now)
    if limit <= 0:
        return []
    unheard = Q(state=CallState.CLAIMED, owner=owner)
    ids = list(
        Call.objects.select_for_update(skip_locked=True, of=("self",))
        .filter(free(now) | unheard, ready() if run.rubric_step else Q(), run_id=run_id)
        .exclude(pk__in=known)
        .order_by("pk")
        .values_list("pk", flat=True)[:limit]
    )
    if not ids:
        return []
    Call.objects.filter(pk__in=ids).update(
        state=CallState.CLAIMED, owner=owner, lease_until=now + LEASE
    )
    calls = list(with_texts(Call.objects.filter(pk__in=ids)))
    attach_rubrics(run, calls)
    return calls


def any_free(*, run_id: int, now: datetime) -> bool:
    """Whether any call of a run could be claimed, as far as its budget has room."""
    run = Run.objects.get(pk=run_id)
    waiting = Call.objects.filter(free(now), run_id=run_id)
    return waiting.filter(ready() if run.rubric_step else Q()).exists()


def with_texts(calls: CallQuerySet) -> CallQuerySet:
    """Calls in order, with everything that their requests are made from.

    All but the rubrics of a first step: ``attach_rubrics`` brings those.
    """
    whole = calls.select_related("pair__case", "pair__baseline", "pair__candidate")
    return whole.prefetch_related("response__case", "case").order_by("pk")


def _room(run: Run, limit: int, now: datetime) -> int:
    """How many calls may be claimed at present."""
    if run.status not in {RunStatus.PENDING, RunStatus.RUNNING}:
        return 0
    if not run.has_budget:
        return limit
    # Other runners claim and spend on the same budget: one after the other.
    run = Run.objects.select_for_update(of=("self",)).get(pk=run.pk)
    claimed = _live(run.pk, now).count()
    places = places_left(run, claimed)
    if places is not None and places <= 0 and not claimed and unanswered(run.pk):
        pause(run=run, by=None, now=now, reason=spent_reason(run))
    return limit if places is None else min(limit, places)


def _live(run_id: int, now: datetime) -> CallQuerySet:
    return Call.objects.filter(
        run_id=run_id, state=CallState.CLAIMED, lease_until__gte=now
    )


@transaction.atomic
def renew(*, run_id: int, owner: uuid.UUID, now: datetime) -> Standing:
    """Keep this runner's claims, and learn which those are and how the run stands."""
    ours = Call.objects.filter(run_id=run_id, owner=owner, state=CallState.CLAIMED)
    ours.update(lease_until=now + LEASE)
    return Standing(
        status=RunStatus(Run.objects.values_list("status", flat=True).get(pk=run_id)),
        owned=frozenset(ours.values_list("pk", flat=True)),
    )


def release(*, run_id: int, owner: uuid.UUID) -> int:
    """Give back what was claimed and not answered, and all places; return how many."""
    drop_share(run_id=run_id, owner=owner)
    return Call.objects.filter(
        run_id=run_id, owner=owner, state=CallState.CLAIMED
    ).update(state=CallState.PENDING, owner=None, lease_until=None)


def unanswered(run_id: int) -> int:
    """How many calls of the run still lack their answer."""
    return Call.objects.filter(run_id=run_id).unanswered().count()


def answered(run_id: int) -> int:
    """How many calls of the run have their answer."""
    return Call.objects.filter(run_id=run_id, state=CallState.DONE).count()


def state(run_id: int) -> tuple[RunStatus, int]:
    """How the run stands, and how many of its calls lack their answer."""
    status = Run.objects.values_list("status", flat=True).get(pk=run_id)
    return RunStatus(status), unanswered(run_id)


def begin(*, run_id: int, now: datetime) -> None:
    """Mark a run as running, and its panels as started; a failed one is resumed.

    One that is done, paused or stopped is left alone.
    """
    run = Run.objects.filter(
        pk=run_id,
        status__in=[RunStatus.PENDING, RunStatus.RUNNING, RunStatus.FAILED],
    )
    run.filter(started_at__isnull=True).update(started_at=now)
    if run.exclude(status=RunStatus.RUNNING).exists():
        end_silence(run_id=run_id)  # who takes it up again may have mended something
    if run.update(status=RunStatus.RUNNING, failure="", finished_at=None):
        panels = Run.objects.open().filter(seats__member_run=run_id)
        panels.filter(started_at__isnull=True).update(started_at=now)


@transaction.atomic
def finish(*, run_id: int, failure: str, now: datetime) -> RunStatus:
    """Close the books of a run: done when nothing is left, else failed or as it was."""
    run = Run.objects.select_for_update(of=("self",)).get(pk=run_id)
    if run.status == RunStatus.DONE:
        return RunStatus.DONE
    run.notices = look_who_served(run, now)
    if not unanswered(run_id):
        run.status, run.failure, run.finished_at = RunStatus.DONE, "", now
    elif failure and run.status in {RunStatus.PENDING, RunStatus.RUNNING}:
        run.status, run.failure, run.finished_at = RunStatus.FAILED, failure, now
    run.save(update_fields=["status", "failure", "finished_at", "notices"])
    if run.status != RunStatus.RUNNING:
        end_silence(run_id=run_id)
    settle_panels(run, now)
    return RunStatus(run.status)


@transaction.atomic
def fail_unless_shared(*, run_id: int, failure: str, now: datetime) -> RunStatus:
    """Note why a run can't start here, unless another runner is at work on it.

    Calls in a batch are claimed for long; nobody need be at work on them.
    """
    if _live(run_id, now).filter(lease_until__lte=now + 2 * LEASE).exists():
        return RunStatus(Run.objects.values_list("status", flat=True).get(pk=run_id))
    return finish(run_id=run_id, failure=failure, now=now)
