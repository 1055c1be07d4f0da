"""Slower replies: fewer calls, as long as that makes them faster."""

from __future__ import annotations

import pytest

from judging.services.throttle import EASE, LATENCY_WINDOW, Throttle
from tests.judging.factory import dice


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return Clock()


def windows(throttle, clock, seconds, count=1):
    """As many replies as are looked at together, all of them so slow."""
    for _ in range(count * LATENCY_WINDOW):
        clock.now += 0.01
        throttle.succeeded(clock.now, seconds)


def test_replies_that_slow_down_leave_fewer_calls_in_flight(clock):
    throttle = Throttle(64, clock=clock)
    windows(throttle, clock, 0.5, 3)
    assert throttle.limit == 64
    windows(throttle, clock, 5.0)
    assert throttle.limit == 64 * EASE
    windows(throttle, clock, 5.0)
    assert throttle.limit < 64 * EASE


def test_replies_sent_before_the_slowing_tell_nothing_new(clock):
    throttle = Throttle(64, clock=clock)
    windows(throttle, clock, 0.5)
    windows(throttle, clock, 5.0)
    for _ in range(3 * LATENCY_WINDOW):
        throttle.succeeded(clock.now - 1.0, 5.0)
    assert throttle.limit >= 64 * EASE


def test_where_they_are_fast_again_all_places_come_back(clock):
    throttle = Throttle(16, clock=clock)
    windows(throttle, clock, 0.5)
    windows(throttle, clock, 5.0, 4)
    assert throttle.limit < 12
    windows(throttle, clock, 0.5, 20)
    assert throttle.limit == 16


@pytest.mark.parametrize(
    ("usual", "later"),
    [
        (0.2, 0.9),  # over three times as long, and still fast
        (10.0, 25.0),  # longer answers
        (1.0, 0.1),
    ],
)
def test_what_is_no_queue_slows_nothing_down(clock, usual, later):
    throttle = Throttle(64, clock=clock)
    windows(throttle, clock, usual, 3)
    windows(throttle, clock, later, 5)
    assert throttle.limit == 64


def test_answers_of_uneven_length_slow_nothing_down(clock):
    throttle, rng = Throttle(64, clock=clock), dice(3)
    for _ in range(100 * LATENCY_WINDOW):
        clock.now += 0.01
        throttle.succeeded(clock.now, rng.choice([0.5, 1.0, 2.0, 8.0]))
    assert throttle.limit == 64


def test_one_place_is_left_however_slow_it_gets(clock):
    throttle = Throttle(4, clock=clock)
    windows(throttle, clock, 0.1)
    for step in range(60):
        windows(throttle, clock, 10.0 * 4.0**step)
    assert throttle.limit >= 1.0


def test_a_refusal_now_and_then_costs_few_places(clock):
    throttle, rng = Throttle(64, clock=clock), dice(5)
    for _ in range(2000):
        clock.now += 0.01
        if rng.random() < 0.05:
            throttle.refused(clock.now)
        else:
            throttle.succeeded(clock.now, 0.2)
    assert throttle.limit > 32


def test_many_refusals_leave_few_places(clock):
    throttle, rng = Throttle(64, clock=clock), dice(5)
    for _ in range(2000):
        clock.now += 0.01
        if rng.random() < 0.4:
            throttle.refused(clock.now)
        else:
            throttle.succeeded(clock.now, 0.2)
    assert throttle.limit < 6
