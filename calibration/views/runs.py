"""Runs: the state of one, and a report of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from calibration.services import overviews, reporting
from calibration.views.common import leads, readers, user_of
from judging.forms.runs import budget_form
from judging.presenters.runs import live_run

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
@readers
def detail(request: HttpRequest, run_id: int) -> HttpResponse:
    """Show how far a run is and what was invalid; no outcome."""
    overview = overviews.run_overview(run_id)
    context = {
        "overview": overview,
        "live": live_run(overview.run, now=timezone.now()),
        "budget_form": budget_form(overview.run),
    }
    return render(request, "calibration/run.html", context)


@require_POST
@leads
def make_report(request: HttpRequest, run_id: int) -> HttpResponse:
    """Make the report of a run against the newest gold, and show it."""
    run = overviews.run_overview(run_id).run
    gold = reporting.latest_gold(run.gold_set_id)
    report = reporting.make_report(
        run=run, gold=gold, by=user_of(request), now=timezone.now()
    )
    return redirect("calibration:report", report_id=report.pk)
