"""Points: what a finished check came to, beside its references."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction

from annotation.domain.digests import canonical_json, digest_of
from calibration.domain.point_payloads import About, point_payload
from calibration.domain.sentinels import CheckKind
from calibration.models import SentinelCheck, SentinelPoint
from calibration.services.sentinels.mark_points import marks_json
from calibration.services.sentinels.verdict_points import verdicts_json
from judging.models import ConfigKind, RunStatus
from judging.services.evidence import served_models

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from judging.models import Run


def finished_checks() -> QuerySet[SentinelCheck]:
    """Checks that are done and have no point yet, oldest first."""
    checks = SentinelCheck.objects.filter(point=None, run__status=RunStatus.DONE)
    return checks.select_related(
        "run__config", "series__config", "series__panel__gold_version__gold_set"
    ).order_by("pk")


def payload_of(point: SentinelPoint) -> dict[str, Any]:
    """What a point holds."""
    found: dict[str, Any] = json.loads(point.payload)
    return found


def record_point(*, check: SentinelCheck, now: datetime) -> SentinelPoint | None:
    """Record what a finished check came to; ``None`` where somebody else did."""
    payload = canonical_json(_payload(check)).decode()
    try:
        with transaction.atomic():
            return SentinelPoint.objects.create(
                sentinel_check=check,
                payload=payload,
                digest=digest_of(json.loads(payload)),
                recorded_at=now,
            )
    except IntegrityError:  # somebody else was faster, with the same bytes
        return None


def _payload(check: SentinelCheck) -> dict[str, Any]:
    series, config = check.series, check.series.config
    before = _earlier(check)
    body = (
        marks_json(check, before)
        if config.kind == ConfigKind.POINTWISE
        else verdicts_json(check, before)
    )
    version = series.panel.gold_version
    about = About(
        sentinel=series.panel.name,
        series=series.pk,
        judge={
            "name": config.name,
            "version": config.version,
            "digest": series.judge_digest,
            "rubric_digest": series.rubric_digest,
        },
        gold={
            "set": version.gold_set.name,
            "version": version.number,
            "digest": version.digest,
        },
        step=check.step,
        run=check.run_id,
        served_models=served_models(check.run),
    )
    return point_payload(about, body)


@dataclass(frozen=True, slots=True)
class Earlier:
    """What a check is compared with: the series' first reference, and its cycle's.

    ``points`` are those of parts of the series before it, in order; ``parts`` are the
    checks of parts before it that were compared with the same reference.
    """

    first: Run | None
    reference: Run | None
    points: tuple[dict[str, Any], ...]
    parts: tuple[SentinelCheck, ...] = ()


def _earlier(check: SentinelCheck) -> Earlier:
    if check.kind == CheckKind.FRESH.value:
        return Earlier(None, None, ())
    done = SentinelCheck.objects.filter(
        series=check.series_id, run__status=RunStatus.DONE, pk__lt=check.pk
    ).select_related("run__config", "point", "series__panel")
    references = done.filter(kind=CheckKind.REFERENCE.value).order_by("pk")
    first = references.first()
    own = references.filter(cycle=check.cycle).last()
    parts = done.filter(kind=CheckKind.PART.value).order_by("pk")
    is_part = check.kind == CheckKind.PART.value
    return Earlier(
        first.run if first else None,
        own.run if own and is_part else None,
        tuple(payload_of(one.point) for one in parts),
        tuple(one for one in parts if one.cycle == check.cycle) if is_part else (),
    )
