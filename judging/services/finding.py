"""Runs that there are already: to resume, or to take instead of a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.models import Pair
from judging.models import ConfigKind, Run, RunPurpose, RunStatus
from judging.services.panels import runs_behind
from judging.services.planning import responses_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from annotation.models import GoldSet
    from judging.models import JudgeConfig


def unfinished_run(
    *,
    config: JudgeConfig,
    gold_set: GoldSet,
    purpose: RunPurpose = RunPurpose.CALIBRATION,
) -> Run | None:
    """Return the run to resume, if this judge left one on this set."""
    runs = Run.objects.filter(config=config, gold_set=gold_set, purpose=purpose)
    return runs.resumable().order_by("-pk").first()


def complete_run(
    *,
    config: JudgeConfig,
    gold_set: GoldSet,
    purpose: RunPurpose = RunPurpose.CALIBRATION,
    member_runs: Sequence[int] = (),
) -> Run | None:
    """Return a finished run over all that the set has now, if there is one.

    Of a panel one that takes its votes from ``member_runs`` too.
    """
    runs = Run.objects.filter(
        config=config, gold_set=gold_set, purpose=purpose, status=RunStatus.DONE
    )
    for run in runs.order_by("-pk"):
        behind = {each.pk for each in runs_behind(run)}
        if behind >= set(member_runs) and covers_all(run):
            return run
    return None


def covers_all(run: Run) -> bool:
    """Whether a run asks about all that its set has now."""
    pairs = Pair.objects.filter(gold_set=run.gold_set_id)
    if run.config.kind == ConfigKind.POINTWISE:
        return _marked(run) == len(responses_of(pairs))
    return {_judged(behind) for behind in runs_behind(run)} == {pairs.count()}


def complete_runs_of(digest: str, gold_set: GoldSet) -> Iterator[Run]:
    """Finished runs, over the whole set, of judges with a digest; the newest first."""
    runs = Run.objects.filter(
        config__digest=digest,
        config__kind=ConfigKind.PAIRWISE,
        gold_set=gold_set,
        status=RunStatus.DONE,
    )
    for run in runs.select_related("config").order_by("-pk"):
        if covers_all(run):
            yield run


def _judged(run: Run) -> int:
    return run.calls.verdicts().values("pair").distinct().count()


def _marked(run: Run) -> int:
    return run.calls.marks().values("response").distinct().count()
