"""What batches cost: a share of the price, which is data."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from judging.domain import costs
from judging.models import Attempt, RunStatus
from judging.services.budgets import Budget, set_budget
from judging.services.estimating import estimate_run
from judging.services.pricing import add_price, cost_of_run
from judging.services.starting import RunOptions
from judging.simulator.options import Options
from judging.simulator.running import SimulatedJudge
from tests.annotation.factory import START, make_set
from tests.judging.batches import batch_run, batches_of, carry
from tests.judging.factory import ADDRESS, assert_settled, make_judge, make_run, work

pytestmark = pytest.mark.django_db(transaction=True)


def charge(share, prompt="4", completion="8"):
    price = costs.Price(
        provider="local",
        model="simulated-judge",
        valid_from=date(2020, 1, 1),
        prompt=Decimal(prompt),
        completion=Decimal(completion),
        batch_share=None if share is None else Decimal(share),
    )
    add_price(price=price, by=None, now=START)


def test_a_batch_costs_its_share_of_the_price():
    gold_set = make_set(3)
    with SimulatedJudge(Options()) as server:
        live = make_run(server.base_url, gold_set=gold_set)
        options = RunOptions(batches=True, reuse=False)
        run = batch_run(
            server.base_url, gold_set=gold_set, name="other", options=options
        )
        charge("0.5")
        work(live)
        carry(run)
    usual, half = cost_of_run(live), cost_of_run(run)
    assert usual.tokens == half.tokens
    (full,), (part,) = usual.known, half.known
    tokens = half.tokens
    expected = (tokens["prompt"] * 4 + tokens["completion"] * 8) / Decimal(1_000_000)
    assert full.amount == expected
    assert part.amount == expected / 2
    assert half.complete


def test_without_a_share_the_cost_of_batches_is_unknown_and_not_half():
    with SimulatedJudge(Options()) as server:
        run = batch_run(server.base_url, cases=2)
        charge(None)
        carry(run)
    cost = cost_of_run(run)
    assert cost.known == ()
    assert cost.unknown_calls == 4


def test_an_estimate_names_both_prices():
    judge = make_judge(ADDRESS)
    charge("0.5")
    found = estimate_run(config=judge, gold_set=make_set(2), now=START)
    assert found.cost is not None
    assert found.batch_cost is not None
    assert found.batch_cost.amount == found.cost.amount / 2 > 0
    assert found.batch_cost.currency == "USD"


def test_an_estimate_without_a_share_leaves_the_cost_of_batches_open():
    judge = make_judge(ADDRESS)
    charge(None)
    found = estimate_run(config=judge, gold_set=make_set(2), now=START)
    assert found.cost is not None
    assert found.batch_cost is None


@pytest.mark.parametrize("share", ["-0.1", "1.01"])
def test_a_share_lies_between_0_and_1(share):
    with pytest.raises(ValueError, match="between 0 and 1"):
        charge(share)


def test_a_budget_in_money_goes_by_the_price_of_batches():
    with SimulatedJudge(Options()) as server:
        live = make_run(server.base_url, cases=4)
        charge("0.5")
        run = batch_run(server.base_url, gold_set=live.gold_set, name="other")
        budget = Budget(cost=Decimal(100), currency="USD")
        live = set_budget(run=live, budget=budget, by=None, now=START)
        run = set_budget(run=run, budget=budget, by=None, now=START)
        assert run.reserved_cost == live.reserved_cost / 2
        carry(run)
    run.refresh_from_db()
    assert run.spent_calls == 8
    (money,) = cost_of_run(run).known
    assert run.spent_cost == money.amount


def test_a_budget_of_requests_limits_the_batches():
    with SimulatedJudge(Options()) as server:
        run = batch_run(
            server.base_url,
            cases=5,
            options=RunOptions(batches=True, budget=Budget(calls=6)),
        )
        assert carry(run) == RunStatus.PAUSED
        assert server.stats()["bought"] == 6
        assert [b.requests for b in batches_of(run)] == [6]
        set_budget(run=run, budget=Budget(calls=10), by=None, now=START)
        run.refresh_from_db()
        run.status, run.halted_at = RunStatus.PENDING, None
        run.save()
        assert carry(run) == RunStatus.DONE
    assert_settled(run)
    assert Attempt.objects.filter(call__run=run).count() == 10
