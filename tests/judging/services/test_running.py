"""One runner, with clients of our own making."""

from __future__ import annotations

import asyncio
import logging

import pytest
from django.db import OperationalError
from django.utils import timezone

from annotation.models import GoldSet
from config.errors import Conflict, Unavailable
from judging.domain.ports import CallFailed, FailureKind, RawReply
from judging.models import Attempt, Call, Reply, RunStatus
from judging.services import worklist
from judging.services.asking import Asking
from judging.services.configuring import spec_of
from judging.services.running import Runner
from judging.services.working import work_on
from tests.annotation.factory import add_case, make_set
from tests.judging.factory import QUICK, assert_settled, dice, make_judge, make_run

pytestmark = pytest.mark.django_db(transaction=True)
ADDRESS = "http://127.0.0.1:9/v1"
SAID = RawReply(text="[[A>B]]", body="{}", finish_reason="stop")


class Client:
    """Says the same to everybody, after doing whatever a test wants."""

    def __init__(self, before=None):
        self.asked, self.open, self.most, self.before = 0, 0, 0, before

    def __call__(self, endpoint):
        return self

    async def ask(self, request):
        self.asked += 1
        self.open += 1
        self.most = max(self.most, self.open)
        try:
            if self.before is not None:
                await self.before(request)
            else:
                await asyncio.sleep(0)
        finally:
            self.open -= 1
        return SAID

    async def close(self):
        self.closed = True


def work(run, client, **more):
    run.refresh_from_db()
    return work_on(run, open_client=client, pace=QUICK, **more)


def test_every_call_is_asked_once_within_its_concurrency():
    run, client = make_run(ADDRESS, cases=30, concurrency=7), Client()
    assert work(run, client) == RunStatus.DONE
    assert_settled(run)
    assert client.asked == 60
    assert client.most <= 7
    assert client.closed


def test_a_run_without_calls_is_done():
    run = make_run(ADDRESS, cases=1)
    run.calls.all().delete()
    assert work(run, Client()) == RunStatus.DONE


def test_a_place_is_kept_until_the_reply_is_committed(monkeypatch):
    run, client = make_run(ADDRESS, cases=20, concurrency=5), Client()
    worst = []
    store = worklist.store

    def watched(**kwargs):
        done = Reply.objects.filter(call__run=run).count()
        worst.append(client.asked - done)
        return store(**kwargs)

    monkeypatch.setattr(worklist, "store", watched)
    work(run, client)
    assert max(worst) <= 5


def test_too_long_a_prompt_is_never_sent():
    gold_set = make_set(0)
    systems = list(gold_set.systems.all())
    add_case(gold_set, systems, "short-0001", ["One.", "Two."])
    add_case(gold_set, systems, "long-0001", ["word " * 9000, "Two."])
    run = make_run(ADDRESS, gold_set=gold_set, input_limit=20_000)
    client = Client()
    assert work(run, client) == RunStatus.DONE
    assert client.asked == 2
    long = Reply.objects.filter(call__pair__case__external_id="long-0001")
    assert [r.invalid_reason for r in long] == ["too_long"] * 2
    assert not Attempt.objects.filter(call__in=[r.call_id for r in long]).exists()
    assert_settled(run)


def test_a_prompt_that_is_not_whole_is_never_sent(monkeypatch):
    from judging.domain import asking

    monkeypatch.setattr(asking, "occurrences", lambda *_: ("prompt: 0 times, not 1",))
    run, client = make_run(ADDRESS, cases=1), Client()
    assert work(run, client) == RunStatus.DONE
    assert client.asked == 0
    for reply in Reply.objects.filter(call__run=run):
        assert reply.invalid_reason == "provider_error"
        assert reply.detail == "not sent: prompt: 0 times, not 1"


def test_a_run_that_another_runner_failed_is_left_alone(monkeypatch):
    monkeypatch.setattr(worklist, "HEARTBEAT_SECONDS", 0.05)
    run = make_run(ADDRESS, cases=50, concurrency=2)

    async def slowly(request):
        if client.asked == 4:
            await asyncio.to_thread(fail_elsewhere, run.pk)
        await asyncio.sleep(0.05)

    client = Client(slowly)
    assert work(run, client) == RunStatus.FAILED
    assert client.asked < 50
    run.refresh_from_db()
    assert run.failure == "elsewhere"


def fail_elsewhere(pk):
    from django.db import connections

    worklist.finish(run_id=pk, failure="elsewhere", now=timezone.now())
    connections.close_all()


def test_claims_that_were_lost_are_not_sent(monkeypatch):
    """A process that stood still finds that others have its calls."""
    run = make_run(ADDRESS, cases=10, concurrency=1)
    seconds = iter(range(0, 100_000, 20))  # each look at the clock is 20 s later
    taken = []

    def stolen(**kwargs):
        if not taken:
            rows = Call.objects.filter(run=run, state="claimed").order_by("-pk")
            taken.extend(rows.values_list("pk", flat=True)[:3])
            Call.objects.filter(pk__in=taken).update(owner=OTHER)
        return renew(**kwargs)

    renew = worklist.renew
    monkeypatch.setattr(worklist, "renew", stolen)
    client = Client()

    async def main():
        runner = Runner(
            run_id=run.pk,
            asking=Asking(spec_of(run.config), total_timeout=5.0),
            client=client,
            concurrency=1,
            clock=timezone.now,
            rng=dice(),
            seconds=lambda: float(next(seconds)),
        )
        working = asyncio.create_task(runner.run())
        while client.asked < 17:  # noqa: ASYNC110 - a count, no event
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)
        asked = client.asked
        working.cancel()
        with pytest.raises(asyncio.CancelledError):
            await working
        return asked

    assert asyncio.run(main()) == 17
    assert len(taken) == 3
    assert not Attempt.objects.filter(call__in=taken).exists()


