"""Again, never, or stop: every kind of failure."""

from __future__ import annotations

import asyncio

import pytest

from judging.domain.ports import CallFailed, FailureKind
from judging.services.patience import Again, GiveUp, History, Pace, Patience, Stop
from judging.services.throttle import Throttle
from tests.judging.factory import dice

PACE = Pace(tries=3, backoff=1.0, ceiling=4.0, longest_wait=100.0)


class Watch:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def watch():
    return Watch()


@pytest.fixture
def patience(watch):
    return Patience(PACE, clock=watch, rng=dice())


def failed(kind, retry_after=None):
    return CallFailed(kind, "told", retry_after=retry_after)


def decide(patience, kind, history=None, *, open_calls=50, retry_after=None):
    history = history or History(1)
    return patience.decide(failed(kind, retry_after), history, open_calls=open_calls)


@pytest.mark.parametrize(
    "kind",
    [
        FailureKind.UNAUTHORISED,
        FailureKind.QUOTA,
        FailureKind.MODEL_NOT_FOUND,
        FailureKind.MISCONFIGURED,
    ],
)
def test_what_concerns_all_calls_stops_the_run(patience, kind):
    assert decide(patience, kind) == Stop("told")


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (FailureKind.FILTERED, "filtered"),
        (FailureKind.TOO_LONG, "too_long"),
        (FailureKind.REJECTED, "provider_error"),
    ],
)
def test_what_concerns_one_call_is_its_answer(patience, kind, reason):
    decision = decide(patience, kind)
    assert isinstance(decision, GiveUp)
    assert decision.reading.reason == reason


def test_waits_double_up_to_the_ceiling_and_obey_the_provider(watch):
    patience = Patience(Pace(20, 1.0, 4.0, 100.0), clock=watch, rng=dice())
    history = History(1)
    for longest in (1, 2, 4, 4):
        decision = decide(patience, FailureKind.SERVER, history)
        assert longest / 2 <= decision.wait <= longest
    asked = decide(patience, FailureKind.SERVER, history, retry_after=9.0)
    assert asked == Again(9.0)


def exhaust(patience, history, kind=FailureKind.SERVER, *, answered=None, **more):
    """Fail to the end; a reply to what was sent at a time comes before the last."""
    for _ in range(PACE.tries - 1):
        assert isinstance(decide(patience, kind, history, **more), Again)
    if answered is not None:
        patience.replied(answered)
    return decide(patience, kind, history, **more)


@pytest.mark.parametrize(
    ("kind", "reason"),
    [(FailureKind.SERVER, "provider_error"), (FailureKind.TIMEOUT, "timeout")],
)
def test_a_call_is_given_up_while_others_are_answered(patience, watch, kind, reason):
    watch.now = 1.0
    decision = exhaust(patience, History(1), kind, answered=1.5)
    assert decision.reading.reason == reason


def test_replies_from_before_an_outage_give_no_call_up(patience, watch):
    """One sent before the others' failures may be answered while those wait."""
    watch.now = 1.0
    decision = exhaust(patience, History(1), answered=0.5)
    assert isinstance(decision, Again)
    assert isinstance(decide(patience, FailureKind.SERVER, History(2)), Again)


def test_the_last_calls_are_given_up_together_where_others_were_answered(
    patience, watch
):
    """Nothing can be sent after them that would tell more."""
    last = [History(n, first_sent=0.5) for n in range(3)]
    watch.now = 1.0
    patience.replied(0.2)
    for history in last[:2]:
        assert isinstance(exhaust(patience, history, open_calls=3), Again)
    assert isinstance(exhaust(patience, last[2], open_calls=3), GiveUp)
    for left, history in ((2, last[0]), (1, last[1])):
        decision = decide(patience, FailureKind.SERVER, history, open_calls=left)
        assert isinstance(decision, GiveUp)


def test_a_call_that_outlived_an_outage_is_given_up_if_it_alone_fails(patience, watch):
    history = History(1)
    assert isinstance(exhaust(patience, history), Again)
    patience.replied(watch.now + 1)
    watch.now = 2.0
    assert isinstance(decide(patience, FailureKind.SERVER, history), GiveUp)


def test_calls_that_fail_in_silence_stop_the_run_at_the_third(patience):
    assert isinstance(exhaust(patience, History(1)), Again)
    assert isinstance(exhaust(patience, History(2)), Again)
    assert isinstance(exhaust(patience, History(3)), Stop)


def test_a_reply_breaks_the_silence(patience, watch):
    exhaust(patience, History(1))
    exhaust(patience, History(2))
    patience.replied(-1.0)
    assert isinstance(exhaust(patience, History(3)), Again)


def test_nobody_there_stops_the_run(patience, watch):
    decision = exhaust(patience, History(1), FailureKind.UNREACHABLE, answered=1.0)
    assert isinstance(decision, Stop)


def test_the_last_call_alone_is_given_up_only_if_it_failed_before(patience):
    fresh = History(1, earlier_tries=0)
    assert isinstance(exhaust(patience, fresh, open_calls=1), Stop)
    known = History(2, earlier_tries=PACE.tries)
    assert isinstance(exhaust(patience, known, open_calls=1), GiveUp)


def test_refusals_are_waited_out_but_not_for_ever(patience, watch):
    history = History(1)
    for watch.now in range(0, 101, 10):
        assert isinstance(decide(patience, FailureKind.RATE_LIMITED, history), Again)
    watch.now = 101.0
    assert isinstance(decide(patience, FailureKind.RATE_LIMITED, history), Stop)
    patience.replied(0.0)
    assert isinstance(decide(patience, FailureKind.RATE_LIMITED, history), Again)
    assert history.failures == 0


def test_a_wait_beyond_all_patience_stops_the_run(patience):
    decision = decide(patience, FailureKind.RATE_LIMITED, retry_after=101.0)
    assert decision == Stop("The provider asks to wait 101 s.")


class TestThrottle:
    def test_no_more_than_its_places(self):
        async def scenario():
            throttle, most, inside = Throttle(3, clock=lambda: 0.0), 0, 0

            async def one():
                nonlocal most, inside
                await throttle.acquire()
                inside += 1
                most = max(most, inside)
                await asyncio.sleep(0)
                inside -= 1
                throttle.release()

            await asyncio.gather(*(one() for _ in range(50)))
            return most, throttle.in_flight

        assert asyncio.run(scenario()) == (3, 0)

    def test_a_refusal_halves_once_for_all_that_were_sent_before(self, watch):
        throttle = Throttle(16, clock=watch)
        watch.now = 5.0
        throttle.refused(sent_at=1.0)
        throttle.refused(sent_at=2.0)
        assert throttle.limit == 8
        throttle.refused(sent_at=6.0)
        assert throttle.limit == 4
        for _ in range(200):
            throttle.succeeded(6.0, 0.1)
        assert throttle.limit == 16

    def test_one_place_is_always_left(self, watch):
        throttle = Throttle(1, clock=watch)
        throttle.refused(sent_at=1.0)
        assert throttle.limit == 1

    def test_closing_wakes_those_who_wait(self, watch):
        async def scenario():
            throttle = Throttle(1, clock=watch)
            await throttle.acquire()
            waiting = asyncio.create_task(throttle.acquire())
            held = Throttle(1, clock=watch)
            held.hold(3600)
            also = asyncio.create_task(held.acquire())
            await asyncio.sleep(0)
            throttle.close()
            held.close()
            await asyncio.wait_for(asyncio.gather(waiting, also), 1)

        asyncio.run(scenario())
