"""Runs: estimate and start one, watch it, and hold it up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from config.errors import DomainError
from judging.forms.fields import sent
from judging.forms.runs import BudgetForm, RunForm
from judging.models import RunStatus
from judging.presenters.runs import live_run, run_by_id
from judging.presenters.seats import seat_choices
from judging.services import controlling
from judging.services.admitting import refuse_start
from judging.services.estimating import estimate_run
from judging.services.panel_budgets import limit_run
from judging.services.panels import runs_behind
from judging.services.seats import seats_for
from judging.services.starting import run_for
from judging.services.wishing import not_taken_up
from judging.tasks import ring
from judging.views.common import leads, pages, readers, user_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest, HttpResponse

    from judging.models import Run
    from judging.presenters.seats import SeatChoice
    from judging.services.estimating import RunEstimate


@pages
@leads
def new(request: HttpRequest) -> HttpResponse:
    """Say what a run would come to; a second POST starts it."""
    if request.method != "POST":
        asked = {k: request.GET[k] for k in ("judge", "gold_set") if k in request.GET}
        return _page(request, RunForm(initial=asked))
    form = RunForm(request.POST)
    if not form.is_valid():
        return _page(request, form)
    try:
        if request.POST.get("act") == "start":
            return _start(request, form)
        return _estimated(request, form)
    except DomainError as error:
        form.add_error(None, error.message)
        return _page(request, form)


def _estimated(request: HttpRequest, form: RunForm) -> HttpResponse:
    """Say what it would come to, and which runs a panel would take."""
    gold_set, options = form.cleaned_data["gold_set"], form.options()
    config, now = form.config(), timezone.now()
    seats = seats_for(config, gold_set, options)
    refuse_start(config, gold_set, options, seats=seats, day=now.date())
    estimate = estimate_run(
        config=config,
        gold_set=gold_set,
        now=now,
        reuse=options.reuses,
        seats=seats,
    )
    return _page(request, form, estimate, seat_choices(seats, gold_set))


def _page(
    request: HttpRequest,
    form: RunForm,
    estimate: RunEstimate | None = None,
    seats: Sequence[SeatChoice] = (),
) -> HttpResponse:
    context = {"form": form, "estimate": estimate, "seats": seats}
    status = 400 if form.errors else 200
    return render(request, "judging/run_form.html", context, status=status)


def _start(request: HttpRequest, form: RunForm) -> HttpResponse:
    now = timezone.now()
    run = run_for(
        config=form.config(),
        gold_set=form.cleaned_data["gold_set"],
        concurrency=form.cleaned_data["concurrency"],
        by=user_of(request),
        now=now,
        again=form.cleaned_data["again"],
        options=form.options(),
    )
    ring_for(run)
    if run.created_at != now:
        text = f"There is run {run.pk} of this judge already; nothing new was started."
        given = form.cleaned_data
        others = not_taken_up(
            run,
            form.options(),
            again=given["again"],
            concurrency=given["concurrency"],
        )
        if others:
            messages.warning(request, f"{text} Not as asked for: {'; '.join(others)}.")
        else:
            messages.info(request, text)
    return redirect("calibration:run", run_id=run.pk)


@never_cache
@require_safe
@readers
def live(request: HttpRequest, run_id: int) -> HttpResponse:
    """Show how far a run is; once it ended the whole page is read anew."""
    found = live_run(run_by_id(run_id), now=timezone.now())
    if not found.active and request.headers.get("HX-Request"):
        return HttpResponseClientRefresh()
    return render(request, "judging/_run_live.html", {"live": found})


def ring_for(run: Run) -> None:
    """Tell workers that there is work, for a panel on its members' runs."""
    for each in runs_behind(run):
        ring(each.pk)


def _back(run: Run) -> HttpResponse:
    return redirect("calibration:run", run_id=run.pk)


@require_POST
@leads
def pause(request: HttpRequest, run_id: int) -> HttpResponse:
    """Send nothing more for now."""
    run = run_by_id(run_id)
    controlling.pause(run=run, by=user_of(request), now=timezone.now())
    messages.success(request, "Paused. Calls in flight are waited for and kept.")
    return _back(run)


@require_POST
@leads
def resume(request: HttpRequest, run_id: int) -> HttpResponse:
    """Let a run go on."""
    run = controlling.resume(
        run=run_by_id(run_id), by=user_of(request), now=timezone.now()
    )
    if run.status in {RunStatus.PENDING, RunStatus.RUNNING}:
        ring_for(run)
        messages.success(request, "The run goes on.")
    return _back(run)


@require_POST
@leads
def stop(request: HttpRequest, run_id: int) -> HttpResponse:
    """End a run for good."""
    run = controlling.stop(
        run=run_by_id(run_id), by=user_of(request), now=timezone.now(), reason=""
    )
    messages.success(request, "Stopped for good. What was answered is kept.")
    return _back(run)


@require_POST
@leads
def budget(request: HttpRequest, run_id: int) -> HttpResponse:
    """Set or change what a run may spend."""
    form = BudgetForm(request.POST)
    sent(form, "budget_invalid")
    run = limit_run(
        run=run_by_id(run_id),
        budget=form.budget(),
        by=user_of(request),
        now=timezone.now(),
    )
    messages.success(request, "The budget is set.")
    return _back(run)
