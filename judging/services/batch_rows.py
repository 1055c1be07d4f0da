"""The rows of batches: taking calls for one, looking after it, closing its books.

Each function is one short transaction. A call in an open batch is claimed by the
batch's key, for longer than any batch lasts, so nobody else asks it; who looks after a
batch holds a short lease on the batch itself.
"""

from __future__ import annotations

import uuid
from datetime import timedelta
from itertools import takewhile
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Max, Min, Q

from judging.domain.batches import MOST_BYTES, custom_id, request_line
from judging.domain.ports import FINAL
from judging.domain.verdicts import Invalid
from judging.models import Attempt, Batch, BatchState, Call, CallState, RunStatus
from judging.services import worklist
from judging.services.loading import attach_rubrics
from judging.services.reusing import copied, earlier_replies
from judging.services.served import note_served
from judging.services.storing import Result, store

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from judging.models import Run
    from judging.models.calls import CallQuerySet
    from judging.services.asker import Asker, Question

CHUNK = 500
OWNED_FOR = timedelta(days=3650)
OPEN = frozenset({RunStatus.PENDING, RunStatus.RUNNING})


def start_batch(
    *, run_id: int, asking: Asker, driver: uuid.UUID, limit: int, now: datetime
) -> Batch | None:
    """Open a batch with the first calls that there are; ``None`` without any.

    Calls that earlier runs were answered, and those that may not be sent, have their
    answers after this and are in no batch.
    """
    while True:
        with transaction.atomic():
            batch = Batch(run_id=run_id, created_at=now, look_after=now)
            batch.driver, batch.driver_until = driver, now + worklist.LEASE
            batch.save()
            if not fill(batch=batch, asking=asking, limit=limit, now=now):
                batch.delete()
                return None
            if batch.requests:
                return batch
            batch.delete()


@transaction.atomic
def fill(*, batch: Batch, asking: Asker, limit: int, now: datetime) -> int:
    """Take up to ``limit`` calls into a batch; return how many were dealt with."""
    calls = _take(batch, min(limit, CHUNK), now)
    copies = _copies(batch, asking, calls, now)
    results, too_many = list(copies), []
    answered = {result.call_id for result in copies}
    for call in calls:
        if call.pk in answered:
            continue
        question = asking.prepare(call)
        if isinstance(question, Invalid):
            reply = asking.unasked(call, question, now=now)
            results.append(Result(call.pk, attempt=None, reply=reply))
            continue
        size = len(line_of(batch, call, question).encode())
        if batch.requests and batch.size + size > MOST_BYTES:
            too_many.append(call.pk)
            continue
        batch.requests += 1
        batch.size += size
    store(owner=batch.key, results=results)
    Call.objects.filter(pk__in=too_many).update(
        state=CallState.PENDING, owner=None, lease_until=None
    )
    batch.save(update_fields=["requests", "size"])
    return len(calls) - len(too_many)


def _take(batch: Batch, limit: int, now: datetime) -> list[Call]:
    taker = uuid.uuid4()
    calls = worklist.claim(run_id=batch.run_id, owner=taker, limit=limit, now=now)
    Call.objects.filter(owner=taker).update(
        owner=batch.key, lease_until=now + OWNED_FOR
    )
    return calls


def _copies(
    batch: Batch, asking: Asker, calls: Sequence[Call], now: datetime
) -> list[Result]:
    run = batch.run
    if not run.reuse or not calls:
        return []
    asked = {call.pk: asking.prepare(call) for call in calls}
    wishes = {
        call.pk: (question.request_hash, call.repeat)
        for call in calls
        if not isinstance(question := asked[call.pk], Invalid)
    }
    found = earlier_replies(
        digest=run.config.digest, wanted=wishes.values(), run_id=run.pk
    )
    by_pk = {call.pk: call for call in calls}
    return [
        Result(pk, attempt=None, reply=copied(found[wish], by_pk[pk], now=now))
        for pk, wish in wishes.items()
        if wish in found
    ]


def line_of(batch: Batch, call: Call, question: Question) -> str:
    """Write the line of a call in the file of its batch."""
    return request_line(custom_id(batch.key, call.pk), question.request.body)


def calls_in(batch: Batch) -> Iterator[list[Call]]:
    """The calls that an open batch has in hand, with their texts, some at a time."""
    last = 0
    while True:
        mine = _owned(batch).filter(pk__gt=last)
        calls = list(worklist.with_texts(mine)[:CHUNK])
        if not calls:
            return
        last = calls[-1].pk
        attach_rubrics(batch.run, calls)
        yield calls


def names_in(batch: Batch) -> dict[str, int]:
    """The calls that an open batch has in hand, by what the provider calls them."""
    mine = _owned(batch).values_list("pk", flat=True)
    return {custom_id(batch.key, pk): pk for pk in mine}


def calls_named(batch: Batch, ids: Sequence[int]) -> dict[int, Call]:
    """Some of the calls that a batch has in hand, with their texts."""
    found = list(worklist.with_texts(_owned(batch).filter(pk__in=ids)))
    attach_rubrics(batch.run, found)
    return {call.pk: call for call in found}


def _owned(batch: Batch) -> CallQuerySet:
    return Call.objects.filter(
        run_id=batch.run_id, owner=batch.key, state=CallState.CLAIMED
    )


