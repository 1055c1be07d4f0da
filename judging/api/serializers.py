"""What the judge API takes and gives."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from rest_framework import serializers

from config.api import Strict
from config.errors import InvalidInput
from judging.domain.costs import Price
from judging.domain.digests import SpecError
from judging.domain.kinds import asked_from_json
from judging.models import JudgeConfig
from judging.services.providers import ProviderOptions

if TYPE_CHECKING:
    from judging.domain.kinds import AskedSpec


class SpecSerializer(Strict):
    """A judge's whole specification, as `/judges/template/` shows it."""

    spec = serializers.DictField(
        help_text="Schema evenhand.judge/1 or evenhand.pointwise/1."
    )

    def judge(self) -> AskedSpec:
        """The specification, checked; raises ``InvalidInput`` naming the field."""
        try:
            return asked_from_json(self.validated_data["spec"])
        except SpecError as error:
            detail = {"field": error.field}
            raise InvalidInput("spec_invalid", str(error), detail) from error


class NewJudgeSerializer(SpecSerializer):
    """A draft: the next version of the line of that name."""

    name = serializers.SlugField(max_length=80)


class CopySerializer(Strict):
    """Where a copy goes; without a name it is the line's own next version."""

    name = serializers.SlugField(max_length=80, required=False, allow_null=True)


class RetireSerializer(Strict):
    """Why a version is taken out of use."""

    reason = serializers.CharField(
        max_length=500, default="", allow_blank=True, help_text="May be empty."
    )


class JudgeRowSerializer(serializers.Serializer[JudgeConfig]):
    """One version of a judge in a list."""

    name = serializers.CharField()
    version = serializers.IntegerField()
    kind = serializers.CharField()
    state = serializers.CharField(help_text="draft, frozen or retired")
    digest = serializers.CharField(help_text="Empty for a draft.")
    provider = serializers.CharField(allow_null=True)
    verdict_format = serializers.CharField()
    recorded = serializers.BooleanField()
    simulated = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    frozen_at = serializers.DateTimeField(allow_null=True)


class JudgeSerializer(JudgeRowSerializer):
    """One version of a judge in full."""

    spec = serializers.DictField()


class LintFindingSerializer(serializers.Serializer[object]):
    """One thing that the lint found."""

    code = serializers.CharField()
    field = serializers.CharField()
    message = serializers.CharField()
    severity = serializers.ChoiceField(["error", "warning"])


class LintSerializer(serializers.Serializer[object]):
    """What the lint says, and whether the draft may be frozen."""

    may_freeze = serializers.BooleanField()
    findings = LintFindingSerializer(many=True)


class ProviderChangeSerializer(Strict):
    """Where judges are asked; secrets are names of environment variables."""

    base_url = serializers.CharField(max_length=400)
    api_key_env = serializers.CharField(max_length=80, allow_blank=True, default="")
    headers = serializers.DictField(child=serializers.CharField(), default=dict)
    secret_headers = serializers.DictField(
        child=serializers.CharField(),
        default=dict,
        help_text="Header: NAME of an environment variable.",
    )
    query = serializers.DictField(child=serializers.CharField(), default=dict)
    call_seconds = serializers.FloatField(min_value=1, max_value=3600, default=120.0)
    use_env_proxy = serializers.BooleanField(default=False)
    simulated = serializers.BooleanField(default=False)

    def options(self) -> ProviderOptions:
        """The settings as the services take them."""
        said = dict(self.validated_data)
        return ProviderOptions(
            **{each.name: said[each.name] for each in fields(ProviderOptions)}
        )


class ProviderSerializer(ProviderChangeSerializer):
    """A provider under its alias."""

    alias = serializers.SlugField(max_length=80)


class NewPriceSerializer(Strict):
    """A price from a day on, per million tokens."""

    model = serializers.CharField(max_length=200)
    valid_from = serializers.DateField()
    prompt = serializers.DecimalField(max_digits=14, decimal_places=6, min_value=0)
    completion = serializers.DecimalField(max_digits=14, decimal_places=6, min_value=0)
    cached = serializers.DecimalField(
        max_digits=14, decimal_places=6, min_value=0, default=None, allow_null=True
    )
    batch_share = serializers.DecimalField(
        max_digits=5,
        decimal_places=4,
        min_value=0,
        max_value=1,
        default=None,
        allow_null=True,
        help_text="What part of these a call in a batch costs; null: unknown.",
    )
    currency = serializers.RegexField(r"^[A-Za-z]{3}$", default="USD")

    def price(self, alias: str) -> Price:
        """The price as the services take it."""
        said = dict(self.validated_data)
        said["currency"] = said["currency"].upper()
        return Price(provider=alias, **said)


class PriceSerializer(NewPriceSerializer):
    """A price as it was entered."""

    provider = serializers.CharField(source="provider.alias")
    created_at = serializers.DateTimeField()


class DiffLineSerializer(serializers.Serializer[object]):
    """One line of a text difference."""

    change = serializers.ChoiceField(["same", "added", "removed"])
    text = serializers.CharField()


class DifferenceSerializer(serializers.Serializer[object]):
    """A part in which two judges differ; `lines` for texts of several lines."""

    field = serializers.CharField()
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)
    lines = DiffLineSerializer(many=True)
