"""Release runs: the list, what one came to, deciding, and pairs for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from annotation.domain.round_notes import shortfalls
from annotation.services.held_out import LookNeeded, Viewer
from annotation.services.round_members import labellers
from calibration.forms.releases import DecideForm, DecisionsForm, ReviewForm
from calibration.models import Decision
from calibration.presenters.decisions import RESULTS
from calibration.presenters.releases import critical_rows, release_page
from calibration.presenters.unjudged_texts import not_judged_text
from calibration.services.deciding import decide as decide_release
from calibration.services.decision_reports import reports_for
from calibration.services.overviews import report_by_id
from calibration.services.policies import policy_by_id
from calibration.services.policy_times import policies_for
from calibration.services.releases import (
    disclose_run,
    release,
    release_run,
    release_runs,
)
from calibration.services.review_rounds import open_review
from calibration.views.common import leads, readers, user_of
from calibration.views.release_looks import look_asked, look_taken
from config.errors import DomainError
from judging.models import RunStatus

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from judging.models import Run

PAGE = 25


@require_safe
@readers
def index(request: HttpRequest) -> HttpResponse:
    """List release runs and the newest decisions."""
    page = Paginator(release_runs(), PAGE).get_page(request.GET.get("page"))
    form = DecisionsForm(request.GET)
    chosen = form.cleaned_data["run"] if form.is_valid() else None
    decided = Decision.objects.for_pages()
    if chosen is not None:
        decided = decided.filter(run=chosen)
    decisions = Paginator(decided, PAGE).get_page(request.GET.get("decisions"))
    context = {
        "page": page,
        "form": form,
        "chosen": chosen,
        "decisions": decisions,
        "results": RESULTS,
    }
    return render(request, "calibration/releases.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@readers
def detail(request: HttpRequest, run_id: int) -> HttpResponse:
    """Show what a release run came to; a POST takes the look that it may need."""
    run = release_run(run_id)
    if request.method == "POST":
        return look_taken(
            request, lambda viewer, now: disclose_run(run=run, viewer=viewer, now=now)
        )
    try:
        return _page(request, run, _decide_form(run, None), _review_form(run, None))
    except LookNeeded as needed:
        return look_asked(request, f"Release run {run.pk}", needed.message)


@require_POST
@leads
def decide(request: HttpRequest, run_id: int) -> HttpResponse:
    """Decide, and show the decision."""
    run = release_run(run_id)
    form = _decide_form(run, request.POST)
    if form.is_valid():
        said = form.cleaned_data
        viewer = Viewer(user=user_of(request), door="page", reason=said["reason"])
        report = report_by_id(said["report"]) if said["report"] else None
        try:
            made = decide_release(
                run=run,
                policy=policy_by_id(said["policy"]),
                report=report,
                viewer=viewer,
                now=timezone.now(),
            )
        except DomainError as refused:
            form.add_error(None, refused.message)
        else:
            return redirect("calibration:decision", decision_id=made.pk)
    return _page(request, run, form, _review_form(run, None), status=400)


@require_POST
@leads
def review(request: HttpRequest, run_id: int) -> HttpResponse:
    """Open a round of the abstained pairs that a policy sends to people."""
    run = release_run(run_id)
    form = _review_form(run, request.POST)
    if form.is_valid():
        try:
            made = open_review(
                run=run,
                policy=policy_by_id(form.cleaned_data["policy"]),
                plan=form.plan(),
                reviewers=form.people(),
                by=user_of(request),
                now=timezone.now(),
            )
        except DomainError as refused:
            form.add_error(None, refused.message)
        else:
            notes = " ".join(shortfalls(made.round.selection))
            messages.success(request, f"{made.round.name} is open. {notes}".strip())
            return redirect("annotation:round", round_id=made.round_id)
    return _page(request, run, _decide_form(run, None), form, status=400)


def _decide_form(run: Run, data: Any) -> DecideForm:
    return DecideForm(data, policies=policies_for(run), reports=reports_for(run))


def _review_form(run: Run, data: Any) -> ReviewForm:
    return ReviewForm(
        data,
        policies=policies_for(run, with_path=True),
        people=labellers(),
        labels_per_pair=run.gold_set.labels_per_pair,
    )


def _page(
    request: HttpRequest,
    run: Run,
    form: DecideForm,
    review_form: ReviewForm,
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {
        "run": run,
        "form": form,
        "review_form": review_form,
        "decisions": Decision.objects.for_pages().filter(run=run),
        "rounds": run.review_rounds.select_related("round", "policy").order_by("-pk"),
        "results": RESULTS,
    }
    if run.status == RunStatus.DONE:
        viewer = Viewer(user=user_of(request), door="page", asked=False)
        found = release(run=run, viewer=viewer, now=timezone.now())
        context |= {
            "found": found,
            "counts": release_page(found.summary),
            "not_judged": not_judged_text(found.not_judged),
            "unjudged_critical": found.not_judged["critical_cases"],
            "critical": critical_rows(found.critical),
        }
    return render(request, "calibration/release.html", context, status=status)
