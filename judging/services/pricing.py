"""Prices, and what runs cost by them. An unknown price is an unknown cost, not zero."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import UTC
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db.models import BigIntegerField, Case, Count, Q, Sum, When
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce, Least, TruncDate

from config.errors import Conflict, InvalidInput
from judging.domain.costs import cost_of, price_on
from judging.domain.ports import FailureKind, Usage
from judging.models import Attempt, BatchPlan, Price, Provider, Reply

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date, datetime

    from config.accounts.models import User
    from judging.domain import costs
    from judging.models import Run

# No reply came, but the provider may have worked, and may charge for it.
MAYBE_BILLED = frozenset(
    {FailureKind.TIMEOUT, FailureKind.CONNECTION, FailureKind.BAD_BODY}
)
CURRENCY = re.compile("[A-Z]{3}")
MOST = Decimal(1_000_000)
TOKENS = ("prompt", "completion", "reasoning", "cached")


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in one currency."""

    amount: Decimal
    currency: str


@dataclass(frozen=True, slots=True)
class RunCost:
    """What a run's own requests cost.

    ``known`` has one amount for each currency; ``unknown_calls`` brought a reply whose
    price or token count is unknown; ``maybe_billed`` requests brought none, but may be
    charged. ``reused`` replies were paid for by earlier runs and cost nothing here.
    """

    known: tuple[Money, ...]
    priced_calls: int
    unknown_calls: int
    requests: int
    maybe_billed: int
    reused: int
    tokens: Mapping[str, int]

    @property
    def complete(self) -> bool:
        """Whether the known amounts are the whole cost, as far as can be told."""
        return not (self.unknown_calls or self.maybe_billed)


def add_price(*, price: costs.Price, by: User | None, now: datetime) -> Price:
    """Enter a price per million tokens; of one day, what was entered last counts.

    Raises ``InvalidInput`` for an unknown provider, an empty model name, amounts that
    are no numbers, and a currency that is not three letters; ``Conflict`` for another
    currency than that of the same day's price, which budgets may be in.
    """
    provider = Provider.objects.filter(alias=price.provider).first()
    if provider is None:
        raise InvalidInput("provider_unknown", f"There is no provider {price.provider}")
    amounts = (price.prompt, price.completion, price.cached or price.prompt)
    if not all(amount.is_finite() and amount < MOST for amount in amounts):
        raise InvalidInput("price_invalid", f"price: must be a number below {MOST}")
    if not price.model.strip():
        raise InvalidInput("price_model_missing", "model: must be named")
    if not CURRENCY.fullmatch(price.currency):
        raise InvalidInput("currency_invalid", "currency: three letters, such as USD")
    _refuse_second_currency(provider, price)
    return Price.objects.create(
        provider=provider,
        model=price.model.strip(),
        valid_from=price.valid_from,
        prompt=price.prompt,
        completion=price.completion,
        cached=price.cached,
        batch_share=price.batch_share,
        currency=price.currency,
        created_at=now,
        created_by=by,
    )


def _refuse_second_currency(provider: Provider, price: costs.Price) -> None:
    same_day = Price.objects.filter(
        provider=provider, model=price.model.strip(), valid_from=price.valid_from
    )
    other = same_day.exclude(currency=price.currency).first()
    if other is not None:
        raise Conflict(
            "price_other_currency",
            f"{other.model} has a price in {other.currency} from {other.valid_from} "
            f"already, and budgets may be in it; enter the one in {price.currency} "
            "from another day on.",
        )


def prices_for(provider: Provider | None, model: str) -> list[costs.Price]:
    """Every price of a model, of one day the last entered first."""
    if provider is None:
        return []
    return Price.objects.filter(provider=provider, model=model).as_domain()


def price_now(provider: Provider | None, model: str, day: date) -> costs.Price | None:
    """The price in force on a day."""
    if provider is None:
        return None
    return price_on(
        prices_for(provider, model), provider=provider.alias, model=model, day=day
    )


def cost_of_run(run: Run) -> RunCost:
    """Add up what the run's requests cost at the prices of the days they were sent."""
    return cost_of_runs([run])


