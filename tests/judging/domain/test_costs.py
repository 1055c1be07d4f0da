from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from judging.domain.costs import CostTotal, Price, cost_of, price_on, total_cost
from judging.domain.ports import Usage


def price(day: date, prompt: str = "2", **changes) -> Price:
    values = {"prompt": Decimal(prompt), "completion": Decimal(8), **changes}
    return Price("p", "m", day, **values)


OLD, NEW = date(2025, 1, 1), date(2025, 6, 1)
PRICES = [price(NEW, "1"), price(OLD, "2")]


@pytest.mark.parametrize(
    ("day", "prompt"),
    [(date(2024, 12, 31), None), (OLD, 2), (date(2025, 5, 31), 2), (NEW, 1)],
)
def test_the_price_of_the_day(day, prompt):
    found = price_on(PRICES, provider="p", model="m", day=day)
    assert (found and found.prompt) == prompt


def test_another_model_has_no_price():
    assert price_on(PRICES, provider="p", model="m2", day=NEW) is None
    assert price_on(PRICES, provider="q", model="m", day=NEW) is None


@pytest.mark.parametrize(
    ("usage", "cost"),
    [
        (Usage(prompt=1_000_000, completion=0), "2"),
        (Usage(prompt=1_500, completion=250, reasoning=200), "0.005"),
        (Usage(prompt=0, completion=0), "0"),
        (Usage(prompt=1_000, completion=0, cached=400), "0.0014"),
        (Usage(prompt=1_000, completion=0, cached=9_999), "0.0005"),
        (Usage(prompt=1_000), None),
        (Usage(completion=1_000), None),
        (None, None),
    ],
)
def test_the_cost_of_a_call(usage, cost):
    wanted = None if cost is None else Decimal(cost)
    assert cost_of(usage, price(OLD, cached=Decimal("0.5"))) == wanted


def test_an_unknown_price_is_no_zero():
    assert cost_of(Usage(prompt=1, completion=1), None) is None
    full = cost_of(Usage(prompt=1_000_000, completion=0, cached=5), price(OLD))
    assert full == Decimal(2)


def test_a_total_counts_what_it_does_not_know():
    assert total_cost([]) == CostTotal(Decimal(0), 0)
    got = total_cost([Decimal("0.1"), None, Decimal("0.2")])
    assert got == CostTotal(Decimal("0.3"), 1)


def test_no_price_is_below_zero():
    with pytest.raises(ValueError, match="below zero"):
        price(OLD, "-1")
