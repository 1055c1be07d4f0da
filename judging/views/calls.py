"""Calls of a run and the transcripts of one pair: never of a held-out one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.paginator import Paginator
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.models import Pair
from config.errors import NotFound
from judging.forms.choices import CallsForm
from judging.forms.fields import sent
from judging.models import ConfigKind
from judging.presenters.calls import (
    CallFilter,
    open_calls,
    reading_words,
    rubric_call_of,
    sides_of,
)
from judging.presenters.judges import readable_spec
from judging.presenters.pairs import refuse_held_out
from judging.presenters.runs import run_by_id
from judging.views.common import note_seen, readers

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from judging.models import Run

PAGE = 50


@never_cache
@require_safe
@readers
def index(request: HttpRequest, run_id: int) -> HttpResponse:
    """List the calls of a run that may be read."""
    run = run_by_id(run_id)
    if run.config.kind == ConfigKind.POINTWISE:
        return redirect("judging:marks", run_id=run.pk)
    form = CallsForm(request.GET)
    wanted = CallFilter(**sent(form, "filter_invalid"))
    calls = open_calls(run, wanted).order_by("pair_id", "order", "repeat")
    page = Paginator(calls, PAGE).get_page(request.GET.get("page"))
    rows = list(page.object_list)
    seen = {call.pair_id for call in rows if call.pair_id is not None}
    note_seen(request, seen, now=timezone.now())
    hidden = run.calls.verdicts().count() - open_calls(run).count()
    context = {
        "run": run,
        "form": form,
        "page": page,
        "rows": [(call, reading_words(call)) for call in rows],
        "hidden": hidden,
        "query": _query(request),
    }
    return render(request, "judging/calls.html", context)


def _query(request: HttpRequest) -> str:
    """The filter as part of an address, without the page."""
    asked = request.GET.copy()
    asked.pop("page", None)
    return asked.urlencode()


@never_cache
@require_safe
@readers
def transcript(request: HttpRequest, run_id: int, pair_id: int) -> HttpResponse:
    """Show what was asked about one pair and what came back, both orders together."""
    run = run_by_id(run_id)
    pair = Pair.objects.with_texts().filter(pk=pair_id).first()
    if pair is not None:  # asked first, so that of these it is not told what was judged
        refuse_held_out(pair)
    if pair is None or not run.calls.filter(pair=pair).exists():
        raise NotFound("pair_unknown", f"Run {run_id} did not judge pair {pair_id}.")
    note_seen(request, [pair.pk], now=timezone.now())
    spec = None if run.config.recorded else readable_spec(run.config)
    first = rubric_call_of(run, pair, spec)
    context = {
        "run": run,
        "pair": pair,
        "first": first,
        "sides": sides_of(run, pair, spec, first.rubric if first else ""),
        "before": _next_to(run, pair, after=False),
        "after": _next_to(run, pair, after=True),
    }
    return render(request, "judging/transcript.html", context)


def _next_to(run: Run, pair: Pair, *, after: bool) -> int | None:
    """The next pair of the run that may be read, in either direction."""
    calls = open_calls(run)
    if after:
        calls = calls.filter(pair_id__gt=pair.pk).order_by("pair_id")
    else:
        calls = calls.filter(pair_id__lt=pair.pk).order_by("-pair_id")
    return calls.values_list("pair_id", flat=True).first()
