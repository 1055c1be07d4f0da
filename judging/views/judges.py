"""Judges: their lines, one version in full, and what lies between two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.paginator import Paginator
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.models import ExposureKind
from config.errors import InvalidInput
from judging.domain.kinds import outdated
from judging.forms.choices import PairForm
from judging.models import ConfigKind, JudgeConfig, Provider
from judging.presenters.judges import (
    changes_of,
    judge_names,
    judge_version,
    judges,
    lines_of,
    parts_of,
    readable_asked_spec,
)
from judging.presenters.pairs import sets_with_dev
from judging.presenters.previews import chosen_pair, preview_of, sorted_findings
from judging.services.panels import seated
from judging.views.common import is_lead, note_seen, readers

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

LATEST_RUNS = 20
PAGE = 50


@require_safe
@readers
def index(request: HttpRequest) -> HttpResponse:
    """List the judges with their versions, in pages."""
    page = Paginator(judge_names(), PAGE).get_page(request.GET.get("page"))
    context = {
        "lines": lines_of(judges(page.object_list)),
        "page": page,
        "may_write": is_lead(request),
        "has_provider": Provider.objects.exists(),
    }
    return render(request, "judging/judges.html", context)


@never_cache
@require_safe
@readers
def version(request: HttpRequest, name: str, version: int) -> HttpResponse:
    """Show one version with everything that its digest is taken of."""
    config = judge_version(name, version)
    spec = readable_asked_spec(config)
    others = JudgeConfig.objects.filter(name=name).exclude(pk=config.pk)
    context = {
        "config": config,
        "parts": parts_of(config),
        "outdated": outdated(spec) if spec is not None and config.frozen_at else "",
        "findings": _findings(config) if spec is not None else None,
        "others": others.defer("spec").order_by("-version"),
        "runs": config.runs.select_related("gold_set").order_by("-pk")[:LATEST_RUNS],
        "pair_form": PairForm(sets_with_dev()),
        "members": seated(config) if config.kind == ConfigKind.PANEL else [],
        "may_write": is_lead(request),
    }
    return render(request, "judging/judge.html", context)


def _findings(config: JudgeConfig) -> object:
    """What the lint says; of a recording nothing was ever asked."""
    return None if config.recorded else sorted_findings(config)


@never_cache
@require_safe
@readers
def shown_on(request: HttpRequest, name: str, version: int) -> HttpResponse:
    """Show what a version sends for a dev pair, or for an example."""
    config = judge_version(name, version)
    spec = readable_asked_spec(config)
    try:
        chosen = chosen_pair(*PairForm(sets_with_dev(), request.GET).chosen())
    except InvalidInput as error:  # htmx puts in only what comes with 200
        return render(request, "errors/_domain.html", {"error": error})
    if chosen is not None:
        note_seen(
            request,
            [chosen.pair.pk],
            now=timezone.now(),
            kinds=[ExposureKind.SYSTEMS],
        )
    preview = None if spec is None else preview_of(spec, chosen)
    return render(request, "judging/_preview.html", {"preview": preview})


@require_safe
@readers
def diff(request: HttpRequest, name: str, old: int, new: int) -> HttpResponse:
    """Show in what two versions of a judge differ."""
    before, after = judge_version(name, old), judge_version(name, new)
    changes = changes_of(before, after)
    context = {
        "old": before,
        "new": after,
        "changes": changes,
        "short": [change for change in changes if not change.lines],
        "long": [change for change in changes if change.lines],
    }
    return render(request, "judging/judge_diff.html", context)
