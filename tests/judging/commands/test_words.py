"""Small things that commands about runs say, and refuse to take."""

from __future__ import annotations

import io
from datetime import date
from decimal import Decimal

import pytest
from django.core.management import CommandError, call_command

from config.errors import Conflict
from judging.domain.costs import Price
from judging.models import Run, RunStatus
from judging.services.pricing import add_price
from judging.simulator.options import Options
from tests.annotation.factory import START
from tests.judging.factory import ADDRESS, make_judge, make_run
from tests.judging.talkers import Talker
from tests.judging.talkers import work as talk

pytestmark = pytest.mark.django_db(transaction=True)


def test_nothing_to_ask_costs_nothing():
    run = make_run(ADDRESS, cases=1)
    talk(run, Talker())
    out = io.StringIO()
    call_command(
        "run_judge", judge="judge", gold_set=run.gold_set.name, dry_run=True, stdout=out
    )
    assert "2 calls: 0 to ask, 2 from earlier runs" in out.getvalue()
    assert "Cost none: nothing is to be asked." in out.getvalue()
    assert "unknown" not in out.getvalue()


@pytest.mark.parametrize("reason", ["Incorrect API key", "Incorrect API key."])
def test_a_reason_ends_with_one_full_stop(monkeypatch, reason):
    run = make_run(ADDRESS, cases=1)

    def fail(run, **_):
        Run.objects.filter(pk=run.pk).update(status=RunStatus.FAILED, failure=reason)

    monkeypatch.setattr("judging.management.commands.run_judge.carry_out", fail)
    with pytest.raises(CommandError) as refused:
        call_command("run_judge", run=run.pk)
    assert str(refused.value).startswith(
        f"Run {run.pk} is failed: Incorrect API key. Resume it with: "
    )


@pytest.mark.parametrize("name", ["latency", "latency_spread", "batch_delay"])
@pytest.mark.parametrize("seconds", [-1.0, float("nan"), float("inf")])
def test_the_simulated_judge_takes_no_time_that_can_not_be(name, seconds):
    with pytest.raises(ValueError, match=f"{name} must be 0 seconds or more"):
        Options(**{name: seconds})


def test_prices_of_one_day_are_in_one_currency():
    make_judge(ADDRESS)

    def enter(currency, day):
        price = Price(
            provider="local",
            model="m",
            valid_from=date(2026, 1, day),
            prompt=Decimal(1),
            completion=Decimal(2),
            cached=None,
            batch_share=None,
            currency=currency,
        )
        return add_price(price=price, by=None, now=START)

    enter("USD", 1)
    enter("USD", 1)
    with pytest.raises(Conflict, match="has a price in USD from 2026-01-01 already"):
        enter("EUR", 1)
    assert enter("EUR", 2).currency == "EUR"
