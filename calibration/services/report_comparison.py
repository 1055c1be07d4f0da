"""Two reports side by side: what differs in the judge, and what moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction

from annotation.domain.outcomes import Split
from annotation.services.held_out import LookNeeded
from calibration.domain.jsonable import jsonable
from calibration.domain.moves import moves
from calibration.services.looks import (
    disclosed,
    is_under_seal,
    without_held_out,
)
from calibration.services.looks_together import disclose_each
from calibration.services.reporting import build_sample
from config.errors import InvalidInput
from judging.services.editing import differences
from judging.services.evidence import pair_evidence

if TYPE_CHECKING:
    from datetime import datetime

    from annotation.services.held_out import Viewer
    from calibration.models import Report
    from judging.services.editing import FieldDifference

SCHEMA = "evenhand.report_comparison/1"
ALL = "all"
OTHER_GOLD = "The reports are on different gold, so their pairs are not compared."


@dataclass(frozen=True, slots=True)
class ReportComparison:
    """Both reports as disclosed, and what lies between them.

    ``moved`` holds the paired figures of each split that both show; None where the
    reports are on different gold versions, for which ``why_not`` gives the words.
    ``needed`` says what looks held-out results take that were left out, if any.
    """

    before: dict[str, Any]
    after: dict[str, Any]
    differ: tuple[FieldDifference, ...]
    moved: dict[str, Any] | None
    why_not: str
    needed: str


def report_comparison(
    *, before: Report, after: Report, viewer: Viewer, now: datetime
) -> ReportComparison:
    """Compare two reports; each is shown as by its own page, and is a look like it.

    Held-out results are left out of both where a look at one is yet to be asked for.
    """
    if before.pk == after.pk:
        raise InvalidInput("reports_same", "Choose two different reports.")
    both = (before, after)
    try:
        with transaction.atomic():  # either both looks are logged, or none is
            opened = [report for report in both if not is_under_seal(report)]
            disclose_each(reports=opened, viewer=viewer, now=now)
            shown = [disclosed(report=r, viewer=viewer, now=now) for r in both]
        needed = ""
    except LookNeeded as ask:
        shown, needed = [without_held_out(report) for report in both], ask.message
    same = before.gold_version_id == after.gold_version_id
    return ReportComparison(
        before=shown[0],
        after=shown[1],
        differ=differences(before.run.config, after.run.config),
        moved=_moved(before, after, shown) if same else None,
        why_not="" if same else OTHER_GOLD,
        needed=needed,
    )


def _moved(
    before: Report, after: Report, shown: list[dict[str, Any]]
) -> dict[str, Any]:
    one, other = (
        build_sample(report.run, report.gold_version, pair_evidence(report.run))
        for report in (before, after)
    )
    found: dict[str, Any] = {
        split.value: jsonable(moves(one.where(split=split), other.where(split=split)))
        if all(payload["splits"][split.value] for payload in shown)
        else None
        for split in Split
    }
    unsplit = all(row.split is None for row in (*one.rows, *other.rows))
    if unsplit and all(payload["splits"][ALL] for payload in shown):
        found[ALL] = jsonable(moves(one, other))
    return found


def comparison_json(
    found: ReportComparison, *, before: Report, after: Report
) -> dict[str, Any]:
    """The comparison as the API gives it; the reports have addresses of their own."""
    return {
        "schema": SCHEMA,
        "before": _named(before),
        "after": _named(after),
        "differ": [
            {"field": one.field, "before": one.before, "after": one.after}
            for one in found.differ
        ],
        "moved": found.moved,
        "why_not": found.why_not,
        "held_out_left_out": bool(found.needed),
        "look_needed": found.needed,
    }


def _named(report: Report) -> dict[str, Any]:
    config, gold = report.run.config, report.gold_version
    return {
        "report": report.pk,
        "digest": report.digest,
        "judge": config.name,
        "judge_version": config.version,
        "judge_digest": config.digest,
        "gold_set": gold.gold_set.name,
        "gold_version": gold.number,
    }
