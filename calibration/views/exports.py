"""The page that hands out labels, rulings and gold as files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.services.gold_sets import gold_set_named
from annotation.services.held_out import LooksSpent, Viewer
from calibration.forms.reports import ExportForm
from calibration.presenters.downloads import streamed
from calibration.services.exports import hand_out, rounds_first_shown
from calibration.services.look_counts import budget_of, looks_used
from calibration.views.common import readers, user_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase


# Downloads are POST: a link that is followed by itself must not spend a look.
@never_cache
@require_http_methods(["GET", "POST"])
@readers
def export(request: HttpRequest, name: str) -> HttpResponseBase:
    """Show what can be taken out of a set, or hand it out."""
    gold_set = gold_set_named(name)
    form = ExportForm(request.POST or None, gold_set=gold_set)
    if request.method == "POST" and form.is_valid():
        reason = form.cleaned_data["reason"]
        viewer = Viewer(user=user_of(request), door="page", reason=reason)
        try:
            found = hand_out(plan=form.plan(), viewer=viewer, now=timezone.now())
        except LooksSpent as spent:
            form.add_error("reason", spent.message)
        else:
            return streamed(found)
    context = {
        "gold_set": gold_set,
        "form": form,
        "first_shown": rounds_first_shown(gold_set),
        "looks_used": looks_used(gold_set),
        "look_budget": budget_of(gold_set),
    }
    return _page(request, context)


def _page(request: HttpRequest, context: dict[str, object]) -> HttpResponse:
    return render(request, "calibration/export.html", context)
