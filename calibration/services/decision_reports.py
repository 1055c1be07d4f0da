"""Which calibration report a release may be decided with: one that is not outdated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.models import GoldVersion
from calibration.models import Report
from calibration.services.look_counts import frozen_after_unsealing, open_elsewhere
from calibration.services.looks import report_pairs
from calibration.services.release_evidence import held_out_pairs
from config.errors import Conflict

if TYPE_CHECKING:
    from judging.models import Run

MOST_REPORTS = 20


def report_for(run: Run) -> Report | None:
    """The newest report on held-out pairs of the run's judge, on any set.

    One whose held-out results were open elsewhere, or that is outdated, is named only
    where there is no other, so that it is refused in words and not passed over.
    """
    found = reports_for(run)
    current = [report for report in found if not outdated(report)]
    unseen = (report for report in current if not _was_open(report))
    return next(unseen, next(iter(current or found), None))


def _was_open(report: Report) -> bool:
    return open_elsewhere(report_pairs(report, held_out=True)) > 0


def reports_for(run: Run) -> list[Report]:
    """The newest reports of the run's judge that have held-out pairs."""
    return _reports_of(run.config.digest)


def _reports_of(digest: str, **wanted: int) -> list[Report]:
    mine = Report.objects.filter(run__config__digest=digest, **wanted)
    rows = mine.select_related("run__config", "gold_version__gold_set")
    newest = rows.exclude(run__config__digest="").order_by("-pk")[:MOST_REPORTS]
    return [
        report for report in newest if held_out_pairs(report) and not _used_up(report)
    ]


def _used_up(report: Report) -> bool:
    """Whether the report's held-out pairs had been shown before its judge was made."""
    return frozen_after_unsealing(report.gold_version.gold_set, report.run.config)


def outdated(report: Report) -> str:
    """Why a report is no longer what is known of its judge on its set, or nothing.

    Whoever may choose among reports could decide with the one that flatters the judge.
    """
    version = report.gold_version
    gold = GoldVersion.objects.filter(gold_set=version.gold_set_id)
    newest = gold.order_by("-number").values_list("number", flat=True)[0]
    if newest > version.number:
        return (
            f"it is of gold version {version.number} of {version.gold_set.name}, and "
            f"version {newest} is frozen: make a report of that"
        )
    later = _reports_of(
        report.run.config.digest, gold_version=version.pk, pk__gt=report.pk
    )
    if later:
        newer = later[0].pk
        return f"report {newer} measures the same judge on the same gold: take that"
    return ""


def refuse_report(report: Report) -> None:
    """Refuse a report that is used up or outdated."""
    if _used_up(report):
        raise Conflict(
            "split_used_up",
            f"Report {report.pk} measures a judge that was frozen after its held-out "
            "pairs were unsealed: it needs fresh ones.",
        )
    if why := outdated(report):
        message = f"Report {report.pk} is outdated: {why}."
        raise Conflict("report_outdated", message)
