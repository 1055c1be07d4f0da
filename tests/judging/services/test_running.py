"""One runner, with clients of our own making."""

from __future__ import annotations

import asyncio

import pytest
from django.db import IntegrityError, connection, transaction

from annotation.models import GoldSet
from config.db import guards
from judging.domain import asking
from judging.models import Attempt, Call, Reply, RunStatus
from judging.services import storing
from tests.annotation.factory import add_case, make_set
from tests.judging.factory import ADDRESS, assert_settled, make_judge, make_run
from tests.judging.talkers import Talker, runner_of, work

pytestmark = pytest.mark.django_db(transaction=True)


def test_every_call_is_asked_once_within_its_concurrency():
    run, client = make_run(ADDRESS, cases=30, concurrency=7), Talker()
    assert work(run, client) == RunStatus.DONE
    assert_settled(run)
    assert client.asked == 60
    assert client.most <= 7
    assert client.closed


def test_a_run_without_calls_is_done():
    run = make_run(ADDRESS, cases=1)
    with transaction.atomic(), guards.lifted(connection, Call._meta.db_table):
        run.calls.all().delete()
    assert work(run, Talker()) == RunStatus.DONE


@pytest.mark.parametrize(
    "change",
    [
        "repeat = repeat + 100",
        "\"order\" = ''",
        "pair_id = NULL",
        "run_id = run_id + 1",
    ],
)
def test_what_a_call_asked_cannot_be_changed(change):
    """Else its reply would be a verdict on something else, or in another order."""
    run = make_run(ADDRESS, cases=2)
    assert work(run, Talker()) == RunStatus.DONE
    with (
        pytest.raises(IntegrityError, match="cannot be changed"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"UPDATE judging_call SET {change}")


def test_no_call_can_be_taken_away():
    run = make_run(ADDRESS, cases=2)
    with pytest.raises(IntegrityError, match="cannot be changed"):
        run.calls.all().delete()


def test_a_place_is_kept_until_the_reply_is_committed(monkeypatch):
    run, client = make_run(ADDRESS, cases=20, concurrency=5), Talker()
    worst = []
    store = storing.store

    def watched(**kwargs):
        done = Reply.objects.filter(call__run=run).count()
        worst.append(client.asked - done)
        return store(**kwargs)

    monkeypatch.setattr(storing, "store", watched)
    work(run, client)
    assert max(worst) <= 5


def test_too_long_a_prompt_is_never_sent():
    gold_set = make_set(0)
    systems = list(gold_set.systems.all())
    add_case(gold_set, systems, "short-0001", ["One.", "Two."])
    add_case(gold_set, systems, "long-0001", ["word " * 9000, "Two."])
    run = make_run(ADDRESS, gold_set=gold_set, input_limit=20_000)
    client = Talker()
    assert work(run, client) == RunStatus.DONE
    assert client.asked == 2
    long = Reply.objects.filter(call__pair__case__external_id="long-0001")
    assert [r.invalid_reason for r in long] == ["too_long"] * 2
    assert not Attempt.objects.filter(call__in=[r.call_id for r in long]).exists()
    assert_settled(run)


def test_a_prompt_that_is_not_whole_is_never_sent(monkeypatch):
    monkeypatch.setattr(asking, "occurrences", lambda *_: ("prompt: 0 times, not 1",))
    run, client = make_run(ADDRESS, cases=1), Talker()
    assert work(run, client) == RunStatus.DONE
    assert client.asked == 0
    for reply in Reply.objects.filter(call__run=run):
        assert reply.invalid_reason == "provider_error"
        assert reply.detail == "not sent: prompt: 0 times, not 1"


def test_several_runners_at_once_share_a_run():
    run = make_run(ADDRESS, cases=60, concurrency=4)

    async def slowly(request):
        await asyncio.sleep(0.01)

    client = Talker(slowly)

    async def main():
        runners = [runner_of(run, client, 4) for n in range(3)]
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
    work(run, Talker(note))
    assert len({r.request_hash for r in requests}) == 2
    texts = ["".join(m.content for m in r.messages) for r in requests]
    assert all("canary" not in text for text in texts)
    first = [text.index("Reply 0") < text.index("Reply 1") for text in texts]
    assert sorted(first) == [False, True]
    assert make_judge(ADDRESS, name="other").digest == run.config.digest
