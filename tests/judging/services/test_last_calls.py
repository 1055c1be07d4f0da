"""The last calls of a run: bad ones are given up, those of an outage never."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from judging.domain.ports import CallFailed, FailureKind
from judging.models import Attempt, Call, Reply, RunStatus
from judging.services.askers import asker_of
from judging.services.budgets import Budget, set_budget
from judging.services.controls import READY
from judging.services.loading import attach_rubrics
from judging.services.patience import BAD_REPLIES
from judging.services.working import work_on
from judging.services.worklist import with_texts
from judging.simulator.options import Options, Shape
from judging.simulator.running import SimulatedJudge
from tests.annotation.factory import START
from tests.judging.factory import ADDRESS, QUICK, assert_settled, make_run
from tests.judging.factory import work as work_over_http
from tests.judging.rubric_judges import Writer, rubric_run
from tests.judging.services.test_reusing import once_more
from tests.judging.talkers import SAID, Talker, work

pytestmark = pytest.mark.django_db(transaction=True)
HTML = "<html>try again</html>"


class Provider(Talker):
    """Fails for the requests named ``bad``, and for all once it is ``out``.

    After ``lasts`` replies it is out by itself.
    """

    def __init__(self, bad=(), kind=FailureKind.BAD_BODY, *, out=False, lasts=None):
        super().__init__()
        self.bad, self.kind, self.out, self.lasts = set(bad), kind, out, lasts
        self.requests, self.replies = [], Counter()

    async def ask(self, request):
        await super().ask(request)
        self.requests.append(request)
        asked = request.request_hash
        if self.out or asked in self.bad:
            status = 200 if self.kind is FailureKind.BAD_BODY else None
            raise CallFailed(self.kind, "no object", status=status, body=HTML)
        self.replies[asked] += 1
        if self.lasts is not None and self.replies.total() >= self.lasts:
            self.out = True
        return SAID


class Passing(Provider):
    """Is out for so many requests, and then there again; a proxy answers meanwhile."""

    def __init__(self, *, lasts, pages):
        super().__init__(lasts=lasts)
        self.pages = pages

    async def ask(self, request):
        self.pages -= self.out
        if self.pages < 0:
            self.out, self.lasts = False, None
        return await super().ask(request)


class Hanging(Provider):
    """Doesn't answer the bad requests for a while; ``hung`` counts them at each."""

    def __init__(self, bad):
        super().__init__(bad, FailureKind.TIMEOUT)
        self.hung, self.hanging = [], 0

    async def ask(self, request):
        if request.request_hash not in self.bad:
            return await super().ask(request)
        self.hanging += 1
        self.hung.append(self.hanging)
        await asyncio.sleep(0.1)
        self.hanging -= 1
        return await super().ask(request)


class BadWriter(Writer):
    """Fails to write one rubric."""

    def __init__(self, bad):
        super().__init__()
        self.bad = bad

    async def ask(self, request):
        if request.request_hash == self.bad:
            raise CallFailed(FailureKind.BAD_BODY, "no object", status=200)
        return await super().ask(request)


def requests_of(run, calls=None):
    """The hashes of a run's requests, in the order in which they are claimed."""
    asker = asker_of(run.config, total_timeout=1.0)
    calls = list(with_texts(calls or Call.objects.filter(run=run)))
    attach_rubrics(run, calls)
    return [asker.prepare(call).request_hash for call in calls]


def says_hello(request):
    return {message.content for message in request.messages} == {READY}


def invalid_of(run):
    replies = Reply.objects.filter(call__run=run)
    return replies.exclude(invalid_reason="")


def assert_given_up(run, client, reason="provider_error"):
    """Those that were bad are invalid and no others; every request has its row."""
    assert_settled(run)
    found = list(invalid_of(run))
    assert {reply.request_hash for reply in found} == client.bad
    assert {reply.invalid_reason for reply in found} == {reason}
    kept = Attempt.objects.filter(call__run=run)
    assert kept.count() == client.asked


