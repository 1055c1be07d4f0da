"""What the pages and the API read of sentinels, and who has seen it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Count, Max, Q

from annotation.models import Pair
from calibration.domain.sentinels import AlarmKind, is_overdue
from calibration.domain.standing import Standing, standing
from calibration.models import SentinelAlarm, SentinelPanel, SentinelSeries
from calibration.services.reviewing import record_seen
from calibration.services.sentinels.checking import open_pairs
from calibration.services.sentinels.defining import sentinel_named
from calibration.services.sentinels.points import payload_of
from calibration.services.sentinels.raising import last_finished
from judging.models import ConfigKind, RunStatus

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from calibration.models import SentinelCheck, SentinelPoint
    from config.accounts.models import User

MOST_CHANGED = 100  # of a series, newest first


@dataclass(frozen=True, slots=True)
class PointView:
    """A point, with the check that it is of."""

    point: SentinelPoint
    check: SentinelCheck
    payload: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ChangedView:
    """A pair or response whose verdict or mark is another than in the first run."""

    seen_at: datetime
    what: dict[str, Any]


@dataclass(frozen=True, slots=True)
class SeriesView:
    """One instrument's points in order, and what changed, newest first."""

    series: SentinelSeries
    pointwise: bool
    points: tuple[PointView, ...]
    changed: tuple[ChangedView, ...]
    open_checks: tuple[SentinelCheck, ...]
    standing: Standing


@dataclass(frozen=True, slots=True)
class SentinelView:
    """A panel with everything that was measured on it."""

    panel: SentinelPanel
    pairs: int
    part_sizes: tuple[int, ...]
    series: tuple[SeriesView, ...]
    alarms: tuple[SentinelAlarm, ...]
    last: SentinelCheck | None
    next_due: datetime | None
    late: bool


def sentinels() -> QuerySet[SentinelPanel]:
    """All panels, with the alarms each has raised, the open ones, and its last run."""
    unnoted = Q(alarms__acknowledgement=None)
    return SentinelPanel.objects.for_pages().annotate(
        alarm_count=Count("alarms", distinct=True),
        open_alarm_count=Count("alarms", distinct=True, filter=unnoted),
        last_started=Max("series__checks__started_at"),
    )


@transaction.atomic
def sentinel_view(*, name: str, user: User, now: datetime) -> SentinelView:
    """Read a panel; that the person saw the pairs that changed is noted."""
    panel = sentinel_named(name)
    sizes = panel.members.values("part").annotate(n=Count("pk")).order_by("part")
    series = tuple(_series(one) for one in _ordered(panel))
    record_seen(user=user, pair_ids=_seen(series), now=now)
    last = last_finished(panel)
    since = last.started_at if last else panel.created_at
    newest = max((c.started_at for c in _started(panel)), default=None)
    return SentinelView(
        panel=panel,
        pairs=sum(row["n"] for row in sizes),
        part_sizes=tuple(row["n"] for row in sizes),
        series=series,
        alarms=tuple(
            panel.alarms.select_related(
                "series__config", "sentinel_check", "acknowledgement__acknowledged_by"
            )
            .prefetch_related("notices")
            .order_by("-pk")
        ),
        last=last,
        next_due=newest + panel.period if newest and not panel.ended_at else None,
        late=not panel.ended_at and is_overdue(since, panel.period, now),
    )


def _ordered(panel: SentinelPanel) -> QuerySet[SentinelSeries]:
    return panel.series.select_related(
        "config__provider", "config__simulation", "panel"
    ).order_by("pk")


def _started(panel: SentinelPanel) -> list[SentinelCheck]:
    return [
        one
        for series in panel.series.filter(config__name=panel.judge)
        for one in series.checks.exclude(run__status=RunStatus.STOPPED)
    ]


def _series(series: SentinelSeries) -> SeriesView:
    checks = series.checks.select_related("run", "point").order_by("pk")
    points = tuple(
        PointView(check.point, check, payload_of(check.point))
        for check in checks.filter(point__isnull=False)
    )
    return SeriesView(
        series=series,
        pointwise=series.config.kind == ConfigKind.POINTWISE,
        points=points,
        changed=_changed(series, points),
        open_checks=tuple(
            checks.filter(point=None).exclude(run__status=RunStatus.STOPPED)
        ),
        standing=standing(
            [one.payload for one in points],
            {AlarmKind(kind) for kind in series.alarms.values_list("kind", flat=True)},
        ),
    )


def _changed(
    series: SentinelSeries, points: Sequence[PointView]
) -> tuple[ChangedView, ...]:
    """Without what has been held out or sealed since."""
    found = [
        ChangedView(one.check.started_at, what)
        for one in reversed(points)
        for what in one.payload["changed"]
    ][:MOST_CHANGED]
    if not found:
        return ()
    hidden = _hidden(series, found)
    return tuple(one for one in found if _key(one) not in hidden)


def _key(one: ChangedView) -> int:
    return int(one.what["pair"] if "pair" in one.what else one.what["response"])


def _hidden(series: SentinelSeries, found: Sequence[ChangedView]) -> set[int]:
    keys = {_key(one) for one in found}
    if "pair" in found[0].what:
        return keys - set(open_pairs(keys))
    pairs = _pairs_with(series, keys)
    shut = {pair.pk for pair in pairs} - set(open_pairs([pair.pk for pair in pairs]))
    closed = (pair for pair in pairs if pair.pk in shut)
    return {pk for pair in closed for pk in (pair.baseline_id, pair.candidate_id)}


def _seen(series: Sequence[SeriesView]) -> set[int]:
    """The pairs whose verdicts, or whose responses' marks, are on the page."""
    found: set[int] = set()
    for one in series:
        keys = {_key(changed) for changed in one.changed}
        if one.pointwise:
            keys = {pair.pk for pair in _pairs_with(one.series, keys)}
        found |= keys
    return found


def _pairs_with(series: SentinelSeries, responses: set[int]) -> list[Pair]:
    members = series.panel.members.values("pair")
    touched = Q(baseline__in=responses) | Q(candidate__in=responses)
    return list(Pair.objects.filter(touched, pk__in=members))
