"""The runner: claims, asks, stores; may be killed at any moment and started again.

One asyncio loop asks; one database thread claims and writes. Results that finished
while the thread was busy are written together, and a call keeps its place in flight
until its result is committed. Several runners on one run share it through the claims.
"""

from __future__ import annotations

import asyncio
import gc
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from django.db import connections

from judging.domain.ports import (
    CallFailed,
    FailureKind,
    JudgeClient,
    JudgeRequest,
    RawReply,
)
from judging.domain.verdicts import Invalid
from judging.services import worklist
from judging.services.throttle import Throttle
from judging.services.worklist import Result

if TYPE_CHECKING:
    import random
    from collections.abc import Awaitable, Callable, Iterable
    from datetime import datetime

    from judging.models import Call, RunStatus
    from judging.services.asking import Asking

T = TypeVar("T")
IDLE_SECONDS = 0.3
MAX_TRIES = 6
BACKOFF_SECONDS = 0.5
BACKOFF_CEILING = 30.0
# A provider that has answered nothing at all is down, or wrongly configured.
FRUITLESS_CALLS = 3


@dataclass(slots=True)
class Progress:
    """What this runner has done so far."""

    answered: int = 0
    invalid: int = 0
    attempts: int = 0
    retried: int = 0
    lost: int = 0