class TestBadCalls:
    @pytest.mark.parametrize("bad", range(1, 7))
    @pytest.mark.parametrize(("cases", "concurrency"), [(10, 1), (10, 4)])
    def test_all_that_are_last(self, cases, concurrency, bad):
        run = make_run(ADDRESS, cases=cases, concurrency=concurrency)
        client = Provider(requests_of(run)[-bad:])
        assert work(run, client) == RunStatus.DONE
        assert_given_up(run, client)

    @pytest.mark.parametrize(("cases", "bad"), [(30, 3), (30, 6), (200, 19)])
    def test_the_last_of_a_longer_run(self, cases, bad):
        run = make_run(ADDRESS, cases=cases, concurrency=8)
        client = Provider(requests_of(run)[-bad:])
        assert work(run, client) == RunStatus.DONE
        assert_given_up(run, client)

    @pytest.mark.parametrize(
        ("kind", "reason"),
        [
            (FailureKind.SERVER, "provider_error"),
            (FailureKind.CONNECTION, "provider_error"),
            (FailureKind.TIMEOUT, "timeout"),
        ],
    )
    def test_whatever_they_fail_with(self, kind, reason):
        run = make_run(ADDRESS, cases=10, concurrency=2)
        client = Provider(requests_of(run)[-4:], kind)
        assert work(run, client) == RunStatus.DONE
        assert_given_up(run, client, reason)

    @pytest.mark.parametrize(
        ("shape", "cases", "share"),
        [
            (Shape.HTML, 10, 0.1),
            (Shape.BROKEN_JSON, 30, 0.02),
            (Shape.HTML, 200, 0.01),
        ],
    )
    def test_of_a_simulated_provider(self, shape, cases, share):
        with SimulatedJudge(Options(seed=8, shapes={shape: share})) as server:
            run = make_run(server.base_url, cases=cases, concurrency=8)
            assert work_over_http(run) == RunStatus.DONE
            planted = server.stats()["shapes"].get(shape, 0)
        assert_settled(run)
        tries = [reply.call.tries for reply in invalid_of(run)]
        assert sum(tries) == planted > 0
        assert min(tries) >= QUICK.tries

    def test_those_that_hang_are_waited_for_together(self):
        """Many time-outs are no sign of a pressed provider, where so few are left."""
        run = make_run(ADDRESS, cases=20, concurrency=8)
        client = Hanging(requests_of(run)[-4:])
        assert work_with(run, client, replace(QUICK, tries=8)) == RunStatus.DONE
        assert_given_up(run, client, "timeout")
        assert max(client.hung[-4:]) == 4

    def test_one_control_is_enough_and_is_an_attempt_at_its_call(self):
        run = make_run(ADDRESS, cases=10, concurrency=1)
        client = Provider(requests_of(run)[-1:])
        work(run, client)
        again = {asked: n for asked, n in client.replies.items() if n > 1}
        assert list(again.values()) == [2]
        call = Call.objects.get(run=run, reply__request_hash=next(iter(again)))
        assert call.tries == call.attempts.filter(error="").count() == 2
        assert call.reply.choice == "first"
        bad = Call.objects.get(run=run, reply__invalid_reason="provider_error")
        assert bad.tries == QUICK.tries + 1

    def test_more_than_may_be_are_given_up_once_their_tries_were_used_up(self):
        """Of 20 calls 12 that fail look like an outage, until somebody goes on."""
        run = make_run(ADDRESS, cases=10, concurrency=4)
        client = Provider(requests_of(run)[-12:])
        states = [work(run, client) for _ in range(6)]
        assert states[0] == RunStatus.FAILED
        assert states[-1] == RunStatus.DONE
        assert_settled(run)
        assert {reply.request_hash for reply in invalid_of(run)} == client.bad

    def test_so_many_bad_replies_in_a_row_stop_no_run_at_its_end(self):
        run = make_run(ADDRESS, cases=10, concurrency=2)
        client = Provider(requests_of(run)[-6:])
        pace = replace(QUICK, tries=7)
        assert 6 * pace.tries > BAD_REPLIES
        assert work_with(run, client, pace) == RunStatus.DONE
        assert_given_up(run, client)

    def test_where_all_others_are_copies_a_greeting_tells(self):
        first = make_run(ADDRESS, cases=5)
        client = Provider(requests_of(first)[-2:])
        assert work(first, client) == RunStatus.DONE
        second, after = once_more(first), Provider(client.bad)
        assert work(second, after) == RunStatus.DONE
        assert_settled(second)
        assert {reply.request_hash for reply in invalid_of(second)} == client.bad
        greetings = [r for r in after.requests if says_hello(r)]
        assert greetings
        assert len(after.requests) - len(greetings) == sum(
            second.calls.values_list("tries", flat=True)
        )

    def test_the_last_rubric_of_a_first_step(self):
        run = rubric_run(cases=5, concurrency=2)
        client = BadWriter(requests_of(run, Call.objects.filter(run=run).rubrics())[-1])
        assert work(run, client) == RunStatus.DONE
        assert_settled(run)
        calls = Call.objects.filter(pk__in=invalid_of(run).values("call"))
        # The rubric, and both orders of its pair.
        assert (calls.rubrics().count(), calls.verdicts().count()) == (1, 2)

    def test_a_budget_is_kept(self):
        run = make_run(ADDRESS, cases=5, concurrency=1)
        client = Provider(requests_of(run)[-1:])
        most = 9 + QUICK.tries
        set_budget(run=run, budget=Budget(calls=most), by=None, now=START)
        work(run, client)
        assert client.asked <= most
        run.refresh_from_db()
        assert run.spent_calls == client.asked


