"""Pausing, resuming, stopping, and budgets, with real runners."""

from __future__ import annotations

import asyncio
from datetime import date
from decimal import Decimal

import pytest
from django.utils import timezone

from config.errors import Conflict, InvalidInput
from judging.domain import costs
from judging.domain.ports import CallFailed, FailureKind, RawReply, Usage
from judging.models import Attempt, Reply, Run, RunStatus
from judging.services.budgets import Budget, set_budget
from judging.services.controlling import pause, resume, stop
from judging.services.pricing import add_price
from judging.services.starting import run_for
from judging.services.working import runs_with_work
from tests.annotation.factory import START
from tests.judging.factory import ADDRESS, assert_settled, make_run
from tests.judging.talkers import Talker, in_thread, runner_of, work

pytestmark = pytest.mark.django_db(transaction=True)


def halt_after(run, calls, how, **more):
    """A client that halts the run, from another thread, when so many were asked."""
    client = Talker()

    async def before(request):
        if client.asked == calls:
            await in_thread(
                how, run=run, by=None, now=timezone.now(), reason="enough", **more
            )
        await asyncio.sleep(0.01)

    client.before = before
    return client


class TestPausing:
    def test_a_running_run_is_paused_and_what_was_sent_is_stored(self):
        run = make_run(ADDRESS, cases=200, concurrency=4)
        client = halt_after(run, 30, pause)
        assert work(run, client) == RunStatus.PAUSED
        run.refresh_from_db()
        assert (run.status, run.halt_reason) == (RunStatus.PAUSED, "enough")
        answered = Reply.objects.filter(call__run=run).count()
        assert answered == client.asked < 400
        assert not run.calls.filter(state="claimed").exists()

    def test_a_paused_run_is_left_alone_until_it_is_resumed(self):
        run = make_run(ADDRESS, cases=3)
        pause(run=run, by=None, now=START)
        client = Talker()
        assert work(run, client) == RunStatus.PAUSED
        assert client.asked == 0
        assert list(runs_with_work(timezone.now())) == []
        resume(run=run, by=None, now=START)
        assert list(runs_with_work(timezone.now())) == [run]
        assert work(run, client) == RunStatus.DONE
        assert_settled(run)
        events = run.notes.values_list("event", flat=True)
        assert list(events) == ["paused", "resumed"]

    def test_a_failed_run_is_resumed(self):
        run = make_run(ADDRESS, cases=1)
        Run.objects.filter(pk=run.pk).update(status="failed", failure="no key")
        resumed = resume(run=run, by=None, now=START)
        assert (resumed.status, resumed.failure) == (RunStatus.PENDING, "")

    def test_what_has_ended_is_not_paused_or_resumed(self):
        run = make_run(ADDRESS, cases=1)
        work(run, Talker())
        with pytest.raises(Conflict, match="done"):
            pause(run=run, by=None, now=START)
        with pytest.raises(Conflict, match="start a new one"):
            resume(run=run, by=None, now=START)
        with pytest.raises(Conflict, match="nothing to stop"):
            stop(run=run, by=None, now=START, reason="")

    def test_the_last_answers_of_a_paused_run_end_it(self):
        run = make_run(ADDRESS, cases=2, concurrency=4)
        assert work(run, halt_after(run, 4, pause)) == RunStatus.DONE
        assert_settled(run)


class TestStopping:
    def test_a_stopped_run_stays_as_it_is(self):
        run = make_run(ADDRESS, cases=200, concurrency=4)
        assert work(run, halt_after(run, 30, stop)) == RunStatus.STOPPED
        run.refresh_from_db()
        assert run.finished_at is not None
        with pytest.raises(Conflict, match="start a new one"):
            resume(run=run, by=None, now=START)
        asked = Talker()
        assert work(run, asked) == RunStatus.STOPPED
        assert asked.asked == 0

    def test_its_answers_are_copied_by_the_next_run(self):
        run = make_run(ADDRESS, cases=100, concurrency=4)
        work(run, halt_after(run, 30, stop))
        kept = Reply.objects.filter(call__run=run).count()
        following = run_for(
            config=run.config,
            gold_set=run.gold_set,
            concurrency=4,
            by=None,
            now=timezone.now(),
        )
        assert following != run
        client = Talker()
        assert work(following, client) == RunStatus.DONE
        assert client.asked == 200 - kept
        assert_settled(following)


class TestSlices:
    def test_a_runner_ends_in_good_order_when_its_time_is_over(self):
        run = make_run(ADDRESS, cases=200, concurrency=4)

        async def slowly(request):
            await asyncio.sleep(0.02)

        client = Talker(slowly)
        assert work(run, client, at_most=0.3) == RunStatus.RUNNING
        assert 0 < client.asked < 400
        assert Reply.objects.filter(call__run=run).count() == client.asked
        assert not run.calls.filter(state="claimed").exists()


def spender(prompt=100, completion=20):
    """Says how many tokens it took."""
    said = RawReply(
        text="[[A>B]]",
        body="{}",
        finish_reason="stop",
        usage=Usage(prompt=prompt, completion=completion),
    )

    class Spender(Talker):
        async def ask(self, request):
            await super().ask(request)
            return said

    return Spender()


