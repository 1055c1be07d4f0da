"""Alarms: raised once each, from points and from points that do not come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction

from calibration.domain.alarms import Limits, Raised, alarms_of, overdue
from calibration.domain.sentinels import is_overdue
from calibration.models import (
    SentinelAlarm,
    SentinelCheck,
    SentinelPanel,
    SentinelPoint,
)
from calibration.services.sentinels.points import payload_of

if TYPE_CHECKING:
    from datetime import datetime


def raise_for_point(
    *, point: SentinelPoint, now: datetime
) -> tuple[SentinelAlarm, ...]:
    """Raise what a point calls for, as far as it has not been raised."""
    check = point.sentinel_check
    series = check.series
    earlier = SentinelPoint.objects.filter(
        sentinel_check__series=series, sentinel_check__lt=check.pk
    ).order_by("pk")
    found = alarms_of(
        payload_of(point), [payload_of(one) for one in earlier], _limits(series.panel)
    )
    made = (_raise(series.panel, one, now, check) for one in found)
    return tuple(alarm for alarm in made if alarm is not None)


def _limits(panel: SentinelPanel) -> Limits:
    least, most = panel.least_agreement, panel.most_invalid
    return Limits(
        least_agreement=None if least is None else float(least),
        most_invalid=None if most is None else float(most),
    )


def raise_overdue(*, now: datetime) -> tuple[SentinelAlarm, ...]:
    """Raise an alarm for every panel on which no check was finished in time."""
    found = []
    for panel in SentinelPanel.objects.watching().order_by("pk"):
        last = last_finished(panel)
        since = last.started_at if last else panel.created_at
        if not is_overdue(since, panel.period, now):
            continue
        said = overdue(since, last.pk if last else 0, panel.period_hours)
        found.append(_raise(panel, said, now))
    return tuple(alarm for alarm in found if alarm is not None)


def last_finished(panel: SentinelPanel) -> SentinelCheck | None:
    """The newest check of a panel's judge of pairs that has its point."""
    checks = SentinelCheck.objects.filter(
        series__panel=panel, series__config__name=panel.judge, point__isnull=False
    )
    return checks.order_by("-pk").first()


def _raise(
    panel: SentinelPanel,
    said: Raised,
    now: datetime,
    check: SentinelCheck | None = None,
) -> SentinelAlarm | None:
    if SentinelAlarm.objects.filter(panel=panel, key=said.key).exists():
        return None
    try:
        with transaction.atomic():
            return SentinelAlarm.objects.create(
                panel=panel,
                series=check.series if check else None,
                sentinel_check=check,
                kind=said.kind.value,
                key=said.key,
                detail=said.detail,
                raised_at=now,
            )
    except IntegrityError:  # somebody else was faster
        return None
