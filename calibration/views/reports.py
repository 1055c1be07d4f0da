"""Reports: the list, the page, and the page as a file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.services.held_out import LookNeeded, LooksSpent
from calibration.presenters.looks import word_text
from calibration.presenters.page import report_page, standalone_html
from calibration.presenters.rows import report_rows
from calibration.presenters.tables import report_csv
from calibration.services import looks, overviews
from calibration.views.common import look_page, readers, viewer_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.http import HttpRequest

    from calibration.models import Report

PAGE = 25


@require_safe
@readers
def index(request: HttpRequest) -> HttpResponse:
    """List the reports, newest first; agreement on dev only."""
    page = Paginator(overviews.reports(), PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "rows": report_rows(page)}
    return render(request, "calibration/reports.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@readers
def report(request: HttpRequest, report_id: int) -> HttpResponse:
    """Show a report; a POST with a reason takes the look that held-out results are.

    Until somebody took it they see dev alone, and what the look would cost.
    """
    found = overviews.report_by_id(report_id)
    try:
        payload, needed = _disclosed(request, found), ""
    except LookNeeded as ask:
        payload, needed = looks.without_held_out(found), _cost(ask)
    context = {
        "report": found,
        "page": report_page(payload),
        "looks": payload["looks"],
        "word": _word(payload["looks"]["words"], found),
        "needed": needed,
    }
    return look_page(request, "calibration/report.html", context)


@never_cache
@require_safe
@readers
def as_json(request: HttpRequest, report_id: int) -> HttpResponse:
    """Download the report JSON of DESIGN 7, once the look at it is taken."""
    payload = _disclosed(request, overviews.report_by_id(report_id))
    text = json.dumps(payload, ensure_ascii=False, allow_nan=False, indent=1)
    return _file(text + "\n", "application/json", f"report-{report_id}.json")


@never_cache
@require_safe
@readers
def as_csv(request: HttpRequest, report_id: int) -> HttpResponse:
    """Download every figure as a row of one table, once the look is taken."""
    payload = _disclosed(request, overviews.report_by_id(report_id))
    text = b"".join(report_csv(payload)).decode()
    return _file(text, "text/csv; charset=utf-8", f"report-{report_id}.csv")


@never_cache
@require_safe
@readers
def as_html(request: HttpRequest, report_id: int) -> HttpResponse:
    """Download the report as one HTML file, once the look is taken."""
    payload = _disclosed(request, overviews.report_by_id(report_id))
    return _file(
        standalone_html(payload), "text/html; charset=utf-8", f"report-{report_id}.html"
    )


def _word(words: Iterable[dict[str, Any]], report: Report) -> str:
    """What a look at this report said, while its set was sealed."""
    said = [one["word"] for one in words if one["report"] == report.pk]
    return word_text(said[0]) if said else ""


def _cost(ask: LookNeeded) -> str:
    """What a look costs; one that was not planned for says more than others."""
    if not isinstance(ask, LooksSpent):
        return ask.message
    return (
        f"{ask.message} It stays in the log, and reports on this set say that more "
        "looks were taken than planned."
    )


def _disclosed(request: HttpRequest, report: Report) -> dict[str, Any]:
    viewer = viewer_of(request)
    return looks.disclosed(report=report, viewer=viewer, now=timezone.now())


def _file(text: str, content_type: str, name: str) -> HttpResponse:
    reply = HttpResponse(text, content_type=content_type)
    reply["Content-Disposition"] = f'attachment; filename="{name}"'
    return reply
