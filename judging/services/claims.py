"""The calls that a runner has in hand, and its knowing that they are still its own."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judging.models import RunStatus
from judging.services import worklist
from judging.services.patience import History
from judging.services.shares import take_share

if TYPE_CHECKING:
    import uuid
    from collections.abc import Callable
    from datetime import datetime

    from judging.models import Call
    from judging.services.asker import Question
    from judging.services.dbthread import DatabaseThread
    from judging.services.shares import Share
    from judging.services.steps import Doubt

# Claims are trusted for a little less than their lease, for the way to the provider.
MARGIN_SECONDS = 1.0
# Done runs too: whoever gave the last answer closed the books.
GOING_ON = frozenset({RunStatus.PENDING, RunStatus.RUNNING, RunStatus.DONE})


@dataclass(slots=True)
class Job:
    """A claimed call on its way through the runner.

    Before one that needs a ``control`` is sent, another is that was answered before.
    One that was rejected is not sent again; it waits ``in_doubt`` for what others tell.
    """

    call: Call
    history: History
    question: Question | None = None
    control: bool = False
    in_doubt: Doubt | None = None


class Claims:
    """The claims of one runner; ``seconds`` is a clock that no one sets."""

    def __init__(
        self,
        database: DatabaseThread,
        *,
        run_id: int,
        owner: uuid.UUID,
        clock: Callable[[], datetime],
        seconds: Callable[[], float],
    ) -> None:
        self._database = database
        self._run_id, self._owner = run_id, owner
        self._clock, self._seconds = clock, seconds
        self._jobs: dict[int, Job] = {}
        self._sure_until = float("-inf")
        self._renewing = asyncio.Lock()
        self.status = RunStatus.RUNNING

    def __len__(self) -> int:
        return len(self._jobs)

    async def take(self, limit: int) -> list[Job]:
        """Claim up to ``limit`` calls."""
        calls = await self._database.call(
            worklist.claim,
            run_id=self._run_id,
            owner=self._owner,
            limit=limit,
            known=list(self._jobs),
            now=self._clock(),
        )
        jobs = [Job(call, History(call.pk, earlier_tries=call.tries)) for call in calls]
        self._jobs.update({job.call.pk: job for job in jobs})
        return jobs

    def drop(self, call_id: int) -> None:
        """The call has its answer."""
        self._jobs.pop(call_id, None)

    async def hold(self, job: Job) -> bool:
        """Whether a call may be sent: a process that stood still loses its claims."""
        if self._seconds() > self._sure_until:
            await self._renew_if_due()
        return self._jobs.get(job.call.pk) is job

    async def share(self, *, wanted: int, holding: int) -> Share:
        """Keep, take or give up places among the run's calls in flight."""
        return await self._database.call(
            take_share,
            run_id=self._run_id,
            owner=self._owner,
            wanted=wanted,
            holding=holding,
            now=self._clock(),
        )

    async def give_back(self) -> None:
        """Let other runners have them: nothing can be sent from here for now."""
        if not self._jobs:
            return
        self._jobs.clear()
        await self._database.call(
            worklist.release, run_id=self._run_id, owner=self._owner
        )

    async def keep_forever(self, on_ended: Callable[[], None]) -> None:
        """Renew the claims again and again; report when the run was ended or halted."""
        while True:
            await asyncio.sleep(worklist.HEARTBEAT_SECONDS)
            async with self._renewing:
                await self._renew()
            if self.status not in GOING_ON:
                on_ended()

    async def _renew_if_due(self) -> None:
        async with self._renewing:
            if self._seconds() > self._sure_until:
                await self._renew()

    async def _renew(self) -> None:
        asked = self._seconds()
        standing = await self._database.call(
            worklist.renew, run_id=self._run_id, owner=self._owner, now=self._clock()
        )
        self.status = standing.status
        for lost in self._jobs.keys() - standing.owned:
            del self._jobs[lost]
        lease = worklist.LEASE.total_seconds()
        self._sure_until = asked + lease - MARGIN_SECONDS
