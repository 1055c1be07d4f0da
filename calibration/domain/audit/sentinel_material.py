"""The rows of a bundle about sentinels, as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from annotation.domain.outcomes import Outcome
    from calibration.domain.audit.material import JudgeRow, RunRow, VersionRow
    from calibration.domain.sentinels import Step


@dataclass(slots=True)
class SentinelRow:
    """A panel, and the part of each of its pairs; ``gold`` is that of its version."""

    number: int
    row: int
    name: str
    version: VersionRow
    judge: str
    pointwise_judge: str
    size: int
    parts: int
    seed: int
    period_hours: int
    least_agreement: float | None
    most_invalid: float | None
    production: str | None
    created: datetime
    gold: Mapping[int, Outcome]
    pairs: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SeriesRow:
    """What one instrument measured of a panel."""

    number: int
    row: int
    sentinel: SentinelRow
    judge: JudgeRow
    rubric_digest: str
    began: datetime


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One run of a series."""

    number: int
    row: int
    series: SeriesRow
    run: RunRow
    step: Step
    started: datetime


@dataclass(frozen=True, slots=True)
class PointRow:
    """What a check came to, as it was stored."""

    number: int
    row: int
    check: CheckRow
    payload: Mapping[str, Any]
    at: datetime


@dataclass(frozen=True, slots=True)
class AlarmRow:
    """An alarm; ``check`` is ``None`` where it is about checks that did not come."""

    number: int
    row: int
    sentinel: SentinelRow
    series: int | None
    check: int | None
    kind: str
    key: str
    detail: str
    at: datetime


@dataclass(slots=True)
class Watched:
    """Everything about sentinels, by number and in order; points by their check."""

    sentinels: dict[int, SentinelRow] = field(default_factory=dict)
    series: dict[int, SeriesRow] = field(default_factory=dict)
    checks: dict[int, CheckRow] = field(default_factory=dict)
    points: dict[int, PointRow] = field(default_factory=dict)
    alarms: list[AlarmRow] = field(default_factory=list)

    def checks_of(self, series: SeriesRow) -> list[CheckRow]:
        """The checks of a series, in order."""
        return [one for one in self.checks.values() if one.series is series]

    def before(self, point: PointRow) -> list[PointRow]:
        """The points of its series that were there when a point was recorded."""
        return [
            one
            for one in self.points.values()
            if one.check.series is point.check.series
            and one.number < point.number
            and one.check.number < point.check.number
        ]
