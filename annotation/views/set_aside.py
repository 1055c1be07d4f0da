"""Acting on findings: keeping pairs out of rounds, looking at one case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.models import Case, ExposureKind
from annotation.presenters import Turn, turns
from annotation.services.exposures import record_exposures
from annotation.services.gold_sets import gold_set_named
from annotation.services.set_aside import lift, set_aside, set_aside_all
from annotation.views.gold_common import leads, readers, user_of
from annotation.views.gold_forms import SetAsideForm, pair_ids

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_POST
@leads
def keep_out(request: HttpRequest, name: str) -> HttpResponse:
    """Set pairs aside, so that no new round takes them."""
    gold_set = gold_set_named(name)
    form = SetAsideForm(request.POST)
    form.refuse_bad()
    common = {
        "gold_set": gold_set,
        "reason": form.cleaned_data["reason"],
        "note": form.cleaned_data["note"],
        "by": user_of(request),
        "now": timezone.now(),
    }
    if form.cleaned_data["all"]:
        count = set_aside_all(**common)
    else:
        count = set_aside(pair_ids=pair_ids(request.POST), **common)
    messages.success(request, f"{count} pairs set aside: no new round takes them.")
    return redirect("annotation:checks", name=gold_set.name)


@require_POST
@leads
def let_in(request: HttpRequest, name: str) -> HttpResponse:
    """Let pairs into new rounds again."""
    gold_set = gold_set_named(name)
    count = lift(
        gold_set=gold_set,
        pair_ids=pair_ids(request.POST),
        by=user_of(request),
        now=timezone.now(),
    )
    messages.success(request, f"{count} pairs may be labelled again.")
    return redirect("annotation:checks", name=gold_set.name)


@dataclass(frozen=True, slots=True)
class ShownResponse:
    """One response of a case."""

    system: str
    length: int
    turns: tuple[Turn, ...]


@never_cache
@require_safe
@readers
def case(request: HttpRequest, name: str, case_id: int) -> HttpResponse:
    """Show a case with its responses by system; its pairs are then known to you."""
    gold_set = gold_set_named(name)
    found = get_object_or_404(Case, gold_set=gold_set, pk=case_id)
    record_exposures(
        user=user_of(request),
        pair_ids=found.pairs.values_list("pk", flat=True),
        kind=ExposureKind.SYSTEMS,
        now=timezone.now(),
    )
    rows = found.responses.select_related("system").order_by("system__position")
    context = {
        "gold_set": gold_set,
        "case": found,
        "prompt": turns(found.prompt),
        "context_turns": turns(found.context),
        "reference": turns(found.reference),
        "responses": [
            ShownResponse(row.system.name, row.length, turns(row.text)) for row in rows
        ],
        "pairs": found.pairs.with_names().in_order(),
    }
    return render(request, "annotation/hygiene_case.html", context)
