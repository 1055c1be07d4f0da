"""The start page: what each role may do from here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.models import Round
from annotation.services.adjudication_queue import waiting
from annotation.services.progress import Progress, may_go_on, progress
from annotation.services.unsent import unsent_counts
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
        context["left_rounds"] = Round.objects.left_by(request.user.pk)[:MOST_CLOSED]
    if isinstance(request.user, User) and has_role(request.user, Role.ADJUDICATOR):
        context["rulings_waiting"] = waiting(
            adjudicator=request.user, now=timezone.now()
        )
    return render(request, "home.html", context)


@dataclass(frozen=True, slots=True)
class OpenRound:
    """One round to label in, as this person may know it.

    ``unsent``: what they wrote there that did not become a label.
    """

    round: Round
    progress: Progress
    may_go_on: bool
    unsent: int


def _rounds(user: User) -> list[OpenRound]:
    now = timezone.now()
    rounds = list(Round.objects.open_for(user.pk).select_related("gold_set"))
    unsent = unsent_counts(reviewer=user, round_ids=[one.pk for one in rounds])
    found = []
    for one in rounds:
        done = progress(round_=one, reviewer=user, now=now)
        goes_on = may_go_on(done, round_=one, reviewer=user)
        found.append(OpenRound(one, done, goes_on, unsent[one.pk]))
    return found
