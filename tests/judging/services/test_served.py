"""A model that changes under way is flagged, on the run and in its report."""

from __future__ import annotations

import asyncio

import pytest

from judging.domain.ports import FailureKind, RawReply
from judging.models import Run, RunStatus
from judging.services.evidence import served_models
from judging.services.served import MOST_SERVED, Served, has_changed, served_by
from judging.services.throttle import WINDOW, Throttle
from tests.judging.factory import ADDRESS, make_run
from tests.judging.talkers import Talker, in_thread, work

pytestmark = pytest.mark.django_db(transaction=True)


class Changing(Talker):
    """Answers as one model and build after the other."""

    def __init__(self, *served):
        super().__init__()
        self.served = served

    async def ask(self, request):
        await super().ask(request)
        model, build = self.served[min(self.asked, len(self.served)) - 1]
        return RawReply(
            text="[[A>B]]",
            body="{}",
            finish_reason="stop",
            served_model=model,
            fingerprint=build,
        )


def judged(*served, cases=4):
    run = make_run(ADDRESS, cases=cases, concurrency=1)
    assert work(run, Changing(*served)) == RunStatus.DONE
    run.refresh_from_db()
    return run


def test_one_model_is_no_news():
    run = judged(("gpt-x", "fp1"))
    assert run.notices == []
    assert not has_changed(served_by(run))


def test_another_model_or_build_is_noted():
    run = judged(("gpt-x", "fp1"), ("gpt-x", "fp2"), ("gpt-y", None))
    assert has_changed(served_by(run))
    (notice,) = run.notices
    assert notice.startswith("served_model_changed: ")
    for part in ("gpt-x (fp1): 1", "gpt-x (fp2): 1", "gpt-y: 6 replies"):
        assert part in notice
    assert sum(each["calls"] for each in served_models(run)) == 8


def test_it_is_noted_while_the_run_goes_on():
    run, seen = make_run(ADDRESS, cases=30, concurrency=1), []

    class Watching(Changing):
        async def ask(self, request):
            if self.asked == 40:
                notices = Run.objects.filter(pk=run.pk).values_list("notices")
                seen.extend(await in_thread(notices.get))
            return await super().ask(request)

    work(run, Watching(("a", "1"), ("b", "1")))
    assert "served_model_changed" in str(seen)


def test_replies_that_name_nobody_change_nothing():
    assert judged(("gpt-x", "fp1"), (None, None)).notices == []


@pytest.mark.parametrize(
    ("served", "changed"),
    [
        ([("m-1", "fp1"), ("m-1", "")], False),
        ([("m-1", "fp1"), ("", "fp1")], False),
        ([("m-1", ""), ("", "fp1")], False),
        ([("m-1", "fp1"), ("m-1", ""), ("m-1", "fp2")], True),
        ([("m-1", "fp1"), ("", "fp2")], True),
        ([("m-1", "fp1"), ("m-2", "fp1")], True),
        ([("m-1", "fp1"), ("m-2", "")], True),
    ],
)
def test_what_a_reply_leaves_out_is_no_other(served, changed):
    assert has_changed([Served(*names, calls=3) for names in served]) is changed


def test_a_reply_without_a_fingerprint_is_no_news():
    assert judged(("gpt-x", "fp1"), ("gpt-x", None), ("gpt-x", "fp1")).notices == []


def test_other_notices_stay_and_it_is_said_once():
    run = make_run(ADDRESS, cases=2, concurrency=1)
    Run.objects.filter(pk=run.pk).update(notices=["read me"])
    work(run, Changing(("a", "1"), ("b", "1")))
    run.refresh_from_db()
    assert len(run.notices) == 2
    assert run.notices[0] == "read me"


def test_of_endless_builds_some_are_named():
    served = [("m", f"fp{n:02d}") for n in range(12)]
    (notice,) = judged(*served, cases=6).notices
    assert notice.endswith(f"and {12 - MOST_SERVED} more")


class TestSlowingDown:
    def throttle(self):
        self.now = 0.0
        return Throttle(16, clock=lambda: self.now)

    def test_a_few_calls_that_time_out_slow_nothing_down(self):
        throttle = self.throttle()
        for n in range(100):
            if n % 10:
                throttle.succeeded(self.now, 0.1)
            else:
                throttle.failed(FailureKind.TIMEOUT, self.now)
        assert throttle.limit == 16

    def test_where_most_time_out_less_is_sent(self):
        throttle = self.throttle()
        for _ in range(WINDOW):
            throttle.failed(FailureKind.TIMEOUT, self.now)
            self.now += 1
        assert throttle.limit < 8

    def test_a_refusal_halves_at_once_and_an_error_does_not(self):
        throttle = self.throttle()
        throttle.failed(FailureKind.SERVER, self.now)
        assert throttle.limit == 16
        throttle.failed(FailureKind.RATE_LIMITED, self.now)
        assert throttle.limit == 8


def test_one_slow_call_does_not_hold_the_rest():
    run = make_run(ADDRESS, cases=50, concurrency=4)
    rest, all_asked = [], asyncio.Event()

    async def first_is_slow(request):
        if client.asked == 100:
            all_asked.set()
        if client.asked == 1:
            await all_asked.wait()
            rest.append(client.asked)

    client = Talker(first_is_slow)
    assert work(run, client) == RunStatus.DONE
    assert rest == [100]
