"""Starting a run: its calls are rows before the first one is asked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django.db import transaction

from annotation.models import GoldSet
from annotation.services.exposures import note_judged
from config.db.statistics import refresh_statistics
from config.errors import Conflict, InvalidInput, NotFound
from judging.models import (
    BatchPlan,
    Call,
    ConfigKind,
    JudgeConfig,
    PanelSeat,
    Run,
    RunStatus,
)
from judging.services.admitting import pairs_to_judge, refuse_judge, refuse_names
from judging.services.budgets import UNLIMITED, refuse_budget, set_budget
from judging.services.comparing import refuse_release
from judging.services.controlling import resume_held
from judging.services.finding import complete_run, unfinished_run
from judging.services.panel_budgets import limit_run
from judging.services.panels import runs_behind, settle
from judging.services.planning import calls_for, writes_rubrics
from judging.services.run_options import USUAL, RunOptions
from judging.services.seats import seats_for

if TYPE_CHECKING:
    from datetime import datetime

    from config.accounts.models import User

__all__ = [
    "MOST_CONCURRENT",
    "RunOptions",
    "complete_run",
    "frozen_judge",
    "refuse_concurrency",
    "run_for",
    "start_run",
    "unfinished_run",
]
MOST_CONCURRENT = 256


def frozen_judge(name: str, version: int | None = None) -> JudgeConfig:
    """Return a frozen judge by name; the newest frozen version where none is named."""
    configs = JudgeConfig.objects.filter(name=name).select_related("provider")
    if version is not None:
        configs = configs.filter(version=version)
    found = configs.filter(frozen_at__isnull=False).order_by("-version").first()
    if found is not None:
        return found
    if configs.exists():
        raise Conflict(
            "judge_not_frozen",
            f"Judge {name!r} is a draft; freeze it with freeze_judge before it runs.",
        )
    if version is not None and JudgeConfig.objects.filter(name=name).exists():
        message = f"Judge {name!r} has no version {version}."
        raise NotFound("judge_version_unknown", message)
    raise NotFound("judge_unknown", f"There is no judge {name!r}.")


@transaction.atomic
def run_for(
    *,
    config: JudgeConfig,
    gold_set: GoldSet,
    concurrency: int,
    by: User | None,
    now: datetime,
    again: bool = False,
    options: RunOptions = USUAL,
) -> Run:
    """Return the run to resume, else a complete one, else a new one.

    ``again`` starts a new one although one is complete. Two that ask at once get the
    same run, so that nothing is bought twice. A budget that can't be is refused first.
    """
    refuse_budget(options.budget)
    GoldSet.objects.select_for_update().get(pk=gold_set.pk)
    purpose = options.purpose
    found = unfinished_run(config=config, gold_set=gold_set, purpose=purpose)
    if found is not None and config.kind == ConfigKind.PANEL:
        settle(found, now)  # one of which a member was stopped can't be gone on with
        found = unfinished_run(config=config, gold_set=gold_set, purpose=purpose)
    if found is None and not again:
        found = complete_run(
            config=config,
            gold_set=gold_set,
            purpose=purpose,
            member_runs=options.member_runs,
        )
    return found or start_run(
        config=config,
        gold_set=gold_set,
        concurrency=concurrency,
        by=by,
        now=now,
        options=options,
    )


@transaction.atomic
def start_run(
    *,
    config: JudgeConfig,
    gold_set: GoldSet,
    concurrency: int,
    by: User | None,
    now: datetime,
    options: RunOptions = USUAL,
) -> Run:
    """Make a run with one call for each pair, order and repeat.

    A judge whose first step writes rubrics has one call more for each case; a pointwise
    judge has one for each response and repeat.

    Raises ``Conflict`` for a judge that is no frozen one in use, for a set without
    pairs, for a budget in money without a known price, and for a release over several
    pairs of systems.
    """
    refuse_judge(config)
    refuse_concurrency(concurrency)
    refuse_budget(options.budget)
    refuse_release(gold_set, options)
    if config.kind == ConfigKind.PANEL:
        return _start_panel(config, gold_set, concurrency, by, now, options)
    seats_for(config, gold_set, options)
    refuse_names(config, gold_set)
    pairs = pairs_to_judge(gold_set, options)
    run = Run.objects.create(
        config=config,
        gold_set=gold_set,
        purpose=options.purpose,
        reuse=options.reuses,
        rubric_step=writes_rubrics(config),
        concurrency=concurrency,
        created_at=now,
        created_by=by,
        actor=options.actor,
    )
    calls = Call.objects.bulk_create(calls_for(run, pairs), batch_size=2000)
    refresh_statistics(Call, rows=len(calls))
    if options.batches:
        BatchPlan.objects.create(run=run, created_at=now)
    note_judged(gold_set_id=gold_set.pk, now=now)
    if options.budget.unlimited:
        return run
    return set_budget(run=run, budget=options.budget, by=by, now=now)


def _start_panel(
    config: JudgeConfig,
    gold_set: GoldSet,
    concurrency: int,
    by: User | None,
    now: datetime,
    options: RunOptions,
) -> Run:
    """Make a panel's run on its members' runs: those there are, or new ones.

    Those that were paused as an earlier panel ended go on.
    """
    seats = seats_for(config, gold_set, options)
    at_work = any(seat.run and seat.run.status == RunStatus.RUNNING for seat in seats)
    panel = Run.objects.create(
        config=config,
        gold_set=gold_set,
        purpose=options.purpose,
        reuse=options.reuses,
        concurrency=concurrency,
        created_at=now,
        created_by=by,
        actor=options.actor,
        started_at=now if at_work else None,
    )
    for seat in seats:
        member_run = seat.run or start_run(
            config=seat.member,
            gold_set=gold_set,
            concurrency=concurrency,
            by=by,
            now=now,
            options=replace(options, budget=UNLIMITED, member_runs=()),
        )
        PanelSeat.objects.create(run=panel, member_run=member_run)
    settle(panel, now)
    if panel.status == RunStatus.DONE:
        return panel
    if not options.budget.unlimited:
        limit_run(run=panel, budget=options.budget, by=by, now=now)
    resume_held(panel=panel, by=by, now=now)
    panel.refresh_from_db()
    return panel


@transaction.atomic
def set_concurrency(run: Run, concurrency: int) -> None:
    """Change how many calls a run, or each member's of a panel, has in flight."""
    refuse_concurrency(concurrency)
    for each in runs_behind(run):
        each.concurrency = concurrency
        each.save(update_fields=["concurrency"])


def refuse_concurrency(concurrency: int) -> None:
    """Raise ``InvalidInput`` for a number of calls in flight that can't be."""
    if not 1 <= concurrency <= MOST_CONCURRENT:
        raise InvalidInput(
            "concurrency_invalid", f"concurrency: must be 1 to {MOST_CONCURRENT}"
        )
