"""Looks at held-out results: how they were planned, who took them, and unsealing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.services.gold_sets import gold_set_named
from annotation.services.held_out import Viewer
from annotation.services.look_plans import unseal
from calibration.forms.reports import PlanForm, UnsealForm
from calibration.presenters.looks import limit_rows, open_before_text, word_text
from calibration.services.look_pages import look_log
from calibration.services.overviews import report_by_id
from calibration.services.sealed_looks import look_sealed, plan_looks
from calibration.views.common import leads, readers, user_of
from config.errors import DomainError

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@never_cache
@require_safe
@readers
def index(request: HttpRequest, name: str) -> HttpResponse:
    """Show the plan and every look."""
    return _page(request, name, PlanForm(), UnsealForm())


@require_POST
@leads
def plan(request: HttpRequest, name: str) -> HttpResponse:
    """Fix how the set may be looked at."""
    form = PlanForm(request.POST)
    if form.is_valid():
        try:
            made = plan_looks(
                gold_set=gold_set_named(name),
                mode=form.cleaned_data["mode"],
                budget=form.cleaned_data["budget"],
                limits=form.limits(),
                by=user_of(request),
                now=timezone.now(),
            )
        except DomainError as refusal:
            form.add_error(None, refusal.message)
        else:
            messages.success(request, f"Looks are planned: {made.mode}, {made.budget}.")
            return redirect("calibration:looks", name=name)
    return _page(request, name, form, UnsealForm())


@require_POST
@leads
def open_seal(request: HttpRequest, name: str) -> HttpResponse:
    """Unseal a set for good."""
    form = UnsealForm(request.POST)
    if form.is_valid():
        try:
            unseal(
                gold_set=gold_set_named(name),
                reason=form.cleaned_data["reason"],
                by=user_of(request),
                now=timezone.now(),
            )
        except DomainError as refusal:
            form.add_error("reason", refusal.message)
        else:
            messages.success(request, f"{name} is unsealed; its split is used up.")
            return redirect("calibration:looks", name=name)
    return _page(request, name, PlanForm(), form)


@require_POST
@leads
def sealed(request: HttpRequest, report_id: int) -> HttpResponse:
    """Take a look at a sealed set: one word, shown on the report's page from now on."""
    viewer = Viewer(
        user=user_of(request), door="page", reason=request.POST.get("reason", "")
    )
    try:
        found = look_sealed(
            report=report_by_id(report_id), viewer=viewer, now=timezone.now()
        )
    except DomainError as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(
            request,
            f"{word_text(found.word)}: look {found.n} of {found.budget}.",
        )
    return redirect("calibration:report", report_id=report_id)


def _page(
    request: HttpRequest, name: str, form: PlanForm, unseal_form: UnsealForm
) -> HttpResponse:
    log = look_log(name)
    context = {
        "log": log,
        "gold_set": log.gold_set,
        "limits": limit_rows(log.terms.limits),
        "open_before": open_before_text(log.open_before),
        "form": form,
        "unseal_form": unseal_form,
    }
    status = 400 if form.errors or unseal_form.errors else 200
    return render(request, "calibration/looks.html", context, status=status)
