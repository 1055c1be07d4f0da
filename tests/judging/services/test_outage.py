"""An outage is waited out; the last calls of a run are told from one by a control."""

from __future__ import annotations

import pytest

from judging.domain.ports import FailureKind
from judging.services.pace import Pace
from judging.services.patience import BAD_REPLIES, History, Patience, Rest
from judging.services.steps import Again, GiveUp, Hold, Stop
from tests.judging.factory import dice
from tests.judging.patient import MANY, PACE, Watch, decide, exhaust, failed

PAGE = "\n<!DOCTYPE html><title>Bad gateway</title>"


@pytest.fixture
def watch():
    return Watch()


@pytest.fixture
def patience(watch):
    return Patience(PACE, clock=watch, rng=dice())


class TestOutage:
    """The waits of a run with half a minute between looks and minutes of patience."""

    PACE = Pace(tries=6, backoff=1.0, ceiling=20.0, patience=300.0)

    @pytest.fixture
    def patience(self, watch):
        return Patience(self.PACE, clock=watch, rng=dice())

    def test_waits_double_up_to_the_ceiling_until_patience_is_used_up(
        self, patience, watch
    ):
        waits = []
        while isinstance(
            decision := decide(patience, FailureKind.UNREACHABLE, History(1)), Hold
        ):
            waits.append(decision.wait)
            watch.now += decision.wait
        assert decision == Stop("The provider does not answer: told")
        assert watch.now == pytest.approx(300.0)
        for number, wait in enumerate(waits[:-1]):
            longest = min(20.0, 2.0**number)
            assert longest / 2 <= wait <= longest
        assert len(waits) > 15

    def test_what_was_on_its_way_when_a_wait_began_makes_it_no_longer(
        self, patience, watch
    ):
        watch.now = 10.0
        first = decide(patience, FailureKind.UNREACHABLE, History(1))
        assert first.wait > 0
        late = failed(FailureKind.UNREACHABLE)
        for number in range(2, 30):
            decision = patience.decide(late, History(number), Rest(50), sent_at=9.0)
            assert decision == Hold(0.0, "told")
        assert patience.outage.looks == 1

    def test_a_reply_ends_it_and_the_next_has_all_patience(self, patience, watch):
        decide(patience, FailureKind.UNREACHABLE, History(1))
        watch.now = 299.0
        patience.replied(298.0)
        watch.now = 400.0
        assert isinstance(decide(patience, FailureKind.UNREACHABLE, History(1)), Hold)

    def test_a_reply_to_what_was_sent_before_it_does_not_end_it(self, patience, watch):
        """A server that is told to end answers what it has, and takes nothing new."""
        watch.now = 10.0
        decide(patience, FailureKind.UNREACHABLE, History(1))
        watch.now = 20.0
        patience.replied(9.0)
        assert patience.outage.lasts == 10.0

    @pytest.mark.parametrize("kind", [FailureKind.RATE_LIMITED, FailureKind.BAD_BODY])
    def test_who_answers_badly_is_there(self, patience, kind):
        decide(patience, FailureKind.UNREACHABLE, History(1))
        assert isinstance(decide(patience, kind, History(2)), Again)
        assert not patience.outage.on

    def test_who_has_answered_is_away_while_a_proxy_sends_pages(self, patience, watch):
        """They come with status 200, and many at once: nobody has to pay for them."""
        patience.replied(-1.0)
        page = failed(FailureKind.BAD_BODY, status=200, body=PAGE)
        for history in [History(n) for n in range(BAD_REPLIES)] * self.PACE.tries:
            found = patience.decide(page, history, MANY, sent_at=watch.now)
            assert not isinstance(found, Stop)
        assert patience.outage.on
        watch.now = self.PACE.patience + 1
        found = patience.decide(page, History(1), MANY, sent_at=watch.now)
        assert found == Stop("The provider does not answer: told")

    @pytest.mark.parametrize("rest", [MANY, Rest(50, answered=1)])
    def test_pages_alone_may_be_of_a_wrong_address(self, patience, rest):
        page = failed(FailureKind.BAD_BODY, status=200, body=PAGE)
        decisions = [
            patience.decide(page, History(n), rest, sent_at=0.0)
            for n in range(BAD_REPLIES)
        ]
        assert isinstance(decisions[-1], Stop) is not bool(rest.answered)

    def test_a_wait_that_is_asked_for_is_kept(self, patience):
        decision = decide(
            patience, FailureKind.UNREACHABLE, History(1), retry_after=40.0
        )
        assert decision.wait == 40.0

    def test_another_runner_goes_on_with_it(self, patience, watch):
        watch.now = 1000.0
        patience.outage.take_over(lasts=299.5, looks=7)
        decision = decide(patience, FailureKind.UNREACHABLE, History(1))
        assert decision.wait == pytest.approx(0.5)
        watch.now = 1000.5
        assert isinstance(decide(patience, FailureKind.UNREACHABLE, History(1)), Stop)


