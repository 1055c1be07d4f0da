"""What one batch needs next: to be filled, sent, looked for, looked at, or read.

Each step writes what it learnt before the next begins, so that whoever takes over after
a crash goes on from there. Before a batch is made its row says so; after a crash it is
looked for by its key, and made again only when it is certainly not there.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from judging.domain.batches import MOST_BYTES, failure_of
from judging.domain.ports import CallFailed, FailureKind
from judging.domain.verdicts import Invalid
from judging.models import Batch, BatchState, RunStatus
from judging.services import batch_rows
from judging.services.batch_pace import made_later, surely_not_made
from judging.services.batch_reading import BatchReading

if TYPE_CHECKING:
    import uuid
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from judging.domain.batches import BatchClient, BatchInfo
    from judging.models import Call
    from judging.services.asker import Asker
    from judging.services.batch_pace import BatchPace
    from judging.services.dbthread import DatabaseThread
    from judging.services.storing import Result, Stored

HALTED = "Not sent, since the run was halted."


@dataclass(slots=True)
class BatchSteps:
    """Looks after one batch for as long as there is something to do now.

    ``failure`` says why the run can't go on, if it can't.
    """

    batch: Batch
    asking: Asker
    client: BatchClient
    database: DatabaseThread
    clock: Callable[[], datetime]
    driver: uuid.UUID
    pace: BatchPace
    most: int
    stored: Callable[[list[Result], Stored], None]
    failure: str = ""

    async def drive(self) -> None:
        """Do what is due, and leave the batch to whoever comes next."""
        try:
            await self._drive()
        except CallFailed as failed:
            await self._trouble(failed)
        finally:
            await self._note(driver=None, driver_until=None)

    async def _drive(self) -> None:
        status = await self.database.call(batch_rows.status_of, self.batch.run)
        if self.batch.state == BatchState.FILLING:
            await (self._send() if status in batch_rows.OPEN else self._end(HALTED))
        elif self.batch.state == BatchState.SUBMITTING:
            await self._search(status)
        elif self.batch.state == BatchState.SUBMITTED:
            await self._look(status)

    async def _send(self) -> None:
        if not self.batch.input_file_id:
            await self._fill()
            if not await self._upload():
                return
        await self._submit()

    async def _fill(self) -> None:
        batch, dealt = self.batch, 1
        while dealt and batch.requests < self.most and batch.size < MOST_BYTES:
            dealt = await self.database.call(
                batch_rows.fill,
                batch=batch,
                asking=self.asking,
                limit=self.most - batch.requests,
                now=self.clock(),
            )

    async def _upload(self) -> bool:
        with tempfile.TemporaryDirectory(prefix="evenhand-batch-") as folder:
            path = Path(folder) / "requests.jsonl"
            await self.database.call(self._write, path)
            file_id = await self.client.upload(path, f"{self.batch.key}.jsonl")
        return await self._note(input_file_id=file_id, troubles=0)

    def _write(self, path: Path) -> None:
        with path.open("w", encoding="utf-8", newline="\n") as file:
            for calls in batch_rows.calls_in(self.batch):
                file.writelines(self._lines(calls))

    def _lines(self, calls: list[Call]) -> Iterator[str]:
        for call in calls:
            question = self.asking.prepare(call)
            if not isinstance(question, Invalid):
                yield batch_rows.line_of(self.batch, call, question)

    async def _submit(self) -> None:
        now, batch = self.clock(), self.batch
        if not await self._note(state=BatchState.SUBMITTING, submitting_at=now):
            return
        try:
            info = await self.client.create(batch.input_file_id, batch.key)
        except CallFailed as failed:
            if not surely_not_made(failed):
                raise
            if made_later(failed):
                await self._note(state=BatchState.FILLING, submitting_at=None)
                raise
            if failed.stop_run:
                self.failure = failed.detail
            await self._end(failed.detail, barren=True)
            return
        await self._submitted(info)

    async def _submitted(self, info: BatchInfo) -> None:
        began = self.batch.submitting_at or self.clock()
        await self._note(
            provider_id=info.id,
            provider_status=info.status[:40],
            state=BatchState.SUBMITTED,
            submitted_at=began,
            troubles=0,
            look_after=self.pace.next_look(began, self.clock()),
        )

    async def _search(self, status: RunStatus) -> None:
        """Look for a batch that was being made when something broke."""
        batch, now = self.batch, self.clock()
        began = batch.submitting_at or batch.created_at
        info = await self.client.find(batch.key, since=began)
        if info is not None:
            await self._submitted(info)
        elif now < began + timedelta(seconds=self.pace.settle):
            pause = max(self.pace.soonest, self.pace.settle / 10)
            await self._note(look_after=now + timedelta(seconds=pause))
        elif status in batch_rows.OPEN:
            await self._submit()
        else:
            await self._end(HALTED)

    async def _look(self, status: RunStatus) -> None:
        batch = self.batch
        if status == RunStatus.STOPPED and batch.provider_status != "cancelling":
            await self._cancel()
        info = await self.client.retrieve(batch.provider_id)
        if info.has_ended:
            await self._read(info)
            return
        began, now = batch.submitted_at or batch.created_at, self.clock()
        await self._note(
            provider_status=info.status[:40],
            troubles=0,
            look_after=self.pace.next_look(began, now),
        )

    async def _cancel(self) -> None:
        try:
            await self.client.cancel(self.batch.provider_id)
        except CallFailed as failed:  # one that has ended can't be cancelled
            if not surely_not_made(failed):
                raise

    async def _read(self, info: BatchInfo) -> None:
        """Store what came back, then close the books of the batch."""
        reading = BatchReading(
            self.batch, self.asking, tries=self.pace.tries, now=self.clock()
        )
        before = await self.database.call(batch_rows.settled_by, self.batch)
        reading.works = before > 0
        await self._store(reading, info.output_file_id)
        missing = (info.completed or 0) - reading.read
        if missing > 0 and self.batch.troubles < self.pace.tries:
            detail = f"{missing} of {info.completed} results are not in the file"
            raise CallFailed(FailureKind.BAD_BODY, detail)
        await self._store(reading, info.error_file_id)
        await self._note(provider_status=info.status[:40], troubles=0)
        self.failure = reading.stop
        refused = failure_of(info, now=self.clock())
        if refused is not None and refused.stop_run:
            self.failure = self.failure or refused.detail
        detail = info.why or reading.not_carried_out
        if not reading.works:
            detail = detail or reading.failed
        if reading.unreadable:
            detail = f"{reading.unreadable} result lines can't be read. {detail}"
        barren, hopeful = not reading.works, reading.heard
        await self._end(detail, barren=barren, full=info.queue_is_full, hopeful=hopeful)

    async def _store(self, reading: BatchReading, file_id: str) -> None:
        if not file_id:
            return
        chunks = reading.store(await self.client.content(file_id))
        while chunk := await self.database.call(partial(next, chunks, None)):
            self.stored(*chunk)

    async def _end(
        self,
        detail: str,
        *,
        barren: bool = False,
        full: bool = False,
        hopeful: bool = False,
    ) -> None:
        """Close the books; several batches without a reply stop the run.

        But for a ``hopeful`` one: it held calls that fail where others are answered.
        """
        now, rest = self.clock(), None
        if full:
            rest = now + timedelta(seconds=self.pace.queue)
        elif barren:
            number = 1 + await self.database.call(batch_rows.barren, self.batch.run_id)
            rest = self.pace.after_trouble(number, now)
            if number % self.pace.barren == 0 and not (self.failure or hopeful):
                why = detail.strip() or "The provider did not say why."
                self.failure = f"{number} batches in a row brought no reply. {why}"
        await self.database.call(
            batch_rows.end,
            batch=self.batch,
            driver=self.driver,
            now=now,
            detail=detail.strip(),
            rest_until=rest,
            too_many=full,
        )

    async def _trouble(self, failed: CallFailed) -> None:
        """Note a request that failed; give up for now when too many did."""
        number = self.batch.troubles + 1
        if failed.stop_run:
            self.failure = failed.detail
        elif number % self.pace.tries == 0:
            self.failure = f"The provider does not answer: {failed.detail}"
        await self._note(
            troubles=number,
            detail=failed.detail,
            look_after=self.pace.after_trouble(
                number, self.clock(), failed.retry_after or 0.0
            ),
        )

    async def _note(self, **changes: object) -> bool:
        return await self.database.call(
            batch_rows.note, batch=self.batch, by=self.driver, **changes
        )
