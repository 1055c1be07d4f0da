"""The reviewer's page: one pair, one answer, the next pair."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation.forms import LabelForm, SkipForm
from annotation.presenters import shown
from annotation.services import queue
from annotation.services.drafting import drop_draft, kept_if_refused
from annotation.services.guidelines import confirm_seen
from annotation.services.places import REMOVED
from annotation.services.turns import take_turn
from annotation.views.screens import (
    is_partial,
    next_screen,
    remember_view,
    reply,
    screen_of,
    user_of,
    wanted_view,
)
from config.accounts.permissions import role_required
from config.accounts.roles import LABELLERS
from config.errors import Conflict

if TYPE_CHECKING:
    import uuid

    from django.http import HttpRequest, HttpResponse

reviewers = role_required(*LABELLERS)


@never_cache
@require_GET
@reviewers
def label(request: HttpRequest, round_id: int) -> HttpResponse:
    """Show the pair that is reserved for this reviewer, or claim one.

    Who was taken out of the round is led to what they gave and wrote, and told.
    """
    try:
        screen = next_screen(request, round_id)
    except Conflict as refusal:
        if refusal.code != REMOVED:
            raise
        return redirect("annotation:my-labels", round_id=round_id)
    return reply(request, screen)


@never_cache
@require_POST
@reviewers
def answer(request: HttpRequest, round_id: int) -> HttpResponse:
    """Store an answer; the reply carries the next pair."""
    now = timezone.now()
    form = LabelForm(request.POST)
    if not form.is_valid():  # a stranger learns nothing of the round, not even so
        queue.round_for(round_id=round_id, reviewer=user_of(request))
    form.refuse_bad()
    sent: Any = {
        "token": form.token_text(),
        "reviewer": user_of(request),
        "answer": form.answer(),
        "now": now,
    }
    with kept_if_refused(**sent):
        turn = take_turn(
            **sent,
            rng=secrets.SystemRandom(),
            round_id=round_id,
            revision=form.revision_seen(),
        )
    if not is_partial(request):
        return redirect("annotation:label", round_id=round_id)
    screen = screen_of(
        turn.next,
        turn.member,
        now,
        view=form.shown_view(),
        done="saved",
        known=turn.known,
    )
    return reply(request, screen)


@never_cache
@require_POST
@reviewers
def skip(request: HttpRequest, round_id: int) -> HttpResponse:
    """Give the pair back and bring another."""
    queue.round_for(round_id=round_id, reviewer=user_of(request))
    form = SkipForm(request.POST)
    form.refuse_bad()
    given_back = queue.skip(
        token=form.token_text(), reviewer=user_of(request), now=timezone.now()
    )
    drop_draft(given_back)
    if not is_partial(request):
        return redirect("annotation:label", round_id=round_id)
    return reply(request, next_screen(request, round_id, done="skipped"))


@never_cache
@require_GET
@reviewers
def texts(request: HttpRequest, token: uuid.UUID) -> HttpResponse:
    """The texts of a pair of mine in another view, which is remembered."""
    view = wanted_view(request)
    assignment = queue.own_assignment(token=str(token), reviewer=user_of(request))
    if is_partial(request):
        pair = shown(assignment, queue.shown_pair(assignment), view)
        context = {"texts": pair.texts, "texts_url": request.path}
        response = render(request, "annotation/_texts.html", context)
    else:
        response = redirect("annotation:label", round_id=assignment.round_id)
    remember_view(request, response, view)
    return response


@never_cache
@require_POST
@reviewers
def guideline_read(request: HttpRequest, round_id: int) -> HttpResponse:
    """Confirm that what changed in the guideline was read; bring the next pair."""
    user = user_of(request)
    round_ = queue.round_for(round_id=round_id, reviewer=user)
    version = request.POST.get("version", "")
    confirm_seen(
        gold_set_id=round_.gold_set_id,
        reviewer=user,
        version=int(version) if version.isdecimal() and len(version) < 9 else 0,  # noqa: PLR2004 - more digits than any version
        now=timezone.now(),
    )
    # The whole page: the guideline in its panel has changed, too.
    return redirect("annotation:label", round_id=round_id)
