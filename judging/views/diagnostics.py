"""Trying a judge on its provider before a run is bought."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from config.errors import Conflict, DomainError
from judging.clients.opening import open_chat
from judging.forms.choices import PairForm
from judging.presenters.judges import judge_version
from judging.presenters.pairs import sets_with_dev
from judging.presenters.previews import chosen_pair
from judging.presenters.trials import tried_connection, tried_pair
from judging.views.common import leads, note_seen

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from judging.models import JudgeConfig


@never_cache
@require_POST
@leads
def test(request: HttpRequest, name: str, version: int) -> HttpResponse:
    """Send one short request, or one pair in both orders; store nothing.

    A refusal is shown in the same place: htmx puts in only what comes with 200.
    """
    config = judge_version(name, version)
    try:
        if request.POST.get("what") == "pair":
            return _pair(request, config)
        return _connection(request, config)
    except DomainError as error:
        return render(request, "errors/_domain.html", {"error": error})


def _connection(request: HttpRequest, config: JudgeConfig) -> HttpResponse:
    tried = tried_connection(config, open_chat)
    return render(request, "judging/_connection.html", {"tried": tried})


def _pair(request: HttpRequest, config: JudgeConfig) -> HttpResponse:
    chosen = chosen_pair(*PairForm(sets_with_dev(), request.POST).chosen())
    if chosen is None:
        raise Conflict("no_dev_pair", "Choose a gold set with a dev pair above first.")
    note_seen(request, [chosen.pair.pk], now=timezone.now())
    trial = tried_pair(config, chosen.pair, open_chat)
    context = {"chosen": chosen, "trial": trial}
    return render(request, "judging/_trial.html", context)
