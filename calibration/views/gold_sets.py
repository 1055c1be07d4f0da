"""Gold sets: the list, and where one of them stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.views.decorators.http import require_safe

from calibration.services import overviews
from calibration.views.common import readers

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
@readers
def index(request: HttpRequest) -> HttpResponse:
    """List the gold sets."""
    context = {"gold_sets": overviews.gold_sets()}
    return render(request, "calibration/gold_sets.html", context)


@require_safe
@readers
def detail(request: HttpRequest, name: str) -> HttpResponse:
    """Show a set's counts, labels, versions, rounds, runs and looks; no single pair."""
    context = {"overview": overviews.gold_set_overview(name)}
    return render(request, "calibration/gold_set.html", context)
