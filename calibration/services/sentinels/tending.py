"""Everything that sentinels need now and then: what cron and beat call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction

from calibration.models import SentinelPanel
from calibration.services.sentinels.checking import start_checks
from calibration.services.sentinels.points import finished_checks, record_point
from calibration.services.sentinels.raising import raise_for_point, raise_overdue
from config.errors import DomainError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from calibration.models import SentinelAlarm, SentinelCheck, SentinelPoint


@dataclass(frozen=True, slots=True)
class Tended:
    """What was done; ``problems`` are panels that could not be started, and why."""

    started: tuple[SentinelCheck, ...] = ()
    points: tuple[SentinelPoint, ...] = ()
    alarms: tuple[SentinelAlarm, ...] = ()
    problems: tuple[str, ...] = ()


def settle_sentinels(*, now: datetime) -> Tended:
    """Record what has finished and raise alarms; safe to repeat, and at once.

    A point and its alarms are stored together, so that none is lost between them.
    """
    points: list[SentinelPoint] = []
    alarms: list[SentinelAlarm] = []
    problems: list[str] = []
    for check in finished_checks():
        try:
            with transaction.atomic():
                point = record_point(check=check, now=now)
                if point is not None:
                    points.append(point)
                    alarms += raise_for_point(point=point, now=now)
        except DomainError as error:  # of this check alone
            problems.append(f"{check.series.panel.name}: {error.message}")
    alarms += raise_overdue(now=now)
    return Tended(points=tuple(points), alarms=tuple(alarms), problems=tuple(problems))


def start_due(
    *,
    now: datetime,
    panels: Sequence[SentinelPanel] | None = None,
    early: bool = False,
    actor: str = "",
) -> Tended:
    """Start the checks that are due; one panel's trouble stops no other."""
    started: list[SentinelCheck] = []
    problems: list[str] = []
    if panels is None:
        panels = list(SentinelPanel.objects.watching().order_by("pk"))
    for panel in panels:
        try:
            started += start_checks(
                panel=panel, by=None, now=now, early=early, actor=actor
            )
        except DomainError as error:
            problems.append(f"{panel.name}: {error.message}")
    return Tended(started=tuple(started), problems=tuple(problems))
