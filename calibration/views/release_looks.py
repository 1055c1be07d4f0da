"""Asking for the look that a release or a decision needs, and taking it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import redirect, render
from django.utils import timezone

from annotation.services.held_out import Viewer
from calibration.views.common import BLANK, user_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse


def look_asked(request: HttpRequest, title: str, needed: str) -> HttpResponse:
    """Say what the look costs, with the form that takes it."""
    context = {"title": title, "needed": needed, "button": "Look at it"}
    return render(request, "calibration/release_closed.html", context, status=409)


def look_taken(
    request: HttpRequest, look: Callable[[Viewer, datetime], Any]
) -> HttpResponse:
    """Take a look with the reason that was sent, and show the page."""
    reason = request.POST.get("reason", "").strip()
    if not reason:
        return look_asked(request, "A look is needed", BLANK)
    look(Viewer(user=user_of(request), door="page", reason=reason), timezone.now())
    return redirect(request.path)
