"""What a run is refused for before it is started, and a dry run of it as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.models import Pair
from config.errors import Conflict
from judging.domain.kinds import lint_asked
from judging.domain.lint import may_freeze
from judging.models import ConfigKind
from judging.services.budgets import no_price, refuse_budget
from judging.services.comparing import refuse_release
from judging.services.configuring import asked_spec_of, refuse_outdated
from judging.services.pricing import price_now

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from annotation.models import GoldSet
    from annotation.models.cases import PairQuerySet
    from judging.models import JudgeConfig
    from judging.services.run_options import RunOptions
    from judging.services.seats import Seat


def refuse_start(
    config: JudgeConfig,
    gold_set: GoldSet,
    options: RunOptions,
    *,
    seats: Sequence[Seat],
    day: date,
) -> None:
    """Raise what starting a run raises, for a dry run that would promise it.

    ``seats`` are a panel's: of its members those are asked that have no run yet.
    """
    refuse_judge(config)
    refuse_budget(options.budget)
    refuse_release(gold_set, options)
    pairs_to_judge(gold_set, options)
    if config.kind == ConfigKind.PANEL:
        asked = [seat.member for seat in seats if seat.run is None]
    else:
        asked = [config]
    for judge in asked:
        refuse_judge(judge)
        refuse_names(judge, gold_set)
        _refuse_price(judge, options, day)


def refuse_judge(config: JudgeConfig) -> None:
    """Raise ``Conflict`` for a judge that is no frozen one in use that can be asked."""
    if config.frozen_at is None:
        raise Conflict("judge_not_frozen", "Only a frozen judge can run.")
    if config.recorded:
        raise Conflict(
            "judge_recorded", "A recorded judge can't be asked, only imported."
        )
    if config.retired:
        raise Conflict("judge_retired", f"{config} is retired; copy it to run it.")
    refuse_outdated(config)


def pairs_to_judge(gold_set: GoldSet, options: RunOptions) -> PairQuerySet:
    """The pairs that a run would be over; raises ``Conflict`` where there are none."""
    pairs = Pair.objects.filter(gold_set=gold_set)
    if options.pair_ids is not None:
        pairs = pairs.filter(pk__in=options.pair_ids)
    if not pairs.exists():
        raise Conflict("gold_empty", f"{gold_set.name} has no pairs to judge.")
    return pairs


def refuse_names(config: JudgeConfig, gold_set: GoldSet) -> None:
    """A set imported after the judge was frozen may compare a system it names."""
    systems = gold_set.systems.all()
    names = [name for system in systems for name in (system.name, *system.aliases)]
    found = lint_asked(asked_spec_of(config), names)
    if any(finding.code == "system_name" for finding in found):
        raise Conflict(
            "judge_names_system",
            f"{config} names a system of {gold_set.name} in its prompt; make a new "
            "version that does not.",
        )
    wrong = next((each for each in found if not may_freeze([each])), None)
    if wrong is not None:  # frozen before this was an error
        raise Conflict(
            "judge_unfit",
            f"{config} would not be frozen any more: {wrong.field}: {wrong.message}; "
            "make a new version.",
        )


def _refuse_price(config: JudgeConfig, options: RunOptions, day: date) -> None:
    budget = options.budget
    if budget.cost is None:
        return
    price = price_now(config.provider, str(config.spec["model"]), day)
    if price is None or price.currency != budget.currency:
        raise no_price(budget.currency)
