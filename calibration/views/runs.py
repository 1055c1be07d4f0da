"""Runs: the state of one, and a report of it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from annotation.services.held_out import Viewer
from calibration.services import overviews, reporting
from calibration.services.looks import disclosed
from calibration.views.common import leads, readers, user_of
from config.errors import DomainError
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
    """Make the report of a run against the newest gold, and show it.

    Whoever makes it has asked for the look that it is: they are not asked again.
    """
    run = overviews.run_overview(run_id).run
    gold = reporting.latest_gold(run.gold_set_id)
    user, now = user_of(request), timezone.now()
    report = reporting.make_report(run=run, gold=gold, by=user, now=now)
    # What stands in the way of a look, such as a used up budget, its page says.
    with suppress(DomainError):
        disclosed(report=report, viewer=Viewer(user, door="page"), now=now)
    return redirect("calibration:report", report_id=report.pk)
