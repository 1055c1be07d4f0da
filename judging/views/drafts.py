"""Making judges: drafts, their live preview, and freezing them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from annotation.models import ExposureKind
from config.errors import Conflict, DomainError, InvalidInput
from judging.domain.pointwise import PointwiseSpec
from judging.forms.choices import PairForm
from judging.forms.kinds import filled_form, sent_form
from judging.forms.pointwise import PointwiseForm
from judging.models import Provider
from judging.presenters.judges import judge_version, readable_asked_spec
from judging.presenters.pairs import sets_with_dev
from judging.presenters.previews import chosen_pair, preview_of
from judging.services import editing
from judging.services.configuring import draft_judge, freeze_judge, refuse_twin
from judging.services.drafting import default_pointwise_spec, default_spec
from judging.services.editing import copy_to_draft, edit_draft
from judging.views.common import leads, note_seen, pages, user_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from judging.domain.kinds import AskedSpec
    from judging.forms.kinds import DraftForm
    from judging.models import JudgeConfig

LONGEST_REASON = 500
MODEL_LATER = "model"


def _to(config: JudgeConfig) -> HttpResponse:
    return redirect("judging:judge", name=config.name, version=config.version)


@pages
@leads
def new(request: HttpRequest, *, pointwise: bool = False) -> HttpResponse:
    """Draft a judge; a POST stores it."""
    if request.method != "POST":
        return _form(request, filled_form(_usual(pointwise=pointwise), named=True))
    form = sent_form(request.POST, pointwise=pointwise, named=True)
    if form.is_valid():
        try:
            config = draft_judge(
                name=form.cleaned_data["name"],
                spec=form.spec(),
                by=user_of(request),
                now=timezone.now(),
            )
        except DomainError as error:
            form.add_error(None, error.message)
        else:
            messages.success(request, f"{config} is a draft.")
            return _to(config)
    return _form(request, form)


def _usual(*, pointwise: bool) -> AskedSpec:
    """What a new draft starts from, at the first provider that there is."""
    first = Provider.objects.order_by("alias").first()
    alias, base_url = (first.alias, first.base_url) if first else ("", "")
    if pointwise:
        return default_pointwise_spec(provider=alias, base_url=base_url, model="")
    return default_spec(provider=alias, base_url=base_url, model="")


def _form(
    request: HttpRequest, form: DraftForm, config: JudgeConfig | None = None
) -> HttpResponse:
    context = {
        "form": form,
        "config": config,
        "pointwise": isinstance(form, PointwiseForm),
        "pair_form": PairForm(sets_with_dev(), prefix="pair"),
        "has_provider": Provider.objects.exists(),
    }
    status = 400 if form.is_bound else 200
    return render(request, "judging/judge_form.html", context, status=status)


@pages
@leads
def edit(request: HttpRequest, name: str, version: int) -> HttpResponse:
    """Change a draft; a POST stores it."""
    config = judge_version(name, version)
    spec = readable_asked_spec(config)
    if config.frozen_at is not None or spec is None:
        raise Conflict("judge_frozen", f"{config} can't be edited: copy it instead.")
    if request.method != "POST":
        return _form(request, filled_form(spec), config)
    form = sent_form(request.POST, pointwise=isinstance(spec, PointwiseSpec))
    if form.is_valid():
        try:
            edit_draft(
                config=config,
                spec=form.spec(),
                by=user_of(request),
                now=timezone.now(),
            )
        except DomainError as error:
            form.add_error(None, error.message)
        else:
            messages.success(request, f"{config} is saved.")
            return _to(config)
    return _form(request, form, config)


@never_cache
@require_POST
@leads
def preview(request: HttpRequest) -> HttpResponse:
    """Render and lint what is in the form, stored or not."""
    data = request.POST.copy()
    # The prompt can be shown before a model is chosen; saving asks for one.
    data["model"] = data.get("model", "").strip() or MODEL_LATER
    form = sent_form(data, pointwise="scale_kind" in data)
    if not form.is_valid():
        return render(request, "judging/_preview.html", {"form": form})
    try:
        choice = PairForm(sets_with_dev(), request.POST, prefix="pair")
        chosen = chosen_pair(*choice.chosen())
    except InvalidInput as error:
        return render(request, "errors/_domain.html", {"error": error})
    if chosen is not None:
        seen = [ExposureKind.SYSTEMS]
        note_seen(request, [chosen.pair.pk], now=timezone.now(), kinds=seen)
    spec = form.spec()
    if not request.POST.get("model", "").strip():
        spec = replace(spec, model="")  # so that the lint says that it is missing
    context = {"preview": preview_of(spec, chosen)}
    return render(request, "judging/_preview.html", context)


@require_POST
@leads
def freeze(request: HttpRequest, name: str, version: int) -> HttpResponse:
    """Freeze a draft whose lint passes."""
    draft = judge_version(name, version)
    refuse_twin(draft)
    config = freeze_judge(config=draft, by=user_of(request), now=timezone.now())
    messages.success(request, f"{config} is frozen: {config.digest}")
    return _to(config)


@require_POST
@leads
def copy(request: HttpRequest, name: str, version: int) -> HttpResponse:
    """Make the next version of the line, as a draft like this one."""
    draft = copy_to_draft(
        config=judge_version(name, version), by=user_of(request), now=timezone.now()
    )
    messages.success(request, f"{draft} is a draft like v{version}.")
    return redirect("judging:edit-judge", name=draft.name, version=draft.version)


@require_POST
@leads
def retire(request: HttpRequest, name: str, version: int) -> HttpResponse:
    """Take a version out of use."""
    config = judge_version(name, version)
    editing.retire(
        config=config,
        by=user_of(request),
        now=timezone.now(),
        reason=request.POST.get("reason", "").strip()[:LONGEST_REASON],
    )
    messages.success(request, f"{config} is retired.")
    return _to(config)
