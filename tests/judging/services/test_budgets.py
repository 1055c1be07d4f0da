"""Budgets that can't be: refused before there is a run, whoever asks."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.utils import timezone

from config.errors import Conflict, InvalidInput
from judging.models import Run
from judging.services.budgets import MOST_CALLS, MOST_COST, MOST_TOKENS, Budget
from judging.services.panel_budgets import limit_run
from judging.services.starting import RunOptions, run_for
from tests.annotation.factory import START, make_set
from tests.judging.factory import ADDRESS, make_judge, make_run

pytestmark = pytest.mark.django_db

IMPOSSIBLE = [
    {"calls": 0},
    {"calls": -1},
    {"calls": 10**20},
    {"calls": MOST_CALLS + 1},
    {"tokens": 0},
    {"tokens": 10**25},
    {"tokens": MOST_TOKENS + 1},
    {"cost": Decimal(0)},
    {"cost": Decimal(-1)},
    {"cost": Decimal("NaN")},
    {"cost": Decimal("sNaN")},
    {"cost": Decimal("Infinity")},
    {"cost": Decimal(10**25)},
    {"cost": Decimal("1E-12")},
    {"cost": Decimal(1), "currency": "dollars"},
]


@pytest.mark.parametrize("limits", IMPOSSIBLE)
def test_no_run_is_left_by_a_budget_that_can_not_be(limits):
    config, gold_set = make_judge(ADDRESS), make_set(1)
    budget = Budget(**{"currency": "USD"} | limits)
    with pytest.raises(InvalidInput):
        run_for(
            config=config,
            gold_set=gold_set,
            concurrency=1,
            by=None,
            now=timezone.now(),
            options=RunOptions(budget=budget),
        )
    assert not Run.objects.exists()


@pytest.mark.parametrize("limits", IMPOSSIBLE)
def test_a_run_keeps_the_budget_it_had(limits):
    run = make_run(ADDRESS, cases=1)
    limit_run(run=run, budget=Budget(calls=7), by=None, now=START)
    with pytest.raises(InvalidInput):
        limit_run(
            run=run,
            budget=Budget(**{"currency": "USD"} | limits),
            by=None,
            now=START,
        )
    run.refresh_from_db()
    assert (run.max_calls, run.max_tokens, run.max_cost) == (7, None, None)


def test_the_greatest_budgets_are_stored():
    run = make_run(ADDRESS, cases=1)
    budget = Budget(calls=MOST_CALLS, tokens=MOST_TOKENS)
    limit_run(run=run, budget=budget, by=None, now=START)
    run.refresh_from_db()
    assert (run.max_calls, run.max_tokens) == (MOST_CALLS, MOST_TOKENS)
    with pytest.raises(Conflict, match="price"):  # but it would fit
        limit_run(
            run=run, budget=Budget(cost=MOST_COST, currency="USD"), by=None, now=START
        )
