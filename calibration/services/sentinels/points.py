"""Points: what a finished check came to, beside its references."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction

from annotation.domain.digests import canonical_json, digest_of
from annotation.domain.outcomes import Outcome
from annotation.models import GoldItem, Pair
from calibration.domain.drift import Change, Drift, Twice, compare_runs
from calibration.domain.jsonable import jsonable
from calibration.domain.monitor import (
    Counted,
    alpha_of,
    confidence_sequence,
    watch,
)
from calibration.domain.sentinel_points import Judged, verdict_block
from calibration.domain.sentinels import CheckKind
from calibration.models import SentinelCheck, SentinelPoint
from calibration.services.sentinels.fresh import ruled_outcomes
from calibration.services.sentinels.mark_points import marks_json
from judging.models import ConfigKind, Run, RunPurpose, RunStatus
from judging.services.evidence import pair_evidence, served_models

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from django.db.models import QuerySet

    from judging.domain.terms import JudgeOutcome

SCHEMA = "evenhand.sentinel_point/1"


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
        else _verdicts_json(check, before)
    )
    return {
        "schema": SCHEMA,
        "sentinel": series.panel.name,
        "series": series.pk,
        "judge": {
            "name": config.name,
            "version": config.version,
            "digest": series.judge_digest,
            "rubric_digest": series.rubric_digest,
        },
        "gold": {
            "set": series.panel.gold_version.gold_set.name,
            "version": series.panel.gold_version.number,
            "digest": series.panel.gold_version.digest,
        },
        "kind": check.kind,
        "cycle": check.cycle,
        "part": check.part,
        "run": check.run_id,
        "served_models": served_models(check.run),
        **body,
    }


@dataclass(frozen=True, slots=True)
class Earlier:
    """What a check is compared with: the series' first reference, and its cycle's.

    ``points`` are those of parts of the series before it, in order.
    """

    first: Run | None
    reference: Run | None
    points: tuple[dict[str, Any], ...]


def _earlier(check: SentinelCheck) -> Earlier:
    if check.kind == CheckKind.FRESH.value:
        return Earlier(None, None, ())
    done = SentinelCheck.objects.filter(
        series=check.series_id, run__status=RunStatus.DONE, pk__lt=check.pk
    ).select_related("run__config", "point")
    references = done.filter(kind=CheckKind.REFERENCE.value).order_by("pk")
    first = references.first()
    own = references.filter(cycle=check.cycle).last()
    parts = done.filter(kind=CheckKind.PART.value).order_by("pk")
    is_part = check.kind == CheckKind.PART.value
    return Earlier(
        first.run if first else None,
        own.run if own and is_part else None,
        tuple(payload_of(one.point) for one in parts),
    )


def _verdicts_json(check: SentinelCheck, before: Earlier) -> dict[str, Any]:
    judged = _judged(check)
    block = verdict_block(list(judged.values()))
    first = _twice(judged, before.first)
    drift = compare_runs(first) if before.first else None
    part = compare_runs(_twice(judged, before.reference)) if before.reference else None
    return {
        **jsonable_fields(block),
        "first_run": before.first.pk if before.first else None,
        "reference_run": before.reference.pk if before.reference else None,
        "against_first": jsonable(drift),
        "against_reference": jsonable(part),
        "monitor": _monitor(check, before, part),
        "watched_agreement": _watched(check, before, block) if part else None,
        "rerun": _rerun(check, judged),
        "changed": [_changed(one, judged) for one in first if one.change in _MOVED],
    }


def jsonable_fields(block: object) -> dict[str, Any]:
    """A result's fields as plain JSON."""
    found = jsonable(block)
    assert isinstance(found, dict)  # noqa: S101 - a dataclass becomes an object
    return found


_MOVED = (Change.WORSE, Change.BETTER, Change.NEUTRAL)


