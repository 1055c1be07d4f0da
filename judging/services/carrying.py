"""Carrying out any run in this process, call by call or in batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone

from judging.models import RunStatus
from judging.services.askers import asker_of
from judging.services.batch_pace import USUAL_PACE, BatchPace
from judging.services.batching import BatchRunner, in_batches
from judging.services.panels import runs_behind
from judging.services.tallies import Progress
from judging.services.working import endpoint_of, looped, provider_of, work_on

if TYPE_CHECKING:
    from collections.abc import Callable

    from judging.domain.batches import BatchClient
    from judging.domain.ports import Endpoint, JudgeClient
    from judging.models import Run


def carry_out(
    run: Run,
    *,
    open_client: Callable[[Endpoint], JudgeClient],
    open_batches: Callable[[Endpoint], BatchClient],
    on_progress: Callable[[Progress], None] = lambda _: None,
    concurrency: int | None = None,
    at_most: float | None = None,
) -> RunStatus:
    """Work on a run, of a panel on its members' runs, until it is done or must stop.

    After ``at_most`` seconds it ends in good order, though calls are left. Raises what
    ``work_on`` raises.
    """
    before = Progress()
    for each in runs_behind(run):
        if each.status == RunStatus.DONE:
            continue
        told = [Progress()]

        def tell(
            now: Progress, told: list[Progress] = told, before: Progress = before
        ) -> None:
            told[0] = now
            on_progress(before.plus(now))

        if in_batches(each):
            work_in_batches(
                each,
                open_batches=open_batches,
                on_progress=tell,
                at_most=at_most,
            )
        else:
            work_on(
                each,
                open_client=open_client,
                on_progress=tell,
                concurrency=concurrency,
                at_most=at_most,
            )
        before = before.plus(told[0])
    run.refresh_from_db()
    return RunStatus(run.status)


def work_in_batches(
    run: Run,
    *,
    open_batches: Callable[[Endpoint], BatchClient],
    on_progress: Callable[[Progress], None] = lambda _: None,
    at_most: float | None = None,
    pace: BatchPace = USUAL_PACE,
) -> RunStatus:
    """Look after the batches of a run, and make those that it needs.

    Without ``at_most`` it waits for them; with 0 it does what is due. Raises what
    ``work_on`` raises.
    """
    provider = provider_of(run)
    asking = asker_of(run.config, total_timeout=provider.call_seconds)

    async def main() -> RunStatus:
        client = open_batches(endpoint_of(provider))
        runner = BatchRunner(
            run=run,
            asking=asking,
            client=client,
            clock=timezone.now,
            on_progress=on_progress,
            pace=pace,
            at_most=at_most,
        )
        try:
            return await runner.work()
        finally:
            await client.close()

    return looped(run, main)
