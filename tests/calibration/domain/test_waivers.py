"""Whether a waiver counts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from calibration.domain.waivers import (
    Standing,
    WaiverState,
    end_of_day,
    lifted_by,
    state_of,
)
from tests.calibration.evidence import waiver

END = datetime(2026, 1, 10, tzinfo=UTC)
SYSTEMS = ("old", "new")
BEFORE = END - timedelta(seconds=1)


@pytest.mark.parametrize(
    ("standing", "now", "state"),
    [
        (Standing("ann", END, "ben"), BEFORE, WaiverState.IN_FORCE),
        (Standing("ann", END, "ben"), END, WaiverState.EXPIRED),
        (Standing("ann", END), BEFORE, WaiverState.UNCONFIRMED),
        (Standing("ann", END, ""), BEFORE, WaiverState.UNCONFIRMED),
        (Standing("ann", END, "ann"), BEFORE, WaiverState.UNCONFIRMED),
        (Standing("ann", END, "ben", revoked=True), BEFORE, WaiverState.REVOKED),
        (Standing("ann", END, "ben", revoked=True), END, WaiverState.REVOKED),
        (Standing("ann", END), END, WaiverState.EXPIRED),
    ],
)
def test_a_waiver_counts_only_confirmed_by_another_unrevoked_and_in_time(
    standing: Standing, now: datetime, state: WaiverState
) -> None:
    assert state_of(standing, now) is state


def test_only_waivers_in_force_lift_and_only_what_they_name() -> None:
    waivers = [
        waiver("a", "b"),
        waiver("b", "c", number=2),
        *(
            waiver("d", state=state.value, number=3)
            for state in WaiverState
            if state is not WaiverState.IN_FORCE
        ),
    ]
    found = {"a": ["1"], "b": ["1", "2"], "c": ["2"]}
    assert lifted_by(waivers, SYSTEMS, {SYSTEMS}) == found
    assert lifted_by([], SYSTEMS, {SYSTEMS}) == {}


def test_a_waiver_lifts_for_the_systems_alone_that_it_names() -> None:
    mine = [waiver("a")]
    more = (*SYSTEMS, "newer")
    assert lifted_by(mine, more, {SYSTEMS}) == {"a": ["1"]}
    for other in (("old", "newer"), ("new", "newer"), ("new", "old")):
        assert lifted_by(mine, more, {other}) == {}
        assert lifted_by(mine, more, {SYSTEMS, other}) == {}
    assert lifted_by(mine, more, set()) == {}


def test_an_older_waiver_without_systems_counts_where_there_are_two() -> None:
    older = [waiver("a") | {"systems": None}]
    assert lifted_by(older, SYSTEMS, {SYSTEMS}) == {"a": ["1"]}
    assert lifted_by(older, (*SYSTEMS, "newer"), {SYSTEMS}) == {}


def test_of_a_day_alone_the_whole_counts() -> None:
    assert end_of_day("2026-12-30") == datetime(2026, 12, 31, tzinfo=UTC)
    assert end_of_day(" 2026-12-31 ") == datetime(2027, 1, 1, tzinfo=UTC)
    for other in ("2026-12-30T00:00Z", "2026-02-30", "9999-12-31", "30.12.2026", ""):
        assert end_of_day(other) is None