class TestTheLast:
    LAST = Rest(3, last=True, answered=17)

    def test_a_control_is_asked_and_then_the_call_once_more(self, patience, watch):
        history = History(1)
        asked = exhaust(patience, history, rest=self.LAST)
        assert asked == Again(0.0, control=True)
        assert patience.in_doubt(history)
        patience.replied(0.5)
        assert not patience.in_doubt(history)
        watch.now = 1.0
        decision = decide(patience, FailureKind.SERVER, history, rest=self.LAST)
        assert isinstance(decision, GiveUp)

    @pytest.mark.parametrize(
        "rest",
        [
            Rest(3, last=False, answered=17),
            Rest(3, last=True, answered=0),
            Rest(7, last=True, answered=139),
        ],
    )
    def test_no_control_while_there_are_others_or_none_was_answered(
        self, patience, rest
    ):
        decision = exhaust(patience, History(1), rest=rest)
        assert isinstance(decision, Again)
        assert not decision.control

    @pytest.mark.parametrize(
        ("rest", "earlier"),
        [
            (Rest(7, last=True, answered=140), 0),
            (Rest(12, last=True, answered=8), PACE.tries),
        ],
    )
    def test_more_of_many_or_what_failed_in_an_earlier_session(
        self, patience, rest, earlier
    ):
        history = History(1, earlier_tries=earlier)
        assert exhaust(patience, history, rest=rest) == Again(0.0, control=True)

    def test_a_control_may_fail_by_chance_but_not_for_ever(self, patience):
        history = History(1)
        exhaust(patience, history, rest=self.LAST)
        for _ in range(PACE.tries - 1):
            decision = control(patience, FailureKind.SERVER, history)
            assert isinstance(decision, Again)
            assert decision.control
        assert isinstance(control(patience, FailureKind.SERVER, history), Hold)

    def test_a_control_that_nobody_can_read_stops_the_run(self, patience):
        for _ in range(PACE.tries - 1):
            control(patience, FailureKind.BAD_BODY, History(1))
        decision = control(patience, FailureKind.BAD_BODY, History(1))
        assert decision == Stop("The provider does not answer: told")

    def test_a_control_that_gets_a_page_waits_as_in_an_outage(self, patience):
        patience.replied(-1.0)
        for _ in range(PACE.tries):
            decision = patience.decide_control(
                failed(FailureKind.BAD_BODY, status=200, body=PAGE),
                History(1),
                sent_at=0.0,
            )
        assert isinstance(decision, Hold)

    def test_a_control_that_is_refused_is_repeated(self, patience):
        decision = control(patience, FailureKind.RATE_LIMITED, History(1))
        assert isinstance(decision, Again)
        assert decision.control
        assert control(patience, FailureKind.QUOTA, History(1)) == Stop("told")

    @pytest.mark.parametrize(("rest", "stops"), [(LAST, False), (Rest(50), True)])
    def test_bad_replies_in_a_row_are_expected_of_them(self, patience, rest, stops):
        bad = failed(FailureKind.BAD_BODY, status=200)
        decisions = [
            patience.decide(bad, History(n), rest, sent_at=0.0)
            for n in range(BAD_REPLIES)
        ]
        assert isinstance(decisions[-1], Stop) is stops


def control(patience, kind, history):
    return patience.decide_control(failed(kind), history, sent_at=patience._clock())
