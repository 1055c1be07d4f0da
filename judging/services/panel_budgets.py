"""Budgets of panels: a panel asks nothing itself, so its members' runs share one.

Each member's run that lacks calls may spend what it has spent so far and its share; the
shares go by what the members still need at most. So the panel as a whole never goes
beyond its budget, whoever works on the runs.
"""

from __future__ import annotations

from decimal import ROUND_DOWN, Decimal
from typing import TYPE_CHECKING

from django.db import transaction

from config.errors import Conflict
from judging.models import Run, RunEvent, RunStatus
from judging.services.budgets import (
    SMALLEST,
    Budget,
    measured,
    refuse_budget,
    set_budget,
)
from judging.services.events import note_event
from judging.services.panels import is_panel, runs_behind

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from config.accounts.models import User

ENDED = (RunStatus.DONE, RunStatus.STOPPED)


@transaction.atomic
def limit_run(*, run: Run, budget: Budget, by: User | None, now: datetime) -> Run:
    """Set or change what a run may spend; a panel's is shared out to its members.

    Raises what ``set_budget`` raises, for any member too, and ``Conflict`` for a budget
    that leaves a member without a single call.
    """
    if not is_panel(run):
        return set_budget(run=run, budget=budget, by=by, now=now)
    refuse_budget(budget)
    panel = Run.objects.select_for_update(of=("self",)).get(pk=run.pk)
    if panel.status in ENDED:
        raise Conflict("run_ended", f"Run {panel.pk} is {panel.status}.")
    members = [each for each in runs_behind(panel) if each.status not in ENDED]
    for member, share in zip(members, _shares(members, budget, now), strict=True):
        set_budget(run=member, budget=share, by=by, now=now)
    note_event(panel, RunEvent.BUDGET, by=by, now=now, reason=f"{budget}, shared out")
    return panel


def _shares(members: Sequence[Run], budget: Budget, now: datetime) -> list[Budget]:
    """What each member may spend in all, so that they add up to the budget."""
    if budget.unlimited:
        return [budget for _ in members]
    known = [measured(member, budget, now.date()) for member in members]
    lacks = [member.calls.unanswered().count() for member in members]
    needs = list(zip(known, lacks, strict=True))
    calls = _parts(budget.calls, [Decimal(n) for n in lacks], Decimal(1))
    tokens = _parts(
        budget.tokens,
        [Decimal(n * run.reserved_tokens) for run, n in needs],
        Decimal(1),
    )
    cost = _parts(budget.cost, [n * run.reserved_cost for run, n in needs], SMALLEST)
    return [
        Budget(
            calls=None if each[0] is None else run.spent_calls + int(each[0]),
            tokens=None if each[1] is None else run.spent_tokens + int(each[1]),
            cost=None if each[2] is None else run.spent_cost + each[2],
            currency=budget.currency,
        )
        for run, each in zip(known, zip(calls, tokens, cost, strict=True), strict=True)
    ]


def _parts(
    total: int | Decimal | None, weights: Sequence[Decimal], unit: Decimal
) -> Sequence[Decimal | None]:
    """Cut a total by weights, rounded down to whole units."""
    if total is None:
        return [None for _ in weights]
    whole = sum(weights, Decimal(0))
    parts = [
        (Decimal(total) * weight / whole).quantize(unit, ROUND_DOWN) if whole else unit
        for weight in weights
    ]
    if any(weight and not part for weight, part in zip(weights, parts, strict=True)):
        raise Conflict(
            "budget_too_small", "The budget is too small to be shared by the members."
        )
    return parts
