"""Points of a pointwise judge: marks by system, beside reference marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotation.models import Response
from calibration.domain.jsonable import jsonable
from calibration.domain.sentinel_points import (
    Given,
    Marked,
    compare_marks,
    mark_block,
    system_blocks,
)
from calibration.services.sentinels.monitoring import (
    MARKS,
    USABLE,
    jsonable_fields,
    monitored,
    watched_invalid,
)
from judging.services.marks import marks_by_response

if TYPE_CHECKING:
    from calibration.domain.sentinel_points import MarkDrift
    from calibration.models import SentinelCheck
    from calibration.services.sentinels.points import Earlier
    from judging.models import Run


def marks_json(check: SentinelCheck, before: Earlier) -> dict[str, Any]:
    """What a pointwise check came to."""
    marked = _marked(check.run)
    block = mark_block(marked)
    part = _compared(marked, before.reference)
    seen = [one for each in before.parts for one in _marked(each.run)]
    return {
        "systems": jsonable(system_blocks(marked)),
        **jsonable_fields(block),
        "first_run": before.first.pk if before.first else None,
        "reference_run": before.reference.pk if before.reference else None,
        "against_first": jsonable(_compared(marked, before.first)),
        "against_reference": jsonable(part),
        "since_reference": jsonable(_compared([*seen, *marked], before.reference)),
        # Two-sided: neither higher nor lower marks are right by themselves.
        "monitor": monitored(check, before, part, MARKS, two_sided=True),
        "usable": monitored(check, before, part, USABLE),
        "watched_invalid": watched_invalid(check, before, block),
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


def _given(run: Run) -> dict[str, Given]:
    marks = marks_by_response(run)
    return {str(pk): Given(mark.state, mark.score) for pk, mark in marks.items()}


def _compared(marked: list[Marked], run: Run | None) -> MarkDrift | None:
    return None if run is None else compare_marks(_given(run), marked)


def _changed(marked: list[Marked], run: Run | None) -> list[dict[str, Any]]:
    if run is None:
        return []
    before = {key: _said(mark) for key, mark in _given(run).items()}
    return [
        {
            "response": int(one.response),
            "case": one.case,
            "system": one.system,
            "before": before[one.response],
            "now": _said(one),
        }
        for one in marked
        if one.response in before and before[one.response] != _said(one)
    ]


def _said(one: Given | Marked) -> str:
    """The score, or why there is none."""
    return one.state.value if one.score is None else str(one.score)
