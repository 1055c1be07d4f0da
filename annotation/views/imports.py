"""Importing from the browser: send files, look at what would come of them, confirm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.domain.readers.registry import READERS
from annotation.services import uploads
from annotation.services.previewing import ImportPlan, commit, preview
from annotation.views.import_forms import ImportForm
from config.accounts.models import User
from config.accounts.permissions import role_required
from config.accounts.roles import Role
from config.errors import DomainError, InvalidInput

if TYPE_CHECKING:
    import uuid

    from django.http import HttpRequest, HttpResponse

    from annotation.models import Upload

leads = role_required(Role.LEAD)


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # noqa: S101 - the decorator let only users in
    return request.user


def _upload(request: HttpRequest, token: uuid.UUID) -> Upload:
    return uploads.upload_for(token=token, owner=_user(request), now=timezone.now())


@never_cache
@require_http_methods(["GET", "POST"])
@leads
def start(request: HttpRequest) -> HttpResponse:
    """Ask for files, and keep them for the preview."""
    if request.method == "POST":
        form = ImportForm(request.POST, request.FILES)
        if form.is_valid() and (upload := _kept(request, form)) is not None:
            return redirect("annotation:import-preview", token=upload.token)
    else:
        form = ImportForm(initial={"gold_set": request.GET.get("gold_set", "")})
    context = {"form": form, "readers": list(READERS.values())}
    status = 400 if form.errors else 200
    return render(request, "annotation/import.html", context, status=status)


def _kept(request: HttpRequest, form: ImportForm) -> Upload | None:
    """Store what was sent, unless it can't be; then the form says why."""
    sent = [(file.name, file.chunks()) for file in form.cleaned_data["sent"]]
    plan = form.plan()
    try:
        plan.intake(())  # what was typed about the files must be readable
        return uploads.keep_upload(
            files=sent, plan=plan.stored(), owner=_user(request), now=timezone.now()
        )
    except InvalidInput as refusal:
        form.add_error(None, refusal.message)
        return None


@never_cache
@require_http_methods(["GET"])
@leads
def show(request: HttpRequest, token: uuid.UUID) -> HttpResponse:
    """Show what the import would do, and all that is wrong with it."""
    upload = _upload(request, token)
    plan = ImportPlan.restored(upload.plan)
    found, refusal = None, ""
    try:
        found = preview(plan=plan, sources=uploads.sources_of(upload))
    except DomainError as error:
        refusal = error.message
    context = {"upload": upload, "plan": plan, "preview": found, "refusal": refusal}
    return render(request, "annotation/import_preview.html", context)


@require_POST
@leads
def confirm(request: HttpRequest, token: uuid.UUID) -> HttpResponse:
    """Import what was shown, and forget the files."""
    upload = _upload(request, token)
    plan = ImportPlan.restored(upload.plan)
    try:
        done = commit(
            plan=plan,
            sources=uploads.sources_of(upload),
            by=_user(request),
            now=timezone.now(),
        )
    except DomainError:
        # The preview says the same in full, against what the set holds now.
        messages.error(request, "Nothing was imported; see below why.")
        return redirect("annotation:import-preview", token=upload.token)
    uploads.forget(upload)
    known = f"; {done.known} were there already" if done.known else ""
    what = "cases" if done.pairs or plan.kind.value == "pairs" else "labels"
    messages.success(request, f"Imported {done.added} {what}{known}.")
    return redirect("calibration:gold-set", name=plan.gold_set)


@require_POST
@leads
def discard(request: HttpRequest, token: uuid.UUID) -> HttpResponse:
    """Forget the files."""
    upload = _upload(request, token)
    gold_set = ImportPlan.restored(upload.plan).gold_set
    uploads.forget(upload)
    messages.info(request, "The upload was thrown away. Nothing was imported.")
    address = redirect("annotation:import")
    address["Location"] += f"?gold_set={gold_set}"
    return address
