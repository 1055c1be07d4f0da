"""Starting the checks that are due. A sentinel run never reuses replies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction

from annotation.models import Pair
from annotation.services.seals import under_seal
from calibration.domain.point_payloads import rubric_digest_of
from calibration.domain.sentinels import CheckKind, Step, is_due, next_step
from calibration.models import SentinelCheck, SentinelPanel, SentinelSeries
from calibration.services.sentinels.defining import judges_of, not_held_out
from calibration.services.sentinels.fresh import fresh_pairs
from config.errors import Conflict
from judging.models import ConfigKind, RunPurpose, RunStatus
from judging.services.run_options import RunOptions
from judging.services.starting import frozen_judge, start_run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from annotation.models import GoldSet
    from config.accounts.models import User
    from judging.models import JudgeConfig


@dataclass(frozen=True, slots=True)
class Starter:
    """Who starts checks: somebody who signed in, or else what ran the command."""

    user: User | None
    actor: str


@transaction.atomic
def start_checks(
    *,
    panel: SentinelPanel,
    by: User | None,
    now: datetime,
    early: bool = False,
    actor: str = "",
) -> tuple[SentinelCheck, ...]:
    """Start what is due of a panel: the next part, or a new reference.

    ``early`` does not wait for the period to pass. A series whose last run is not done
    starts nothing; a run that somebody stopped is made up for. Two that ask at once
    start one check.
    """
    found = SentinelPanel.objects.select_for_update().get(pk=panel.pk)
    if found.ended_at is not None:
        raise Conflict("sentinel_ended", f"{found.name} has been ended.")
    started: list[SentinelCheck] = []
    who = Starter(by, actor)
    for name in judges_of(found):
        config = frozen_judge(name)
        series = series_for(found, config, now)
        steps = [c for c in _checks(series) if c.kind != CheckKind.FRESH.value]
        last = steps[-1] if steps else None
        if last is not None and last.run.status not in _ENDED:
            continue
        when = None if early or last is None else last.started_at
        if not is_due(when, found.period, now):
            continue
        done = [c.step for c in steps if c.run.status == RunStatus.DONE]
        started += _start(series, next_step(done, found.parts), who, now)
    return tuple(started)


_ENDED = (RunStatus.DONE, RunStatus.STOPPED)


def left_checks(panels: Sequence[SentinelPanel]) -> tuple[SentinelCheck, ...]:
    """Checks whose run was left before its end, or failed; not those that were paused.

    Whoever carries them out goes on where they stand.
    """
    statuses = [RunStatus.PENDING, RunStatus.RUNNING, RunStatus.FAILED]
    checks = SentinelCheck.objects.filter(
        series__panel__in=panels, run__status__in=statuses
    )
    rows = checks.select_related("run", "series__panel", "series__config")
    return tuple(rows.order_by("pk"))


def series_for(
    panel: SentinelPanel, config: JudgeConfig, now: datetime
) -> SentinelSeries:
    """The series of this instrument, a new one where judge or rubric are new."""
    series, _ = SentinelSeries.objects.get_or_create(
        panel=panel,
        judge_digest=config.digest,
        rubric_digest=rubric_digest(config),
        defaults={"config": config, "began_at": now},
    )
    return series


def rubric_digest(config: JudgeConfig) -> str:
    """The digest of what a judge's specification says of its rubric."""
    return rubric_digest_of(config.spec)


def _checks(series: SentinelSeries) -> list[SentinelCheck]:
    return list(series.checks.select_related("run").order_by("pk"))


def _start(
    series: SentinelSeries, step: Step, who: Starter, now: datetime
) -> list[SentinelCheck]:
    panel = series.panel
    members = panel.members.all()
    if step.kind is CheckKind.PART:
        members = members.filter(part=step.part)
    pairs = open_pairs(members.values("pair"))
    gold_set = panel.gold_version.gold_set
    found = [_check(series, step, gold_set, pairs, who, now)]
    if series.config.kind != ConfigKind.POINTWISE:
        fresh = fresh_pairs(series)
        if fresh and panel.production is not None:
            beside = Step(CheckKind.FRESH, step.cycle, 0)
            found.append(_check(series, beside, panel.production, fresh, who, now))
    return found


def open_pairs(wanted: Any) -> tuple[int, ...]:
    """Those of some pairs that have not been held out or sealed since."""
    pairs = not_held_out(Pair.objects.filter(pk__in=wanted))
    sealed = set(under_seal(pairs).values_list("pk", flat=True))
    found = pairs.order_by("pk").values_list("pk", flat=True)
    return tuple(pk for pk in found if pk not in sealed)


def _check(
    series: SentinelSeries,
    step: Step,
    gold_set: GoldSet,
    pair_ids: tuple[int, ...],
    who: Starter,
    now: datetime,
) -> SentinelCheck:
    run = start_run(
        config=series.config,
        gold_set=gold_set,
        concurrency=series.panel.concurrency,
        by=who.user,
        now=now,
        options=RunOptions(
            purpose=RunPurpose.SENTINEL, pair_ids=pair_ids, actor=who.actor
        ),
    )
    return SentinelCheck.objects.create(
        series=series,
        run=run,
        kind=step.kind.value,
        cycle=step.cycle,
        part=step.part,
        started_at=now,
        started_by=who.user,
    )