OTHER = "00000000-0000-0000-0000-000000000009"


def test_cancelled_it_keeps_what_came_and_gives_the_rest_back():
    run = make_run(ADDRESS, cases=40, concurrency=4)

    async def slowly(request):
        await asyncio.sleep(0.03)

    client = Client(slowly)

    async def main():
        runner = Runner(
            run_id=run.pk,
            asking=Asking(spec_of(run.config), total_timeout=5.0),
            client=client,
            concurrency=4,
            clock=timezone.now,
            rng=dice(),
        )
        working = asyncio.create_task(runner.run())
        while client.asked < 12:  # noqa: ASYNC110 - a count, no event
            await asyncio.sleep(0.01)
        working.cancel()
        with pytest.raises(asyncio.CancelledError):
            await working

    asyncio.run(main())
    kept = Reply.objects.filter(call__run=run).count()
    assert client.asked - 4 <= kept <= client.asked
    assert not Call.objects.filter(run=run, state="claimed").exists()
    assert work(run, Client()) == RunStatus.DONE
    assert_settled(run)


def test_a_fault_of_the_runner_fails_the_run_in_words(caplog):
    async def broken(request):
        raise KeyError("of all things")

    run = make_run(ADDRESS, cases=5)
    with caplog.at_level(logging.CRITICAL):
        assert work(run, Client(broken)) == RunStatus.FAILED
    run.refresh_from_db()
    assert run.failure == "The runner failed: KeyError: 'of all things'"
    assert not Call.objects.filter(run=run, state="claimed").exists()
    assert work(run, Client()) == RunStatus.DONE


def test_a_database_that_is_away_for_a_moment_loses_nothing(monkeypatch):
    run, client, failures = make_run(ADDRESS, cases=10), Client(), [0]
    store = worklist.store

    def shaky(**kwargs):
        failures[0] += 1
        if failures[0] == 1:
            raise OperationalError("server closed the connection")
        stored = store(**kwargs)
        if failures[0] == 3:
            raise OperationalError("the confirmation was lost")
        return stored

    monkeypatch.setattr(worklist, "store", shaky)
    assert work(run, client) == RunStatus.DONE
    assert client.asked == 20
    assert_settled(run)


def test_a_database_that_stays_away_ends_the_work_in_words(monkeypatch):
    from judging.services import steadfast

    monkeypatch.setattr(steadfast, "PAUSES", (0.01,))
    monkeypatch.setattr(steadfast.steadfast, "__defaults__", ((0.01,),))

    def away(**kwargs):
        raise OperationalError("no such server")

    run = make_run(ADDRESS, cases=10)
    monkeypatch.setattr(worklist, "store", away)
    with pytest.raises(Unavailable, match="The database does not answer"):
        work(run, Client())
    monkeypatch.undo()
    assert not Call.objects.filter(run=run, state="claimed").exists()
    assert work(run, Client()) == RunStatus.DONE
    assert_settled(run)


def test_a_client_that_can_not_be_made_fails_the_run_with_its_reason():
    def no_key(endpoint):
        raise CallFailed(FailureKind.MISCONFIGURED, "variable KEY is not set")

    run = make_run(ADDRESS, cases=1)
    with pytest.raises(Unavailable, match="KEY is not set"):
        work(run, no_key)
    run.refresh_from_db()
    assert (run.status, run.failure) == ("failed", "variable KEY is not set")


def test_a_provider_that_moved_is_not_asked():
    run, client = make_run(ADDRESS, cases=1), Client()
    run.config.provider.base_url = "http://127.0.0.1:10/v1"
    run.config.provider.save()
    with pytest.raises(Conflict, match="was frozen with"):
        work(run, client)
    assert client.asked == 0
    run.refresh_from_db()
    assert run.status == RunStatus.FAILED


def test_several_runners_at_once_share_a_run():
    run = make_run(ADDRESS, cases=60, concurrency=4)

    async def slowly(request):
        await asyncio.sleep(0.01)

    client = Client(slowly)

    async def main():
        runners = [
            Runner(
                run_id=run.pk,
                asking=Asking(spec_of(run.config), total_timeout=5.0),
                client=client,
                concurrency=4,
                clock=timezone.now,
                rng=dice(n),
            )
            for n in range(3)
        ]
        return await asyncio.gather(*(runner.run() for runner in runners))

    assert asyncio.run(main()) == [RunStatus.DONE] * 3
    assert client.asked == 120
    assert_settled(run)


def test_the_judge_is_told_the_pair_in_both_orders_and_nothing_of_its_systems():
    requests = []

    async def note(request):
        requests.append(request)

    gold_set = GoldSet.objects.get(pk=make_set(1, systems=("canary1", "canary2")).pk)
    run = make_run(ADDRESS, gold_set=gold_set)
    work(run, Client(note))
    assert len({r.request_hash for r in requests}) == 2
    texts = ["".join(m.content for m in r.messages) for r in requests]
    assert all("canary" not in text for text in texts)
    first = [text.index("Reply 0") < text.index("Reply 1") for text in texts]
    assert sorted(first) == [False, True]
    assert make_judge(ADDRESS, name="other").digest == run.config.digest