def work_with(run, client, pace):
    run.refresh_from_db()
    return work_on(run, open_client=client, pace=pace)


OUTAGES = [
    FailureKind.SERVER,
    FailureKind.CONNECTION,
    FailureKind.TIMEOUT,
    FailureKind.UNREACHABLE,
    FailureKind.BAD_BODY,
]


class TestOutages:
    @pytest.mark.parametrize("kind", OUTAGES)
    @pytest.mark.parametrize(("cases", "left"), [(10, 1), (10, 6), (60, 9)])
    def test_one_at_the_end_of_a_run_invents_nothing(self, kind, cases, left):
        run = make_run(ADDRESS, cases=cases, concurrency=4)
        client = Provider(kind=kind, lasts=2 * cases - left)
        for _ in range(3):
            assert work(run, client) == RunStatus.FAILED
            run.refresh_from_db()
            assert "not answer" in run.failure or "unusable" in run.failure
            assert not invalid_of(run).exists()
        assert work(run, Provider()) == RunStatus.DONE
        assert_settled(run)
        assert not invalid_of(run).exists()

    @pytest.mark.parametrize("kind", OUTAGES[:2] + OUTAGES[-1:])
    @pytest.mark.parametrize(("cases", "answered"), [(1, 0), (3, 0), (2, 2)])
    def test_a_tiny_run_that_is_resumed_into_one_is_not_settled(
        self, kind, cases, answered
    ):
        run = make_run(ADDRESS, cases=cases, concurrency=2)
        client = Provider(kind=kind, lasts=answered, out=not answered)
        for _ in range(4):
            assert work(run, client) == RunStatus.FAILED
        assert Reply.objects.filter(call__run=run).count() == answered
        assert work(run, Provider()) == RunStatus.DONE
        assert not invalid_of(run).exists()

    @pytest.mark.parametrize(("cases", "left"), [(10, 1), (10, 6), (20, 30)])
    def test_a_proxys_pages_are_waited_out_in_one_session(self, cases, left):
        """At the end of a run too: what was asked in vain is asked again."""
        run = make_run(ADDRESS, cases=cases, concurrency=4)
        client = Passing(lasts=2 * cases - left, pages=60)
        assert work_with(run, client, replace(QUICK, patience=20.0)) == RunStatus.DONE
        assert_settled(run)
        assert not invalid_of(run).exists()
        failed = Attempt.objects.filter(call__run=run, error="bad_body")
        assert set(failed.values_list("body", flat=True)) == {HTML}

    def test_a_bad_call_is_told_from_an_outage_that_follows(self):
        run = make_run(ADDRESS, cases=10, concurrency=4)
        hashes = requests_of(run)
        client = Provider(hashes[:1], FailureKind.SERVER, lasts=10)
        while work(run, client) != RunStatus.DONE:
            assert invalid_of(run).exclude(request_hash=hashes[0]).count() == 0
            client.out, client.lasts = False, None
        assert_given_up(run, client)