def take_wheel(*, batch_id: int, driver: uuid.UUID, now: datetime) -> Batch | None:
    """Begin to look after a batch that is due; ``None`` if somebody else does."""
    mine = Batch.objects.due(now).filter(pk=batch_id)
    if not mine.update(driver=driver, driver_until=now + worklist.LEASE):
        return None
    return Batch.objects.select_related("run__config__provider").get(pk=batch_id)


def keep_wheel(*, batch_id: int, driver: uuid.UUID, now: datetime) -> bool:
    """Go on looking after a batch; whether it is still ours."""
    mine = Batch.objects.filter(pk=batch_id, driver=driver)
    return mine.update(driver_until=now + worklist.LEASE) > 0


def note(*, batch: Batch, by: uuid.UUID, **changes: object) -> bool:
    """Write what has become of a batch, unless somebody else looks after it now."""
    mine = Batch.objects.filter(pk=batch.pk, driver=by)
    if not mine.update(**changes):
        return False
    for name, value in changes.items():
        setattr(batch, name, value)
    return True


@transaction.atomic
def end(
    *,
    batch: Batch,
    driver: uuid.UUID,
    now: datetime,
    detail: str = "",
    rest_until: datetime | None = None,
    too_many: bool = False,
) -> bool:
    """Close the books of a batch; what it did not answer can be sent again.

    Before ``rest_until`` no new batch of the run is sent.
    """
    sent = Attempt.objects.filter(call__run=batch.run_id, owner=batch.key)
    attempts, answered = sent.count(), sent.filter(error="").count()
    mine = note(
        batch=batch,
        by=driver,
        state=BatchState.ENDED,
        submitting_at=batch.submitting_at or now,
        ended_at=now,
        answered=answered,
        failed=attempts - answered,
        unsent=max(0, batch.requests - attempts),
        detail=detail,
        look_after=rest_until or now,
        too_many=too_many,
    )
    if mine:
        worklist.release(run_id=batch.run_id, owner=batch.key)
        note_served(batch.run_id, now)
    return mine


def settled_by(batch: Batch) -> int:
    """How many calls have their answer since a batch, also by being given up."""
    done = Call.objects.filter(run_id=batch.run_id, state=CallState.DONE)
    return done.filter(attempts__owner=batch.key).distinct().count()


def look_now(run_id: int, now: datetime) -> None:
    """Wait no longer with batches that there was trouble with."""
    batches = Batch.objects.open().filter(run_id=run_id, troubles__gt=0)
    batches.update(look_after=now)


def barren(run_id: int) -> int:
    """How many of a run's batches in a row, the last first, brought no reply."""
    ended = Batch.objects.filter(run_id=run_id, state=BatchState.ENDED, too_many=False)
    # What a filter stopped, say, was no answer; but somebody was there to say so.
    last = ended.order_by("-pk")[:100]
    return len(list(takewhile(lambda batch: not settled_by(batch), last)))


def most_requests(run_id: int, usual: int) -> int:
    """How many requests the next batch may have; 0 for none now.

    Once the provider's queue was full, half as many are sent, and one batch at a time.
    """
    batches = Batch.objects.filter(run_id=run_id)
    full = batches.filter(too_many=True).order_by("-pk").first()
    if full is None:
        return usual
    if batches.open().filter(state=BatchState.SUBMITTED).exists():
        return 0
    return max(1, min(usual, full.requests // 2))


def next_look(run_id: int) -> datetime | None:
    """When an open batch of a run wants to be looked after."""
    batches = Batch.objects.open().filter(run_id=run_id)
    soonest: datetime | None = batches.aggregate(soonest=Min("look_after"))["soonest"]
    return soonest


def rests_until(run_id: int) -> datetime | None:
    """Before when no new batch of a run is to be sent."""
    ended = Batch.objects.filter(run_id=run_id, state=BatchState.ENDED)
    until: datetime | None = ended.aggregate(until=Max("look_after"))["until"]
    return until


def own_failures(run_id: int, ids: Sequence[int]) -> dict[int, int]:
    """How often each call failed by a fault that may be its own."""
    rows = (
        Attempt.objects.filter(call__run=run_id, call__in=ids)
        .exclude(Q(error="") | Q(error="rate_limited"))
        .values_list("call", flat=True)
    )
    counts: dict[int, int] = {}
    for call in rows:
        counts[call] = counts.get(call, 0) + 1
    return counts


def heard_since(batch: Batch, ids: Sequence[int]) -> frozenset[int]:
    """Those of some calls since whose first request another of the run was answered.

    What fails then is not the provider as a whole.
    """
    ours = Attempt.objects.filter(call__run=batch.run_id)
    heard = ours.filter(error__in=["", *(kind.value for kind in FINAL)])
    last: datetime | None = heard.aggregate(last=Max("sent_at"))["last"]
    if last is None:
        return frozenset()
    sent = batch.submitted_at or batch.created_at
    rows = ours.filter(call__in=ids).values("call").annotate(first=Min("sent_at"))
    first = dict(rows.order_by().values_list("call", "first"))
    return frozenset(pk for pk in ids if first.get(pk, sent) <= last)


def status_of(run: Run) -> RunStatus:
    """How a run stands now."""
    run.refresh_from_db(fields=["status"])
    return RunStatus(run.status)