@dataclass(slots=True)
class Runner:
    """One runner working on one run."""

    run_id: int
    asking: Asking
    client: JudgeClient
    concurrency: int
    clock: Callable[[], datetime]
    rng: random.Random
    on_progress: Callable[[Progress], None] = lambda _: None
    owner: uuid.UUID = field(default_factory=uuid.uuid4)
    progress: Progress = field(default_factory=Progress)
    _thread: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(1, thread_name_prefix="runner-db")
    )
    _finished: asyncio.Queue[tuple[Result, asyncio.Future[None]]] = field(
        default_factory=asyncio.Queue
    )
    _fruitless: int = 0
    _any_reply: bool = False
    _failure: str = ""

    async def run(self) -> RunStatus:
        """Work until every call has its answer, or until the run must stop."""
        try:
            await self._db(worklist.begin, run_id=self.run_id, now=self.clock())
            await self._work()
        finally:
            await self._db(worklist.release, run_id=self.run_id, owner=self.owner)
            status = await self._db(
                worklist.finish,
                run_id=self.run_id,
                failure=self._failure,
                now=self.clock(),
            )
            await self._db(connections.close_all)
            self._thread.shutdown()
        return status

    async def _work(self) -> None:
        # The collector would otherwise walk every loaded module for each few calls.
        gc.freeze()
        throttle = Throttle(self.concurrency, clock=time.monotonic)
        backlog: asyncio.Queue[Call | None] = asyncio.Queue()
        async with asyncio.TaskGroup() as group:
            keep = [
                group.create_task(self._write_forever()),
                group.create_task(self._beat_forever()),
            ]
            feeder = group.create_task(self._feed(backlog))
            workers = [
                group.create_task(self._worker(backlog, throttle))
                for _ in range(self.concurrency)
            ]
            await asyncio.wait([feeder, *workers])
            for task in keep:
                task.cancel()

    async def _feed(self, backlog: asyncio.Queue[Call | None]) -> None:
        """Claim a little ahead of the workers, until no call is left anywhere."""
        while not self._failure:
            if backlog.qsize() < self.concurrency:
                calls = await self._db(
                    worklist.claim,
                    run_id=self.run_id,
                    owner=self.owner,
                    limit=2 * self.concurrency,
                    now=self.clock(),
                )
                for call in calls:
                    backlog.put_nowait(call)
                if not calls and not await self._db(worklist.unanswered, self.run_id):
                    break
            await asyncio.sleep(IDLE_SECONDS if backlog.empty() else IDLE_SECONDS / 10)
        for _ in range(self.concurrency):
            backlog.put_nowait(None)

    async def _worker(
        self, backlog: asyncio.Queue[Call | None], throttle: Throttle
    ) -> None:
        while (call := await backlog.get()) is not None:
            if not self._failure:
                await self._answer(call, throttle)

    async def _answer(self, call: Call, throttle: Throttle) -> None:
        """Ask until there is an answer; every attempt is stored before the next."""
        request = self.asking.prepare(call)
        if isinstance(request, Invalid):
            reply = self.asking.unasked(call, request, now=self.clock())
            await self._stored(Result(call.pk, attempt=None, reply=reply))
            return
        for number in range(1, MAX_TRIES + 1):
            failed = await self._attempt(
                call, request, throttle, last=number == MAX_TRIES
            )
            if failed is None or self._failure:
                return
            self.progress.retried += 1
            await asyncio.sleep(self._wait(failed, number))

    async def _attempt(
        self, call: Call, request: JudgeRequest, throttle: Throttle, *, last: bool
    ) -> CallFailed | None:
        """Send one request and store what came; return the failure to retry, if any."""
        await throttle.acquire()
        sent, sent_at = self.clock(), time.monotonic()
        try:
            outcome = await self._ask(request)
            await self._stored(self._result(call, request, outcome, sent, last=last))
        finally:
            await throttle.release()
        if isinstance(outcome, RawReply):
            self._any_reply = True
            await throttle.succeeded()
            return None
        if outcome.kind is FailureKind.RATE_LIMITED:
            throttle.refused(sent_at, outcome.retry_after)
        if self._must_stop(outcome, last=last) or last:
            return None
        return outcome if outcome.retry else None

    async def _ask(self, request: JudgeRequest) -> RawReply | CallFailed:
        try:
            return await self.client.ask(request)
        except CallFailed as failed:
            return failed

    def _result(
        self,
        call: Call,
        request: JudgeRequest,
        outcome: RawReply | CallFailed,
        sent: datetime,
        *,
        last: bool,
    ) -> Result:
        attempt = self.asking.attempt(call, outcome, owner=self.owner, sent=sent)
        now = self.clock()
        if isinstance(outcome, RawReply):
            return Result(
                call.pk, attempt, self.asking.answered(call, outcome, request, now=now)
            )
        final = outcome.final_reason
        if final is None and last and not self._provider_is_down(outcome):
            final = outcome.exhausted_reason
        if final is None:
            return Result(call.pk, attempt)
        reading = Invalid(final, outcome.detail)
        return Result(call.pk, attempt, self.asking.unasked(call, reading, now=now))

    def _provider_is_down(self, failed: CallFailed) -> bool:
        """Nobody there, or nothing ever answered: the calls are kept for later."""
        if failed.kind is FailureKind.UNREACHABLE:
            return True
        return not self._any_reply and self._fruitless + 1 >= FRUITLESS_CALLS

    def _must_stop(self, failed: CallFailed, *, last: bool) -> bool:
        """Note why the run can't go on, if it can't; other workers then wind down."""
        if failed.stop_run:
            self._failure = self._failure or failed.detail
        elif last and failed.retry:
            if self._provider_is_down(failed):
                self._failure = f"The provider does not answer: {failed.detail}"
            self._fruitless += 1
        return bool(self._failure)

    def _wait(self, failed: CallFailed, number: int) -> float:
        backoff: float = min(BACKOFF_CEILING, BACKOFF_SECONDS * 2 ** (number - 1))
        jittered: float = backoff * self.rng.uniform(0.5, 1.0)
        return max(jittered, failed.retry_after or 0.0)

    async def _stored(self, result: Result) -> None:
        """Hand a result to the writer and wait until it is committed."""
        committed = asyncio.get_running_loop().create_future()
        self._finished.put_nowait((result, committed))
        await committed

    async def _write_forever(self) -> None:
        """Write whatever has finished since the last commit, in one transaction."""
        while True:
            group = [await self._finished.get()]
            while not self._finished.empty():
                group.append(self._finished.get_nowait())
            await self._write([result for result, _ in group])
            _resolve(committed for _, committed in group)

    async def _write(self, results: list[Result]) -> None:
        stored = await self._db(worklist.store, owner=self.owner, results=results)
        self.progress.answered += stored.answered
        self.progress.invalid += stored.invalid
        self.progress.lost += stored.lost
        self.progress.attempts += sum(1 for r in results if r.attempt is not None)
        self.on_progress(self.progress)

    async def _beat_forever(self) -> None:
        while True:
            await asyncio.sleep(worklist.HEARTBEAT_SECONDS)
            await self._db(
                worklist.renew,
                run_id=self.run_id,
                owner=self.owner,
                now=self.clock(),
            )

    def _db(
        self, function: Callable[..., T], *args: object, **kwargs: object
    ) -> Awaitable[T]:
        loop = asyncio.get_running_loop()
        return loop.run_in_executor(self._thread, partial(function, *args, **kwargs))


def _resolve(futures: Iterable[asyncio.Future[None]]) -> None:
    for future in futures:
        if not future.done():
            future.set_result(None)
