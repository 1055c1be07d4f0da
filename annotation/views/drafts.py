"""Drafts: kept as they are written, and with them the reservation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from annotation.forms import DraftForm
from annotation.services.drafting import save_draft
from annotation.views.screens import user_of
from config.accounts.permissions import role_required
from config.accounts.roles import LABELLERS

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@never_cache
@require_POST
@role_required(*LABELLERS)
def keep(request: HttpRequest) -> HttpResponse:
    """Store what was chosen and typed so far; say where the reservation stands."""
    form = DraftForm(request.POST)
    form.refuse_bad()
    kept = save_draft(
        token=form.token_text(),
        reviewer=user_of(request),
        content=form.content(),
        active_seconds=form.active_seconds(),
        now=timezone.now(),
    )
    return JsonResponse(
        {
            "saved_at": kept.saved_at,
            "reservation": kept.reservation.value,
            "until": kept.until,
        }
    )
