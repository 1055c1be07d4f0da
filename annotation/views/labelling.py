"""The reviewer's page: one pair, one answer, the next pair."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation.forms import LabelForm, SkipForm
from annotation.models import Assignment, Guideline, Round
from annotation.presenters import ShownPair, markdown, shown
from annotation.services import labelling, queue
from config.accounts.models import User
from config.accounts.permissions import role_required
from config.accounts.roles import Role
from config.errors import InvalidInput

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

reviewers = role_required(Role.REVIEWER, Role.ADJUDICATOR)


@dataclass(frozen=True, slots=True)
class Screen:
    """What the labelling page shows: a pair, or why there is none."""

    round: Round
    progress: queue.Progress
    pair: ShownPair | None
    wait_until: object = None
    saved: bool = False


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # noqa: S101 - the decorator let only users in
    return request.user


def _screen(request: HttpRequest, round_id: int, *, saved: bool = False) -> Screen:
    user, now = _user(request), timezone.now()
    found = queue.next_assignment(
        round_id=round_id, reviewer=user, now=now, rng=secrets.SystemRandom()
    )
    round_ = queue.round_for(round_id=round_id, reviewer=user)
    pair = None
    if isinstance(found, Assignment):
        pair = shown(found, queue.shown_pair(found))
    return Screen(
        round=round_,
        progress=queue.progress(round_=round_, reviewer=user, now=now),
        pair=pair,
        wait_until=found.until if isinstance(found, queue.NothingNow) else None,
        saved=saved,
    )


def _reply(request: HttpRequest, screen: Screen) -> HttpResponse:
    template = "annotation/_work.html" if request.htmx else "annotation/label.html"
    guideline = Guideline.objects.in_force(screen.round.gold_set_id)
    context = {
        "screen": screen,
        "guideline": markdown(guideline.text) if guideline else "",
        "guideline_version": guideline.version if guideline else None,
    }
    return render(request, template, context)


@never_cache
@require_GET
@reviewers
def label(request: HttpRequest, round_id: int) -> HttpResponse:
    """Show the pair that is reserved for this reviewer, or claim one."""
    return _reply(request, _screen(request, round_id))


@never_cache
@require_POST
@reviewers
def answer(request: HttpRequest, round_id: int) -> HttpResponse:
    """Store an answer; the reply carries the next pair."""
    form = LabelForm(request.POST)
    if not form.is_valid():
        raise InvalidInput("label_invalid", form.first_problem())
    labelling.submit_label(
        token=form.token_text(),
        reviewer=_user(request),
        answer=form.answer(),
        now=timezone.now(),
    )
    if not request.htmx:
        return redirect("annotation:label", round_id=round_id)
    return _reply(request, _screen(request, round_id, saved=True))


@never_cache
@require_POST
@reviewers
def skip(request: HttpRequest, round_id: int) -> HttpResponse:
    """Give the pair back and bring another."""
    form = SkipForm(request.POST)
    if not form.is_valid():
        raise InvalidInput("skip_invalid", "The pair to skip was not named.")
    queue.skip(
        token=str(form.cleaned_data["token"]),
        reviewer=_user(request),
        now=timezone.now(),
    )
    if not request.htmx:
        return redirect("annotation:label", round_id=round_id)
    return _reply(request, _screen(request, round_id))