def cost_of_runs(runs: Sequence[Run]) -> RunCost:
    """Add up the cost of several runs, such as those of a panel's members."""
    amounts: dict[str, Decimal] = defaultdict(Decimal)
    tokens: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for run in runs:
        _add(run, amounts, tokens, counts)
    reused = Reply.objects.filter(call__run__in=runs, reused_from__isnull=False)
    return RunCost(
        known=tuple(Money(amounts[name], name) for name in sorted(amounts)),
        priced_calls=counts["priced"],
        unknown_calls=counts["unknown"],
        requests=counts["requests"],
        maybe_billed=counts["maybe"],
        reused=reused.count(),
        tokens={name: tokens[name] for name in TOKENS},
    )


def _add(
    run: Run, amounts: dict[str, Decimal], tokens: Counter[str], counts: Counter[str]
) -> None:
    pricing = Pricing(run)
    for row in _sums(run):
        counts["requests"] += row["n"]
        if row["error"]:
            counts["maybe"] += row["n"] * (row["error"] in MAYBE_BILLED)
            continue
        tokens.update({name: row[f"{name}_sum"] or 0 for name in TOKENS})
        spent = None
        if row["counted"]:  # a cost is a sum over tokens, so sums have one too
            usage = Usage(
                row["prompt_sum"], row["completion_sum"], 0, row["from_cache"]
            )
            spent = pricing.cost(usage, row["day"])
        counts["unknown" if spent is None else "priced"] += row["n"]
        if spent is not None:
            amounts[spent.currency] += spent.amount


def _sums(run: Run) -> Iterable[Mapping[str, Any]]:
    """Tokens of a run's requests, by day, error, and whether all were counted.

    Added up in the database: a run under way is looked at every other second.
    """
    number = {name: Cast(KT(f"usage__{name}"), BigIntegerField()) for name in TOKENS}
    missing = Q(prompt_n__isnull=True) | Q(completion_n__isnull=True)
    return (
        Attempt.objects.filter(call__run=run)
        .annotate(**{f"{name}_n": cast for name, cast in number.items()})
        .annotate(
            day=TruncDate("sent_at", tzinfo=UTC),
            counted=Case(When(missing, then=False), default=True),
        )
        .order_by()
        .values("day", "error", "counted")
        .annotate(
            n=Count("pk"),
            from_cache=Sum(Least(Coalesce("cached_n", 0), "prompt_n")),
            **{f"{name}_sum": Sum(f"{name}_n") for name in TOKENS},
        )
    )


class Pricing:
    """The prices of one run's judge, looked up once."""

    def __init__(self, run: Run) -> None:
        config = run.config
        self._model = str(config.spec.get("model", ""))
        self._alias = config.provider.alias if config.provider else ""
        self._prices = prices_for(config.provider, self._model)
        self._batches = BatchPlan.objects.filter(run=run).exists()
        self._by_day: dict[date, costs.Price | None] = {}

    def on(self, day: date) -> costs.Price | None:
        """The price in force on a day."""
        if day not in self._by_day:
            price = price_on(
                self._prices, provider=self._alias, model=self._model, day=day
            )
            in_batches = price.in_batches() if price and self._batches else price
            self._by_day[day] = in_batches
        return self._by_day[day]

    def cost(self, usage: Usage, day: date) -> Money | None:
        """What one reply cost; ``None`` where that is unknown."""
        price = self.on(day)
        amount = cost_of(usage, price)
        if price is None or amount is None:
            return None
        return Money(amount, price.currency)


def usage_of(stored: Mapping[str, object]) -> Usage:
    """Read back the token counts of a reply."""
    counts = {name: stored.get(name) for name in TOKENS}
    return Usage(**{k: v for k, v in counts.items() if isinstance(v, int)})


def cost_json(cost: RunCost) -> dict[str, object]:
    """A run's cost as plain data, amounts as decimal text."""
    return {
        "known": [
            {"amount": f"{money.amount:.6f}", "currency": money.currency}
            for money in cost.known
        ],
        "complete": cost.complete,
        "priced_calls": cost.priced_calls,
        "unknown_calls": cost.unknown_calls,
        "requests": cost.requests,
        "maybe_billed": cost.maybe_billed,
        "reused": cost.reused,
        "tokens": dict(cost.tokens),
    }
