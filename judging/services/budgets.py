"""What a run may spend: in requests, tokens or money, over all its runners.

A call that is claimed counts as one request that may be under way. So claims are given
out only as far as the rest of the budget reaches, with what one call may take at most;
nothing is sent that could go beyond. For token and money budgets that is an estimate on
the safe side: the longest prompt of the run and the output limit.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db import transaction

from config.errors import Conflict, InvalidInput
from judging.domain.costs import cost_of
from judging.models import Attempt, CallState, Run, RunEvent, RunStatus
from judging.services.controlling import spent_reason
from judging.services.estimating import largest_call
from judging.services.events import note_event
from judging.services.panels import settle_panels
from judging.services.pricing import CURRENCY, MAYBE_BILLED, Pricing, usage_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date, datetime

    from config.accounts.models import User
    from judging.domain.ports import Usage

RAISED = "A budget was used up, and there is another now. Resume the run to go on."
SMALLEST = Decimal("0.000000001")
# Beyond these no database could keep the limit, or what is counted against it.
MOST_CALLS = 2**31 - 1
MOST_TOKENS = 10**15
MOST_COST = Decimal(10**9) - SMALLEST


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of a run; ``None`` is no limit. ``currency`` goes with ``cost``."""

    calls: int | None = None
    tokens: int | None = None
    cost: Decimal | None = None
    currency: str = ""

    @property
    def unlimited(self) -> bool:
        """Whether nothing is limited."""
        return self.calls is None and self.tokens is None and self.cost is None

    def __str__(self) -> str:
        limits = [
            "" if self.calls is None else f"{self.calls} requests",
            "" if self.tokens is None else f"{self.tokens} tokens",
            "" if self.cost is None else f"{self.cost:f} {self.currency}",
        ]
        return ", ".join(filter(None, limits)) or "no limit"


UNLIMITED = Budget()


@transaction.atomic
def set_budget(*, run: Run, budget: Budget, by: User | None, now: datetime) -> Run:
    """Set or change what a run may spend; what it has spent so far counts.

    Raises ``InvalidInput`` for limits that can't be, and ``Conflict`` for a budget in
    money without a known price in its currency, for a run that has ended, and for one
    that has calls in hand: pause it first.
    """
    refuse_budget(budget)
    run = Run.objects.select_for_update(of=("self",)).get(pk=run.pk)
    if run.status in {RunStatus.DONE, RunStatus.STOPPED}:
        raise Conflict("run_ended", f"Run {run.pk} is {run.status}.")
    if run.calls.filter(state=CallState.CLAIMED, lease_until__gte=now).exists():
        raise Conflict(
            "run_at_work",
            f"Calls of run {run.pk} of {run.config} are under way; pause it first.",
        )
    run.max_calls, run.max_tokens, run.max_cost = (
        budget.calls, budget.tokens, budget.cost,
    )  # fmt: skip
    run.currency = budget.currency if budget.cost is not None else ""
    if not budget.unlimited:
        _set_aside(run, budget, now.date())
        _count_anew(run)
    if run.status == RunStatus.PAUSED and run.halted_by_id is None:
        run.halt_reason = spent_reason(run) or RAISED
    run.save()
    note_event(run, RunEvent.BUDGET, by=by, now=now, reason=str(budget))
    settle_panels(run, now)
    return run


def measured(run: Run, budget: Budget, day: date) -> Run:
    """What a run has spent, and what one call may take at most, on a row not saved.

    Raises what :func:`set_budget` raises of the budget.
    """
    refuse_budget(budget)
    fresh = Run.objects.get(pk=run.pk)
    fresh.currency = budget.currency if budget.cost is not None else ""
    fresh.max_cost = budget.cost
    _set_aside(fresh, budget, day)
    _count_anew(fresh)
    return fresh


def refuse_budget(budget: Budget) -> None:
    """Raise ``InvalidInput`` for limits that no run can have."""
    limits = (
        ("requests", budget.calls, MOST_CALLS),
        ("tokens", budget.tokens, MOST_TOKENS),
        ("cost", budget.cost, MOST_COST),
    )
    for name, limit, most in limits:
        if limit is None:
            continue
        if isinstance(limit, Decimal) and not limit.is_finite():
            raise InvalidInput("budget_invalid", f"budget: {name} must be a number")
        if limit <= 0:
            raise InvalidInput(
                "budget_invalid", f"budget: {name} must be above zero, not {limit}"
            )
        if limit > most:
            raise InvalidInput("budget_invalid", f"budget: {name} at most {most}")
    if budget.cost is not None and budget.cost != budget.cost.quantize(SMALLEST):
        raise InvalidInput("budget_invalid", "budget: cost has at most nine decimals")
    if budget.cost is not None and not CURRENCY.fullmatch(budget.currency):
        raise InvalidInput("currency_missing", "currency: three letters, such as USD")


def _set_aside(run: Run, budget: Budget, day: date) -> None:
    """Note what one call may take at most."""
    if budget.tokens is None and budget.cost is None:
        return
    largest = largest_call(run)
    run.reserved_tokens = (largest.prompt or 0) + (largest.completion or 0)
    if budget.cost is None:
        return
    price = Pricing(run).on(day)
    if price is None or price.currency != run.currency:
        raise no_price(run.currency)
    run.reserved_cost = max(cost_of(largest, price) or SMALLEST, SMALLEST)


def no_price(currency: str) -> Conflict:
    """What a budget in money is refused with where the judge has no such price."""
    return Conflict(
        "price_unknown",
        "A budget in money needs the judge's price in its currency, "
        f"{currency}; add it first.",
    )


def _count_anew(run: Run) -> None:
    """Count what was sent before there was a budget."""
    run.spent_calls, run.spent_tokens, run.spent_cost = 0, 0, Decimal(0)
    add_spending(run, Attempt.objects.filter(call__run=run).iterator(chunk_size=5000))


def add_spending(run: Run, attempts: Iterable[Attempt]) -> None:
    """Add what was sent to what the run has spent; the row is not saved.

    What the provider did not count, or may have charged for although no reply came,
    counts with what was set aside for it.
    """
    pricing = Pricing(run) if run.max_cost is not None else None
    for attempt in attempts:
        run.spent_calls += 1
        if attempt.error:
            if attempt.error in MAYBE_BILLED:
                run.spent_tokens += run.reserved_tokens
                run.spent_cost += run.reserved_cost
            continue
        usage = usage_of(attempt.usage)
        run.spent_tokens += tokens_of(usage, run.reserved_tokens)
        if pricing is not None:
            money = pricing.cost(usage, attempt.sent_at.date())
            spent = run.reserved_cost if money is None else money.amount
            run.spent_cost += spent.quantize(SMALLEST)


def tokens_of(usage: Usage, unknown: int) -> int:
    """Tokens in and out; ``unknown`` where the provider did not count both."""
    if usage.prompt is None or usage.completion is None:
        return unknown
    return usage.prompt + usage.completion


def places_left(run: Run, claimed: int) -> int | None:
    """How many calls more may be claimed; ``None`` for any number.

    ``claimed`` calls are in hand and have each their part set aside.
    """
    limits: list[int] = []
    if run.max_calls is not None:
        limits.append(run.max_calls - run.spent_calls)
    if run.max_tokens is not None:
        rest = run.max_tokens - run.spent_tokens
        limits.append(rest // max(run.reserved_tokens, 1))
    if run.max_cost is not None:
        left = run.max_cost - run.spent_cost
        limits.append(int(left // max(run.reserved_cost, SMALLEST)))
    return min(limits) - claimed if limits else None
