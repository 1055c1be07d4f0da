"""Runs in batches, looked after without long waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judging.clients.openai_batch import OpenAIBatchClient
from judging.models import Batch
from judging.services.batch_pace import BatchPace
from judging.services.carrying import work_in_batches
from judging.services.starting import RunOptions, start_run
from tests.annotation.factory import START, make_set
from tests.judging.factory import make_judge

if TYPE_CHECKING:
    from annotation.models import GoldSet
    from judging.models import Run, RunStatus

SWIFT = BatchPace(
    soonest=0.01, latest=0.05, settle=0.2, backoff=0.01, ceiling=0.05, queue=0.05
)


def batch_run(
    base_url: str, *, cases: int = 4, gold_set: GoldSet | None = None, **spec: Any
) -> Run:
    """A run that is to be carried out in batches; nothing is asked yet."""
    options = spec.pop("options", RunOptions(batches=True))
    return start_run(
        config=make_judge(base_url, **spec),
        gold_set=gold_set or make_set(cases),
        concurrency=4,
        by=None,
        now=START,
        options=options,
    )


def carry(run: Run, **more: Any) -> RunStatus:
    run.refresh_from_db()
    more.setdefault("open_batches", OpenAIBatchClient)
    more.setdefault("pace", SWIFT)
    return work_in_batches(run, **more)


def batches_of(run: Run) -> list[Batch]:
    return list(Batch.objects.filter(run=run).order_by("pk"))
