"""Splits, frozen gold, and what lies between two gold versions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.domain.consensus import ConsensusRule, surplus_notes
from annotation.services.freezing import freeze_gold, preview_freeze
from annotation.services.gold_diff import gold_diff
from annotation.services.gold_sets import gold_set_named
from annotation.services.held_out import LooksSpent, Viewer, splits_locked
from annotation.services.splitting import (
    propose_splits,
    slice_keys,
    split_counts,
    write_splits,
)
from annotation.views.gold_common import is_lead, readers, refuse_readers, user_of
from annotation.views.gold_forms import FreezeForm, SplitForm, first_error
from config.errors import DomainError, InvalidInput

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from annotation.models import GoldSet
    from annotation.services.freezing import FreezePreview, Standing
    from annotation.services.gold_diff import GoldDiff
    from annotation.services.splitting import SplitProposal

pages = require_http_methods(["GET", "HEAD", "POST"])
MOST_OPEN = 200


@never_cache
@pages
@readers
def splits(request: HttpRequest, name: str) -> HttpResponse:
    """Show the splits and what a wish would come to; a POST writes them."""
    gold_set = gold_set_named(name)
    if request.method == "POST":
        return _write_splits(request, gold_set)
    form = SplitForm(
        request.GET if "seed" in request.GET else None, slice_keys(gold_set)
    )
    proposal, refusal = _proposal(gold_set, form)
    counts = split_counts(gold_set)
    context = {
        "gold_set": gold_set,
        "counts": counts,
        "unsplit": counts[""],
        "assignments": gold_set.split_assignments.order_by("-pk").select_related(
            "assigned_by"
        ),
        "form": form,
        "proposal": proposal,
        "refusal": refusal,
        "may_write": is_lead(request) and not splits_locked(gold_set),
    }
    return render(request, "annotation/splits.html", context)


def _proposal(gold_set: GoldSet, form: SplitForm) -> tuple[SplitProposal | None, str]:
    if not form.is_bound:
        return None, ""
    try:
        return propose_splits(gold_set=gold_set, wish=form.wish()), ""
    except DomainError as error:
        return None, error.message


def _write_splits(request: HttpRequest, gold_set: GoldSet) -> HttpResponse:
    refuse_readers(request)
    form = SplitForm(request.POST, slice_keys(gold_set))
    row = write_splits(
        gold_set=gold_set,
        wish=form.wish(),
        by=user_of(request),
        now=timezone.now(),
        expect=form.cleaned_data["expect"],
    )
    text = f"{row.dev} cases are in dev and {row.held_out} held out; {row.moved} moved."
    messages.success(request, text)
    return redirect("annotation:splits", name=gold_set.name)


@dataclass(frozen=True, slots=True)
class OpenPair:
    """A pair without gold, as the freeze page lists it."""

    case: str
    systems: str
    split: str
    reason: str


@never_cache
@pages
@readers
def freeze(request: HttpRequest, name: str) -> HttpResponse:
    """Show what freezing would come to; a POST freezes."""
    gold_set = gold_set_named(name)
    if request.method == "POST":
        return _freeze(request, gold_set)
    form = FreezeForm(request.GET if "rule" in request.GET else None)
    rule = gold_set.consensus_rule
    if form.is_bound and form.is_valid():
        rule = form.cleaned_data["rule"]
    preview = preview_freeze(gold_set=gold_set, rule=ConsensusRule(rule))
    if preview.being_labelled:
        names = ", ".join(f"“{one}”" for one in preview.being_labelled)
        messages.warning(
            request,
            f"People still label in {names}: close it before you freeze gold.",
        )
    shown = preview.still_open[:MOST_OPEN]
    context = {
        "gold_set": gold_set,
        "preview": preview,
        "rules": [r.value for r in ConsensusRule],
        "open_pairs": [_open_pair(standing) for standing in shown],
        "more": len(preview.still_open) - len(shown),
        "disputed": _disputed(preview),
        "surplus": surplus_notes(gold_set.labels_per_pair, preview.surplus),
        "versions": list(gold_set.versions.order_by("-number")),
        "may_write": is_lead(request),
    }
    return render(request, "annotation/gold_freeze.html", context)


def _open_pair(standing: Standing) -> OpenPair:
    pair = standing.pair
    return OpenPair(
        case=pair.case.external_id,
        systems=f"{pair.baseline.system.name} | {pair.candidate.system.name}",
        split=pair.case.split,
        reason=standing.open_reason.replace("_", " "),
    )


def _disputed(preview: FreezePreview) -> int:
    return sum(s.open_reason == "disputed" for s in preview.still_open)


def _freeze(request: HttpRequest, gold_set: GoldSet) -> HttpResponse:
    refuse_readers(request)
    form = FreezeForm(request.POST)
    if not form.is_valid():
        raise InvalidInput("freeze_invalid", first_error(form))
    before = gold_set.versions.count()
    version = freeze_gold(
        gold_set=gold_set,
        rule=ConsensusRule(form.cleaned_data["rule"]),
        by=user_of(request),
        now=timezone.now(),
        leave_open=form.cleaned_data["leave_open"],
    )
    if gold_set.versions.count() == before:
        text = f"Nothing changed: the gold is that of version {version.number}."
        messages.info(request, text)
    else:
        messages.success(request, f"Version {version.number} is frozen.")
    return redirect("annotation:freeze", name=gold_set.name)


@never_cache
@pages
@readers
def diff(request: HttpRequest, name: str, old: int, new: int) -> HttpResponse:
    """Show what moved between two versions; a POST shows held-out pairs too."""
    gold_set = gold_set_named(name)
    asked, spent = None, ""
    if request.method == "POST":
        reason = request.POST.get("reason", "")
        asked = Viewer(user=user_of(request), door="page", reason=reason)
    try:
        found = _difference(request, gold_set, (old, new), asked)
    except LooksSpent as refusal:
        found, spent = _difference(request, gold_set, (old, new)), refusal.message
    context = {
        "gold_set": gold_set,
        "diff": found,
        "spent": spent,
        "flow": sorted(found.changes.flow().items()),
        "split_moves": sorted(found.changes.split_moves().items()),
    }
    return render(request, "annotation/gold_diff.html", context)


def _difference(
    request: HttpRequest,
    gold_set: GoldSet,
    numbers: tuple[int, int],
    held_out: Viewer | None = None,
) -> GoldDiff:
    return gold_diff(
        gold_set=gold_set,
        numbers=numbers,
        by=user_of(request),
        now=timezone.now(),
        held_out=held_out,
    )
