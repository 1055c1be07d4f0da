"""A rejection is a call's answer only where the provider takes the others."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from judging.models import Attempt, Call, Reply, Run, RunStatus
from judging.services.budgets import Budget, set_budget
from judging.services.rejections import ROW
from tests.annotation.factory import START
from tests.judging.batches import SWIFT, batch_run, carry
from tests.judging.factory import ADDRESS, assert_settled, make_run
from tests.judging.rejecting import Rejecting, RejectingBatches
from tests.judging.services.test_last_calls import invalid_of, requests_of
from tests.judging.talkers import Talker, in_thread, runner_of, work

pytestmark = pytest.mark.django_db(transaction=True)
SHAPES = [(1, 4), (10, 1), (10, 4), (40, 8)]


class TestEveryCall:
    @pytest.mark.parametrize(("cases", "concurrency"), SHAPES)
    def test_from_the_start_stops_the_run_and_answers_nothing(self, cases, concurrency):
        run = make_run(ADDRESS, cases=cases, concurrency=concurrency)
        client = Rejecting(since=0)
        assert work(run, client) == RunStatus.FAILED
        assert not Reply.objects.filter(call__run=run).exists()
        run.refresh_from_db()
        assert run.failure == "The provider rejects every call: min_tokens must be null"
        assert client.asked <= 3 * ROW + 4 * concurrency
        assert client.greetings

    @pytest.mark.parametrize(("cases", "concurrency"), SHAPES[1:])
    @pytest.mark.parametrize("since", [1, 7])
    def test_from_some_reply_on(self, cases, concurrency, since):
        run = make_run(ADDRESS, cases=cases, concurrency=concurrency)
        assert work(run, Rejecting(since=since)) == RunStatus.FAILED
        assert not invalid_of(run).exists()
        assert Reply.objects.filter(call__run=run).count() == since

    def test_the_run_goes_on_once_the_provider_was_mended(self):
        run = make_run(ADDRESS, cases=10, concurrency=4)
        assert work(run, Rejecting(since=3)) == RunStatus.FAILED
        assert work(run, Talker()) == RunStatus.DONE
        assert_settled(run)
        assert not invalid_of(run).exists()

    def test_of_two_runners(self):
        run = make_run(ADDRESS, cases=20, concurrency=4)
        run = Run.objects.select_related("config").get(pk=run.pk)
        client = Rejecting(since=5)

        async def main():
            runners = [runner_of(run, client, 4) for _ in range(2)]
            await asyncio.gather(*(one.run() for one in runners))

        asyncio.run(main())
        assert not invalid_of(run).exists()


class TestSome:
    @pytest.mark.parametrize(("cases", "concurrency"), SHAPES[1:])
    @pytest.mark.parametrize("bad", [1, 4, 9])
    @pytest.mark.parametrize("place", ["first", "spread", "last"])
    def test_are_invalid_and_asked_once(self, cases, concurrency, bad, place):
        run = make_run(ADDRESS, cases=cases, concurrency=concurrency)
        asked = requests_of(run)
        step = len(asked) // bad
        chosen = {"first": asked[:bad], "spread": asked[::step], "last": asked[-bad:]}
        client = Rejecting(chosen[place], greets=True)
        assert work(run, client) == RunStatus.DONE
        assert_settled(run)
        assert {reply.request_hash for reply in invalid_of(run)} == client.bad
        assert {client.requests[one] for one in client.bad} == {1}
        tries = Call.objects.filter(run=run, reply__request_hash__in=client.bad)
        assert set(tries.values_list("tries", flat=True)) == {1}

    def test_one_among_many_costs_no_request_more(self):
        run = make_run(ADDRESS, cases=20, concurrency=4)
        client = Rejecting(requests_of(run)[9:10])
        assert work(run, client) == RunStatus.DONE
        assert client.asked == 40 == Attempt.objects.filter(call__run=run).count()

    def test_all_but_a_greeting_are_what_the_provider_says(self):
        run = make_run(ADDRESS, cases=20, concurrency=4)
        client = Rejecting(requests_of(run), greets=True)
        assert work(run, client) == RunStatus.DONE
        assert invalid_of(run).count() == 40
        assert len(client.greetings) <= 5
        roles = {message.role for message in client.greetings[0].messages}
        assert roles == {"system", "user"}

    def test_a_slow_provider_is_waited_for(self):
        run = make_run(ADDRESS, cases=20, concurrency=8)
        asked = requests_of(run)

        async def slowly(request):
            await asyncio.sleep(0 if request.request_hash in client.bad else 0.15)

        client = Rejecting(asked[:3])
        client.before = slowly
        assert work(run, client) == RunStatus.DONE
        assert {reply.request_hash for reply in invalid_of(run)} == client.bad
        assert client.asked == 40

    def test_within_a_budget_that_is_used_up(self):
        run = make_run(ADDRESS, cases=5, concurrency=1)
        client = Rejecting(requests_of(run)[5:7])
        set_budget(run=run, budget=Budget(calls=7), by=None, now=START)
        work(run, client)
        assert client.asked <= 7
        run.refresh_from_db()
        assert run.status == RunStatus.PAUSED


class TestWhileTheRunIsStopped:
    def test_a_call_in_doubt_stays_open(self):
        run = make_run(ADDRESS, cases=3, concurrency=2)
        run = Run.objects.select_related("config").get(pk=run.pk)
        client = Rejecting(requests_of(run)[:1])

        async def pausing(request):
            if request.request_hash not in client.bad:
                await in_thread(
                    Run.objects.filter(pk=run.pk).update, status=RunStatus.PAUSED
                )
                await asyncio.sleep(0.2)

        client.before = pausing
        asyncio.run(runner_of(run, client, 2).run())
        states = Counter(Call.objects.filter(run=run).values_list("state", flat=True))
        assert set(states) <= {"pending", "done"}
        assert work_again(run).status == RunStatus.DONE
        assert not invalid_of(run).exists()


def work_again(run):
    Run.objects.filter(pk=run.pk).update(status=RunStatus.RUNNING)
    work(run, Talker())
    run.refresh_from_db()
    return run


class TestInBatches:
    def test_every_call_stops_the_run_and_answers_nothing(self):
        run = batch_run(ADDRESS, cases=5)
        client = RejectingBatches(None)
        assert carry(run, open_batches=client) == RunStatus.FAILED
        run.refresh_from_db()
        assert run.failure == "The provider rejects every call: no min_tokens"
        assert not Reply.objects.filter(call__run=run).exists()
        assert len(client.made) == 1

    def test_some_are_invalid_and_sent_once(self):
        run = batch_run(ADDRESS, cases=8)
        client = RejectingBatches(["number 0003", "number 0005"])
        assert carry(run, open_batches=client) == RunStatus.DONE
        assert_settled(run)
        assert 0 < invalid_of(run).count() < 16
        assert set(invalid_of(run).values_list("call__tries", flat=True)) == {1}

    def test_the_few_of_a_last_batch_are_told_by_the_run(self):
        run = batch_run(ADDRESS, cases=6)
        client = RejectingBatches(["number 0005"])
        pace = replace(SWIFT, most=10)
        assert carry(run, open_batches=client, pace=pace) == RunStatus.DONE
        assert set(invalid_of(run).values_list("call__tries", flat=True)) == {1}
        assert len(client.made) == 2
