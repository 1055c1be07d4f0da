"""What the labelling page shows, put together from what the services say."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from django.shortcuts import render
from django.utils import timezone

from annotation.models import Assignment, Draft, Label, Round, RoundMember
from annotation.presenters import (
    PANEL_TOP,
    Asked,
    Filled,
    ShownPair,
    View,
    asked,
    markdown,
    shown,
)
from annotation.services import queue
from annotation.services.drafting import draft_of
from annotation.services.guidelines import (
    GuidelineChange,
    Known,
    guideline_for,
    known_guideline,
    note_first_seen,
    questions_of,
)
from annotation.services.labelling import said_in
from annotation.services.progress import Progress, progress_of
from annotation.services.unsent import unsent_counts
from config.accounts.models import User
from config.accounts.permissions import reads_all
from config.errors import InvalidInput

if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from django.http import HttpRequest, HttpResponse

    from annotation.services.queue import Closed, Next

VIEW_COOKIE = "evenhand_texts"
YEAR = 60 * 60 * 24 * 365


@dataclass(frozen=True, slots=True)
class Screen:
    """What the labelling page shows: a pair, or why there is none.

    ``done`` says what happened to the answer that this is the reply to, if any.
    ``reopened``: the pair was labelled before, and ``filled`` is that label, whose
    number is ``revision``. ``unsent``: how much they wrote in this round that did not
    become a label, told where no pair is shown.
    """

    round: Round
    progress: Progress
    pair: ShownPair | None = None
    asked: Asked | None = None
    filled: Filled = field(default_factory=Filled)
    wait_until: datetime | None = None
    change: GuidelineChange | None = None
    done: str = ""
    reopened: bool = False
    revision: int = 0
    unsent: int = 0


def user_of(request: HttpRequest) -> User:
    """The signed-in person; the role check let only users in."""
    assert isinstance(request.user, User)  # noqa: S101 - guaranteed by the decorator
    return request.user


def is_partial(request: HttpRequest) -> bool:
    """Whether htmx asked for a part of the page."""
    return bool(getattr(request, "htmx", False))  # set by django-htmx's middleware


def view_of(request: HttpRequest) -> View:
    """How this browser wants texts shown."""
    wanted = request.COOKIES.get(VIEW_COOKIE, "")
    return View(wanted) if wanted in set(View) else View.RENDERED


def wanted_view(request: HttpRequest) -> View:
    """The view of the texts that an address asks for."""
    wanted = request.GET.get("view", "")
    if wanted not in set(View):
        raise InvalidInput("view_unknown", "There is no such view of the texts.")
    return View(wanted)


def remember_view(request: HttpRequest, response: HttpResponse, view: View) -> None:
    """Let this browser show texts that way from now on."""
    response.set_cookie(
        VIEW_COOKIE,
        view.value,
        max_age=YEAR,
        samesite="Lax",
        httponly=True,
        secure=request.is_secure(),
    )


def next_screen(request: HttpRequest, round_id: int, *, done: str = "") -> Screen:
    """The pair that is reserved for this reviewer, or another one."""
    user, now = user_of(request), timezone.now()
    found = queue.next_or_closed(
        round_id=round_id, reviewer=user, now=now, rng=secrets.SystemRandom()
    )
    member = queue.member_of(round_id=round_id, reviewer=user)
    member.reviewer = user
    return screen_of(found, member, now, view=view_of(request), done=done)


def screen_of(
    found: Next | Closed,
    member: RoundMember,
    now: datetime,
    *,
    view: View,
    done: str = "",
    known: Known | None = None,
) -> Screen:
    """The screen for what the queue gave; what is new in the guideline goes first.

    ``known`` is what the reviewer knows of the guideline, where that was read already.
    """
    done_all = isinstance(found, queue.AllDone)
    progress = progress_of(member, now=now, nothing_left=done_all)
    if not isinstance(found, Assignment):
        until = found.until if isinstance(found, queue.NothingNow) else None
        mine = unsent_counts(reviewer=member.reviewer, round_ids=[member.round_id])
        return Screen(
            member.round,
            progress,
            wait_until=until,
            done=done,
            unsent=mine[member.round_id],
        )
    known = known or known_guideline(member.round.gold_set_id, member.reviewer)
    if (change := known.change) is not None:
        return Screen(member.round, progress, change=change, done=done)
    fresh = found.claimed_at == now and not found.brings_draft
    filled = from_draft(None if fresh else draft_of(found))
    bare = Screen(member.round, progress, filled=filled, done=done)
    return _with_pair(bare, found, known, view)


def reopened_screen(
    assignment: Assignment, label: Label, member: RoundMember, *, view: View
) -> Screen:
    """A pair that was labelled, with its label or the draft of a change to it."""
    draft = draft_of(assignment)
    known = known_guideline(member.round.gold_set_id, member.reviewer)
    bare = Screen(
        member.round,
        progress_of(member, now=timezone.now()),
        filled=from_label(label) if draft is None else from_draft(draft),
        reopened=True,
        revision=label.revision,
    )
    return _with_pair(bare, assignment, known, view)


def _with_pair(
    bare: Screen, assignment: Assignment, known: Known, view: View
) -> Screen:
    pair = queue.shown_pair(assignment)
    questions = questions_of(pair.gold_set, known.criteria)
    return replace(
        bare,
        pair=shown(assignment, pair, view),
        asked=asked(questions, bare.filled),
    )


def from_draft(draft: Draft | None) -> Filled:
    """The form as a draft left it."""
    if draft is None:
        return Filled()
    content: dict[str, Any] = dict(draft.content)
    return Filled(
        **content, active_seconds=draft.active_seconds, draft_of=draft.saved_at
    )


def from_label(label: Label) -> Filled:
    """The form as it was when the label was given; its seconds go on counting."""
    said: dict[str, Any] = said_in(label)
    return Filled(**said, active_seconds=label.active_seconds or 0.0)


def reply(request: HttpRequest, screen: Screen) -> HttpResponse:
    """The whole page, or the part that changes from pair to pair."""
    if is_partial(request):
        return render(request, "annotation/_work.html", {"screen": screen})
    user, set_id = user_of(request), screen.round.gold_set_id
    newcomer = note_first_seen(gold_set_id=set_id, reviewer=user, now=timezone.now())
    guideline = guideline_for(set_id, user)
    context = {
        "screen": screen,
        "guideline": markdown(guideline.text, top=PANEL_TOP) if guideline else "",
        "guideline_version": guideline.version if guideline else None,
        "newcomer": newcomer,
        "not_blind": reads_all(user),
    }
    return render(request, "annotation/label.html", context)
