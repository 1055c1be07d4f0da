"""My labels of a round, and opening one of them again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.paginator import Paginator
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from annotation.presenters.history import history_row, unsent_row
from annotation.services import history, queue
from annotation.services.places import past_member_of
from annotation.services.unsent import unsent_drafts
from annotation.views.screens import (
    is_partial,
    reopened_screen,
    reply,
    user_of,
    view_of,
)
from config.accounts.permissions import role_required
from config.accounts.roles import LABELLERS
from config.errors import Conflict

if TYPE_CHECKING:
    import uuid

    from django.http import HttpRequest, HttpResponse

    from annotation.services.history import Reopened

reviewers = role_required(*LABELLERS)
LABELS_A_PAGE = 50


@never_cache
@require_GET
@reviewers
def mine(request: HttpRequest, round_id: int) -> HttpResponse:
    """Every label I gave in this round, and drafts that never became one."""
    user = user_of(request)
    member = past_member_of(round_id=round_id, reviewer=user)
    labels = history.my_labels(round_id=round_id, reviewer=user)
    page = Paginator(labels, LABELS_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "round": member.round,
        "removed_at": member.removed_at,
        "page": page,
        "rows": [history_row(label) for label in page.object_list],
        "unsent": [
            unsent_row(draft)
            for draft in unsent_drafts(round_id=round_id, reviewer=user)
        ],
        "now": timezone.now(),
    }
    return render(request, "annotation/history.html", context)


@never_cache
@require_GET
@reviewers
def again(request: HttpRequest, token: uuid.UUID) -> HttpResponse:
    """Show a pair that I labelled, with my label, to be changed.

    Once its round is closed it is led to what they gave and wrote there.
    """
    user = user_of(request)
    try:
        found = history.reopen(token=str(token), reviewer=user)
    except Conflict as refusal:
        round_id = None
        if refusal.code == queue.ROUND_CLOSED and not is_partial(request):
            round_id = history.round_of(token=str(token), reviewer=user)
        if round_id is None:
            raise
        return redirect("annotation:my-labels", round_id=round_id)
    return _reopened(request, found)


@never_cache
@require_GET
@reviewers
def last(request: HttpRequest, round_id: int) -> HttpResponse:
    """Show my last label in this round, or the one before the pair on the screen."""
    user = user_of(request)
    queue.round_for(round_id=round_id, reviewer=user)
    found = history.reopen_last(
        round_id=round_id, reviewer=user, before=request.GET.get("before")
    )
    return _reopened(request, found)


def _reopened(request: HttpRequest, found: Reopened) -> HttpResponse:
    user = user_of(request)
    member = queue.member_of(round_id=found.assignment.round_id, reviewer=user)
    member.reviewer = user
    screen = reopened_screen(
        found.assignment, found.label, member, view=view_of(request)
    )
    return reply(request, screen)
