"""What was watched, as rows of a bundle: panels, pairs, checks, points, alarms."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Q

from calibration.models import (
    SentinelAlarm,
    SentinelCheck,
    SentinelPair,
    SentinelPanel,
    SentinelPoint,
    SentinelSeries,
)
from calibration.services.audits.values import plain, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calibration.services.audits.scopes import Scope

    Rows = Iterator[dict[str, Any]]


def sentinels(scope: Scope) -> Rows:
    """Every panel, as it was defined, and who ended it."""
    names = (
        "name", "judge", "pointwise_judge", "parts", "seed", "period_hours",
        "concurrency", "least_agreement", "most_invalid", "created_at", "actor",
        "ended_at",
    )  # fmt: skip
    fields = {
        "sentinel": "pk",
        "version": "gold_version_id",
        "pairs": "pairs",
        "production": "production__name",
        "created_by": "created_by__username",
        "ended_by": "ended_by__username",
        **{name: name for name in names},
    }
    found = SentinelPanel.objects.filter(pk__in=scope.sentinels)
    found = found.annotate(pairs=Count("members"))
    until = plain(scope.until)
    for row in rows_of(found.order_by("pk"), fields):
        late = (row["ended_at"] or "") > until
        yield row | (dict.fromkeys(("ended_at", "ended_by")) if late else {})


def sentinel_pairs(scope: Scope) -> Rows:
    """Every pair of a panel, and the part that it was dealt to."""
    fields = {
        "sentinel": "panel_id", "pair": "pair_id", "digest": "digest", "part": "part",
    }  # fmt: skip
    found = SentinelPair.objects.filter(panel__in=scope.sentinels)
    return rows_of(found.order_by("panel_id", "pair_id"), fields)


def sentinel_series(scope: Scope) -> Rows:
    """Every instrument that was asked."""
    fields = {
        "series": "pk",
        "sentinel": "panel_id",
        "judge": "config_id",
        "judge_digest": "judge_digest",
        "rubric_digest": "rubric_digest",
        "began_at": "began_at",
    }
    shown = SentinelCheck.objects.filter(**_shown(scope)).values("series")
    found = SentinelSeries.objects.filter(panel__in=scope.sentinels, pk__in=shown)
    return rows_of(found.order_by("pk"), fields)


def _shown(scope: Scope, check: str = "") -> dict[str, Any]:
    """Those checks whose runs are here: of other sets none need be."""
    return {
        f"{check}series__panel__in": scope.sentinels,
        f"{check}run__in": scope.run_ids,
        f"{check}started_at__lte": scope.until,
    }


def sentinel_checks(scope: Scope) -> Rows:
    """Every check: which run, and where in its series it stands."""
    fields = {
        "check": "pk",
        "sentinel": "series__panel_id",
        "series": "series_id",
        "run": "run_id",
        "started_by": "started_by__username",
        **{name: name for name in ("kind", "cycle", "part", "started_at")},
    }
    found = SentinelCheck.objects.filter(**_shown(scope))
    return rows_of(found.order_by("pk"), fields)


def sentinel_points(scope: Scope) -> Rows:
    """What every finished check came to: the document itself, and its digest."""
    fields = {
        "point": "pk",
        "sentinel": "sentinel_check__series__panel_id",
        "check": "sentinel_check_id",
        "payload": "payload",
        "digest": "digest",
        "recorded_at": "recorded_at",
    }
    found = SentinelPoint.objects.filter(
        **_shown(scope, "sentinel_check__"), recorded_at__lte=scope.until
    )
    for row in rows_of(found.order_by("pk"), fields):
        yield row | {"payload": json.loads(row["payload"])}


def sentinel_alarms(scope: Scope) -> Rows:
    """Every alarm, and who took note of it."""
    fields = {
        "alarm": "pk",
        "sentinel": "panel_id",
        "series": "series_id",
        "check": "sentinel_check_id",
        "acknowledged_at": "acknowledgement__acknowledged_at",
        "acknowledged_by": "acknowledgement__acknowledged_by__username",
        "actor": "acknowledgement__actor",
        "note": "acknowledgement__note",
        **{name: name for name in ("kind", "key", "detail", "raised_at")},
    }
    about = Q(sentinel_check=None) | Q(**_shown(scope, "sentinel_check__"))
    found = SentinelAlarm.objects.filter(
        about, panel__in=scope.sentinels, raised_at__lte=scope.until
    )
    noted = ("acknowledged_at", "acknowledged_by", "actor", "note")
    until = plain(scope.until)
    for row in rows_of(found.order_by("pk"), fields):
        late = (row["acknowledged_at"] or "") > until
        yield row | (dict.fromkeys(noted) if late else {})
