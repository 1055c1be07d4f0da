"""The headline of a sentinel follows the evidence."""

from __future__ import annotations

import pytest

from calibration.domain.drift import compare_runs
from calibration.domain.jsonable import jsonable
from calibration.domain.sentinels import AlarmKind
from calibration.domain.standing import Sign, Stands, standing
from tests.calibration.domain.test_drift import twices


def point(kind="part", cycle=1, since=None, first=None, rerun=None):
    """A point whose comparisons are given as letters: before, now, gold."""
    return {
        "kind": kind,
        "cycle": cycle,
        "since_reference": jsonable(compare_runs(twices(*since))) if since else None,
        "against_first": jsonable(compare_runs(twices(*first))) if first else None,
        "rerun": rerun,
    }


REFERENCE = point("reference")
STILL = ("B" * 30, "B" * 30, "B" * 30)


def stands(*points, raised=()):
    return standing(points, raised).stands


def test_nothing_then_a_reference():
    assert stands() is Stands.UNMEASURED
    assert stands(point("fresh")) is Stands.UNMEASURED
    assert stands(REFERENCE) is Stands.REFERENCE
    assert stands(REFERENCE, point("fresh")) is Stands.REFERENCE


def test_few_comparisons_say_nothing_and_many_do():
    assert stands(REFERENCE, point(since=("B" * 19,) * 3)) is Stands.TOO_LITTLE
    assert stands(REFERENCE, point(since=("B" * 20,) * 3)) is Stands.NOTHING_SHOWN


def test_all_invalid_is_too_little():
    found = standing([REFERENCE, point(since=("B" * 30, "I" * 30, "B" * 30))], ())
    assert found.stands is Stands.TOO_LITTLE
    assert (found.compared, found.changed, found.left_out) == (0, 0, 30)


def test_many_changes_are_never_called_no_drift():
    """92 % of verdicts changed, as many for the better as for the worse."""
    old, new = "B" * 12 + "C" * 13, "C" * 12 + "B" * 11 + "CC"
    found = standing([REFERENCE, point(since=(old, new, "B" * 25))], ())
    assert found.stands is Stands.CHANGED
    assert found.signs == (Sign.RATE,)
    assert (found.changed, found.compared) == (23, 25)


def test_without_gold_the_shares_show_it():
    old, new = "B" * 100, "B" * 88 + "C" * 12
    found = standing([REFERENCE, point(since=(old, new, "T" * 100))], ())
    assert found.signs == (Sign.SHARES,)


def test_few_changed_verdicts_are_too_few_for_shares():
    old, new = "B" * 100, "B" * 91 + "C" * 9
    assert stands(REFERENCE, point(since=(old, new, "T" * 100))) is Stands.NOTHING_SHOWN


@pytest.mark.parametrize(
    ("old", "new", "sign"), [("B", "C", Sign.WORSE), ("C", "B", Sign.BETTER)]
)
def test_one_look_tells_worse_from_better(old, new, sign):
    letters = (old * 6 + "B" * 60, new * 6 + "B" * 60, "B" * 66)  # p = 0.03
    assert standing([REFERENCE, point(since=letters)], ()).signs == (sign,)


def test_noise_of_a_rerun_tells_how_many_changes_are_many():
    old, new = "B" * 20 + "C" * 20, "C" * 6 + "B" * 14 + "B" * 6 + "C" * 14
    now = (old, new, "B" * 40)  # 12 of 40, from 18 % up
    for high, expected in ((0.1, Stands.CHANGED), (0.3, Stands.NOTHING_SHOWN)):
        rerun = {"value": 0.05, "high": high}
        assert stands(REFERENCE, point(since=now, rerun=rerun)) is expected
    assert stands(REFERENCE, point(since=now)) is Stands.NOTHING_SHOWN


def test_an_undefined_rerun_is_none():
    now = (*(2 * ("B" * 12 + "C" * 12, "C" * 12 + "B" * 12))[:2], "B" * 24)
    rerun = {"value": None, "high": None}
    assert stands(REFERENCE, point(since=now, rerun=rerun)) is Stands.CHANGED


def test_a_new_reference_is_beside_the_first_one_until_its_parts_are_in():
    moved = ("B" * 30, "C" * 30, "B" * 30)
    second = point("reference", 2, first=moved)
    found = standing([REFERENCE, point(since=STILL), second], ())
    assert (found.stands, found.reference) == (Stands.CHANGED, 0)
    assert found.signs == (Sign.WORSE, Sign.SHARES, Sign.RATE)
    # The parts are like their own reference, which is still unlike the first one.
    after = point(cycle=2, since=STILL, first=moved)
    assert standing([REFERENCE, second, after], ()).changed == 30


def test_alarms_come_first_in_their_order():
    raised = {AlarmKind.SERVED_MODEL, AlarmKind.DRIFT}
    found = standing([REFERENCE, point(since=STILL)], raised)
    assert (found.stands, found.alarm) == (Stands.ALARM, AlarmKind.DRIFT)
    assert found.compared == 30
    first = standing([REFERENCE], {AlarmKind.INVALID})
    assert (first.stands, first.alarm) == (Stands.ALARM, AlarmKind.INVALID)


def test_a_gap_in_time_is_of_the_panel_and_not_of_a_series():
    found = standing([REFERENCE, point(since=STILL)], {AlarmKind.OVERDUE})
    assert found.stands is Stands.NOTHING_SHOWN


def test_marks_stand_by_the_same_rules():
    rate = {"numerator": 28, "denominator": 30, "low": 0.79, "value": 28 / 30}
    now = {
        "change_rate": rate, "left_out": 2, "lower_groups": 28, "higher_groups": 0,
        "test": {"p_value": 1e-6, "n": 28},
    }  # fmt: skip
    told = {"kind": "part", "cycle": 1, "since_reference": now, "against_first": now}
    found = standing([REFERENCE, told], ())
    assert (found.signs, found.left_out) == ((Sign.WORSE, Sign.RATE), 2)


def test_points_of_an_earlier_version_are_read():
    told = point()
    del told["since_reference"]
    assert stands(REFERENCE, told) is Stands.REFERENCE
