"""Pages for auditors: bundles to take away, and the log of what was done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.paginator import Paginator
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from annotation.services.disclosure import WouldDisclose, rounds_agreed
from annotation.services.gold_sets import gold_set_named
from annotation.services.held_out import LooksSpent, Viewer
from calibration.forms.audits import BUNDLE, DEV, ActivityForm, AuditForm
from calibration.models import AuditExport
from calibration.presenters.activity import activity, lines
from calibration.presenters.downloads import streamed
from calibration.services.audits.exporting import export_audit, notes_document
from calibration.views.common import readers, user_of
from config.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase

    from annotation.models import Round
    from calibration.services.exports import Download

PAGE = 50
MANIFEST_HEADER = "X-Evenhand-Manifest"


# Downloads are POST: a link that is followed by itself must not spend a look.
@never_cache
@require_http_methods(["GET", "POST"])
@readers
def bundles(request: HttpRequest) -> HttpResponseBase:
    """Show what was taken so far and the form for more, or hand a bundle out.

    Where that shows labels of rounds for the first time, it asks before it does.
    """
    initial = {"gold_set": request.GET.get("gold_set", "")}
    posted = request.POST if request.method == "POST" else None
    form = AuditForm(posted, initial=initial)
    asked: tuple[Round, ...] = ()
    if form.is_valid():
        try:
            return _handed_out(request, form)
        except LooksSpent as spent:
            form.add_error("reason", spent.message)
        except WouldDisclose as asking:
            asked = asking.rounds
        except (InvalidInput, NotFound) as refused:
            form.add_error(None, refused.message)
    exports = AuditExport.objects.select_related("exported_by")
    page = Paginator(exports, PAGE).get_page(request.GET.get("page"))
    agreed = rounds_agreed(request.POST.getlist("disclose"))
    context = {
        "form": form, "page": page, "query": "", "asked": asked, "agreed": agreed,
    }  # fmt: skip
    return render(request, "calibration/audit.html", context)


def _handed_out(request: HttpRequest, form: AuditForm) -> HttpResponseBase:
    said = form.cleaned_data
    viewer = Viewer(user=user_of(request), door="page", reason=said["reason"])
    now, disclosing = timezone.now(), rounds_agreed(request.POST.getlist("disclose"))
    if said["what"] not in (BUNDLE, DEV):
        gold_set = gold_set_named(said["gold_set"])
        notes: Download = notes_document(
            gold_set=gold_set,
            form=said["what"],
            viewer=viewer,
            now=now,
            disclosing=disclosing,
        )
        return streamed(notes)
    bundle = export_audit(
        wanted=form.wanted(), viewer=viewer, now=now, disclosing=disclosing
    )
    reply = streamed(bundle.download())
    reply[MANIFEST_HEADER] = bundle.export.manifest_digest
    return reply


@require_GET
@readers
def log(request: HttpRequest) -> HttpResponse:
    """Show who did what, newest first."""
    form = ActivityForm(request.GET)
    form.is_valid()
    page = Paginator(activity(form.wanted()), PAGE).get_page(request.GET.get("page"))
    query = request.GET.copy()
    query.pop("page", None)
    context = {
        "form": form,
        "page": page,
        "lines": lines(page),
        "query": query.urlencode(),
    }
    return render(request, "calibration/activity.html", context)
