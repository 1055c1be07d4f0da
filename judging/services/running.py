"""The runner: claims, asks, stores; may be killed at any moment and started again.

One asyncio loop asks; one database thread claims and writes. A call keeps its place in
flight until its result is committed. Several runners on one run share it through the
claims.
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from judging.domain.verdicts import Invalid
from judging.services import storing, worklist
from judging.services.claims import GOING_ON, Claims, Job
from judging.services.collector import quiet_collector
from judging.services.committing import Committer
from judging.services.dbthread import DatabaseThread
from judging.services.exchanging import Exchanges
from judging.services.pace import DEFAULT_PACE, Pace
from judging.services.patience import Patience, Rest
from judging.services.places import Places
from judging.services.recalling import Recall
from judging.services.served import note_served
from judging.services.steadfast import ABSENT, first_of
from judging.services.storing import Result, Stored
from judging.services.tallies import Progress, ServedWatch
from judging.services.throttle import Throttle
from judging.services.waiting import Waiting

if TYPE_CHECKING:
    import random
    from collections.abc import Callable
    from datetime import datetime

    from judging.domain.ports import JudgeClient
    from judging.models import Reply, RunStatus
    from judging.services.asker import Asker

logger = logging.getLogger(__name__)
IDLE_SECONDS = 0.3
LEAST_CLAIM = 8


@dataclass(slots=True)
class Runner:
    """One runner working on one run; make it inside the event loop.

    ``seconds`` is a clock that no one sets, ``rng`` spreads the waits before a request
    is repeated. ``reuse_of`` is the digest of the judge whose earlier replies may be
    copied. After ``at_most`` seconds the runner ends in good
    order although calls are left.
    """

    run_id: int
    asking: Asker
    client: JudgeClient
    concurrency: int
    clock: Callable[[], datetime]
    rng: random.Random
    on_progress: Callable[[Progress], None] = lambda _: None
    pace: Pace = DEFAULT_PACE
    reuse_of: str = ""
    at_most: float | None = None
    seconds: Callable[[], float] = time.monotonic
    owner: uuid.UUID = field(default_factory=uuid.uuid4)
    progress: Progress = field(default_factory=Progress)
    _database: DatabaseThread = field(default_factory=DatabaseThread)
    _claims: Claims = field(init=False)
    _throttle: Throttle = field(init=False)
    _places: Places = field(init=False)
    _waiting: Waiting = field(init=False)
    _exchanges: Exchanges = field(init=False)
    _committer: Committer = field(init=False)
    _recall: Recall = field(init=False)
    _backlog: asyncio.Queue[Job | None] = field(default_factory=asyncio.Queue)
    _hungry: asyncio.Event = field(default_factory=asyncio.Event)
    _served: ServedWatch = field(default_factory=ServedWatch)
    _answered: int = 0
    _all_claimed: bool = False
    _stopping: bool = False
    _failure: str = ""

    def __post_init__(self) -> None:
        """Make what works for this runner alone."""
        self._throttle = Throttle(self.concurrency, clock=self.seconds)
        self._committer = Committer(self._write)
        self._recall = Recall(
            self._database, self.asking, self.reuse_of, self.run_id, self.clock
        )
        self._claims = Claims(
            self._database,
            run_id=self.run_id,
            owner=self.owner,
            clock=self.clock,
            seconds=self.seconds,
        )
        self._places = Places(self._claims, self._throttle)
        patience = Patience(self.pace, clock=self.seconds, rng=self.rng)
        self._waiting = Waiting(
            self.run_id,
            self._database,
            self.clock,
            self._throttle,
            patience,
            self._tell,
        )
        self._exchanges = Exchanges(
            asking=self.asking,
            client=self.client,
            owner=self.owner,
            clock=self.clock,
            seconds=self.seconds,
            patience=patience,
            throttle=self._throttle,
            waiting=self._waiting,
            commit=self._commit,
            rest=self._rest,
            stop=self._stop,
        )

    async def run(self) -> RunStatus:
        """Work until every call has its answer, or until the run must stop.

        Cancelled, it stores what has come, gives its claims back and raises; a fault
        of its own ends as a failed run. Raises ``OperationalError`` or
        ``InterfaceError`` where the database stays away.
        """
        try:
            await self._database.call(
                worklist.begin, run_id=self.run_id, now=self.clock()
            )
            self._answered = await self._database.call(worklist.answered, self.run_id)
            await self._waiting.begin()
            await self._places.ask()
            await self._recall.begin()
            await self._work()
        except Exception as group:
            error = first_of(group)
            if isinstance(error, ABSENT):
                raise error from None
            logger.exception("Run %s: a fault of the runner", self.run_id)
            self._stop(f"The runner failed: {type(error).__name__}: {error}")
        finally:
            status = await self._close()
        return status

    async def _close(self) -> RunStatus:
        try:
            await self._committer.flush()
            await self._database.call(
                worklist.release, run_id=self.run_id, owner=self.owner
            )
            return await self._database.call(
                worklist.finish,
                run_id=self.run_id,
                failure=self._failure,
                now=self.clock(),
            )
        finally:
            await self._database.close()

    async def _work(self) -> None:
        with quiet_collector():
            async with asyncio.TaskGroup() as group:
                keep = [
                    group.create_task(self._committer.run()),
                    group.create_task(self._claims.keep_forever(self._stop)),
                    group.create_task(self._places.keep_forever()),
                ]
                work = [group.create_task(self._feed())]
                work += [
                    group.create_task(self._worker()) for _ in range(self.concurrency)
                ]
                await asyncio.wait(work, timeout=self.at_most)
                self._stop()
                await asyncio.wait(work)
                for task in keep:
                    task.cancel()

    def _stop(self, reason: str = "") -> None:
        """Send nothing more; what is in flight is waited for and stored."""
        self._failure = self._failure or reason
        self._stopping = True
        self.progress.trouble = ""
        self._throttle.close()
        self._hungry.set()

    def _tell(self, trouble: str) -> None:
        self.progress.trouble = trouble
        self.on_progress(self.progress)

    async def _rest(self, look: bool) -> Rest:  # noqa: FBT001 - how exchanges call it
        """What is left to do here, by which a call is told from its provider."""
        last = self._all_claimed
        if look and not last:
            last = not await self._database.call(
                worklist.any_free, run_id=self.run_id, now=self.clock()
            )
        answered = self._answered + self.progress.answered
        return Rest(len(self._claims), last=last, answered=answered)

    @property
    def _short(self) -> bool:
        """Whether so few claimed calls wait that more should be claimed."""
        return self._backlog.qsize() <= self.concurrency // 2

    async def _feed(self) -> None:
        """Claim a little ahead of the workers, until no call is left anywhere."""
        while not self._stopping and await self._claim():
            if not self._short:
                await self._hungry.wait()
            self._hungry.clear()
        for _ in range(self.concurrency):
            self._backlog.put_nowait(None)

    async def _claim(self) -> bool:
        """Claim what there is; return whether any call of the run is open still."""
        most = max(self.concurrency, LEAST_CLAIM) if self._throttle.ceiling else 0
        jobs = await self._claims.take(most)
        copies = await self._recall.copies(jobs)
        for job in jobs:
            if job.call.pk not in copies:
                self._backlog.put_nowait(job)
        self._all_claimed = not jobs
        if jobs:
            await self._copy(copies)
            return True
        # Others may give calls back, or die and let them go.
        with suppress(TimeoutError):
            await asyncio.wait_for(self._hungry.wait(), IDLE_SECONDS)
        status, left = await self._database.call(worklist.state, self.run_id)
        if status not in GOING_ON:
            self._stop()
        return left > 0

    async def _copy(self, copies: dict[int, Reply]) -> None:
        """Give calls the answers that earlier runs were given."""
        results = [Result(pk, attempt=None, reply=copies[pk]) for pk in copies]
        await asyncio.gather(*(self._commit(result) for result in results))
        self.progress.reused += len(copies)

    async def _worker(self) -> None:
        while (job := await self._backlog.get()) is not None and not self._stopping:
            if self._short and not self._all_claimed:
                self._hungry.set()
            await self._serve(job)

    async def _serve(self, job: Job) -> None:
        """Send a call once, and store what came of it before its place is given up."""
        question = job.question or self.asking.prepare(job.call)
        if isinstance(question, Invalid):
            reply = self.asking.unasked(job.call, question, now=self.clock())
            await self._commit(Result(job.call.pk, attempt=None, reply=reply))
            return
        job.question = question
        looks = await self._throttle.acquire()
        try:
            if not await self._claims.hold(job) or self._stopping:
                return
            again = await self._exchanges.send(job, question)
        finally:
            self._throttle.release(looked=looks)
        if again is not None:
            self.progress.retried += job.in_doubt is None
            loop = asyncio.get_running_loop()
            loop.call_later(again.wait, self._backlog.put_nowait, job)

    async def _commit(self, result: Result) -> None:
        await self._committer.commit(result)
        if result.reply is not None:
            self._claims.drop(result.call_id)
            if self._served.is_change(result.reply):
                await self._database.call(note_served, self.run_id, self.clock())
            if not len(self._claims):
                self._hungry.set()

    async def _write(self, results: list[Result]) -> None:
        def attempt(again: bool) -> Stored:  # noqa: FBT001 - how steadfast calls it
            return storing.store(
                run_id=self.run_id, owner=self.owner, results=results, again=again
            )

        # To its end, although the runner may be told to stop: it was paid for.
        stored = await self._database.insist(attempt)
        self.progress.add(results, stored)
        for given_back in stored.returned:
            self._claims.drop(given_back)
        if stored.status and stored.status not in GOING_ON:
            self._stop()  # sooner than the next heartbeat tells
        self.on_progress(self.progress)
