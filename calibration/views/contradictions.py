"""The cases on which a judge contradicts itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from annotation.domain.outcomes import Split
from annotation.services.seals import Sealed
from calibration.presenters.contradictions import contradiction_rows, counted_text
from calibration.services.contradicting import contradictions_of
from calibration.services.overviews import report_by_id
from calibration.services.report_cases import OPEN
from calibration.views.common import readers, user_of
from config.errors import NotAllowed

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

TEMPLATE = "calibration/contradictions.html"


@never_cache
@require_GET
@readers
def contradictions(request: HttpRequest, report_id: int) -> HttpResponse:
    """List them, worst first; held-out ones only in a look that opened them."""
    report, split = report_by_id(report_id), request.GET.get("split", OPEN)
    held_out = split == Split.HELD_OUT.value
    context: dict[str, Any] = {"report": report, "split": split, "held_out": held_out}
    try:
        found, total = contradictions_of(
            report=report, split=split, user=user_of(request), now=timezone.now()
        )
    except Sealed:
        raise
    except NotAllowed as refusal:
        context["closed"] = refusal.message
        return render(request, TEMPLATE, context, status=403)
    context["rows"] = contradiction_rows(found)
    context["counted"] = counted_text(len(found), total)
    return render(request, TEMPLATE, context)
