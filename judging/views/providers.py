"""Where judges are asked, and what that costs. No secret is shown or taken here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from config.errors import DomainError, NotAllowed
from judging.forms.fields import sent
from judging.forms.providers import (
    NewProviderForm,
    PriceForm,
    ProviderForm,
    initial_of,
)
from judging.models import Provider
from judging.presenters.providers import price_rows, provider_by_alias
from judging.services.pricing import add_price as enter_price
from judging.services.providers import save_provider
from judging.views.common import is_lead, leads, pages, readers, user_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@pages
@readers
def index(request: HttpRequest) -> HttpResponse:
    """List providers and prices; a POST adds a provider."""
    form = NewProviderForm()
    if request.method == "POST":
        if not is_lead(request):
            raise NotAllowed("lead_only", "Only a lead may do this.")
        form = NewProviderForm(request.POST)
        if form.is_valid() and _saved(request, form, form.cleaned_data["alias"]):
            return redirect("judging:providers")
    context = {
        "providers": Provider.objects.order_by("alias"),
        "prices": price_rows(),
        "form": form,
        "may_write": is_lead(request),
    }
    status = 400 if form.errors else 200
    return render(request, "judging/providers.html", context, status=status)


@pages
@leads
def edit(request: HttpRequest, alias: str) -> HttpResponse:
    """Change how a provider is reached, and offer to enter a price."""
    provider = provider_by_alias(alias)
    form = ProviderForm(initial=initial_of(provider))
    if request.method == "POST":
        form = ProviderForm(request.POST)
        if form.is_valid() and _saved(request, form, alias):
            return redirect("judging:providers")
    context = {
        "provider": provider,
        "form": form,
        "frozen": provider.configs.frozen().count(),
        "price_form": PriceForm(initial={"valid_from": timezone.now().date()}),
    }
    status = 400 if form.errors else 200
    return render(request, "judging/provider.html", context, status=status)


def _saved(request: HttpRequest, form: ProviderForm, alias: str) -> bool:
    """Save the provider of a form; a refusal is put into the form."""
    url = form.cleaned_data["base_url"]
    try:
        save_provider(
            alias=alias, base_url=url, options=form.options(), now=timezone.now()
        )
    except DomainError as error:
        form.add_error(None, error.message)
        return False
    messages.success(request, f"Provider {alias} is saved.")
    return True


@require_POST
@leads
def add_price(request: HttpRequest, alias: str) -> HttpResponse:
    """Enter a price from a day on."""
    form = PriceForm(request.POST)
    sent(form, "price_invalid")
    price = enter_price(
        price=form.price(provider_by_alias(alias).alias),
        by=user_of(request),
        now=timezone.now(),
    )
    messages.success(request, f"The price of {price.model} is entered.")
    return redirect("judging:providers")
