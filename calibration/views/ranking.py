"""Several systems of one run in a ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.services.held_out import LookNeeded, Viewer
from calibration.forms.ranking import RankingForm
from calibration.presenters.ranking import HEADS, ranking_page
from calibration.services.ranking import RankedPart, rank_systems
from calibration.views.common import readers, user_of
from config.errors import DomainError
from judging.presenters.runs import run_by_id

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@never_cache
@require_http_methods(["GET", "POST"])
@readers
def ranking(request: HttpRequest, run_id: int) -> HttpResponse:
    """Rank the systems that a run compared.

    On held-out pairs this is a look, which a POST with a reason asks for; a GET only
    says what it would cost.
    """
    run = run_by_id(run_id)
    form = RankingForm({"part": RankedPart.OPEN.value, **request.GET.dict()})
    context: dict[str, Any] = {"run": run, "form": form, "heads": HEADS}
    reason = request.POST.get("reason", "").strip()
    if form.is_valid():
        asked = request.method == "POST" and bool(reason)
        viewer = Viewer(user_of(request), door="page", reason=reason, asked=asked)
        part = RankedPart(form.cleaned_data["part"])
        try:
            payload = rank_systems(
                run=run, part=part, viewer=viewer, now=timezone.now()
            )
        except LookNeeded as needed:
            context |= {"needed": needed.message, "button": "Rank held-out pairs"}
        except DomainError as refused:
            context["refused"] = refused.message
        else:
            if request.method == "POST":
                return redirect(request.get_full_path())
            context |= {"payload": payload, "page": ranking_page(payload)}
    closed = "needed" in context or "refused" in context
    status = 409 if closed else 200
    return render(request, "calibration/ranking.html", context, status=status)
