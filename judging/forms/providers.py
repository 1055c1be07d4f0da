"""What the pages ask about a provider and a price. A secret has no field."""

from __future__ import annotations

from decimal import Decimal

from django import forms

from judging.domain.costs import Price
from judging.forms.fields import TextMapField
from judging.models import Provider
from judging.services.providers import ProviderOptions

VARIABLE_HELP = "The NAME of an environment variable. The key itself is never entered."


class ProviderForm(forms.Form):
    """Where judges are asked. Only names of environment variables, never secrets."""

    base_url = forms.CharField(
        max_length=400,
        label="Base URL",
        widget=forms.URLInput,
        help_text="Up to and with /v1, as https://api.example.com/v1",
    )
    api_key_env = forms.CharField(
        max_length=80,
        required=False,
        label="API key variable",
        help_text=f"{VARIABLE_HELP} Empty: no key is sent.",
    )
    secret_headers = TextMapField(
        label="Secret headers",
        help_text='{"api-key": "AZURE_KEY"}: header, and NAME of the variable.',
    )
    headers = TextMapField(label="Headers", help_text="Sent as they are; no secrets.")
    query = TextMapField(
        label="Query parameters", help_text='{"api-version": "2024-10-21"}'
    )
    call_seconds = forms.FloatField(
        min_value=1,
        max_value=3600,
        initial=120,
        label="Seconds for one call",
        help_text="A call that takes longer is given up and repeated.",
    )
    use_env_proxy = forms.BooleanField(
        required=False, label="Use the proxy settings of the environment"
    )
    simulated = forms.BooleanField(
        required=False, label="Simulated: its answers say nothing about a real model"
    )

    def options(self) -> ProviderOptions:
        """The settings as the services take them."""
        given = self.cleaned_data
        return ProviderOptions(
            api_key_env=given["api_key_env"],
            headers=given["headers"] or {},
            secret_headers=given["secret_headers"] or {},
            query=given["query"] or {},
            use_env_proxy=given["use_env_proxy"],
            call_seconds=given["call_seconds"],
            simulated=given["simulated"],
        )


class NewProviderForm(ProviderForm):
    """A provider that there is not yet."""

    alias = forms.SlugField(max_length=80, help_text="Part of a judge's digest.")
    field_order = ("alias",)

    def clean_alias(self) -> str:
        """Refuse an alias that is taken: adding must not change what is there."""
        alias: str = self.cleaned_data["alias"]
        if Provider.objects.filter(alias=alias).exists():
            raise forms.ValidationError("There is a provider of this alias already.")
        return alias


class PriceForm(forms.Form):
    """A price from a day on, per million tokens."""

    model = forms.CharField(max_length=200)
    valid_from = forms.DateField(
        label="From", widget=forms.DateInput(attrs={"type": "date"})
    )
    prompt = forms.DecimalField(
        min_value=Decimal(0), max_digits=14, decimal_places=6, label="Input"
    )
    cached = forms.DecimalField(
        min_value=Decimal(0),
        max_digits=14,
        decimal_places=6,
        required=False,
        label="Cached input",
    )
    completion = forms.DecimalField(
        min_value=Decimal(0), max_digits=14, decimal_places=6, label="Output"
    )
    batch_share = forms.DecimalField(
        min_value=Decimal(0),
        max_value=Decimal(1),
        max_digits=5,
        decimal_places=4,
        required=False,
        initial=Decimal("0.5"),
        label="In batches, as a share",
        help_text="0.5 is half of these prices; empty: unknown.",
    )
    currency = forms.RegexField(r"^[A-Za-z]{3}$", max_length=3, initial="USD")

    def price(self, alias: str) -> Price:
        """The price as the services take it."""
        given = self.cleaned_data
        return Price(
            provider=alias,
            model=given["model"],
            valid_from=given["valid_from"],
            prompt=given["prompt"],
            completion=given["completion"],
            cached=given["cached"],
            batch_share=given["batch_share"],
            currency=given["currency"].upper(),
        )


def initial_of(provider: Provider) -> dict[str, object]:
    """Give the form's values for a provider."""
    names = ProviderForm.base_fields
    return {name: getattr(provider, name) or None for name in names}
