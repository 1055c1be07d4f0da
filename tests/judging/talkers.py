"""Clients of our own making, and runners that use them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from django.db import connections
from django.utils import timezone

from judging.domain.ports import RawReply
from judging.services.askers import asker_of
from judging.services.running import Runner
from judging.services.working import work_on
from tests.judging.factory import QUICK, dice

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from judging.domain.ports import Endpoint, JudgeRequest
    from judging.models import Run, RunStatus

SAID = RawReply(text="[[A>B]]", body="{}", finish_reason="stop")


class Talker:
    """Says the same to everybody, after doing whatever a test wants."""

    def __init__(
        self, before: Callable[[JudgeRequest], Awaitable[None]] | None = None
    ) -> None:
        self.asked, self.open, self.most = 0, 0, 0
        self.closed = False
        self.before = before

    def __call__(self, endpoint: Endpoint) -> Talker:
        return self

    async def ask(self, request: JudgeRequest) -> RawReply:
        self.asked += 1
        self.open += 1
        self.most = max(self.most, self.open)
        try:
            if self.before is not None:
                await self.before(request)
            else:
                await asyncio.sleep(0)
        finally:
            self.open -= 1
        return SAID

    async def close(self) -> None:
        self.closed = True


async def in_thread(function: Callable[..., Any], *args: Any, **named: Any) -> Any:
    """Call the database from within a client, and leave no connection open."""

    def call() -> Any:
        try:
            return function(*args, **named)
        finally:
            connections.close_all()

    return await asyncio.to_thread(call)


def work(run: Run, client: Callable[[Endpoint], Any], **more: Any) -> RunStatus:
    run.refresh_from_db()
    return work_on(run, open_client=client, pace=QUICK, **more)


def runner_of(run: Run, client: Talker, concurrency: int, **more: Any) -> Runner:
    """A runner, made inside the loop: the run's judge must have been read by then."""
    return Runner(
        run_id=run.pk,
        asking=asker_of(run.config, total_timeout=5.0),
        client=client,
        concurrency=concurrency,
        clock=timezone.now,
        rng=dice(),
        **more,
    )