def _judged(check: SentinelCheck) -> dict[str, Judged]:
    verdicts = _verdicts(check.run)
    gold = _gold(check, verdicts)
    pairs = Pair.objects.filter(pk__in=verdicts).select_related("case").order_by("pk")
    return {
        str(pair.pk): Judged(
            pair=str(pair.pk),
            case=pair.case.external_id,
            cluster=pair.case.cluster,
            gold=gold.get(pair.pk),
            verdict=verdicts[pair.pk],
        )
        for pair in pairs
    }


def _verdicts(run: Run) -> dict[int, JudgeOutcome]:
    return {pk: one.verdict.outcome for pk, one in pair_evidence(run).items()}


def _gold(
    check: SentinelCheck, verdicts: Mapping[int, JudgeOutcome]
) -> dict[int, Outcome]:
    if check.kind == CheckKind.FRESH.value:
        return ruled_outcomes(verdicts)
    items = GoldItem.objects.filter(version=check.series.panel.gold_version_id)
    rows = items.exclude(outcome="").filter(pair__in=verdicts)
    return {pk: Outcome(said) for pk, said in rows.values_list("pair", "outcome")}


def _twice(judged: Mapping[str, Judged], run: Run | None) -> list[Twice]:
    if run is None:
        return []
    said = {str(pk): verdict for pk, verdict in _verdicts(run).items()}
    return [
        Twice(key, one.cluster, said[key], one.verdict, one.gold)
        for key, one in judged.items()
        if key in said
    ]


def _rerun(check: SentinelCheck, judged: Mapping[str, Judged]) -> Any:
    """How many of these verdicts change between two usual runs of the same judge.

    The newest noise run beside the newest calibration run, if there are both.
    """
    done = Run.objects.filter(
        config=check.series.config,
        gold_set=check.run.gold_set_id,
        status=RunStatus.DONE,
        pk__lt=check.run_id,
    ).order_by("-pk")
    again = done.filter(purpose=RunPurpose.NOISE).first()
    usual = done.filter(purpose=RunPurpose.CALIBRATION).first()
    if again is None or usual is None:
        return None
    said = {str(pk): verdict for pk, verdict in _verdicts(again).items()}
    old = {str(pk): verdict for pk, verdict in _verdicts(usual).items()}
    pairs = [
        Twice(key, one.cluster, old[key], said[key], one.gold)
        for key, one in judged.items()
        if key in said and key in old
    ]
    return jsonable(compare_runs(pairs).change_rate)


def _changed(one: Twice, judged: Mapping[str, Judged]) -> dict[str, Any]:
    return {
        "pair": int(one.pair),
        "case": judged[one.pair].case,
        "gold": one.gold.value if one.gold else None,
        "before": one.reference.value,
        "now": one.verdict.value,
        "change": one.change.value,
    }


def _monitor(check: SentinelCheck, before: Earlier, part: Drift | None) -> Any:
    """The evidence of the series up to and with this check."""
    if check.kind == CheckKind.FRESH.value:
        return None
    found: dict[int, list[Counted]] = {}
    for point in before.points:
        told = point["against_reference"]
        counted = Counted(told["worse_groups"], told["better_groups"])
        found.setdefault(point["cycle"], []).append(counted)
    if part is not None:
        counted = Counted(part.worse_groups, part.better_groups)
        found.setdefault(check.cycle, []).append(counted)
    return jsonable(watch([_sum(each) for each in found.values()]))


def _sum(counted: list[Counted]) -> Counted:
    return Counted(
        sum(one.worse for one in counted), sum(one.better for one in counted)
    )


def _watched(check: SentinelCheck, before: Earlier, block: Any) -> Any:
    """Disagreement of groups in this cycle, at a level for all cycles together."""
    same = [one for one in before.points if one["cycle"] == check.cycle]
    wrong = sum(one["wrong_groups"] for one in same) + block.wrong_groups
    groups = sum(one["groups"] for one in same) + block.groups
    level = 1 - alpha_of(check.cycle)
    return jsonable(confidence_sequence(min(wrong, groups), groups, level))
