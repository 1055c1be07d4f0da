"""Raising the alarms of sentinels once more, and comparing them with those stored."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from calibration.domain.alarms import Limits, alarms_of, overdue
from calibration.domain.audit.comparing import Difference
from calibration.domain.audit.layout import table_file
from calibration.domain.audit.tables import CLOCKS
from calibration.domain.rules import SENTINEL_RULES, rules_of
from calibration.domain.sentinels import AlarmKind, is_overdue

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from calibration.domain.alarms import Raised
    from calibration.domain.audit.findings import Findings
    from calibration.domain.audit.material import Material
    from calibration.domain.audit.sentinel_material import (
        AlarmRow,
        CheckRow,
        PointRow,
        SentinelRow,
    )

POINTS, ALARMS = table_file("sentinel_points"), table_file("sentinel_alarms")


def ours(point: PointRow) -> bool:
    """Whether a point was made by this version's rules."""
    return rules_of(point.payload) == SENTINEL_RULES


def check_alarms(panel: SentinelRow, material: Material, found: Findings) -> None:
    """Every point raised what it calls for, once; nothing else was raised."""
    own = [one for one in material.watched.alarms if one.sentinel is panel]
    if _beside(panel, material, found):
        own = [one for one in own if one.kind != AlarmKind.SERVED_MODEL]
    stored = {one.key: one for one in own}
    called = set()
    for point, said in _called_for(panel, material):
        check, alarm = point.check.number, stored.get(said.key)
        if alarm is None or (alarm.check or 0) > check:
            what = f"it raised no {said.kind.value} alarm, which it calls for"
            found.add(POINTS, point.row, what)
        elif alarm.check == check:
            called.add(alarm.key)
            _compare(alarm, said, found)
    for alarm in own:
        if alarm.check is None:
            _check_overdue(alarm, material, found)
        elif alarm.key not in called and _is_told(alarm.check, material.watched.points):
            found.add(ALARMS, alarm.row, "its point calls for no such alarm")


def _is_told(check: int, points: Mapping[int, PointRow]) -> bool:
    """Whether what a check calls for can be told: not by a point of other rules."""
    return check not in points or ours(points[check])


def _beside(panel: SentinelRow, material: Material, found: Findings) -> bool:
    """Whether some of what its models answered is not in the bundle."""
    if panel.production is None or panel.production in material.sets:
        return False
    found.leave(
        f"alarms of sentinel {panel.name} about served models: what it was asked of "
        f"gold set {panel.production} is not in the bundle"
    )
    return True


def _called_for(
    panel: SentinelRow, material: Material
) -> Iterator[tuple[PointRow, Raised]]:
    limits = Limits(
        least_agreement=panel.least_agreement, most_invalid=panel.most_invalid
    )
    apart = panel.production is not None and panel.production not in material.sets
    for _, point in sorted(material.watched.points.items()):
        if point.check.series.sentinel is not panel or not ours(point):
            continue
        earlier = [one.payload for one in material.watched.before(point)]
        for said in alarms_of(point.payload, earlier, limits):
            if not (apart and said.kind is AlarmKind.SERVED_MODEL):
                yield point, said


def _compare(alarm: AlarmRow, said: Raised, found: Findings) -> None:
    told = {
        "kind": (alarm.kind, said.kind.value), "detail": (alarm.detail, said.detail),
    }  # fmt: skip
    for name, (stored, follows) in told.items():
        if stored != follows:
            found.add(ALARMS, alarm.row, str(Difference(name, stored, follows)))


def _check_overdue(alarm: AlarmRow, material: Material, found: Findings) -> None:
    """No check had ended for too long when it was raised."""
    panel, checks = alarm.sentinel, material.watched.checks
    kind, _, number = alarm.key.partition(":")
    if kind != AlarmKind.OVERDUE or not number.isdecimal():
        found.add(ALARMS, alarm.row, "it is about no check, and is not overdue")
        return
    last = checks.get(int(number))
    if last is None and int(number):
        if panel.production in {None, *material.sets}:
            found.add(ALARMS, alarm.row, "the check that it counts from is not there")
        return  # else of cases that are not in the bundle, which was told
    if last is not None and not _finished(last, alarm, material, alarm.at + CLOCKS):
        found.add(ALARMS, alarm.row, "the check that it counts from had not ended")
        return
    since = last.started if last else panel.created
    _compare(alarm, overdue(since, int(number), panel.period_hours), found)
    later = any(
        one.number > int(number) and _finished(one, alarm, material, alarm.at - CLOCKS)
        for one in checks.values()
    )
    period = timedelta(hours=panel.period_hours)
    if later or not is_overdue(since, period, alarm.at + CLOCKS):
        found.add(ALARMS, alarm.row, "a check had ended in time")


def _finished(
    check: CheckRow, alarm: AlarmRow, material: Material, by: datetime
) -> bool:
    """Whether a check of the panel's judge of pairs had its point by then."""
    point = material.watched.points.get(check.number)
    return (
        point is not None
        and check.series.sentinel is alarm.sentinel
        and check.series.judge.name == alarm.sentinel.judge
        and point.at <= by
    )
