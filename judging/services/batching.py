"""The batch runner: sends calls as files, waits, and stores what came back.

It may be killed at any moment and started again, and several may work on one run: a
batch is looked after by one of them at a time. What is in a batch is not sent again
before the provider has said that it did not carry it out.
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from judging.models import Batch, BatchPlan, RunStatus
from judging.services import batch_rows, worklist
from judging.services.batch_pace import USUAL_PACE, BatchPace
from judging.services.batch_steps import BatchSteps
from judging.services.batch_waits import waits_for
from judging.services.dbthread import DatabaseThread
from judging.services.steadfast import ABSENT, first_of
from judging.services.tallies import Progress

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from judging.domain.batches import BatchClient
    from judging.models import Run
    from judging.services.asker import Asker
    from judging.services.storing import Result, Stored

logger = logging.getLogger(__name__)
LONGEST_SLEEP = 5.0
SHORTEST_SLEEP = 0.02


def in_batches(run: Run) -> bool:
    """Whether a run's calls are sent as files, not one by one."""
    return BatchPlan.objects.filter(run=run).exists()


def batches_under_way() -> bool:
    """Whether a run that goes on waits for a batch."""
    return Batch.objects.open().filter(run__status__in=batch_rows.OPEN).exists()


@dataclass(slots=True)
class BatchRunner:
    """One runner on one run that is carried out in batches.

    After ``at_most`` seconds it ends in good order, whatever batches are under way;
    with 0 it does what is due and waits for nothing.
    """

    run: Run
    asking: Asker
    client: BatchClient
    clock: Callable[[], datetime]
    on_progress: Callable[[Progress], None] = lambda _: None
    pace: BatchPace = USUAL_PACE
    at_most: float | None = None
    seconds: Callable[[], float] = time.monotonic
    owner: uuid.UUID = field(default_factory=uuid.uuid4)
    progress: Progress = field(default_factory=Progress)
    _database: DatabaseThread = field(default_factory=DatabaseThread)
    _failure: str = ""

    async def work(self) -> RunStatus:
        """Work until every call has its answer, or the run must stop or was halted.

        Raises ``OperationalError`` or ``InterfaceError`` where the database stays away.
        """
        try:
            await self._begin()
            return await self._rounds()
        except Exception as group:
            error = first_of(group)
            if isinstance(error, ABSENT):
                raise error from None
            logger.exception("Run %s: a fault of the batch runner", self.run.pk)
            self._failure = f"The runner failed: {type(error).__name__}: {error}"
            return await self._finish()
        finally:
            self.progress.trouble = ""
            await self._database.close()

    async def _begin(self) -> None:
        status, now = await self._status(), self.clock()
        if status == RunStatus.PENDING:  # somebody wants it looked at now
            await self._database.call(batch_rows.look_now, self.run.pk, now)
        if status in batch_rows.OPEN:
            await self._database.call(worklist.begin, run_id=self.run.pk, now=now)

    async def _rounds(self) -> RunStatus:
        end = None if self.at_most is None else self.seconds() + self.at_most
        while True:
            await self._look_after_all()
            if not self._failure and await self._status() in batch_rows.OPEN:
                await self._send_more()
            status = await self._finish()
            look = await self._database.call(batch_rows.next_look, self.run.pk)
            if status == RunStatus.DONE or self._failure:
                return status
            if look is None and status not in batch_rows.OPEN:
                return status
            if end is not None and self.seconds() >= end:
                return status
            await self._tell()
            await asyncio.sleep(self._pause(look))

    async def _tell(self) -> None:
        """Say what is waited for, once it is something else."""
        words = await self._database.call(waits_for, self.run.pk)
        if words != self.progress.trouble:
            self.progress.trouble = words
            self.on_progress(self.progress)

    def _pause(self, look: datetime | None) -> float:
        if look is None:
            return min(LONGEST_SLEEP, self.pace.soonest)
        left = (look - self.clock()).total_seconds()
        return min(LONGEST_SLEEP, max(SHORTEST_SLEEP, left))

    async def _look_after_all(self) -> None:
        for batch_id in await self._database.call(self._due):
            batch = await self._database.call(
                batch_rows.take_wheel,
                batch_id=batch_id,
                driver=self.owner,
                now=self.clock(),
            )
            if batch is not None:
                await self._drive(batch)

    async def _send_more(self) -> None:
        """Send calls that are in no batch, as many batches as they need."""
        rest = await self._database.call(batch_rows.rests_until, self.run.pk)
        while not self._failure and (rest is None or rest <= self.clock()):
            most = await self._most()
            if not most:
                return
            batch = await self._database.call(
                batch_rows.start_batch,
                run_id=self.run.pk,
                asking=self.asking,
                driver=self.owner,
                limit=most,
                now=self.clock(),
            )
            if batch is None:
                return
            await self._drive(batch)
            rest = await self._database.call(batch_rows.rests_until, self.run.pk)

    async def _most(self) -> int:
        return await self._database.call(
            batch_rows.most_requests, self.run.pk, self.pace.most
        )

    async def _drive(self, batch: Batch) -> None:
        """Do what a batch needs now, as long as it is this runner's to do."""
        steps = BatchSteps(
            batch=batch,
            asking=self.asking,
            client=self.client,
            database=self._database,
            clock=self.clock,
            driver=self.owner,
            pace=self.pace,
            most=await self._most(),
            stored=self._stored,
        )
        driving = asyncio.ensure_future(steps.drive())
        keeping = asyncio.ensure_future(self._keep(batch))
        try:
            await asyncio.wait({driving, keeping}, return_when=asyncio.FIRST_COMPLETED)
            if driving.done():
                driving.result()
            self._failure = self._failure or steps.failure
        finally:
            for task in (driving, keeping):
                task.cancel()
            await asyncio.gather(driving, keeping, return_exceptions=True)

    async def _keep(self, batch: Batch) -> None:
        """Renew the lease on a batch; ends when somebody else has taken it."""
        mine = True
        while mine:
            await asyncio.sleep(worklist.HEARTBEAT_SECONDS)
            mine = await self._database.call(
                batch_rows.keep_wheel,
                batch_id=batch.pk,
                driver=self.owner,
                now=self.clock(),
            )

    def _stored(self, results: list[Result], stored: Stored) -> None:
        self.progress.trouble = ""
        self.progress.add(results, stored)
        self.on_progress(self.progress)

    def _due(self) -> list[int]:
        due = Batch.objects.due(self.clock()).filter(run=self.run)
        return list(due.values_list("pk", flat=True))

    async def _status(self) -> RunStatus:
        return await self._database.call(batch_rows.status_of, self.run)

    async def _finish(self) -> RunStatus:
        return await self._database.call(
            worklist.finish,
            run_id=self.run.pk,
            failure=self._failure,
            now=self.clock(),
        )
