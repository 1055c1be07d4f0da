"""Words for a run's time, and runs behind a panel."""

from __future__ import annotations

import pytest

from judging.presenters.runs import duration


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.4, "0 s"), (59.4, "59 s"), (59.6, "1 min 0 s"), (3599, "59 min 59 s"),
     (3600, "1 h 0 min"), (100_000, "27 h 46 min")],
)  # fmt: skip
def test_a_time_in_its_two_largest_units(seconds, words):
    assert duration(seconds) == words
