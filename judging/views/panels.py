"""Panels of frozen judges: made and frozen in one step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils import timezone

from config.errors import DomainError
from judging.forms.panels import PanelForm
from judging.services.panels import freeze_panel
from judging.views.common import leads, pages, user_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@pages
@leads
def new(request: HttpRequest) -> HttpResponse:
    """Choose members and rules; a POST freezes the panel."""
    form = PanelForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            config = freeze_panel(
                name=form.cleaned_data["name"],
                spec=form.spec(),
                by=user_of(request),
                now=timezone.now(),
            )
        except DomainError as error:
            form.add_error(None, error.message)
        else:
            messages.success(request, f"{config} is frozen: {config.digest}")
            return redirect("judging:judge", name=config.name, version=config.version)
    status = 400 if form.is_bound else 200
    return render(request, "judging/panel_form.html", {"form": form}, status=status)
