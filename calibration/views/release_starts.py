"""Start a release run: what it would come to first, then the run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from calibration.forms.release_starts import ReleaseForm
from calibration.services.release_starts import estimate_release, start_release
from calibration.views.common import leads, user_of
from config.errors import DomainError
from judging.presenters.seats import seat_choices
from judging.services.panels import runs_behind
from judging.tasks import ring

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_http_methods(["GET", "HEAD", "POST"])
@leads
def new(request: HttpRequest) -> HttpResponse:
    """Say what a release run would come to; a second POST starts it."""
    if request.method != "POST":
        asked = {k: request.GET[k] for k in ("judge", "gold_set") if k in request.GET}
        return _page(request, ReleaseForm(initial=asked))
    form = ReleaseForm(request.POST)
    if not form.is_valid():
        return _page(request, form)
    try:
        if request.POST.get("act") == "start":
            return _start(request, form)
        found, seats = estimate_release(form.wish(), now=timezone.now())
    except DomainError as refused:
        form.add_error(None, refused.message)
        return _page(request, form)
    choices = seat_choices(seats, form.cleaned_data["gold_set"])
    return _page(request, form, estimate=found, seats=choices)


def _start(request: HttpRequest, form: ReleaseForm) -> HttpResponse:
    run = start_release(
        form.wish(),
        concurrency=form.cleaned_data["concurrency"],
        by=user_of(request),
        now=timezone.now(),
    )
    for each in runs_behind(run):
        ring(each.pk)
    messages.success(request, f"Release run {run.pk} is started.")
    return redirect("calibration:run", run_id=run.pk)


def _page(request: HttpRequest, form: ReleaseForm, **more: Any) -> HttpResponse:
    context = {"form": form, **more}
    status = 400 if form.errors else 200
    return render(request, "calibration/release_new.html", context, status=status)
