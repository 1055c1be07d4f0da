"""Marks of a pointwise run: by system, by response, and one response in full."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.paginator import Paginator
from django.http import StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.domain.exports import ExportFormat, written
from config.errors import Conflict
from judging.models import ConfigKind, RunStatus
from judging.presenters.marks import (
    MARK_COLUMNS,
    mark_rows,
    mark_words,
    open_mark_calls,
    open_responses,
    pairs_with,
    shown_marks,
    shown_response,
)
from judging.presenters.runs import run_by_id
from judging.views.common import note_seen, readers

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from judging.models import Run

PAGE = 50


def pointwise_run(run_id: int) -> Run:
    """A run that marks; raises ``NotFound`` and ``Conflict``."""
    run = run_by_id(run_id)
    if run.config.kind != ConfigKind.POINTWISE:
        raise Conflict("run_not_pointwise", f"Run {run_id} judges pairs; no marks.")
    return run


@never_cache
@require_safe
@readers
def index(request: HttpRequest, run_id: int) -> HttpResponse:
    """Show the marks of each system, and list the responses that may be read."""
    run = pointwise_run(run_id)
    calls = open_mark_calls(run).order_by("response__case_id", "response_id", "repeat")
    page = Paginator(calls, PAGE).get_page(request.GET.get("page"))
    rows = list(page.object_list)
    seen = {call.response_id for call in rows if call.response_id is not None}
    note_seen(request, pairs_with(run, seen), now=timezone.now())
    context = {
        "run": run,
        "shown": shown_marks(run) if run.status == RunStatus.DONE else None,
        "hidden": open_responses(run).hidden,
        "page": page,
        "rows": [(call, mark_words(call)) for call in rows],
    }
    return render(request, "judging/marks.html", context)


@never_cache
@require_safe
@readers
def response(request: HttpRequest, run_id: int, response_id: int) -> HttpResponse:
    """Show what was asked about one response and what came back."""
    run = pointwise_run(run_id)
    shown = shown_response(run, response_id)
    note_seen(request, pairs_with(run, [response_id]), now=timezone.now())
    context = {"run": run, "shown": shown}
    return render(request, "judging/mark.html", context)


@never_cache
@require_safe
@readers
def export(request: HttpRequest, run_id: int) -> StreamingHttpResponse:
    """Give the mark of each open response of a finished run as a CSV file."""
    run = pointwise_run(run_id)
    shown = open_responses(run)
    rows = mark_rows(run, shown.ids)
    note_seen(request, pairs_with(run, shown.ids), now=timezone.now())
    form = ExportFormat.CSV
    return StreamingHttpResponse(
        written(MARK_COLUMNS, rows, form, bom=True),
        content_type=form.content_type,
        headers={"Content-Disposition": f'attachment; filename="marks-{run.pk}.csv"'},
    )
