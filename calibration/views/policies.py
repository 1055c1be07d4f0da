"""Release policies: the list, drafts, and freezing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from calibration.forms.releases import DocumentForm, PolicyForm
from calibration.models import Policy
from calibration.presenters.decision_texts import policy_rows
from calibration.services.policies import (
    document_from,
    draft_policy,
    edit_policy,
    freeze_policy,
    policy_by_id,
    rule_of,
    warnings_of,
)
from calibration.views.common import leads, readers, user_of
from config.accounts.permissions import has_role
from config.accounts.roles import Role
from config.errors import DomainError, NotAllowed

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

PAGE = 50
EXAMPLE = """{"policyLabel": "illustrative-only",
 "minimumCandidatePreferenceLowerBound": 0.52,
 "maximumSwapFlipRate": 0.05,
 "maximumInvalidJudgeRate": 0.01,
 "minimumHeldOutAgreement": 0.75,
 "maximumFalseCandidateWinRate": 0.1,
 "criticalSliceRule": "no-new-critical-regressions",
 "wideIntervalDisposition": "human-review"}
"""


@require_http_methods(["GET", "HEAD", "POST"])
@readers
def index(request: HttpRequest) -> HttpResponse:
    """List policies; leads write drafts here."""
    form = PolicyForm(request.POST or None, initial={"document": EXAMPLE})
    if request.method == "POST":
        _refuse_readers(request)
        if form.is_valid() and (made := _drafted(request, form)):
            return redirect("calibration:policy", policy_id=made.pk)
    page = Paginator(Policy.objects.for_pages(), PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "form": form}
    status = 400 if form.errors else 200
    return render(request, "calibration/policies.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@readers
def detail(request: HttpRequest, policy_id: int) -> HttpResponse:
    """Show a policy in words; a draft can be edited."""
    policy = policy_by_id(policy_id)
    form = DocumentForm(request.POST or None, initial={"document": _text(policy)})
    if request.method == "POST":
        _refuse_readers(request)
        if form.is_valid() and _edited(request, policy, form):
            messages.success(request, "The draft is saved.")
            return redirect("calibration:policy", policy_id=policy.pk)
    context = {
        "policy": policy,
        "form": form,
        "rows": policy_rows(policy.document),
        "warnings": warnings_of(rule_of(policy).document),
        "decisions": policy.decisions.for_pages(),
        "text": _text(policy),
    }
    status = 400 if form.errors else 200
    return render(request, "calibration/policy.html", context, status=status)


@require_POST
@leads
def freeze(request: HttpRequest, policy_id: int) -> HttpResponse:
    """Freeze a draft."""
    policy = policy_by_id(policy_id)
    try:
        made = freeze_policy(policy=policy, by=user_of(request), now=timezone.now())
    except DomainError as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, f"{made} is frozen: it decides runs that begin now.")
    return redirect("calibration:policy", policy_id=policy_id)


def _refuse_readers(request: HttpRequest) -> None:
    if not has_role(user_of(request), Role.LEAD):
        raise NotAllowed("role_needed", "Only leads write policies.")


def _drafted(request: HttpRequest, form: PolicyForm) -> Policy | None:
    said = form.cleaned_data
    try:
        return draft_policy(
            name=said["name"],
            document=document_from(said["document"]),
            by=user_of(request),
            now=timezone.now(),
        )
    except DomainError as refused:
        form.add_error(None, refused.message)
        return None


def _edited(request: HttpRequest, policy: Policy, form: DocumentForm) -> bool:
    try:
        edit_policy(
            policy=policy,
            document=document_from(form.cleaned_data["document"]),
            by=user_of(request),
            now=timezone.now(),
        )
    except DomainError as refused:
        form.add_error(None, refused.message)
        return False
    return True


def _text(policy: Policy) -> Any:
    return json.dumps(policy.document, ensure_ascii=False, indent=1)
