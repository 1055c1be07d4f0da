"""Replies are copied from earlier runs of the same judge, and from no others."""

from __future__ import annotations

import asyncio

import pytest
from django.db import IntegrityError
from django.utils import timezone

from judging.domain.ports import CallFailed, FailureKind, RawReply
from judging.models import Attempt, Reply, Run, RunPurpose, RunStatus
from judging.services.controls import READY
from judging.services.pricing import cost_of_run
from judging.services.starting import RunOptions, start_run
from tests.annotation.factory import add_case, make_set
from tests.judging.factory import ADDRESS, assert_settled, make_judge, make_run
from tests.judging.talkers import Talker, runner_of, work

pytestmark = pytest.mark.django_db(transaction=True)


def once_more(run, config=None, gold_set=None, **options):
    return start_run(
        config=config or run.config,
        gold_set=gold_set or run.gold_set,
        concurrency=4,
        by=None,
        now=timezone.now(),
        options=RunOptions(**options),
    )


def judged(cases=5, client=None, **spec):
    run = make_run(ADDRESS, cases=cases, **spec)
    assert work(run, client or Talker()) == RunStatus.DONE
    return run


def test_nothing_is_asked_twice():
    first = judged(repeats=2)
    second, client = once_more(first), Talker()
    assert work(second, client) == RunStatus.DONE
    assert client.asked == 0
    assert_settled(second)
    for reply in Reply.objects.filter(call__run=second).select_related("call"):
        original = reply.reused_from
        assert original.call.run == first
        assert original.call.order == reply.call.order
        assert original.call.repeat == reply.call.repeat
        assert original.call.pair_id == reply.call.pair_id
        assert (original.choice, original.raw) == (reply.choice, reply.raw)
    assert cost_of_run(second).reused == 20
    assert cost_of_run(second).requests == 0


def test_a_copy_of_a_copy_names_the_original():
    first = judged()
    for run in (once_more(first), once_more(first)):
        work(run, Talker())
        originals = Reply.objects.filter(reuses__call__run=run)
        assert {reply.call.run_id for reply in originals} == {first.pk}


def test_only_what_is_new_is_asked():
    first = judged()
    systems = list(first.gold_set.systems.all())
    add_case(first.gold_set, systems, "new-0001", ["One.", "Two."])
    second, client = once_more(first), Talker()
    work(second, client)
    assert client.asked == 2
    assert_settled(second)


@pytest.mark.parametrize(
    "purpose", [RunPurpose.NOISE, RunPurpose.SENTINEL, RunPurpose.STABILITY]
)
def test_runs_that_measure_noise_never_reuse(purpose):
    first = judged()
    second, client = once_more(first, purpose=purpose, reuse=True), Talker()
    assert not second.reuse
    work(second, client)
    assert client.asked == 10
    with pytest.raises(IntegrityError):
        Run.objects.filter(pk=second.pk).update(reuse=True)


def test_a_run_that_is_told_not_to_reuse_buys_all_again():
    second, client = once_more(judged(), reuse=False), Talker()
    work(second, client)
    assert client.asked == 10


def test_any_other_judge_asks_for_itself():
    first = judged()
    other = make_judge(ADDRESS, params={"temperature": 1, "max_tokens": 1024})
    second, client = once_more(first, config=other), Talker()
    work(second, client)
    assert client.asked == 10


def test_the_same_judge_under_another_name_is_the_same_judge():
    first = judged()
    second, client = once_more(first, config=make_judge(ADDRESS, name="twin")), Talker()
    work(second, client)
    assert client.asked == 0


def test_the_other_set_with_the_same_texts_reuses_too():
    first = judged(cases=3)
    other = make_set(3, name="copy")
    second, client = once_more(first, gold_set=other), Talker()
    work(second, client)
    assert client.asked == 0
    assert_settled(second)


class Failing(Talker):
    def __init__(self, kind, *, greets=False):
        super().__init__()
        self.kind, self.greets = kind, greets

    async def ask(self, request):
        said = await super().ask(request)
        if self.greets and request.messages[-1].content == READY:
            return said
        raise CallFailed(self.kind, "so it goes")


class Mumbling(Talker):
    async def ask(self, request):
        await super().ask(request)
        return RawReply(text="I cannot decide.", body="{}", finish_reason="stop")


def test_an_answer_without_a_verdict_is_final():
    first = judged(client=Mumbling())
    second, client = once_more(first), Talker()
    work(second, client)
    assert client.asked == 0
    reasons = Reply.objects.filter(call__run=second).values_list("invalid_reason")
    assert set(reasons) == {("unparsed",)}


def test_a_filtered_request_is_final():
    first = judged(client=Failing(FailureKind.FILTERED))
    client = Talker()
    work(once_more(first), client)
    assert client.asked == 0


def test_what_the_provider_failed_at_is_asked_again():
    client = Failing(FailureKind.REJECTED, greets=True)
    first = judged(client=client)
    assert set(
        Reply.objects.filter(call__run=first).values_list("invalid_reason", flat=True)
    ) == {"provider_error"}
    second, client = once_more(first), Talker()
    work(second, client)
    assert client.asked == 10


def test_runners_that_share_a_run_copy_each_reply_once():
    first = judged(cases=60)
    second, client = once_more(first), Talker()

    async def main():
        runners = [
            runner_of(second, client, 4, reuse_of=second.config.digest)
            for _ in range(3)
        ]
        return await asyncio.gather(*(runner.run() for runner in runners))

    assert asyncio.run(main()) == [RunStatus.DONE] * 3
    assert client.asked == 0
    assert not Attempt.objects.filter(call__run=second).exists()
    assert_settled(second)
