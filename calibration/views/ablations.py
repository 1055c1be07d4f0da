"""Judges that differ in one field, lined up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.services.gold_sets import gold_set_named
from annotation.services.held_out import LookNeeded
from calibration.forms.comparisons import SplitForm
from calibration.presenters.ablations import ablation_views
from calibration.services.ablating import ablations_on
from calibration.services.compared_pairs import ComparedPart
from calibration.views.common import look_page, readers, viewer_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@readers
def ablations(request: HttpRequest, name: str) -> HttpResponse:
    """Line judges up by the one field they differ in, on all that is not held out.

    Held-out pairs are a look at each judge, which a POST with a reason asks for.
    """
    form = SplitForm(
        request.GET if "split" in request.GET else {"split": ComparedPart.OPEN.value}
    )
    context: dict[str, Any] = {"gold_set": gold_set_named(name), "form": form}
    if form.is_valid():
        try:
            payload = ablations_on(
                gold_set=name,
                split=ComparedPart(form.cleaned_data["split"]),
                viewer=viewer_of(request),
                now=timezone.now(),
            )
            context |= {"payload": payload, "views": ablation_views(payload)}
        except LookNeeded as needed:
            context["needed"] = needed.message
    return look_page(request, "calibration/ablations.html", context)
