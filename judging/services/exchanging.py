"""One call at a time: its request is sent, and what came of it is stored and judged."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from judging.domain.ports import CallFailed, FailureKind, RawReply
from judging.services.answering import outcome_of
from judging.services.controls import Controls
from judging.services.steps import Again, Doubt, GiveUp, Hold, Stop
from judging.services.storing import Result

if TYPE_CHECKING:
    import uuid
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from judging.domain.ports import JudgeClient
    from judging.services.asker import Asker, Question
    from judging.services.claims import Job
    from judging.services.patience import Patience, Rest
    from judging.services.steps import Decision
    from judging.services.throttle import Throttle
    from judging.services.waiting import Waiting


@dataclass(slots=True)
class Exchanges:
    """Sends the requests of one runner.

    ``commit`` stores a result, ``stop`` ends the run for a reason. ``rest`` says what
    the runner has left, and looks anew when told so.
    """

    asking: Asker
    client: JudgeClient
    owner: uuid.UUID
    clock: Callable[[], datetime]
    seconds: Callable[[], float]
    patience: Patience
    throttle: Throttle
    waiting: Waiting
    commit: Callable[[Result], Awaitable[None]]
    rest: Callable[[bool], Awaitable[Rest]]
    stop: Callable[[str], None]
    _controls: Controls = field(init=False)
    _one_control: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __post_init__(self) -> None:
        """Make what asks again, of the same run and in the same name."""
        self._controls = Controls(
            self.waiting.run_id,
            self.waiting.database,
            self.asking,
            self.client,
            self.owner,
            self.clock,
        )

    async def send(self, job: Job, question: Question) -> Again | None:
        """Send a call, or the control it needs first; say if it is to be sent again.

        Nothing is to be done about a call that got its answer, or when the run stops.
        """
        if job.control:
            return await self._control(job, question)
        if job.in_doubt is not None:
            return await self._settle(job, job.in_doubt)
        sent, sent_at = self.clock(), self.seconds()
        came = await outcome_of(self.client, question.request)
        taken = self.asking.taken(
            job.call, came, question, owner=self.owner, sent=sent, now=self.clock()
        )
        outcome, again = taken.outcome, None
        result = Result(job.call.pk, taken.attempt, taken.reply)
        if isinstance(outcome, RawReply):
            self._replied(outcome, sent_at)
        else:
            rest = await self.rest(self.patience.decides(job.history))
            decision = self.patience.decide(outcome, job.history, rest, sent_at=sent_at)
            if isinstance(decision, GiveUp):
                result.reply = self.asking.unasked(
                    job.call, decision.reading, now=self.clock(), question=question
                )
            again = self._failed(job, outcome, decision, sent_at, tail=rest.tail)
        await self.commit(result)
        await self.waiting.settle()
        return again

    async def _settle(self, job: Job, doubt: Doubt) -> Again | None:
        """Say of a call that was rejected if it is to be looked at again."""
        rest = await self.rest(False)  # noqa: FBT003 - how the runner gives it
        decision = self.patience.settle(doubt, job.history, rest)
        if isinstance(decision, Again):
            job.control = decision.control
            return Again(0.0, control=True) if decision.control else decision
        reply = self.asking.unasked(
            job.call, decision.reading, now=self.clock(), question=job.question
        )
        await self.commit(Result(job.call.pk, attempt=None, reply=reply))
        return None

    async def _control(self, job: Job, question: Question) -> Again | None:
        """Ask what was answered before; one control tells about all that failed."""
        async with self._one_control:
            if self.throttle.closed:
                return None
            job.control = self.patience.in_doubt(job.history)
            if not job.control:
                return Again(0.0)
            sent_at = self.seconds()
            came = await self._controls.ask(question)
            again: Again | None = Again(0.0)
            if isinstance(came.outcome, RawReply):
                self._replied(came.outcome, sent_at, control=True)
                job.control = False
            else:
                decision = self.patience.decide_control(
                    came.outcome, job.history, sent_at=sent_at
                )
                again = self._failed(job, came.outcome, decision, sent_at)
            if came.result is not None:
                await self.commit(came.result)
            await self.waiting.settle()
            return again

    def _replied(
        self, reply: RawReply, sent_at: float, *, control: bool = False
    ) -> None:
        self.patience.replied(sent_at, control=control)
        self.throttle.succeeded(sent_at, reply.latency_ms / 1000)

    def _failed(
        self,
        job: Job,
        failed: CallFailed,
        decision: Decision,
        sent_at: float,
        *,
        tail: bool = False,
    ) -> Again | None:
        """Act on a failure: slow down, hold all calls, or stop.

        The few calls of a run's tail that time out are waited for together: that most
        of them do tells nothing about how much the provider can take.
        """
        if not (tail and failed.kind is FailureKind.TIMEOUT):
            self.throttle.failed(failed.kind, sent_at)
        if isinstance(decision, Stop):
            self.stop(decision.reason)
            return None
        if isinstance(decision, GiveUp):
            return None
        if isinstance(decision, Hold):
            self.waiting.hold(decision)
            return Again(0.0)
        if isinstance(decision, Doubt):
            job.in_doubt = decision
            return Again(self.patience.pace.backoff)
        job.control = job.control or decision.control
        if failed.retry_after:
            self.throttle.hold(failed.retry_after)
        return decision
