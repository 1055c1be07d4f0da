"""Points of a judge of pairs: verdicts beside gold, and beside reference verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotation.domain.outcomes import Outcome
from annotation.models import GoldItem, Pair
from calibration.domain.point_payloads import Before, rerun_rate, verdicts_body
from calibration.domain.sentinel_points import Judged
from calibration.domain.sentinels import CheckKind
from calibration.services.sentinels.fresh import ruled_outcomes
from judging.models import Run, RunPurpose, RunStatus
from judging.services.evidence import pair_evidence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from annotation.domain.estimates import Figure
    from calibration.models import SentinelCheck
    from calibration.services.sentinels.points import Earlier
    from judging.domain.terms import JudgeOutcome


def verdicts_json(check: SentinelCheck, before: Earlier) -> dict[str, Any]:
    """What a check of a judge of pairs came to."""
    judged = _judged(check)
    return verdicts_body(
        check.step,
        judged,
        Before(before.points, _said(before.first), _said(before.reference)),
        [one for each in before.parts for one in _judged(each)],
        _rerun(check, judged),
    )


def _said(run: Run | None) -> tuple[int, dict[str, JudgeOutcome]] | None:
    if run is None:
        return None
    return run.pk, {str(pk): verdict for pk, verdict in _verdicts(run).items()}


def _judged(check: SentinelCheck) -> list[Judged]:
    verdicts = _verdicts(check.run)
    gold = _gold(check, verdicts)
    pairs = Pair.objects.filter(pk__in=verdicts).select_related("case").order_by("pk")
    return [
        Judged(
            pair=str(pair.pk),
            case=pair.case.external_id,
            cluster=pair.case.cluster,
            gold=gold.get(pair.pk),
            verdict=verdicts[pair.pk],
        )
        for pair in pairs
    ]


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


def _rerun(check: SentinelCheck, judged: list[Judged]) -> Figure | None:
    """How many of these verdicts change between two usual runs of the same judge.

    The newest noise run beside the newest calibration run, if there are both.
    """
    done = Run.objects.filter(
        config=check.series.config,
        gold_set=check.run.gold_set_id,
        status=RunStatus.DONE,
        pk__lt=check.run_id,
    ).order_by("-pk")
    again = _said(done.filter(purpose=RunPurpose.NOISE).first())
    usual = _said(done.filter(purpose=RunPurpose.CALIBRATION).first())
    if again is None or usual is None:
        return None
    return rerun_rate(judged, usual[1], again[1])
