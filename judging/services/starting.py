"""Starting a run: its calls are rows before the first one is asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.db import transaction

from annotation.models import GoldSet, Pair
from annotation.services.exposures import note_judged
from config.db.statistics import refresh_statistics
from config.errors import Conflict, InvalidInput, NotFound
from judging.domain.kinds import lint_asked
from judging.domain.lint import may_freeze
from judging.models import (
    NEVER_REUSE,
    BatchPlan,
    Call,
    ConfigKind,
    JudgeConfig,
    PanelSeat,
    Run,
    RunPurpose,
    RunStatus,
)
from judging.services.budgets import UNLIMITED, Budget, refuse_budget, set_budget
from judging.services.configuring import asked_spec_of, refuse_outdated
from judging.services.panel_budgets import limit_run
from judging.services.panels import members_of, runs_behind, settle
from judging.services.planning import calls_for, responses_of, writes_rubrics

if TYPE_CHECKING:
    from datetime import datetime

    from annotation.models.cases import PairQuerySet
    from config.accounts.models import User

MOST_CONCURRENT = 256


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What a run is for, and what it may copy and spend.

    ``reuse`` is the purpose's own unless said otherwise; noise, sentinel and stability
    runs never reuse (DESIGN rule 22). ``pair_ids`` limits the run to some pairs.
    ``batches`` has calls sent as files, which takes longer and costs less.
    """

    purpose: RunPurpose = RunPurpose.CALIBRATION
    reuse: bool | None = None
    budget: Budget = UNLIMITED
    pair_ids: tuple[int, ...] | None = None
    batches: bool = False

    @property
    def reuses(self) -> bool:
        """Whether earlier replies are copied."""
        may = self.purpose not in NEVER_REUSE
        return may if self.reuse is None else self.reuse and may


USUAL = RunOptions()


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


def unfinished_run(
    *,
    config: JudgeConfig,
    gold_set: GoldSet,
    purpose: RunPurpose = RunPurpose.CALIBRATION,
) -> Run | None:
    """Return the run to resume, if this judge left one on this set."""
    runs = Run.objects.filter(config=config, gold_set=gold_set, purpose=purpose)
    return runs.resumable().order_by("-pk").first()


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
    if found is None and not again:
        found = complete_run(config=config, gold_set=gold_set, purpose=purpose)
    return found or start_run(
        config=config,
        gold_set=gold_set,
        concurrency=concurrency,
        by=by,
        now=now,
        options=options,
    )


def complete_run(
    *,
    config: JudgeConfig,
    gold_set: GoldSet,
    purpose: RunPurpose = RunPurpose.CALIBRATION,
) -> Run | None:
    """Return a finished run over all that the set has now, if there is one."""
    done = Run.objects.filter(
        config=config, gold_set=gold_set, purpose=purpose, status=RunStatus.DONE
    )
    pairs = Pair.objects.filter(gold_set=gold_set)
    for run in done.order_by("-pk"):
        if config.kind == ConfigKind.POINTWISE:
            if _marked(run) == len(responses_of(pairs)):
                return run
        elif {_judged(behind) for behind in runs_behind(run)} == {pairs.count()}:
            return run
    return None


def _judged(run: Run) -> int:
    return run.calls.verdicts().values("pair").distinct().count()


def _marked(run: Run) -> int:
    return run.calls.marks().values("response").distinct().count()


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
    pairs, and for a budget in money without a known price.
    """
    _refuse_judge(config)
    refuse_concurrency(concurrency)
    refuse_budget(options.budget)
    if config.kind == ConfigKind.PANEL:
        return _start_panel(config, gold_set, concurrency, by, now, options)
    _refuse_names(config, gold_set)
    pairs = _pairs(gold_set, options)
    run = Run.objects.create(
        config=config,
        gold_set=gold_set,
        purpose=options.purpose,
        reuse=options.reuses,
        rubric_step=writes_rubrics(config),
        concurrency=concurrency,
        created_at=now,
        created_by=by,
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
    """Make a panel's run on its members' runs: those there are, or new ones."""
    panel = Run.objects.create(
        config=config,
        gold_set=gold_set,
        purpose=options.purpose,
        reuse=options.reuses,
        concurrency=concurrency,
        created_at=now,
        created_by=by,
    )
    shared = options.reuses and options.pair_ids is None
    for member in members_of(config):
        find = run_for if shared else start_run
        member_run = find(
            config=member,
            gold_set=gold_set,
            concurrency=concurrency,
            by=by,
            now=now,
            options=replace(options, budget=UNLIMITED),
        )
        PanelSeat.objects.create(run=panel, member_run=member_run)
    settle(panel, now)
    if options.budget.unlimited or panel.status == RunStatus.DONE:
        return panel
    return limit_run(run=panel, budget=options.budget, by=by, now=now)


def _refuse_judge(config: JudgeConfig) -> None:
    if config.frozen_at is None:
        raise Conflict("judge_not_frozen", "Only a frozen judge can run.")
    if config.recorded:
        raise Conflict(
            "judge_recorded", "A recorded judge can't be asked, only imported."
        )
    if config.retired:
        raise Conflict("judge_retired", f"{config} is retired; copy it to run it.")
    refuse_outdated(config)


def _pairs(gold_set: GoldSet, options: RunOptions) -> PairQuerySet:
    pairs = Pair.objects.filter(gold_set=gold_set)
    if options.pair_ids is not None:
        pairs = pairs.filter(pk__in=options.pair_ids)
    if not pairs.exists():
        raise Conflict("gold_empty", f"{gold_set.name} has no pairs to judge.")
    return pairs


def refuse_concurrency(concurrency: int) -> None:
    """Raise ``InvalidInput`` for a number of calls in flight that can't be."""
    if not 1 <= concurrency <= MOST_CONCURRENT:
        raise InvalidInput(
            "concurrency_invalid", f"concurrency: must be 1 to {MOST_CONCURRENT}"
        )


def _refuse_names(config: JudgeConfig, gold_set: GoldSet) -> None:
    """A set imported after the judge was frozen may compare a system it names."""
    systems = gold_set.systems.all()
    names = [name for system in systems for name in (system.name, *system.aliases)]
    if not may_freeze(lint_asked(asked_spec_of(config), names)):
        raise Conflict(
            "judge_names_system",
            f"{config} names a system of {gold_set.name} in its prompt; make a new "
            "version that does not.",
        )
