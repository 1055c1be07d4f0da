"""Judges on the same gold side by side, and two reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from annotation.domain.outcomes import Split
from annotation.services.gold_sets import gold_set_named
from annotation.services.held_out import LooksSpent, Viewer
from calibration.forms.comparisons import JudgesForm, ReportsForm
from calibration.presenters.comparisons import judges_page, reports_page
from calibration.services import overviews
from calibration.services.judge_comparison import judge_comparison, judges_on
from calibration.services.report_comparison import report_comparison
from calibration.views.common import readers, user_of
from config.errors import InvalidInput

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


# GET alone: a HEAD request would spend looks and show nothing.
@never_cache
@require_GET
@readers
def judges(request: HttpRequest, name: str) -> HttpResponse:
    """Compare judges that ran on a set: on held-out pairs a look at each."""
    gold_set = gold_set_named(name)
    known = judges_on(gold_set)
    form = JudgesForm(known, request.GET if "judge" in request.GET else None)
    context: dict[str, Any] = {"gold_set": gold_set, "form": form, "known": known}
    if form.is_valid():
        said = form.cleaned_data
        viewer = Viewer(user=user_of(request), door="page", reason=said["reason"])
        try:
            payload = judge_comparison(
                gold_set=name,
                judges=said["judge"],
                split=Split(said["split"]),
                viewer=viewer,
                now=timezone.now(),
            )
            context |= {"payload": payload, "page": judges_page(payload)}
        except (InvalidInput, LooksSpent) as refused:
            context["refused"] = refused.message
    return render(request, "calibration/judges_compared.html", context)


@never_cache
@require_GET
@readers
def reports(request: HttpRequest) -> HttpResponse:
    """Set two reports side by side; each is a look like its own page."""
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
        viewer = Viewer(user=user_of(request), door="page")
        try:
            found = report_comparison(
                before=before, after=after, viewer=viewer, now=timezone.now()
            )
            context |= {
                "found": found,
                "page": reports_page(found),
                "both": ((before, "before"), (after, "after")),
            }
        except InvalidInput as refused:
            context["refused"] = refused.message
    return render(request, "calibration/reports_compared.html", context)
