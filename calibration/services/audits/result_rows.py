"""What came of it, as rows of a bundle: reports, findings, looks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from calibration.models import Disposition, Look, Report
from calibration.services.audits.values import rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calibration.services.audits.scopes import Scope

    Rows = Iterator[dict[str, Any]]


def reports(scope: Scope) -> Rows:
    """Every report; its bytes lie in a file of their own."""
    fields = {
        "report": "pk",
        "run": "run_id",
        "version": "gold_version_id",
        "digest": "digest",
        "created_at": "created_at",
        "created_by": "created_by__username",
    }
    return rows_of(Report.objects.filter(pk__in=scope.reports).order_by("pk"), fields)


def findings(scope: Scope) -> Rows:
    """What somebody found a disagreement to be, every revision."""
    names = ("finding", "note", "revision", "batch", "decided_at")
    fields = {
        "run": "run_id",
        "version": "gold_version_id",
        "pair": "pair_id",
        "decided_by": "decided_by__username",
        **{name: name for name in names},
    }
    found = Disposition.objects.filter(
        run__in=scope.run_ids,
        gold_version__gold_set__in=scope.set_ids,
        decided_at__lte=scope.until,
    )
    ordered = found.order_by("run_id", "gold_version_id", "pair_id", "revision")
    return rows_of(ordered, fields)


def looks(scope: Scope) -> Rows:
    """Every look at the held-out results of the sets, in order."""
    names = (
        "number", "what", "subject", "looked_at", "actor", "door", "reason",
        "held_out_digest", "config_digest", "word",
    )  # fmt: skip
    fields = {
        "gold_set": "gold_set__name",
        "report": "report_id",
        "looked_by": "looked_by__username",
        **{name: name for name in names},
    }
    found = Look.objects.filter(gold_set__in=scope.set_ids, looked_at__lte=scope.until)
    for gold_set in scope.gold_sets:
        mine = found.filter(gold_set=gold_set)
        yield from rows_of(mine.order_by("number"), fields)
