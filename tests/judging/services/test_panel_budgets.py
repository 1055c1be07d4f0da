"""A panel's budget is shared out among its members' runs."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.utils import timezone

from config.errors import Conflict
from judging.models import RunNote, RunStatus
from judging.services.budgets import Budget
from judging.services.controlling import pause, resume
from judging.services.panel_budgets import limit_run
from judging.services.panels import runs_behind
from tests.annotation.factory import make_set
from tests.judging.services.test_panel_runs import judges, panel_of, start
from tests.judging.services.test_pricing import price
from tests.judging.talkers import Talker, work

pytestmark = pytest.mark.django_db(transaction=True)


def panel_run(cases=4, members=2, **options):
    return start(panel_of(judges(members)), make_set(cases), **options)


def limits(run, name="max_calls"):
    return [getattr(each, name) for each in runs_behind(run)]


def set_to(run, **limit):
    return limit_run(run=run, budget=Budget(**limit), by=None, now=timezone.now())


def test_requests_are_shared_by_the_calls_that_each_lacks():
    run = panel_run()
    set_to(run, calls=7)
    assert limits(run) == [3, 3]
    assert RunNote.objects.filter(run=run, reason="7 requests, shared out").exists()


def test_the_panel_never_goes_beyond_it_and_goes_on_when_it_is_raised():
    run, client = panel_run(budget=Budget(calls=6)), Talker()
    assert work(run, client) == RunStatus.PAUSED
    assert client.asked == 6
    assert run.halt_reason.endswith("is paused: The budget of 3 requests is used up.")
    assert [each.status for each in runs_behind(run)] == ["paused", "paused"]
    with pytest.raises(Conflict, match="used up"):
        resume(run=run, by=None, now=timezone.now())
    set_to(run, calls=10)
    assert limits(run) == [8, 8]
    resume(run=run, by=None, now=timezone.now())
    assert work(run, client) == RunStatus.DONE
    assert client.asked == 16


def test_what_is_done_needs_no_share():
    run = panel_run()
    first, other = runs_behind(run)
    work(first, Talker())
    set_to(run, calls=5)
    assert limits(run) == [None, 5]
    assert other.pk == runs_behind(run)[1].pk


def test_tokens_and_money_are_shared_by_what_calls_may_take():
    run = panel_run()
    price(model="m0", prompt="1", completion="1")
    price(model="m1", prompt="3", completion="3")
    set_to(run, tokens=100_000, cost=Decimal(4), currency="USD")
    assert limits(run, "max_tokens") == [50_000, 50_000]
    by_model = {each.config.spec["model"]: each.max_cost for each in runs_behind(run)}
    assert by_model == {"m0": 1, "m1": 3}


def test_one_that_is_too_small_or_has_no_price_is_refused_whole():
    run = panel_run(members=3)
    with pytest.raises(Conflict, match="too small"):
        set_to(run, calls=2)
    with pytest.raises(Conflict, match="price"):
        set_to(run, cost=Decimal(1), currency="USD")
    assert limits(run) == [None] * 3


def test_no_limit_lifts_the_members_limits():
    run = panel_run(budget=Budget(calls=6))
    set_to(run)
    assert limits(run) == [None, None]


def test_a_run_of_one_judge_is_limited_as_ever_and_a_done_panel_is_refused():
    run = panel_run()
    member = runs_behind(run)[0]
    set_to(member, calls=3)
    assert limits(run)[0] == 3
    set_to(run)
    work(run, Talker())
    with pytest.raises(Conflict, match="is done"):
        set_to(run, calls=3)


def test_resuming_a_panel_resumes_members_that_were_paused_by_themselves():
    run = panel_run()
    pause(run=runs_behind(run)[0], by=None, now=timezone.now())
    resume(run=run, by=None, now=timezone.now())
    assert {each.status for each in runs_behind(run)} == {"pending"}
