"""For leads: a gold set's options, and the versions of its guideline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.domain.answers import lines_of, options_from
from annotation.presenters.guidelines import versions_of
from annotation.services.gold_sets import add_guideline, gold_set_named
from annotation.services.set_options import options_of, set_options
from annotation.services.told_names import names_in_guideline, names_in_settings
from annotation.views.gold_common import is_lead, readers, refuse_readers, user_of
from annotation.views.set_forms import GuidelineForm, SetOptionsForm
from config.errors import DomainError

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from annotation.models import GoldSet


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@readers
def options(request: HttpRequest, name: str) -> HttpResponse:
    """Show a set's options; leads change them."""
    gold_set = gold_set_named(name)
    form = SetOptionsForm(options_of(gold_set), request.POST or None)
    if request.method == "POST":
        refuse_readers(request)
        if form.is_valid() and _stored(form, gold_set):
            messages.success(request, "The settings are stored.")
            return redirect("annotation:set-options", name=name)
    context = {
        "gold_set": gold_set, "form": form, "may_write": is_lead(request),
        "names_told": names_in_settings(gold_set),
    }  # fmt: skip
    status = 400 if form.errors else 200
    return render(request, "annotation/set_options.html", context, status=status)


def _stored(form: SetOptionsForm, gold_set: GoldSet) -> bool:
    try:
        set_options(gold_set=gold_set, options=form.options())
    except DomainError as refusal:
        form.add_error(None, refusal.message)
        return False
    return True


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@readers
def guideline(request: HttpRequest, name: str) -> HttpResponse:
    """Show the versions of a guideline and what changed; leads add one."""
    gold_set = gold_set_named(name)
    versions = versions_of(list(gold_set.guidelines.order_by("version")))
    form = _guideline_form(request, gold_set)
    if request.method == "POST":
        refuse_readers(request)
        if form.is_valid() and _added(request, form, gold_set):
            return redirect("annotation:guideline", name=name)
    context = {
        "gold_set": gold_set, "versions": versions, "form": form,
        "may_write": is_lead(request), "names_told": names_in_guideline(gold_set),
    }  # fmt: skip
    status = 400 if form.errors else 200
    return render(request, "annotation/guideline.html", context, status=status)


def _guideline_form(request: HttpRequest, gold_set: GoldSet) -> GuidelineForm:
    current = gold_set.guidelines.order_by("version").last()
    initial = {}
    if current is not None:
        criteria = lines_of(options_from(current.criteria))
        initial = {"text": current.text, "criteria": criteria}
    return GuidelineForm(request.POST or None, initial=initial, label_suffix="")


def _added(request: HttpRequest, form: GuidelineForm, gold_set: GoldSet) -> bool:
    try:
        added = add_guideline(
            gold_set=gold_set,
            text=form.guideline_text(),
            criteria=form.cleaned_data["criteria"],
            by=user_of(request),
            now=timezone.now(),
        )
    except DomainError as refusal:
        form.add_error(None, refusal.message)
        return False
    messages.success(
        request,
        f"Version {added.version} is in force. Reviewers are shown what changed before "
        "their next pair.",
    )
    return True
