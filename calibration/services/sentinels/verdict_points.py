"""Points of a judge of pairs: verdicts beside gold, and beside reference verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotation.domain.outcomes import Outcome
from annotation.models import GoldItem, Pair
from calibration.domain.drift import Twice, compare_runs
from calibration.domain.jsonable import jsonable
from calibration.domain.sentinel_points import Judged, verdict_block
from calibration.domain.sentinels import CheckKind
from calibration.services.sentinels.fresh import ruled_outcomes
from calibration.services.sentinels.monitoring import (
    DRIFT,
    USABLE,
    jsonable_fields,
    monitored,
    watched_agreement,
    watched_invalid,
)
from judging.models import Run, RunPurpose, RunStatus
from judging.services.evidence import pair_evidence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calibration.models import SentinelCheck
    from calibration.services.sentinels.points import Earlier
    from judging.domain.terms import JudgeOutcome


def verdicts_json(check: SentinelCheck, before: Earlier) -> dict[str, Any]:
    """What a check of a judge of pairs came to."""
    judged = _judged(check)
    block = verdict_block(list(judged.values()))
    first = _twice(judged, before.first)
    drift = compare_runs(first) if before.first else None
    own = _twice(judged, before.reference)
    part = compare_runs(own) if before.reference else None
    seen = [one for each in before.parts for one in _again(each, before.reference)]
    return {
        **jsonable_fields(block),
        "first_run": before.first.pk if before.first else None,
        "reference_run": before.reference.pk if before.reference else None,
        "against_first": jsonable(drift),
        "against_reference": jsonable(part),
        "since_reference": jsonable(compare_runs([*seen, *own])) if part else None,
        "monitor": monitored(check, before, part, DRIFT),
        "usable": monitored(check, before, part, USABLE),
        "watched_agreement": watched_agreement(check, before, block) if part else None,
        "watched_invalid": watched_invalid(check, before, block),
        "rerun": _rerun(check, judged),
        "changed": [
            _changed(one, judged) for one in first if one.reference is not one.verdict
        ],
    }


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


def _again(check: SentinelCheck, reference: Run | None) -> list[Twice]:
    """An earlier part of the same cycle beside the reference."""
    return _twice(_judged(check), reference)


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
