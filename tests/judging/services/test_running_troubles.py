"""A runner among others that fail, take its calls, or end it."""

from __future__ import annotations

import asyncio
import logging

import pytest
from django.db import OperationalError, connections
from django.utils import timezone

from config.errors import Conflict, Unavailable
from judging.domain.ports import CallFailed, FailureKind
from judging.models import Attempt, Call, Reply, RunStatus
from judging.services import steadfast, storing, worklist
from judging.services.asker import Asker
from tests.judging.factory import ADDRESS, assert_settled, make_run
from tests.judging.talkers import Talker, runner_of, work

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_run_that_another_runner_failed_is_left_alone(monkeypatch):
    monkeypatch.setattr(worklist, "HEARTBEAT_SECONDS", 0.05)
    run = make_run(ADDRESS, cases=50, concurrency=2)

    async def slowly(request):
        if client.asked == 4:
            await asyncio.to_thread(fail_elsewhere, run.pk)
        await asyncio.sleep(0.05)

    client = Talker(slowly)
    assert work(run, client) == RunStatus.FAILED
    assert client.asked < 50
    run.refresh_from_db()
    assert run.failure == "elsewhere"


def fail_elsewhere(pk):
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
    client = Talker()

    async def main():
        runner = runner_of(run, client, 1, seconds=lambda: float(next(seconds)))
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

    client = Talker(slowly)

    async def main():
        runner = runner_of(run, client, 4)
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
    assert work(run, Talker()) == RunStatus.DONE
    assert_settled(run)


def test_a_fault_of_the_runner_fails_the_run_in_words(caplog, monkeypatch):
    def broken(self, call):
        raise KeyError("of all things")

    run = make_run(ADDRESS, cases=5)
    with caplog.at_level(logging.CRITICAL), monkeypatch.context() as patched:
        patched.setattr(Asker, "prepare", broken)
        assert work(run, Talker()) == RunStatus.FAILED
    run.refresh_from_db()
    assert run.failure == "The runner failed: KeyError: 'of all things'"
    assert not Call.objects.filter(run=run, state="claimed").exists()
    assert work(run, Talker()) == RunStatus.DONE


def test_a_database_that_is_away_for_a_moment_loses_nothing(monkeypatch):
    run, client, failures = make_run(ADDRESS, cases=10), Talker(), [0]
    store = storing.store

    def shaky(**kwargs):
        failures[0] += 1
        if failures[0] == 1:
            raise OperationalError("server closed the connection")
        stored = store(**kwargs)
        if failures[0] == 3:
            raise OperationalError("the confirmation was lost")
        return stored

    monkeypatch.setattr(storing, "store", shaky)
    assert work(run, client) == RunStatus.DONE
    assert client.asked == 20
    assert_settled(run)


def test_a_database_that_stays_away_ends_the_work_in_words(monkeypatch):
    monkeypatch.setattr(steadfast, "PAUSES", (0.01,))
    monkeypatch.setattr(steadfast.steadfast, "__defaults__", ((0.01,),))

    def away(**kwargs):
        raise OperationalError("no such server")

    run = make_run(ADDRESS, cases=10)
    monkeypatch.setattr(storing, "store", away)
    with pytest.raises(Unavailable, match="The database does not answer"):
        work(run, Talker())
    monkeypatch.undo()
    assert not Call.objects.filter(run=run, state="claimed").exists()
    assert work(run, Talker()) == RunStatus.DONE
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
    run, client = make_run(ADDRESS, cases=1), Talker()
    run.config.provider.base_url = "http://127.0.0.1:10/v1"
    run.config.provider.save()
    with pytest.raises(Conflict, match="was frozen with"):
        work(run, client)
    assert client.asked == 0
    run.refresh_from_db()
    assert run.status == RunStatus.FAILED
