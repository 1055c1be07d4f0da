"""What the requests of a bundle cost, by the prices in it."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from calibration.domain.audit.judged import COUNTS
from judging.domain.costs import cost_of, price_on
from judging.domain.ports import FailureKind, Usage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calibration.domain.audit.material import Material, RunRow
    from judging.domain.costs import Price

MAYBE_BILLED = {FailureKind.TIMEOUT, FailureKind.CONNECTION, FailureKind.BAD_BODY}


def cost_json(
    material: Material, behind: Sequence[RunRow], made: datetime
) -> dict[str, object]:
    """Add up what the requests cost by the prices that were known then."""
    amounts: dict[str, Decimal] = defaultdict(Decimal)
    tokens: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for run in behind:
        _add(material, run, made, amounts, tokens, counts)
    return {
        "known": [
            {"amount": f"{amounts[name]:.6f}", "currency": name}
            for name in sorted(amounts)
        ],
        "complete": not (counts["unknown"] or counts["maybe"]),
        "priced_calls": counts["priced"],
        "unknown_calls": counts["unknown"],
        "requests": counts["requests"],
        "maybe_billed": counts["maybe"],
        "reused": sum(run.reused for run in behind),
        "tokens": {name: tokens[name] for name in COUNTS},
    }


def _add(
    material: Material,
    run: RunRow,
    made: datetime,
    amounts: dict[str, Decimal],
    tokens: Counter[str],
    counts: Counter[str],
) -> None:
    days: dict[Any, Counter[str]] = defaultdict(Counter)
    for sent, error, usage in run.spent:
        counts["requests"] += 1
        if error:
            counts["maybe"] += error in MAYBE_BILLED
            continue
        tokens.update({name: usage.get(name, 0) for name in COUNTS})
        if "prompt" not in usage or "completion" not in usage:
            counts["unknown"] += 1
            continue
        day = days[datetime.fromisoformat(sent).astimezone(UTC).date()]
        cached = min(usage.get("cached", 0), usage["prompt"])
        day.update(prompt=usage["prompt"], completion=usage["completion"])
        day.update(cached=cached, calls=1)
    for date, day in days.items():
        price = _price(material, run, date, made)
        summed = Usage(day["prompt"], day["completion"], 0, day["cached"])
        amount = cost_of(summed, price)
        counts["unknown" if amount is None else "priced"] += day["calls"]
        if amount is not None and price is not None:
            amounts[price.currency] += amount


def _price(material: Material, run: RunRow, day: Any, made: datetime) -> Price | None:
    """The price in force on a day; of one day the last that was entered."""
    known = [price for at, price in reversed(material.prices) if at <= made]
    price = price_on(
        known,
        provider=run.judge.provider or "",
        model=str(run.judge.raw.get("model", "")),
        day=day,
    )
    return price.in_batches() if price and run.batches else price
