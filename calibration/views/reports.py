"""Reports: the list, the page, and the page as a file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from annotation.services.held_out import LooksSpent, Viewer
from calibration.forms.reports import ReasonForm
from calibration.presenters.looks import word_text
from calibration.presenters.page import report_page, standalone_html
from calibration.presenters.rows import report_rows
from calibration.presenters.tables import report_csv
from calibration.services import looks, overviews
from calibration.views.common import readers, user_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.http import HttpRequest

    from calibration.models import Report

PAGE = 25


@require_GET
@readers
def index(request: HttpRequest) -> HttpResponse:
    """List the reports, newest first; agreement on dev only."""
    page = Paginator(overviews.reports(), PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "rows": report_rows(page)}
    return render(request, "calibration/reports.html", context)


# GET and POST only: a HEAD request would spend a look and show nothing.
@never_cache
@require_http_methods(["GET", "POST"])
@readers
def report(request: HttpRequest, report_id: int) -> HttpResponse:
    """Show a report; past the budget of looks, dev alone and a form for the reason."""
    found = overviews.report_by_id(report_id)
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        _disclosed(request, found, form.cleaned_data["reason"])
        return redirect("calibration:report", report_id=report_id)
    try:
        payload, ask = _disclosed(request, found), None
    except LooksSpent as spent:
        payload, ask = looks.without_held_out(found), spent
    context = {
        "report": found,
        "page": report_page(payload),
        "looks": payload["looks"],
        "word": _word(payload["looks"]["words"], found),
        "ask": ask,
        "form": form,
    }
    return render(request, "calibration/report.html", context)


@never_cache
@require_GET
@readers
def as_json(request: HttpRequest, report_id: int) -> HttpResponse:
    """Download the report JSON of DESIGN 7; a look like the page."""
    payload = _disclosed(request, overviews.report_by_id(report_id))
    text = json.dumps(payload, ensure_ascii=False, allow_nan=False, indent=1)
    return _file(text + "\n", "application/json", f"report-{report_id}.json")


@never_cache
@require_GET
@readers
def as_csv(request: HttpRequest, report_id: int) -> HttpResponse:
    """Download every figure as a row of one table; a look like the page."""
    payload = _disclosed(request, overviews.report_by_id(report_id))
    text = b"".join(report_csv(payload)).decode()
    return _file(text, "text/csv; charset=utf-8", f"report-{report_id}.csv")


@never_cache
@require_GET
@readers
def as_html(request: HttpRequest, report_id: int) -> HttpResponse:
    """Download the report as one HTML file; a look like the page."""
    payload = _disclosed(request, overviews.report_by_id(report_id))
    return _file(
        standalone_html(payload), "text/html; charset=utf-8", f"report-{report_id}.html"
    )


def _word(words: Iterable[dict[str, Any]], report: Report) -> str:
    """What a look at this report said, while its set was sealed."""
    said = [one["word"] for one in words if one["report"] == report.pk]
    return word_text(said[0]) if said else ""


def _disclosed(
    request: HttpRequest, report: Report, reason: str = ""
) -> dict[str, Any]:
    viewer = Viewer(user=user_of(request), door="page", reason=reason)
    return looks.disclosed(report=report, viewer=viewer, now=timezone.now())


def _file(text: str, content_type: str, name: str) -> HttpResponse:
    reply = HttpResponse(text, content_type=content_type)
    reply["Content-Disposition"] = f'attachment; filename="{name}"'
    return reply
