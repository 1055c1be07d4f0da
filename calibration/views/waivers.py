"""Waivers of critical cases: asking, confirming as a second person, revoking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.core.paginator import Paginator
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from annotation.models import GoldSet
from annotation.services.gold_sets import gold_set_named
from calibration.forms.releases import RevokeForm, WaiverForm
from calibration.models import Waiver
from calibration.services.waivers import (
    ask_waiver,
    confirm_waiver,
    revoke_waiver,
    waiver_by_id,
    waiver_state,
)
from calibration.views.common import leads, readers, user_of
from config.accounts.permissions import has_role
from config.accounts.roles import Role
from config.errors import DomainError, NotAllowed

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

PAGE = 50


@require_http_methods(["GET", "HEAD", "POST"])
@readers
def index(request: HttpRequest) -> HttpResponse:
    """List waivers with their state; leads ask for new ones here."""
    form = WaiverForm(request.POST or None, gold_sets=GoldSet.objects.order_by("name"))
    if request.method == "POST":
        if not has_role(user_of(request), Role.LEAD):
            raise NotAllowed("role_needed", "Only leads ask for waivers.")
        if form.is_valid() and _asked(request, form):
            messages.success(request, "Asked for. It counts once somebody confirms it.")
            return redirect("calibration:waivers")
    page = Paginator(Waiver.objects.with_people(), PAGE).get_page(
        request.GET.get("page")
    )
    now = timezone.now()
    context = {
        "page": page,
        "rows": [(waiver, waiver_state(waiver, now)) for waiver in page],
        "form": form,
        "revoke_form": RevokeForm(),
    }
    status = 400 if form.errors else 200
    return render(request, "calibration/waivers.html", context, status=status)


@require_POST
@leads
def confirm(request: HttpRequest, waiver_id: int) -> HttpResponse:
    """Stand for a waiver that somebody else asked for."""
    waiver = waiver_by_id(waiver_id)
    try:
        confirm_waiver(waiver=waiver, by=user_of(request), now=timezone.now())
    except DomainError as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, f"Waiver {waiver_id} is confirmed.")
    return redirect("calibration:waivers")


@require_POST
@leads
def revoke(request: HttpRequest, waiver_id: int) -> HttpResponse:
    """End a waiver."""
    waiver, form = waiver_by_id(waiver_id), RevokeForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() else ""
    try:
        revoke_waiver(
            waiver=waiver, reason=reason, by=user_of(request), now=timezone.now()
        )
    except DomainError as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, f"Waiver {waiver_id} is revoked.")
    return redirect("calibration:waivers")


def _asked(request: HttpRequest, form: WaiverForm) -> bool:
    try:
        ask_waiver(
            gold_set=gold_set_named(form.cleaned_data["gold_set"]),
            wish=form.wish(),
            by=user_of(request),
            now=timezone.now(),
        )
    except DomainError as refused:
        form.add_error(None, refused.message)
        return False
    return True
