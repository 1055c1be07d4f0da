"""Providers and prices as pages and API read them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from config.errors import NotFound
from judging.models import Price, Provider

if TYPE_CHECKING:
    from decimal import Decimal


def provider_by_alias(alias: str) -> Provider:
    """One provider; raises ``NotFound``."""
    found = Provider.objects.filter(alias=alias).first()
    if found is None:
        raise NotFound("provider_unknown", f"There is no provider {alias!r}.")
    return found


@dataclass(frozen=True, slots=True)
class PriceRow:
    """A price as a row shows it; ``cached`` is empty where it costs as input."""

    price: Price
    prompt: str
    cached: str
    completion: str
    in_batches: str


def price_rows() -> tuple[PriceRow, ...]:
    """All prices, of each model the newest first."""
    return tuple(
        PriceRow(
            price=price,
            prompt=plain(price.prompt),
            cached="" if price.cached is None else plain(price.cached),
            completion=plain(price.completion),
            in_batches=_share(price.batch_share),
        )
        for price in Price.objects.newest_first()
    )


def _share(share: Decimal | None) -> str:
    """What part of the price a call in a batch costs, in words."""
    return "unknown" if share is None else f"{plain(share * 100)} %"


def plain(amount: Decimal) -> str:
    """An amount without the zeros that its column adds."""
    return f"{amount.normalize():f}"
