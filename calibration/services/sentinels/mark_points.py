"""Points of a pointwise judge: marks by system, beside reference marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotation.models import Response
from calibration.domain.point_payloads import Before, marks_body
from calibration.domain.sentinel_points import Given, Marked
from judging.services.marks import marks_by_response

if TYPE_CHECKING:
    from calibration.models import SentinelCheck
    from calibration.services.sentinels.points import Earlier
    from judging.models import Run


def marks_json(check: SentinelCheck, before: Earlier) -> dict[str, Any]:
    """What a pointwise check came to."""
    return marks_body(
        check.step,
        _marked(check.run),
        Before(before.points, _given(before.first), _given(before.reference)),
        [one for each in before.parts for one in _marked(each.run)],
    )


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


def _given(run: Run | None) -> tuple[int, dict[str, Given]] | None:
    if run is None:
        return None
    marks = marks_by_response(run)
    return run.pk, {
        str(pk): Given(mark.state, mark.score) for pk, mark in marks.items()
    }
