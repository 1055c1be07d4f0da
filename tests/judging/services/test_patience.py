"""Again, never, or stop: every kind of failure."""

from __future__ import annotations

import asyncio

import pytest

from judging.domain.ports import FailureKind
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid
from judging.services.pace import Pace
from judging.services.patience import History, Patience, Rest
from judging.services.rejections import ROW
from judging.services.steps import Again, Doubt, GiveUp, Hold, Stop
from judging.services.throttle import Throttle
from tests.judging.factory import dice
from tests.judging.patient import MANY, PACE, Watch, decide, exhaust


@pytest.fixture
def watch():
    return Watch()


@pytest.fixture
def patience(watch):
    return Patience(PACE, clock=watch, rng=dice())


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
    ],
)
def test_what_concerns_one_call_is_its_answer(patience, kind, reason):
    decision = decide(patience, kind)
    assert isinstance(decision, GiveUp)
    assert decision.reading.reason == reason


def test_a_rejection_is_the_answer_once_others_have_theirs(patience, watch):
    first, second = History(1), History(2)
    doubt = decide(patience, FailureKind.REJECTED, first)
    assert doubt == Doubt(Invalid(InvalidReason.PROVIDER_ERROR, "told"))
    decide(patience, FailureKind.REJECTED, second)
    assert patience.settle(doubt, first, MANY) == Again(PACE.backoff)
    patience.replied(watch.now)  # sent no later than the rejection came
    assert patience.settle(doubt, first, MANY) == Again(PACE.backoff)
    patience.replied(watch.now + 1)
    assert patience.settle(doubt, first, MANY) == GiveUp(doubt.reading)


def test_a_row_of_rejections_needs_a_control(patience):
    doubts = [decide(patience, FailureKind.REJECTED, History(n)) for n in range(ROW)]
    settled = patience.settle(doubts[0], History(0, failed_at=0.0), MANY)
    assert settled == Again(PACE.backoff, control=True)


def test_all_that_is_left_was_rejected(patience):
    history = History(1)
    doubt = decide(patience, FailureKind.REJECTED, history)
    settled = patience.settle(doubt, history, Rest(1, last=True, answered=0))
    assert settled == Again(PACE.backoff, control=True)
    settled = patience.settle(doubt, history, Rest(1, last=False, answered=9))
    assert settled == Again(PACE.backoff)  # more are about to be claimed
    settled = patience.settle(doubt, history, Rest(1, last=True, answered=9))
    assert settled == GiveUp(doubt.reading)


def test_many_that_are_left_need_a_control_though_others_were_answered(patience):
    histories = [History(n) for n in range(ROW)]
    doubts = [decide(patience, FailureKind.REJECTED, one) for one in histories]
    patience.replied(-1.0)  # to what was sent before: it ends the row
    settled = patience.settle(doubts[0], histories[0], Rest(9, last=True, answered=9))
    assert settled == Again(PACE.backoff)
    settled = patience.settle(doubts[0], histories[0], Rest(ROW, last=True, answered=9))
    assert settled == Again(PACE.backoff, control=True)


def test_waits_double_up_to_the_ceiling_and_obey_the_provider(watch):
    patience = Patience(Pace(20, 1.0, 4.0, 100.0, 60.0), clock=watch, rng=dice())
    history = History(1)
    for longest in (1, 2, 4, 4):
        decision = decide(patience, FailureKind.SERVER, history)
        assert longest / 2 <= decision.wait <= longest
    asked = decide(patience, FailureKind.SERVER, history, retry_after=9.0)
    assert asked == Again(9.0)


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


def test_replies_between_the_first_failures_do_not_tell_of_the_last(patience, watch):
    """The provider answered after a first chance failure, and then no more."""
    history = History(1)
    decide(patience, FailureKind.SERVER, history)
    patience.replied(0.5)
    for watch.now in (1.0, 2.0, 3.0):
        assert isinstance(decide(patience, FailureKind.SERVER, history), Again)


def test_where_replies_take_long_those_since_the_first_failure_tell_late(
    patience, watch
):
    history = History(1)
    decisions = []
    for watch.now in range(2 * PACE.tries):
        decisions.append(decide(patience, FailureKind.SERVER, history))
        patience.replied(watch.now - 0.5)  # sent before this failure
    assert all(isinstance(each, Again) for each in decisions[:-1])
    assert isinstance(decisions[-1], GiveUp)


def test_a_call_that_outlived_an_outage_is_given_up_if_it_alone_fails(patience, watch):
    history = History(1)
    assert isinstance(exhaust(patience, history), Again)
    patience.replied(watch.now + 1)
    watch.now = 2.0
    assert isinstance(decide(patience, FailureKind.SERVER, history), GiveUp)


def test_calls_that_fail_in_silence_hold_all_at_the_third(patience):
    assert isinstance(exhaust(patience, History(1)), Again)
    assert isinstance(exhaust(patience, History(2)), Again)
    assert isinstance(exhaust(patience, History(3)), Hold)
    assert isinstance(decide(patience, FailureKind.SERVER, History(4)), Hold)


def test_replies_that_nobody_can_read_are_not_waited_for(patience):
    exhaust(patience, History(1), FailureKind.BAD_BODY)
    exhaust(patience, History(2), FailureKind.BAD_BODY)
    decision = exhaust(patience, History(3), FailureKind.BAD_BODY)
    assert decision == Stop("The provider does not answer: told")


def test_a_reply_breaks_the_silence(patience, watch):
    exhaust(patience, History(1))
    exhaust(patience, History(2))
    patience.replied(-1.0)
    assert isinstance(exhaust(patience, History(3)), Again)


def test_what_failed_in_an_outage_does_not_count_after_it(patience, watch):
    history = History(1)
    exhaust(patience, history)
    decide(patience, FailureKind.UNREACHABLE, History(2))
    watch.now = 10.0
    patience.replied(9.0)
    for watch.now in (11.0, 12.0):
        assert isinstance(decide(patience, FailureKind.SERVER, history), Again)
    patience.replied(12.5)
    watch.now = 13.0
    assert isinstance(decide(patience, FailureKind.SERVER, history), GiveUp)


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
