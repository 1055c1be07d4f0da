"""What calls cost, by dated prices. An unknown cost is unknown, never zero."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from judging.domain.ports import Usage

_MILLION = Decimal(1_000_000)


@dataclass(frozen=True, slots=True)
class Price:
    """Price of one model at one provider from a day on, per million tokens.

    ``cached`` is the price of input tokens read from the provider's cache; ``None``
    means that they cost what ``prompt`` says. ``batch_share`` is the part of all three
    that a call in a batch costs, ``None`` where that is unknown. Raises ``ValueError``
    for a price below zero and a share outside 0 to 1.
    """

    provider: str
    model: str
    valid_from: date
    prompt: Decimal
    completion: Decimal
    cached: Decimal | None = None
    currency: str = "USD"
    batch_share: Decimal | None = None

    def __post_init__(self) -> None:
        if min(self.prompt, self.completion, self.cached or Decimal(0)) < 0:
            raise ValueError("a price cannot be below zero")
        if self.batch_share is not None and not 0 <= self.batch_share <= 1:
            raise ValueError("a batch share must lie between 0 and 1")

    def in_batches(self) -> Price | None:
        """The price of calls that are sent in batches; ``None`` if it is unknown."""
        share = self.batch_share
        if share is None:
            return None
        return replace(
            self,
            prompt=self.prompt * share,
            completion=self.completion * share,
            cached=None if self.cached is None else self.cached * share,
        )


@dataclass(frozen=True, slots=True)
class CostTotal:
    """Sum of the known costs, and how many calls have an unknown one."""

    known: Decimal
    unknown_calls: int


def price_on(
    prices: Iterable[Price], *, provider: str, model: str, day: date
) -> Price | None:
    """Find the price in force on a day: the latest that had begun by then."""
    begun = [
        price
        for price in prices
        if (price.provider, price.model) == (provider, model)
        and price.valid_from <= day
    ]
    return max(begun, key=lambda price: price.valid_from, default=None)


def cost_of(usage: Usage | None, price: Price | None) -> Decimal | None:
    """Cost of one call, or ``None`` where the price or a token count is unknown.

    Reasoning tokens are part of the completion tokens, cached ones of the prompt's.
    """
    if usage is None or price is None:
        return None
    if usage.prompt is None or usage.completion is None:
        return None
    cached = min(usage.cached or 0, usage.prompt)
    cached_price = price.prompt if price.cached is None else price.cached
    total = (usage.prompt - cached) * price.prompt
    total += cached * cached_price + usage.completion * price.completion
    return total / _MILLION


def total_cost(costs: Iterable[Decimal | None]) -> CostTotal:
    """Add up costs, counting the unknown ones apart."""
    every = list(costs)
    known = [cost for cost in every if cost is not None]
    return CostTotal(sum(known, Decimal(0)), len(every) - len(known))
