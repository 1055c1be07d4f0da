"""Importing verdicts from the browser: send files, look, confirm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.services import uploads
from config.errors import DomainError, InvalidInput, NotFound
from judging.forms.verdict_files import VerdictsForm
from judging.services.verdict_files import (
    VerdictsPlan,
    commit_verdicts,
    look_at_verdicts,
)
from judging.views.common import leads, pages, user_of

if TYPE_CHECKING:
    import uuid

    from django.http import HttpRequest, HttpResponse

    from annotation.models import Upload


@never_cache
@pages
@leads
def start(request: HttpRequest) -> HttpResponse:
    """Ask for files, and keep them for the look."""
    if request.method == "POST":
        form = VerdictsForm(request.POST, request.FILES)
        if form.is_valid() and (upload := _kept(request, form)) is not None:
            return redirect("judging:verdicts-preview", token=upload.token)
    else:
        asked = {k: request.GET[k] for k in ("judge", "gold_set") if k in request.GET}
        form = VerdictsForm(initial=asked)
    status = 400 if form.errors else 200
    return render(request, "judging/verdicts_form.html", {"form": form}, status=status)


def _kept(request: HttpRequest, form: VerdictsForm) -> Upload | None:
    """Store what was sent, unless it can't be; then the form says why."""
    plan = form.plan()
    try:
        plan.files.intake(())  # what was typed about the files must be readable
        return uploads.keep_upload(
            files=[(file.name, file.chunks()) for file in form.cleaned_data["sent"]],
            plan=plan.stored(),
            owner=user_of(request),
            now=timezone.now(),
        )
    except InvalidInput as refusal:
        form.add_error(None, refusal.message)
        return None


def _upload(request: HttpRequest, token: uuid.UUID) -> tuple[Upload, VerdictsPlan]:
    """The lead's own upload; one of another kind is not there."""
    now = timezone.now()
    upload = uploads.upload_for(token=token, owner=user_of(request), now=now)
    if "recorded" not in upload.plan:
        raise NotFound("upload_unknown", "This upload holds no verdicts.")
    return upload, VerdictsPlan.restored(upload.plan)


@never_cache
@require_safe
@leads
def show(request: HttpRequest, token: uuid.UUID) -> HttpResponse:
    """Show what the import would come to, and all that is wrong with it."""
    upload, plan = _upload(request, token)
    found, refusal = None, ""
    try:
        found = look_at_verdicts(
            plan=plan, sources=uploads.sources_of(upload), now=timezone.now()
        )
    except DomainError as error:
        refusal = error.message
    context = {"upload": upload, "plan": plan, "look": found, "refusal": refusal}
    return render(request, "judging/verdicts_preview.html", context)


@require_POST
@leads
def confirm(request: HttpRequest, token: uuid.UUID) -> HttpResponse:
    """Import what was shown, and forget the files."""
    upload, plan = _upload(request, token)
    try:
        done = commit_verdicts(
            plan=plan,
            sources=uploads.sources_of(upload),
            by=user_of(request),
            now=timezone.now(),
        )
    except DomainError:
        # The look says the same in full, against what the set holds now.
        messages.error(request, "Nothing was imported; see below why.")
        return redirect("judging:verdicts-preview", token=upload.token)
    uploads.forget(upload)
    how = "were there already" if done.known else "are imported"
    messages.success(request, f"{done.calls} replies {how} as run {done.run.pk}.")
    return redirect("calibration:run", run_id=done.run.pk)


@require_POST
@leads
def discard(request: HttpRequest, token: uuid.UUID) -> HttpResponse:
    """Forget the files."""
    upload, _ = _upload(request, token)
    uploads.forget(upload)
    messages.info(request, "The upload was thrown away. Nothing was imported.")
    return redirect("judging:import-verdicts")
