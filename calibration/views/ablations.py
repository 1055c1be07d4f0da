"""Judges that differ in one field, lined up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from annotation.domain.outcomes import Split
from annotation.services.gold_sets import gold_set_named
from annotation.services.held_out import LooksSpent, Viewer
from calibration.forms.comparisons import SplitForm
from calibration.presenters.ablations import ablation_views
from calibration.services.ablating import ablations_on
from calibration.views.common import readers, user_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


# GET alone: a HEAD request would spend looks and show nothing.
@never_cache
@require_GET
@readers
def ablations(request: HttpRequest, name: str) -> HttpResponse:
    """Line judges up by the one field they differ in; dev unless asked for more."""
    form = SplitForm(request.GET if "split" in request.GET else {"split": "dev"})
    context: dict[str, Any] = {"gold_set": gold_set_named(name), "form": form}
    if form.is_valid():
        said = form.cleaned_data
        viewer = Viewer(user=user_of(request), door="page", reason=said["reason"])
        try:
            payload = ablations_on(
                gold_set=name,
                split=Split(said["split"]),
                viewer=viewer,
                now=timezone.now(),
            )
            context |= {"payload": payload, "views": ablation_views(payload)}
        except LooksSpent as refused:
            context["refused"] = refused.message
    return render(request, "calibration/ablations.html", context)
