"""What the calibration pages share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import redirect, render

from annotation.services.held_out import Viewer
from annotation.services.look_plans import LONGEST_REASON
from config.accounts.models import User
from config.accounts.permissions import role_required
from config.accounts.roles import READERS, Role

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

BLANK = f"Say why you look, in at most {LONGEST_REASON} characters."

readers = role_required(*READERS)
leads = role_required(Role.LEAD)


def user_of(request: HttpRequest) -> User:
    """The signed-in person; the role check let only users in."""
    assert isinstance(request.user, User)  # noqa: S101 - guaranteed by the decorator
    return request.user


def viewer_of(request: HttpRequest) -> Viewer:
    """Who looks: who sends a reason asks for it, who opens an address never does."""
    reason = request.POST.get("reason", "").strip()
    asked = 0 < len(reason) <= LONGEST_REASON
    return Viewer(user_of(request), door="page", reason=reason, asked=asked)


def look_page(
    request: HttpRequest, template: str, context: dict[str, Any]
) -> HttpResponse:
    """The page; after a POST that took the looks it needs, the way back to it.

    ``needed`` in the context says what looks are yet to be asked for, if any.
    """
    if request.method != "POST":
        return render(request, template, context)
    if context.get("needed"):
        context["needed"] = f"{BLANK} {context['needed']}"
    elif "refused" not in context:
        return redirect(request.get_full_path())
    return render(request, template, context, status=400)
