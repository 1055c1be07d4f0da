"""Judges on the same gold side by side, and two reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.services.gold_sets import gold_set_named
from annotation.services.held_out import LookNeeded
from calibration.forms.comparisons import JudgesForm, ReportsForm
from calibration.presenters.comparisons import judges_page, reports_page
from calibration.services import overviews
from calibration.services.compared_pairs import ComparedPart
from calibration.services.judge_comparison import judge_comparison, judges_on
from calibration.services.report_comparison import report_comparison
from calibration.views.common import look_page, readers, viewer_of
from config.errors import InvalidInput

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@readers
def judges(request: HttpRequest, name: str) -> HttpResponse:
    """Compare judges that ran on a set.

    On held-out pairs this is a look at each, which a POST with a reason asks for.
    """
    gold_set = gold_set_named(name)
    known = judges_on(gold_set)
    form = JudgesForm(known, request.GET if "judge" in request.GET else None)
    context: dict[str, Any] = {"gold_set": gold_set, "form": form, "known": known}
    if form.is_valid():
        said = form.cleaned_data
        try:
            payload = judge_comparison(
                gold_set=name,
                judges=said["judge"],
                split=ComparedPart(said["split"]),
                viewer=viewer_of(request),
                now=timezone.now(),
            )
            context |= {"payload": payload, "page": judges_page(payload)}
        except LookNeeded as needed:
            context["needed"] = needed.message
        except InvalidInput as refused:
            context["refused"] = refused.message
    return look_page(request, "calibration/judges_compared.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@readers
def reports(request: HttpRequest) -> HttpResponse:
    """Set two reports side by side.

    Each is a look like its own page; dev alone until a POST with a reason asks for it.
    """
    form = ReportsForm(
        overviews.reports()[: ReportsForm.MOST],
        request.GET if "before" in request.GET else None,
    )
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        before, after = (
            overviews.report_by_id(form.cleaned_data[key])
            for key in ("before", "after")
        )
        viewer = viewer_of(request)
        try:
            found = report_comparison(
                before=before, after=after, viewer=viewer, now=timezone.now()
            )
            context |= {
                "needed": found.needed,
                "page": reports_page(found),
                "both": ((before, "before"), (after, "after")),
            }
        except InvalidInput as refused:
            context["refused"] = refused.message
    return look_page(request, "calibration/reports_compared.html", context)
