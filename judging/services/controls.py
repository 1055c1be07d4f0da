"""Asking once more what was answered before, to tell a bad call from a bad provider."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from judging.domain.ports import Message, Role
from judging.domain.verdicts import Invalid
from judging.models import Call, CallState, Run
from judging.services.answering import outcome_of
from judging.services.loading import attach_rubrics
from judging.services.storing import Result
from judging.services.worklist import with_texts

if TYPE_CHECKING:
    import uuid
    from collections.abc import Callable
    from datetime import datetime

    from judging.domain.ports import CallFailed, JudgeClient, RawReply
    from judging.services.asker import Asker, Question
    from judging.services.dbthread import DatabaseThread

# One of them may fail by chance, or be answered by chance only.
CANDIDATES = 5
READY = "Reply with the single word: ready"
GREETING = (Message(Role.USER, READY),)


@dataclass(frozen=True, slots=True)
class Controlled:
    """What came of a control, and the attempt to keep, if it was at a call."""

    outcome: RawReply | CallFailed
    result: Result | None


@dataclass(slots=True)
class Controls:
    """The controls of one runner: calls of its run that were asked and answered.

    Each is an attempt more at its call, whose answer stays as it is. Where all answers
    of the run are copies, a greeting is sent, which belongs to no call.
    """

    run_id: int
    database: DatabaseThread
    asking: Asker
    client: JudgeClient
    owner: uuid.UUID
    clock: Callable[[], datetime]
    _calls: list[Call] = field(default_factory=list)
    _asked: int = field(default=0)

    async def ask(self, failing: Question) -> Controlled:
        """Send one; ``failing`` is the request that it is to tell about."""
        call, question = await self._next()
        sent = self.clock()
        if call is None or question is None:
            request = replace(failing.request, messages=greeting_like(failing))
            return Controlled(await outcome_of(self.client, request), None)
        came = await outcome_of(self.client, question.request)
        taken = self.asking.taken(
            call, came, question, owner=self.owner, sent=sent, now=self.clock()
        )
        return Controlled(taken.outcome, Result(call.pk, taken.attempt))

    async def _next(self) -> tuple[Call | None, Question | None]:
        if not self._calls:
            self._calls = await self.database.call(answered_calls, self.run_id)
        if not self._calls:
            return None, None
        call = self._calls[self._asked % len(self._calls)]
        self._asked += 1
        question = self.asking.prepare(call)
        return call, None if isinstance(question, Invalid) else question


def greeting_like(failing: Question) -> tuple[Message, ...]:
    """A greeting in the same roles: a provider may take no system message, say."""
    return tuple(Message(one.role, READY) for one in failing.request.messages)


def answered_calls(run_id: int) -> list[Call]:
    """The calls of a run that were last answered with what could be read."""
    run = Run.objects.get(pk=run_id)
    good = Call.objects.filter(
        run=run,
        state=CallState.DONE,
        reply__invalid_reason="",
        reply__reused_from__isnull=True,
    )
    ids = good.order_by("-reply__pk").values_list("pk", flat=True)[:CANDIDATES]
    calls = list(with_texts(Call.objects.filter(pk__in=list(ids))))
    attach_rubrics(run, calls)
    return calls
