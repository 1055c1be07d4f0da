"""Several systems of one run in a ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from annotation.services.held_out import Viewer
from calibration.forms.ranking import RankingForm
from calibration.presenters.ranking import HEADS, ranking_page
from calibration.services.ranking import RankedPart, rank_systems
from calibration.views.common import readers, user_of
from config.errors import DomainError
from judging.presenters.runs import run_by_id

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


# GET alone: a HEAD request would spend a look and show nothing.
@never_cache
@require_GET
@readers
def ranking(request: HttpRequest, run_id: int) -> HttpResponse:
    """Rank the systems that a run compared; on held-out pairs this is a look."""
    run = run_by_id(run_id)
    sent = {"part": RankedPart.OPEN.value, **request.GET.dict()}
    form = RankingForm(sent)
    context: dict[str, Any] = {"run": run, "form": form, "heads": HEADS}
    if form.is_valid():
        said = form.cleaned_data
        viewer = Viewer(user=user_of(request), door="page", reason=said["reason"])
        try:
            payload = rank_systems(
                run=run,
                part=RankedPart(said["part"]),
                viewer=viewer,
                now=timezone.now(),
            )
        except DomainError as refused:
            context["refused"] = refused.message
        else:
            context |= {"payload": payload, "page": ranking_page(payload)}
    return render(request, "calibration/ranking.html", context)
