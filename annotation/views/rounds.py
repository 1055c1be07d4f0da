"""Rounds as leads see them, and auditors read them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from annotation.domain.round_notes import (
    check_notes,
    label_facts,
    label_notes,
    shortfalls,
)
from annotation.models import Case
from annotation.presenters.figures import Cell, rounded, test_cell
from annotation.services import rounds as service
from annotation.services.balance import LEAST_LABELS, balance
from annotation.services.gold_sets import gold_set_named
from annotation.services.round_checks import check_facts
from annotation.services.round_members import (
    add_members,
    labeller_named,
    labellers,
    member_named,
    remove_member,
)
from annotation.services.round_planning import Chosen, RoundPlan, choose_pairs
from annotation.services.round_reports import round_progress
from annotation.views.gold_common import (
    is_lead,
    leads,
    readers,
    refuse_readers,
    user_of,
)
from annotation.views.round_forms import RoundForm
from config.errors import DomainError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest, HttpResponse

    from annotation.models import GoldSet
    from annotation.services.balance import BalanceRow

PREVIEW_SEED = "only to count: the round draws its own"
KINDS = {
    "overall": "All labels", "pass": "Pass", "split": "Split", "slice": "Slice",
    "reviewer": "Reviewer", "repeats": "Planned repeats",
}  # fmt: skip
NO_LABELS = Cell("no labels", undefined=True)
VERDICTS = {"even": "even", "uneven": "uneven", "not_enough": "not enough"}


@dataclass(frozen=True, slots=True)
class Preview:
    """What a round would hold, before it is opened."""

    chosen: Chosen
    plan: RoundPlan
    short: tuple[str, ...] = ()

    @property
    def labels(self) -> int:
        """Labels wanted, without planned repeats."""
        return len(self.chosen.all) * self.plan.labels_per_pair

    @property
    def retests(self) -> int:
        """Pairs that come back."""
        return self.chosen.retests(self.plan)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@leads
def new(request: HttpRequest, name: str) -> HttpResponse:
    """Plan a round: count first, then open it."""
    gold_set = gold_set_named(name)
    form = RoundForm(
        request.POST or None,
        gold_set=gold_set,
        slices=_slices(gold_set),
        people=labellers(),
    )
    preview, refused = None, None
    if request.method == "POST" and form.is_valid():
        try:
            if "open" in request.POST:
                return _open(request, gold_set, form)
            preview = _preview(gold_set, form)
        except DomainError as error:
            refused = error
    context = {
        "gold_set": gold_set, "form": form, "preview": preview, "refused": refused,
        "check_notes": check_notes(check_facts(gold_set)),
    }  # fmt: skip
    return render(request, "annotation/round_new.html", context)


def _open(request: HttpRequest, gold_set: GoldSet, form: RoundForm) -> HttpResponse:
    round_ = service.open_chosen(
        gold_set=gold_set,
        plan=form.plan(),
        selection=form.selection(),
        reviewers=form.people(),
        by=user_of(request),
        now=timezone.now(),
    )
    notes = " ".join(shortfalls(round_.selection))
    messages.success(request, f"{round_.name} is open. {notes}".strip())
    return redirect("annotation:round", round_id=round_.pk)


def _preview(gold_set: GoldSet, form: RoundForm) -> Preview:
    plan = form.plan()
    chosen = choose_pairs(
        gold_set=gold_set,
        plan=plan,
        selection=form.selection(),
        seed=PREVIEW_SEED,
        now=timezone.now(),
    )
    short = label_facts(
        wanted=gold_set.labels_per_pair,
        asked=plan.labels_per_pair,
        people=len(form.people()),
    )
    return Preview(chosen, plan, label_notes(short))


def _slices(gold_set: GoldSet) -> list[tuple[str, str]]:
    rows = Case.objects.filter(gold_set=gold_set).values_list("slices", flat=True)
    found = {(k, str(v)) for row in rows.iterator() for k, v in row.items()}
    return sorted(found)


@never_cache
@require_safe
@readers
def detail(request: HttpRequest, round_id: int) -> HttpResponse:
    """Show how far a round is: by split, by slice and by reviewer."""
    round_ = service.round_by_id(round_id)
    found = round_progress(round_=round_, now=timezone.now())
    inside = {one.member.reviewer_id for one in found.members if one.active}
    context = {
        "round": round_,
        "gold_set": round_.gold_set,
        "progress": found,
        "notes": shortfalls(round_.selection),
        "others": [user for user in labellers() if user.pk not in inside],
        "is_lead": is_lead(request),
        # A round that stays closed needs no other people.
        "may_change": is_lead(request)
        and (round_.is_open or round_.disclosed_at is None),
    }
    return render(request, "annotation/round.html", context)


@require_POST
@leads
def close(request: HttpRequest, round_id: int) -> HttpResponse:
    """Close a round."""
    round_ = service.round_by_id(round_id)
    service.close_round(round_=round_, by=user_of(request), now=timezone.now())
    return redirect("annotation:round", round_id=round_id)


@require_POST
@leads
def reopen(request: HttpRequest, round_id: int) -> HttpResponse:
    """Let a closed round take labels again."""
    del request
    service.reopen_round(round_=service.round_by_id(round_id), now=timezone.now())
    return redirect("annotation:round", round_id=round_id)


@require_POST
@leads
def add(request: HttpRequest, round_id: int) -> HttpResponse:
    """Let one more person label."""
    user = labeller_named(request.POST.get("username", ""))
    round_ = service.round_by_id(round_id)
    add_members(round_=round_, reviewers=[user], now=timezone.now())
    return redirect("annotation:round", round_id=round_id)


@require_POST
@leads
def remove(request: HttpRequest, round_id: int) -> HttpResponse:
    """Take a person out; their labels stay."""
    round_ = service.round_by_id(round_id)
    user = member_named(round_=round_, username=request.POST.get("username", ""))
    remove_member(round_=round_, reviewer=user, now=timezone.now())
    return redirect("annotation:round", round_id=round_id)


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the slot-balance table as shown."""

    kind: str
    row: BalanceRow
    test: Cell
    adjusted: str
    verdict: str
    person: str = ""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@readers
def slot_balance(request: HttpRequest, round_id: int) -> HttpResponse:
    """Show how often each system stood first in the labels submitted.

    A POST by a lead shows the reviewers' names too.
    """
    round_ = service.round_by_id(round_id)
    revealing = request.method == "POST"
    if revealing:
        refuse_readers(request)
    found = balance(round_=round_, revealed_to=user_of(request) if revealing else None)
    context = {
        "round": round_,
        "gold_set": round_.gold_set,
        "lines": [_line(row, found.names) for row in found.rows()],
        "revealed": revealing,
        "is_lead": is_lead(request),
        "least": LEAST_LABELS,
    }
    return render(request, "annotation/round_balance.html", context)


def _line(row: BalanceRow, names: Mapping[str, str]) -> Line:
    adjusted = "" if row.adjusted is None else rounded(row.adjusted, 2)
    test = test_cell(row.test) if row.labels else NO_LABELS
    person = names.get(row.name, "") if row.kind == "reviewer" else ""
    return Line(KINDS[row.kind], row, test, adjusted, VERDICTS[row.verdict], person)
