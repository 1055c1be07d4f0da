"""For leads and auditors: the rulings of a set, and sending pairs to correction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.core.paginator import Paginator
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.services import corrections
from annotation.services.disclosure import WouldDisclose, rounds_agreed
from annotation.services.gold_sets import gold_set_named
from annotation.services.held_out import LookNeeded, LooksSpent, Viewer
from annotation.services.ruling_chains import chains_shown, ruled_pairs, withheld_note
from annotation.views.adjudication_forms import CorrectionForm
from config.accounts.models import User
from config.accounts.permissions import role_required
from config.accounts.roles import READERS, Role
from config.errors import DomainError

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from annotation.models import GoldSet

PAIRS_A_PAGE = 25


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # noqa: S101 - the decorator let only users in
    return request.user


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@role_required(*READERS)
def index(request: HttpRequest, name: str) -> HttpResponse:
    """The chains of a set, a page of pairs at a time; held-out ones when asked for.

    Where that shows labels of a round for the first time, or takes a look at held-out
    pairs, it asks first: a POST names the rounds that it may disclose, and the reason.
    """
    gold_set = gold_set_named(name)
    held_out = request.GET.get("split") == "held_out"
    pairs = ruled_pairs(gold_set, held_out=held_out)
    page = Paginator(pairs, PAIRS_A_PAGE).get_page(request.GET.get("page"))
    confirmed = rounds_agreed(request.POST.getlist("round"))
    needed, status = "", 200
    reason = request.POST.get("reason", "").strip()
    try:
        chains = chains_shown(
            list(page.object_list),
            reader=_user(request),
            viewer=Viewer(_user(request), "page", reason=reason, asked=bool(reason)),
            now=timezone.now(),
            disclosing=confirmed,
        )
    except LookNeeded as refusal:
        chains, needed = (), refusal.message
        status = 409 if isinstance(refusal, LooksSpent) else 200
    except WouldDisclose as asking:
        ask = {"gold_set": gold_set, "rounds": asking.rounds}
        return render(request, "annotation/adjudications_ask.html", ask)
    if note := withheld_note(gold_set, held_out=held_out):
        messages.info(request, note)
    context = {
        "gold_set": gold_set, "held_out": held_out, "page": page, "chains": chains,
        "needed": needed, "confirmed": sorted(confirmed),
    }  # fmt: skip
    return render(request, "annotation/adjudications.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@role_required(Role.LEAD)
def correct(request: HttpRequest, name: str) -> HttpResponse:
    """Send pairs to be ruled on again, among controls; and what was sent so far."""
    gold_set = gold_set_named(name)
    form = CorrectionForm(request.POST or None, label_suffix="")
    if form.is_valid():
        try:
            sent = _send(form, gold_set, _user(request))
        except DomainError as refusal:
            form.add_error(None, refusal.message)
        else:
            messages.success(request, f"{sent} pairs wait to be ruled on.")
            return redirect("annotation:corrections", name=name)
    context = {
        "gold_set": gold_set, "form": form, "batches": corrections.batches(gold_set),
    }  # fmt: skip
    status = 400 if form.errors else 200
    return render(request, "annotation/adjudicate_again.html", context, status=status)


def _send(form: CorrectionForm, gold_set: GoldSet, by: User) -> int:
    sent = form.cleaned_data
    requests = corrections.request_corrections(
        pairs=corrections.pairs_named(gold_set=gold_set, text=sent["pairs"]),
        controls=corrections.pairs_named(gold_set=gold_set, text=sent["controls"]),
        by=by,
        category=form.reason(),
        note=sent["note"].replace("\r\n", "\n"),
        now=timezone.now(),
    )
    return len(requests)