class Unsteady(Talker):
    """Fails every second request."""

    async def ask(self, request):
        said = await super().ask(request)
        if self.asked % 2:
            raise CallFailed(FailureKind.SERVER, "no")
        return said


def price(run, **terms):
    terms = {"prompt": Decimal(10), "completion": Decimal(20), **terms}
    return add_price(
        price=costs.Price(
            provider=run.config.provider.alias,
            model="simulated-judge",
            valid_from=date(2020, 1, 1),
            **terms,
        ),
        by=None,
        now=START,
    )


def limited(run, **limits):
    return set_budget(run=run, budget=Budget(**limits), by=None, now=START)


class TestBudgets:
    def test_no_request_more_than_the_budget_of_requests(self):
        run = limited(make_run(ADDRESS, cases=30, concurrency=8), calls=21)
        client = Talker()
        assert work(run, client) == RunStatus.PAUSED
        assert client.asked == 21
        run.refresh_from_db()
        assert run.halt_reason == "The budget of 21 requests is used up."
        assert run.halted_by is None
        with pytest.raises(Conflict, match="Raise the budget"):
            resume(run=run, by=None, now=START)
        limited(run, calls=70)
        resume(run=run, by=None, now=START)
        assert work(run, client) == RunStatus.DONE
        assert client.asked == 60

    def test_repeats_of_failed_requests_count(self):
        run = limited(make_run(ADDRESS, cases=30, concurrency=8), calls=41)
        client = Unsteady()
        assert work(run, client) == RunStatus.PAUSED
        assert client.asked == Attempt.objects.filter(call__run=run).count() == 41
        assert not run.calls.filter(state="claimed").exists()

    def test_several_runners_share_a_budget(self):
        run = limited(make_run(ADDRESS, cases=60, concurrency=4), calls=50)
        client = Unsteady()
        assert run.config.digest

        async def main():
            runners = [runner_of(run, client, 4) for _ in range(3)]
            return await asyncio.gather(*(runner.run() for runner in runners))

        assert set(asyncio.run(main())) == {RunStatus.PAUSED}
        assert client.asked == 50

    def test_tokens_are_not_exceeded(self):
        run = make_run(ADDRESS, cases=30, concurrency=8)
        run = limited(run, tokens=20_000)
        assert run.reserved_tokens > 120
        client = spender(prompt=run.reserved_tokens - 40, completion=40)
        assert work(run, client) == RunStatus.PAUSED
        run.refresh_from_db()
        assert run.spent_tokens == client.asked * run.reserved_tokens
        assert 20_000 - run.reserved_tokens < run.spent_tokens <= 20_000
        assert "Of the budget of 20000 tokens" in run.halt_reason

    def test_money_is_not_exceeded(self):
        run = make_run(ADDRESS, cases=30, concurrency=8)
        price(run)
        run = limited(run, cost=Decimal("0.2"), currency="USD")
        assert run.reserved_cost > Decimal("0.003")
        client = spender(prompt=1000, completion=200)  # 0.014 each
        assert work(run, client) == RunStatus.PAUSED
        run.refresh_from_db()
        assert run.spent_cost == client.asked * Decimal("0.014")
        assert run.spent_cost <= Decimal("0.2")
        assert "Of the budget of 0.2 USD" in run.halt_reason

    def test_what_nobody_counted_counts_with_what_was_set_aside(self):
        run = limited(make_run(ADDRESS, cases=30, concurrency=8), tokens=20_000)
        client = Talker()  # says nothing about tokens
        assert work(run, client) == RunStatus.PAUSED
        assert client.asked == 20_000 // run.reserved_tokens

    def test_money_needs_a_price_in_its_currency(self):
        run = make_run(ADDRESS, cases=1)
        with pytest.raises(Conflict, match="price in its currency, USD"):
            limited(run, cost=Decimal(1), currency="USD")
        price(run, currency="EUR")
        with pytest.raises(Conflict, match="USD"):
            limited(run, cost=Decimal(1), currency="USD")
        assert limited(run, cost=Decimal(1), currency="EUR").reserved_cost > 0

    @pytest.mark.parametrize(
        "limits",
        [{"calls": 0}, {"tokens": -1}, {"cost": Decimal(0), "currency": "USD"}],
    )
    def test_a_budget_of_nothing_is_refused(self, limits):
        with pytest.raises(InvalidInput, match="above zero"):
            limited(make_run(ADDRESS, cases=1), **limits)

    def test_money_in_no_currency_is_refused(self):
        with pytest.raises(InvalidInput, match="three letters"):
            limited(make_run(ADDRESS, cases=1), cost=Decimal(1))

    def test_what_was_spent_before_there_was_a_budget_counts(self):
        run = make_run(ADDRESS, cases=30, concurrency=4)
        work(run, halt_after(run, 10, pause))
        sent = Attempt.objects.filter(call__run=run).count()
        assert limited(run, calls=1000).spent_calls == sent > 0
