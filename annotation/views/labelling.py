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
from annotation.models import Assignment, Guideline, Round, RoundMember
from annotation.presenters import PANEL_TOP, ShownPair, markdown, shown
from annotation.services import queue
from annotation.services.progress import Progress, progress_of
from annotation.services.turns import take_turn
from config.accounts.models import User
from config.accounts.permissions import role_required
from config.accounts.roles import LABELLERS

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from annotation.services.queue import Closed, Next

reviewers = role_required(*LABELLERS)


@dataclass(frozen=True, slots=True)
class Screen:
    """What the labelling page shows: a pair, or why there is none.

    ``done`` says what happened to the answer that this is the reply to, if any.
    """

    round: Round
    progress: Progress
    pair: ShownPair | None = None
    wait_until: datetime | None = None
    done: str = ""


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # noqa: S101 - the decorator let only users in
    return request.user


def _is_partial(request: HttpRequest) -> bool:
    return bool(getattr(request, "htmx", False))  # set by django-htmx's middleware


def _screen(request: HttpRequest, round_id: int, *, done: str = "") -> Screen:
    user, now = _user(request), timezone.now()
    found = queue.next_or_closed(
        round_id=round_id, reviewer=user, now=now, rng=secrets.SystemRandom()
    )
    member = queue.member_of(round_id=round_id, reviewer=user)
    return _screen_of(found, member, now, done=done)


def _screen_of(
    found: Next | Closed, member: RoundMember, now: datetime, *, done: str
) -> Screen:
    pair = None
    if isinstance(found, Assignment):
        pair = shown(found, queue.shown_pair(found))
    return Screen(
        round=member.round,
        progress=progress_of(member, now=now),
        pair=pair,
        wait_until=found.until if isinstance(found, queue.NothingNow) else None,
        done=done,
    )


def _reply(request: HttpRequest, screen: Screen) -> HttpResponse:
    if _is_partial(request):
        return render(request, "annotation/_work.html", {"screen": screen})
    guideline = Guideline.objects.in_force(screen.round.gold_set_id)
    context = {
        "screen": screen,
        "guideline": markdown(guideline.text, top=PANEL_TOP) if guideline else "",
        "guideline_version": guideline.version if guideline else None,
    }
    return render(request, "annotation/label.html", context)


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
    now = timezone.now()
    form = LabelForm(request.POST)
    if not form.is_valid():  # a stranger learns nothing of the round, not even so
        queue.round_for(round_id=round_id, reviewer=_user(request))
    form.refuse_bad()
    turn = take_turn(
        token=form.token_text(),
        reviewer=_user(request),
        answer=form.answer(),
        now=now,
        rng=secrets.SystemRandom(),
        round_id=round_id,
    )
    if not _is_partial(request):
        return redirect("annotation:label", round_id=round_id)
    return _reply(request, _screen_of(turn.next, turn.member, now, done="saved"))


@never_cache
@require_POST
@reviewers
def skip(request: HttpRequest, round_id: int) -> HttpResponse:
    """Give the pair back and bring another."""
    queue.round_for(round_id=round_id, reviewer=_user(request))
    form = SkipForm(request.POST)
    form.refuse_bad()
    queue.skip(token=form.token_text(), reviewer=_user(request), now=timezone.now())
    if not _is_partial(request):
        return redirect("annotation:label", round_id=round_id)
    return _reply(request, _screen(request, round_id, done="skipped"))
