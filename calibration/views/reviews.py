"""The pairs behind a report: lists of cases, and the walk through disagreements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.domain.outcomes import Split
from annotation.presenters.texts import turns
from annotation.services.held_out import LooksSpent, Viewer
from annotation.services.seals import Sealed
from calibration.forms.reports import CasesForm, DispositionForm
from calibration.models import Finding
from calibration.presenters.case_links import words_of
from calibration.presenters.reviews import FINDINGS
from calibration.services.overviews import report_by_id
from calibration.services.report_cases import (
    OPEN,
    CaseFilter,
    cases,
    open_held_out,
)
from calibration.services.reviewing import (
    Review,
    disagreements,
    dispose,
    record_seen,
    review,
)
from calibration.views.common import leads, readers, user_of
from config.errors import DomainError, InvalidInput, NotAllowed
from judging.presenters.calls import sides_of
from judging.presenters.judges import readable_spec

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse

    from calibration.models import Report, ReportPair

PAGE = 50


@never_cache
@require_safe
@readers
def case_list(request: HttpRequest, report_id: int) -> HttpResponse:
    """List the pairs behind a figure."""
    report, form = report_by_id(report_id), CasesForm(request.GET)
    if not form.is_valid():
        raise InvalidInput("filter_invalid", "There is no such list of cases.")
    wanted = CaseFilter(**form.wanted())
    context: dict[str, Any] = {
        "report": report,
        "form": form,
        "wanted": wanted,
        "gold": wanted.gold.replace(",", " or "),
        "verdict": wanted.verdict.replace(",", " or "),
        "behind": words_of(wanted.figure, wanted.reviewer, wanted.other),
    }
    return _listed(request, context, wanted.split, "calibration/cases.html")


@never_cache
@require_safe
@readers
def index(request: HttpRequest, report_id: int) -> HttpResponse:
    """List the disagreements in the order to walk them."""
    report = report_by_id(report_id)
    split = request.GET.get("split", OPEN)
    context = {"report": report, "split": split}
    return _listed(request, context, split, "calibration/disagreements.html")


def _listed(
    request: HttpRequest, context: dict[str, Any], split: str, template: str
) -> HttpResponse:
    """A page of pairs, or the form that opens a look at held-out ones."""
    report, user = context["report"], user_of(request)
    held_out = split == Split.HELD_OUT.value
    context |= {"split": split, "held_out": held_out, "query": _query(request)}
    rows: QuerySet[ReportPair]
    try:
        if "wanted" in context:
            rows = cases(report, context["wanted"], user)
        else:
            rows = disagreements(report, held_out=held_out, user=user)
    except Sealed:
        raise
    except NotAllowed as refusal:
        context["closed"] = refusal.message
        return render(request, template, context, status=403)
    page = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    shown = list(page.object_list)
    now = timezone.now()
    record_seen(user=user, pair_ids=[row.pair_id for row in shown], now=now)
    context |= {"page": page, "rows": shown, "findings": dict(Finding.choices)}
    return render(request, template, context)


def _query(request: HttpRequest) -> str:
    """The filter as part of an address, without the page."""
    asked = request.GET.copy()
    asked.pop("page", None)
    return asked.urlencode()


@never_cache
@require_POST
@readers
def open_look(request: HttpRequest, report_id: int) -> HttpResponse:
    """Take a look at the held-out pairs of a report, one by one."""
    report, user = report_by_id(report_id), user_of(request)
    viewer = Viewer(user=user, door="page", reason=request.POST.get("reason", ""))
    try:
        open_held_out(report=report, viewer=viewer, now=timezone.now())
    except LooksSpent as spent:
        context = {
            "report": report, "split": "held_out", "held_out": True,
            "closed": spent.message,
        }  # fmt: skip
        return render(request, "calibration/disagreements.html", context, status=409)
    reply = redirect("calibration:disagreements", report_id=report_id)
    reply["Location"] += "?split=held_out"
    return reply


@never_cache
@require_safe
@readers
def pair(request: HttpRequest, report_id: int, pair_id: int) -> HttpResponse:
    """Show one disagreement with everything that bears on it."""
    return _pair(request, report_by_id(report_id), pair_id, DispositionForm())


@require_POST
@leads
def decide(request: HttpRequest, report_id: int, pair_id: int) -> HttpResponse:
    """Store what a disagreement was found to be, and go to the next."""
    report, user = report_by_id(report_id), user_of(request)
    form = DispositionForm(request.POST)
    if form.is_valid():
        try:
            made = dispose(
                report=report,
                pair_id=pair_id,
                finding=Finding(form.cleaned_data["finding"]),
                note=form.cleaned_data["note"].replace("\r\n", "\n"),
                by=user,
                now=timezone.now(),
            )
        except NotAllowed:
            raise
        except DomainError as refusal:
            form.add_error(None, refusal.message)
        else:
            sent = " It was sent to blind adjudication." if made.batch else ""
            messages.success(request, f"Noted: {made.get_finding_display()}.{sent}")
            return _onward(report, pair_id, request)
    return _pair(request, report, pair_id, form, status=400)


def _onward(report: Report, pair_id: int, request: HttpRequest) -> HttpResponse:
    found = review(
        report=report, pair_id=pair_id, user=user_of(request), now=timezone.now()
    )
    target = found.after or pair_id
    return redirect("calibration:disagreement", report_id=report.pk, pair_id=target)


def _pair(
    request: HttpRequest,
    report: Report,
    pair_id: int,
    form: DispositionForm,
    status: int = 200,
) -> HttpResponse:
    found = review(
        report=report, pair_id=pair_id, user=user_of(request), now=timezone.now()
    )
    context = {
        "report": report,
        "found": found,
        "form": form,
        "findings": FINDINGS,
        "held_out": found.row.split == Split.HELD_OUT.value,
        **_texts(found),
        "sides": _sides(report, found),
    }
    return render(request, "calibration/disagreement.html", context, status=status)


def _texts(found: Review) -> dict[str, Any]:
    case = found.pair.case
    return {
        "prompt": turns(case.prompt),
        "context_turns": turns(case.context),
        "reference": turns(case.reference),
        "responses": [
            (role, response.system.name, response.length, turns(response.text))
            for role, response in (
                ("Baseline", found.pair.baseline),
                ("Candidate", found.pair.candidate),
            )
        ],
    }


def _sides(report: Report, found: Review) -> Any:
    config = report.run.config
    spec = None if config.recorded else readable_spec(config)
    return sides_of(report.run, found.pair, spec)
