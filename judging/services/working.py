"""Carrying out a run in this process: the one entry for commands and workers."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from config.errors import Conflict, Unavailable
from judging.domain.ports import CallFailed, Endpoint
from judging.models import Batch, Call, ConfigKind, Provider, Run, RunStatus
from judging.services import worklist
from judging.services.askers import asker_of
from judging.services.configuring import refuse_outdated
from judging.services.pace import Pace, usual_pace
from judging.services.panels import is_panel, runs_behind
from judging.services.running import Runner
from judging.services.steadfast import ABSENT

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping, Sequence
    from datetime import datetime

    from judging.domain.ports import JudgeClient
    from judging.services.tallies import Progress

GOING_ON = (RunStatus.PENDING, RunStatus.RUNNING)


def endpoint_of(provider: Provider) -> Endpoint:
    """Return where a provider is reached; secrets stay names until the call."""
    return Endpoint(
        base_url=provider.base_url,
        api_key_env=provider.api_key_env or None,
        headers=_texts(provider.headers),
        secret_headers=_texts(provider.secret_headers),
        query=_texts(provider.query),
        trust_env=provider.use_env_proxy,
    )


def _texts(stored: Mapping[str, object]) -> dict[str, str]:
    return {str(key): str(value) for key, value in stored.items()}


def runs_with_work(now: datetime) -> Sequence[Run]:
    """Return started runs that have calls nobody works on, oldest first.

    A run whose last call was answered by a worker that died before it closed the books
    is one of them. A failed run is not: somebody has to start it again.
    """
    calls = Call.objects.filter(run=OuterRef("pk"))
    waiting = Exists(calls.filter(worklist.free(now))) | ~Exists(calls.unanswered())
    live = Q(batch_plan__isnull=True, status__in=GOING_ON) & waiting
    return list(
        Run.objects.filter(live | _in_batches(waiting, now))
        .exclude(config__kind=ConfigKind.PANEL)  # its members' runs have the work
        .select_related("config__provider")
        .order_by("pk")
    )


def _in_batches(waiting: Q, now: datetime) -> Q:
    """Runs with a batch to look after, or with calls for a new one.

    What was sent is looked after whatever has become of the run meanwhile.
    """
    batches = Batch.objects.filter(run=OuterRef("pk"))
    idle = ~Exists(batches.open()) & ~Exists(batches.filter(look_after__gt=now))
    more = Q(status__in=GOING_ON) & waiting & idle
    return Q(batch_plan__isnull=False) & (Exists(batches.due(now)) | more)


def work_on(
    run: Run,
    *,
    open_client: Callable[[Endpoint], JudgeClient],
    on_progress: Callable[[Progress], None] = lambda _: None,
    call_seconds: float | None = None,
    concurrency: int | None = None,
    pace: Pace | None = None,
    at_most: float | None = None,
) -> RunStatus:
    """Ask until every call of the run has its answer; may be killed and repeated.

    ``concurrency`` is the run's own unless given, ``call_seconds`` the provider's.
    After ``at_most`` seconds it ends in good order, though calls are left. Raises
    ``Conflict`` for a judge that can't be asked and ``Unavailable`` where provider or
    database can't be used; the run's other calls then wait to be resumed.
    """
    if is_panel(run):
        for member in runs_behind(run):
            if member.status != RunStatus.DONE:
                work_on(
                    member,
                    open_client=open_client,
                    on_progress=on_progress,
                    call_seconds=call_seconds,
                    concurrency=concurrency,
                    pace=pace,
                    at_most=at_most,
                )
        run.refresh_from_db()
        return RunStatus(run.status)
    provider = provider_of(run)
    seconds = call_seconds or provider.call_seconds
    asking = asker_of(run.config, total_timeout=seconds)

    async def main() -> RunStatus:
        # Made inside the loop that it will be used in.
        client = open_client(endpoint_of(provider))
        runner = Runner(
            run_id=run.pk,
            asking=asking,
            client=client,
            concurrency=concurrency or run.concurrency,
            clock=timezone.now,
            # Jitter of waits: nothing that a result depends on.
            rng=random.Random(),  # noqa: S311
            on_progress=on_progress,
            pace=pace or usual_pace(),
            reuse_of=run.config.digest if run.reuse else "",
            at_most=at_most,
        )
        try:
            return await runner.run()
        finally:
            await client.close()

    return looped(run, main)


def looped(run: Run, main: Callable[[], Coroutine[None, None, RunStatus]]) -> RunStatus:
    """Run an event loop; a fault of provider or database is noted and named."""
    try:
        return asyncio.run(main())
    except CallFailed as failed:
        raise cannot_start(run, "provider_unusable", failed.detail) from failed
    except ABSENT as error:
        message = f"The database does not answer: {error}"
        raise Unavailable("database_unavailable", message.strip()) from error


def cannot_start(run: Run, code: str, reason: str) -> Unavailable:
    """Note on the run why it can't be carried out here; return what to raise."""
    _note(run, reason)
    return Unavailable(code, reason)


def provider_of(run: Run) -> Provider:
    """Where the judge is asked: what it was frozen with, and nowhere else."""
    config = run.config
    if config.recorded or config.provider is None:
        raise Conflict("judge_recorded", "A recorded judge can't be asked.")
    try:
        refuse_outdated(config)
    except Conflict as error:
        _note(run, error.message)
        raise
    frozen_at = str(config.spec["base_url"])
    if config.provider.base_url != frozen_at:
        reason = (
            f"{config} was frozen with {frozen_at}, and provider {config.provider} is "
            f"at {config.provider.base_url} now."
        )
        _note(run, reason)
        raise Conflict("provider_differs", reason)
    return config.provider


def _note(run: Run, reason: str) -> None:
    worklist.fail_unless_shared(run_id=run.pk, failure=reason, now=timezone.now())
