"""Carrying out a run in this process: the one entry for commands and workers."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils import timezone

from config.errors import Conflict, Unavailable
from judging.domain.ports import CallFailed, Endpoint
from judging.models import CallState, Provider, Run, RunStatus
from judging.services.asking import Asking
from judging.services.configuring import spec_of
from judging.services.running import Progress, Runner

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from judging.domain.ports import JudgeClient

CALL_SECONDS = 120.0


def endpoint_of(provider: Provider) -> Endpoint:
    """Return where a provider is reached; secrets stay names until the call."""
    return Endpoint(
        base_url=provider.base_url,
        api_key_env=provider.api_key_env or None,
        headers={str(k): str(v) for k, v in provider.headers.items()},
        trust_env=provider.use_env_proxy,
    )


def runs_with_work(now: datetime) -> Sequence[Run]:
    """Return started runs that have calls nobody works on, oldest first."""
    free = Q(calls__state=CallState.PENDING) | Q(
        calls__state=CallState.CLAIMED, calls__lease_until__lt=now
    )
    return list(
        Run.objects.filter(free, status__in=[RunStatus.PENDING, RunStatus.RUNNING])
        .order_by("pk")
        .distinct()
    )


def work_on(
    run: Run,
    *,
    open_client: Callable[[Endpoint], JudgeClient],
    on_progress: Callable[[Progress], None] = lambda _: None,
    call_seconds: float = CALL_SECONDS,
) -> RunStatus:
    """Ask until every call of the run has its answer; may be killed and repeated."""
    config = run.config
    if config.recorded or config.provider is None:
        raise Conflict("judge_recorded", "A recorded judge can't be asked.")
    asking = Asking(spec_of(config), total_timeout=call_seconds)
    endpoint = endpoint_of(config.provider)

    async def main() -> RunStatus:
        # Made inside the loop that it will be used in.
        try:
            client = open_client(endpoint)
        except CallFailed as failed:
            raise Unavailable("provider_unusable", failed.detail) from failed
        runner = Runner(
            run_id=run.pk,
            asking=asking,
            client=client,
            concurrency=run.concurrency,
            clock=timezone.now,
            # Jitter of waits: nothing that a result depends on.
            rng=random.Random(),  # noqa: S311
            on_progress=on_progress,
        )
        try:
            return await runner.run()
        finally:
            await client.close()

    return asyncio.run(main())
