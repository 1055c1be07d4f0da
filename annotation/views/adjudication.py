"""The adjudicator's page: one disputed pair, its labels without names, one ruling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.http import JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST, require_safe

from annotation.domain.outcomes import Order, Outcome, SlotChoice, choice_for
from annotation.domain.ruling_categories import Category, offered_categories
from annotation.models import Guideline, Hearing
from annotation.presenters import PANEL_TOP, ShownTexts, View, markdown, shown_texts
from annotation.services import hearings
from annotation.services.anonymous_labels import AnonymousLabel, labels_for
from annotation.services.ruling_chains import PastRuling, past_rulings
from annotation.views.adjudication_forms import FirstForm, RulingForm
from annotation.views.screens import remember_view, view_of, wanted_view
from config.accounts.models import User
from config.accounts.permissions import role_required
from config.accounts.roles import Role

if TYPE_CHECKING:
    import uuid

    from django.http import HttpRequest, HttpResponse
    from django.utils.safestring import SafeString

adjudicators = role_required(Role.ADJUDICATOR)


@dataclass(frozen=True, slots=True)
class ShownHearing:
    """All that an adjudicator may see of a pair, and nothing else.

    ``labels`` is None while the set's first ruling, made blind, is still due;
    ``first_choice`` is that ruling, once it was made.
    """

    token: str
    set_title: str
    question: str
    guideline: SafeString | None
    guideline_version: int | None
    texts: ShownTexts
    categories: tuple[Category, ...]
    labels: tuple[AnonymousLabel, ...] | None
    first_choice: SlotChoice | None


@dataclass(frozen=True, slots=True)
class Screen:
    """What the page shows: a pair or why there is none, and what was just done."""

    docket: hearings.Docket
    pair: ShownHearing | None
    done: str = ""
    last: tuple[PastRuling, ...] = ()
    last_token: str = ""


def shown_hearing(hearing: Hearing, view: View) -> ShownHearing:
    """Put a pair before its adjudicator, in the order that is theirs."""
    pair = hearing.pair
    guideline = Guideline.objects.in_force(pair.gold_set_id)
    revealed = hearing.revealed_at is not None
    return ShownHearing(
        token=str(hearing.token),
        set_title=pair.gold_set.title,
        question=pair.gold_set.question,
        guideline=markdown(guideline.text, top=PANEL_TOP) if guideline else None,
        guideline_version=guideline.version if guideline else None,
        texts=shown_texts(pair, hearing.order, view),
        categories=offered_categories(pair.gold_set.ruling_categories),
        labels=labels_for(hearing) if revealed else None,
        first_choice=_first_choice(hearing),
    )


def _first_choice(hearing: Hearing) -> SlotChoice | None:
    if not hearing.first_outcome:
        return None
    return choice_for(Outcome(hearing.first_outcome), Order(hearing.order))


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # noqa: S101 - the decorator let only users in
    return request.user


def _is_partial(request: HttpRequest) -> bool:
    return bool(getattr(request, "htmx", False))  # set by django-htmx's middleware


def _reply(
    request: HttpRequest, *, done: str = "", ruled: Hearing | None = None
) -> HttpResponse:
    docket = hearings.next_hearing(adjudicator=_user(request), now=timezone.now())
    view = view_of(request)
    screen = Screen(
        docket=docket,
        pair=shown_hearing(docket.hearing, view) if docket.hearing else None,
        done=done,
        last=past_rulings(ruled) if ruled else (),
        last_token=str(ruled.token) if ruled else "",
    )
    partial = _is_partial(request)
    name = "_adjudicate_work.html" if partial else "adjudicate.html"
    return render(request, f"annotation/{name}", {"screen": screen})


@never_cache
@require_GET
@adjudicators
def adjudicate(request: HttpRequest) -> HttpResponse:
    """Show the pair that this person holds, or hold one for them."""
    return _reply(request)


@never_cache
@require_GET
@adjudicators
def texts(request: HttpRequest, token: uuid.UUID) -> HttpResponse:
    """The texts of a pair before me in another view, which is remembered."""
    view = wanted_view(request)
    hearing = hearings.own_hearing(token=str(token), adjudicator=_user(request))
    if _is_partial(request):
        context = {
            "texts": shown_texts(hearing.pair, hearing.order, view),
            "texts_url": request.path,
        }
        response = render(request, "annotation/_texts.html", context)
    else:
        response = redirect("annotation:adjudicate")
    remember_view(request, response, view)
    return response


@never_cache
@require_POST
@adjudicators
def first(request: HttpRequest, token: uuid.UUID) -> HttpResponse:
    """Keep the first ruling, made blind; the reply shows the labels."""
    form = FirstForm(request.POST)
    form.refuse_bad()
    hearings.rule_first(
        token=str(token),
        adjudicator=_user(request),
        choice=form.chosen(),
        now=timezone.now(),
    )
    if not _is_partial(request):
        return redirect("annotation:adjudicate")
    return _reply(request, done="first")


@never_cache
@require_POST
@adjudicators
def rule(request: HttpRequest, token: uuid.UUID) -> HttpResponse:
    """Store a ruling; the reply carries the pair's history and the next pair."""
    form = RulingForm(request.POST)
    form.refuse_bad()
    ruling = hearings.rule(
        token=str(token),
        adjudicator=_user(request),
        statement=form.statement(),
        now=timezone.now(),
    )
    if not _is_partial(request):
        return redirect("annotation:ruling-history", token=token)
    return _reply(request, done="saved", ruled=ruling.hearing)


@never_cache
@require_POST
@adjudicators
def give_back(request: HttpRequest, token: uuid.UUID) -> HttpResponse:
    """Give the pair back and bring another."""
    hearings.give_back(token=str(token), adjudicator=_user(request), now=timezone.now())
    if not _is_partial(request):
        return redirect("annotation:adjudicate")
    return _reply(request, done="given back")


@never_cache
@require_POST
@adjudicators
def keep(request: HttpRequest, token: uuid.UUID) -> JsonResponse:
    """Renew the hold on the pair while its adjudicator is at work on it."""
    held = hearings.keep(
        token=str(token), adjudicator=_user(request), now=timezone.now()
    )
    return JsonResponse({"held": held})


@never_cache
@require_safe
@adjudicators
def history(request: HttpRequest, token: uuid.UUID) -> HttpResponse:
    """The chain of rulings on a pair that this person has ruled on."""
    hearing = hearings.ruled_hearing(token=str(token), adjudicator=_user(request))
    pair = shown_hearing(hearing, view_of(request))
    context = {"pair": pair, "rulings": past_rulings(hearing)}
    return render(request, "annotation/adjudicate_history.html", context)
