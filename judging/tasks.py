"""Doorbells: a message only says that a run may have work.

The database is the truth. A doorbell that comes twice, late or for nothing does no
harm, and for one that is lost `ring_stalled` rings again. A worker gives its turn up
after a while and rings for the next, so that no message is held longer than brokers
wait for its confirmation, and a worker that is to end is not held up for hours.
"""

from __future__ import annotations

import logging

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from config.celery import RING_SECONDS, app
from config.errors import DomainError
from judging.clients.opening import open_batches, open_chat
from judging.models import Run, RunStatus
from judging.services.attending import living_runners, run_at_work, runs_wanting
from judging.services.batching import in_batches
from judging.services.carrying import carry_out

logger = logging.getLogger(__name__)
WORK, STALLED = "judging.work_on_run", "judging.ring_stalled"


def ring(run_id: int) -> None:
    """Tell workers, once this transaction is committed, that a run has work.

    Does nothing on a site without a broker, where the local worker looks by itself. A
    broker that is away loses the message, which `ring_stalled` makes good.
    """
    if settings.CELERY_BROKER_URL:
        transaction.on_commit(lambda: _ring_for_all(run_id), robust=True)


def work_on_run(run_id: int) -> str:
    """Work on a run for a turn, as one of those that share it; say how it stands."""
    found = run_at_work(run_id)
    if found is None:
        return "nothing to do"
    batches = in_batches(found)
    if (
        not batches
        and living_runners(run_id, timezone.now()) >= settings.RUNNERS_PER_RUN
    ):
        return "attended to"
    try:
        status = _turn(found, batches=batches)
    except DomainError as error:  # noted on the run as far as it concerns the run
        logger.warning("Run %s: %s", run_id, error.message)
        return error.code
    if status == RunStatus.RUNNING and not batches:
        _send(run_id)
    return str(status)


def ring_stalled() -> int:
    """Ring for runs with calls that too few work on; return for how many."""
    runs = runs_wanting(timezone.now(), settings.RUNNERS_PER_RUN)
    for run in runs:
        _send(run.pk, expires=RING_SECONDS)
    return len(runs)


def _turn(run: Run, *, batches: bool) -> RunStatus:
    """Together the runners keep as many calls in flight as the run allows.

    What is due for batches is done at once; `ring_stalled` rings when more is.
    """
    share = -(-run.concurrency // settings.RUNNERS_PER_RUN)
    return carry_out(
        run,
        open_client=open_chat,
        open_batches=open_batches,
        concurrency=share,
        at_most=0.0 if batches else settings.WORKER_TURN_SECONDS,
    )


def _ring_for_all(run_id: int) -> None:
    for _ in range(settings.RUNNERS_PER_RUN):
        _send(run_id)


def _send(run_id: int, expires: float | None = None) -> None:
    app.send_task(WORK, args=[run_id], retry=False, expires=expires)


app.task(work_on_run, name=WORK)
app.task(ring_stalled, name=STALLED)
