"""The start page: what each role may do from here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.models import Round
from annotation.services.adjudication_queue import waiting
from annotation.services.progress import progress
from calibration.views.home import home_context
from config.accounts.models import User
from config.accounts.permissions import has_role, reads_all
from config.accounts.roles import LABELLERS, Role

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

MOST_CLOSED = 10


@require_safe
@login_required
def home(request: HttpRequest) -> HttpResponse:
    """Show the open rounds to those who label, and results to those who may read."""
    context: dict[str, object] = {"rounds": None, **home_context(request.user)}
    if isinstance(request.user, User) and has_role(request.user, *LABELLERS):
        context["rounds"] = _rounds(request.user)
        closed = Round.objects.closed_for(request.user.pk)
        context["not_blind"] = reads_all(request.user)
        context["closed_rounds"] = closed[:MOST_CLOSED]
    if isinstance(request.user, User) and has_role(request.user, Role.ADJUDICATOR):
        context["rulings_waiting"] = waiting(
            adjudicator=request.user, now=timezone.now()
        )
    return render(request, "home.html", context)


def _rounds(user: User) -> list[tuple[Round, object]]:
    """Each open round of this person, with its progress as they may know it."""
    now = timezone.now()
    rounds = Round.objects.open_for(user.pk).select_related("gold_set")
    return [
        (round_, progress(round_=round_, reviewer=user, now=now)) for round_ in rounds
    ]
