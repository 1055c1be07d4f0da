"""The start page: what each role may do from here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.models import Round
from config.accounts.permissions import has_role
from config.accounts.roles import LABELLERS

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
@login_required
def home(request: HttpRequest) -> HttpResponse:
    """Show the open rounds to those who label, and the ways on to the others."""
    user, rounds = request.user, None
    if user.pk is not None and has_role(user, *LABELLERS):
        rounds = Round.objects.open_for(user.pk)
    return render(request, "home.html", {"rounds": rounds})
