"""The planner: how many labels a question needs, which pairs next, and their round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.domain.round_notes import shortfalls
from annotation.services.gold_sets import gold_set_named
from annotation.services.round_members import labellers
from annotation.services.round_planning import Selection, Which
from annotation.services.rounds import open_chosen
from calibration.forms.planner import PlannerForm, SuggestedRoundForm
from calibration.presenters.planning import (
    plan_sentences,
    shape_text,
    suggestion_rows,
)
from calibration.services.judge_comparison import judges_on
from calibration.services.planning import (
    answers,
    known_shape,
    next_json,
    next_to_label,
    note_flips_seen,
)
from calibration.views.common import leads, user_of
from config.errors import DomainError, InvalidInput

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from annotation.models import GoldSet


@never_cache
@require_safe
@leads
def plan(request: HttpRequest, name: str) -> HttpResponse:
    """Answer the questions asked, and suggest pairs of the set."""
    gold_set = gold_set_named(name)
    form = PlannerForm(judges_on(gold_set), request.GET or None)
    context = _context(request, gold_set, form)
    return render(request, "calibration/planner.html", context)


@never_cache
@require_POST
@leads
def open_round(request: HttpRequest, name: str) -> HttpResponse:
    """Open a round of the pairs that were suggested."""
    gold_set = gold_set_named(name)
    known = request.POST.getlist("case")
    form = SuggestedRoundForm(
        request.POST,
        names=known,
        people=labellers(),
        labels_per_pair=gold_set.labels_per_pair,
    )
    if form.is_valid():
        try:
            round_ = open_chosen(
                gold_set=gold_set,
                plan=form.plan(),
                selection=Selection(
                    which=Which.WITHOUT_GOLD, case_ids=tuple(form.cleaned_data["case"])
                ),
                reviewers=form.people(),
                by=user_of(request),
                now=timezone.now(),
            )
        except DomainError as refused:
            form.add_error(None, refused.message)
        else:
            notes = " ".join(shortfalls(round_.selection))
            messages.success(request, f"{round_.name} is open. {notes}".strip())
            return redirect("annotation:round", round_id=round_.pk)
    asked = PlannerForm(judges_on(gold_set))
    context = _context(request, gold_set, asked) | {"round_form": form}
    return render(request, "calibration/planner.html", context, status=400)


def _context(
    request: HttpRequest, gold_set: GoldSet, form: PlannerForm
) -> dict[str, Any]:
    context: dict[str, Any] = {
        "gold_set": gold_set,
        "form": form,
        "known": shape_text(known_shape(gold_set)),
    }
    if form.is_bound and not form.is_valid():
        return context
    judge, wanted = form.wanted()
    try:
        context["sentences"] = list(
            plan_sentences(answers(form.questions(), gold_set=gold_set, judge=judge))
        )
    except InvalidInput as refused:
        context["refused"] = refused.message
    found = next_to_label(gold_set=gold_set.name, judge=judge)
    shown = found[:wanted]
    note_flips_seen(
        gold_set=gold_set, cases=shown, user=user_of(request), now=timezone.now()
    )
    named = next_json(gold_set, shown)
    return context | {
        "rows": suggestion_rows(named),
        "left": len(found) - len(shown),
        "round_form": SuggestedRoundForm(
            None,
            names=[one["name"] for one in named],
            people=labellers(),
            labels_per_pair=gold_set.labels_per_pair,
        ),
    }
