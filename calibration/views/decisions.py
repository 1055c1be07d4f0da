"""One decision: the page, and the same as JSON and JUnit files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.services.held_out import LookNeeded, Viewer
from calibration.domain.waivers import WaiverState
from calibration.presenters.decision_texts import policy_rows, rules_text, time_text
from calibration.presenters.decisions import (
    condition_rows,
    missing_rows,
    result_text,
)
from calibration.presenters.junit import junit_xml
from calibration.presenters.looks import word_text
from calibration.presenters.releases import correction_rows, release_page
from calibration.presenters.unjudged_texts import not_judged_text
from calibration.services.deciding import decision_by_id, disclosed
from calibration.views.common import readers, user_of
from calibration.views.release_looks import look_asked, look_taken

if TYPE_CHECKING:
    from django.http import HttpRequest


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@readers
def detail(request: HttpRequest, decision_id: int) -> HttpResponse:
    """Show a decision with one sentence a condition; a POST takes the look it needs."""
    decision = decision_by_id(decision_id)
    if request.method == "POST":
        return look_taken(
            request,
            lambda viewer, now: disclosed(decision=decision, viewer=viewer, now=now),
        )
    try:
        payload = _payload(request, decision_id)
    except LookNeeded as needed:
        return look_asked(request, f"Decision {decision.pk}", needed.message)
    context = {
        "decision": decision,
        "payload": payload,
        "answer": result_text(payload),
        "conditions": condition_rows(payload),
        "missing": missing_rows(payload),
        "waivers": [
            {
                **one,
                "state": WaiverState(one["state"]).words,
                "expires_at": time_text(one["expires_at"]),
            }
            for one in payload["waivers"]
        ],
        "word": word_text((payload["calibration"] or {}).get("word", "")).lower(),
        "counts": release_page(payload["summary"]),
        "correction": correction_rows(payload["correction"]),
        "policy": policy_rows(decision.policy.document),
        "other_rules": rules_text(payload),
        "not_judged": not_judged_text(payload.get("not_judged")),
    }
    return render(request, "calibration/decision.html", context)


@never_cache
@require_safe
@readers
def as_json(request: HttpRequest, decision_id: int) -> HttpResponse:
    """Download the decision document."""
    payload = _payload(request, decision_id)
    text = json.dumps(payload, ensure_ascii=False, allow_nan=False, indent=1)
    return _file(f"{text}\n", "application/json", f"decision-{decision_id}.json")


@never_cache
@require_safe
@readers
def as_junit(request: HttpRequest, decision_id: int) -> HttpResponse:
    """Download the decision as JUnit XML."""
    text = junit_xml(_payload(request, decision_id))
    return _file(text, "application/xml", f"decision-{decision_id}.xml")


def _payload(request: HttpRequest, decision_id: int) -> dict[str, Any]:
    viewer = Viewer(user=user_of(request), door="page", asked=False)
    decision = decision_by_id(decision_id)
    return disclosed(decision=decision, viewer=viewer, now=timezone.now())


def _file(text: str, content_type: str, name: str) -> HttpResponse:
    reply = HttpResponse(text, content_type=f"{content_type}; charset=utf-8")
    reply["Content-Disposition"] = f'attachment; filename="{name}"'
    return reply
