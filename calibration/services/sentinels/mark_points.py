"""Points of a pointwise judge: marks by system, beside reference marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotation.models import Response
from calibration.domain.jsonable import jsonable
from calibration.domain.monitor import Counted, watch
from calibration.domain.sentinel_points import (
    MarkDrift,
    Marked,
    compare_marks,
    system_blocks,
)
from judging.services.marks import marks_by_response

if TYPE_CHECKING:
    from fractions import Fraction

    from calibration.models import SentinelCheck
    from calibration.services.sentinels.points import Earlier
    from judging.models import Run


def marks_json(check: SentinelCheck, before: Earlier) -> dict[str, Any]:
    """What a pointwise check came to."""
    marked = _marked(check.run)
    first = _compared(marked, before.first)
    part = _compared(marked, before.reference)
    return {
        "systems": jsonable(system_blocks(marked)),
        "first_run": before.first.pk if before.first else None,
        "reference_run": before.reference.pk if before.reference else None,
        "against_first": jsonable(first),
        "against_reference": jsonable(part),
        "monitor": _monitor(check, before, part),
        "changed": _changed(marked, before.first),
    }


def _marked(run: Run) -> list[Marked]:
    marks = marks_by_response(run)
    rows = Response.objects.filter(pk__in=marks).select_related("case", "system")
    return [
        Marked(
            response=str(one.pk),
            system=one.system.name,
            case=one.case.external_id,
            cluster=one.case.cluster,
            state=marks[one.pk].state,
            score=marks[one.pk].score,
            passed=marks[one.pk].passed,
        )
        for one in rows.order_by("system__position", "pk")
    ]


def _scores(run: Run) -> dict[str, Fraction | None]:
    return {str(pk): mark.score for pk, mark in marks_by_response(run).items()}


def _compared(marked: list[Marked], run: Run | None) -> MarkDrift | None:
    return None if run is None else compare_marks(_scores(run), marked)


def _monitor(check: SentinelCheck, before: Earlier, part: MarkDrift | None) -> Any:
    """Two-sided: neither higher nor lower marks are right by themselves."""
    found: dict[int, Counted] = {}
    for point in before.points:
        told = point["against_reference"]
        _add(found, point["cycle"], told["lower_groups"], told["higher_groups"])
    if part is not None:
        _add(found, check.cycle, part.lower_groups, part.higher_groups)
    return jsonable(watch(list(found.values()), two_sided=True))


def _add(found: dict[int, Counted], cycle: int, lower: int, higher: int) -> None:
    old = found.get(cycle, Counted(0, 0))
    found[cycle] = Counted(old.worse + lower, old.better + higher)


def _changed(marked: list[Marked], run: Run | None) -> list[dict[str, Any]]:
    if run is None:
        return []
    before = _scores(run)
    return [
        {
            "response": int(one.response),
            "case": one.case,
            "system": one.system,
            "before": str(before[one.response]),
            "now": str(one.score),
        }
        for one in marked
        if one.score is not None
        and before.get(one.response) is not None
        and before[one.response] != one.score
    ]
