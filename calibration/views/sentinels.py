"""Drift: sentinel panels, their checks over time, and alarms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST, require_safe

from calibration.forms.sentinels import SentinelForm
from calibration.presenters.sentinels import sentinel_page
from calibration.services.sentinels.acknowledging import (
    acknowledge_alarm,
    alarm_by_id,
)
from calibration.services.sentinels.checking import start_checks
from calibration.services.sentinels.defining import (
    define_sentinel,
    end_sentinel,
    sentinel_named,
)
from calibration.services.sentinels.reading import sentinel_view, sentinels
from calibration.services.sentinels.tending import settle_sentinels
from calibration.views.common import leads, readers, user_of
from config.errors import DomainError
from judging.services.panels import runs_behind
from judging.tasks import ring

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
@readers
def index(request: HttpRequest) -> HttpResponse:
    """List the panels."""
    return render(request, "calibration/sentinels.html", {"sentinels": sentinels()})


@leads
def new(request: HttpRequest) -> HttpResponse:
    """Define a panel."""
    form = SentinelForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            panel = define_sentinel(
                plan=form.plan(), by=user_of(request), now=timezone.now()
            )
        except DomainError as refusal:
            form.add_error(None, refusal.message)
        else:
            messages.success(request, f"{panel.name} is defined; check it now or wait.")
            return redirect("calibration:sentinel", name=panel.name)
    status = 400 if form.errors else 200
    return render(
        request, "calibration/sentinel_new.html", {"form": form}, status=status
    )


# GET alone: reading notes which pairs were seen.
@never_cache
@require_GET
@readers
def detail(request: HttpRequest, name: str) -> HttpResponse:
    """Show what was measured on a panel, and its alarms."""
    view = sentinel_view(name=name, user=user_of(request), now=timezone.now())
    context = {"view": view, "page": sentinel_page(view), "panel": view.panel}
    return render(request, "calibration/sentinel.html", context)


@require_POST
@leads
def check(request: HttpRequest, name: str) -> HttpResponse:
    """Record what has finished, and start the next check without waiting for it."""
    panel, now = sentinel_named(name), timezone.now()
    told = settle_sentinels(now=now)
    try:
        started = start_checks(panel=panel, by=user_of(request), now=now, early=True)
    except DomainError as refusal:
        messages.error(request, refusal.message)
        return redirect("calibration:sentinel", name=name)
    for one in started:
        for run in runs_behind(one.run):
            ring(run.pk)
    mine = sum(p.sentinel_check.series.panel_id == panel.pk for p in told.points)
    said = f"{mine} recorded, " if mine else ""
    runs = ", ".join(f"run {one.run_id}" for one in started)
    messages.success(request, f"{said}started: {runs or 'nothing, as a run is open'}.")
    return redirect("calibration:sentinel", name=name)


@require_POST
@leads
def settle(request: HttpRequest, name: str) -> HttpResponse:
    """Record the checks that have finished."""
    panel = sentinel_named(name)
    told = settle_sentinels(now=timezone.now())
    mine = sum(p.sentinel_check.series.panel_id == panel.pk for p in told.points)
    messages.success(request, f"{mine} recorded.")
    return redirect("calibration:sentinel", name=name)


@require_POST
@leads
def end(request: HttpRequest, name: str) -> HttpResponse:
    """Run a panel no more."""
    try:
        end_sentinel(
            panel=sentinel_named(name), by=user_of(request), now=timezone.now()
        )
    except DomainError as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, f"{name} has been ended; its points stay.")
    return redirect("calibration:sentinel", name=name)


@require_POST
@leads
def acknowledge(request: HttpRequest, name: str, alarm_id: int) -> HttpResponse:
    """Take note of an alarm."""
    alarm = alarm_by_id(alarm_id, name)
    try:
        acknowledge_alarm(
            alarm=alarm,
            note=request.POST.get("note", ""),
            by=user_of(request),
            now=timezone.now(),
        )
    except DomainError as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, f"The {alarm.kind_words} alarm is acknowledged.")
    return redirect("calibration:sentinel", name=name)
