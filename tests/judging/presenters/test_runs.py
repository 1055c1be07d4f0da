"""Words for a run's time, and runs behind a panel."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from judging.presenters.runs import LiveRun, duration


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.4, "0 s"), (59.4, "59 s"), (59.6, "1 min 0 s"), (3599, "59 min 59 s"),
     (3600, "1 h 0 min"), (100_000, "27 h 46 min")],
)  # fmt: skip
def test_a_time_in_its_two_largest_units(seconds, words):
    assert duration(seconds) == words


@pytest.mark.parametrize(
    ("calls", "batches", "seconds"),
    [(10, (), 2), (4999, (), 2), (10_000, (), 4), (10**6, (), 10), (10, ("b",), 10)],
)
def test_long_runs_are_looked_at_less_often(calls, batches, seconds):
    live = LiveRun(
        run=None,
        progress=SimpleNamespace(total=calls),
        notes=(),
        members=(),
        batches=batches,
    )
    assert live.look_seconds == seconds
