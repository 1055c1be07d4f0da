"""The shapes of the calibration API."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.services.seals import any_seal
from calibration.services.overviews import dev_agreement

if TYPE_CHECKING:
    from calibration.models import Report


class EstimateSerializer(serializers.Serializer[object]):
    """A figure: undefined ones hold the reason and null for the rest."""

    value = serializers.FloatField(allow_null=True)
    numerator = serializers.IntegerField(allow_null=True)
    denominator = serializers.IntegerField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    level = serializers.FloatField(allow_null=True)
    method = serializers.CharField(allow_null=True)
    undefined = serializers.CharField(allow_null=True)


class ReportListSerializer(serializers.Serializer[Any]):
    """A report in a list; held-out figures are not among what it says."""

    id = serializers.IntegerField(source="pk")
    gold_set = serializers.CharField(source="gold_version.gold_set.name")
    gold_version = serializers.IntegerField(source="gold_version.number")
    judge = serializers.CharField(source="run.config.name")
    judge_version = serializers.IntegerField(source="run.config.version")
    simulated = serializers.BooleanField(source="run.config.simulated")
    run = serializers.IntegerField(source="run_id")
    digest = serializers.CharField()
    created_at = serializers.DateTimeField()
    dev_agreement = serializers.SerializerMethodField()

    @extend_schema_field(EstimateSerializer(allow_null=True))
    def get_dev_agreement(self, report: Report) -> dict[str, Any] | None:
        """Exact agreement on dev, or null where dev has no scored pair."""
        return dev_agreement(report, sealed=self.anything_sealed)

    @cached_property
    def anything_sealed(self) -> bool:
        """Asked once for all rows of a list."""
        return any_seal()


class SealedWordSerializer(serializers.Serializer[object]):
    """What a look at a sealed set said."""

    number = serializers.IntegerField()
    report = serializers.IntegerField()
    judge_digest = serializers.CharField()
    simulated = serializers.BooleanField(
        help_text="Whether the judge's answers say nothing about a real model."
    )
    word = serializers.ChoiceField(["passed", "not_passed"])
    at = serializers.DateTimeField()


class LooksSerializer(serializers.Serializer[object]):
    """How often held-out results of the set were disclosed."""

    n = serializers.IntegerField(help_text="Different reports shown so far.")
    budget = serializers.IntegerField(help_text="How many were planned.")
    this = serializers.IntegerField(
        allow_null=True, help_text="Which of them this is; null without held-out pairs."
    )
    over_budget = serializers.BooleanField()
    mode = serializers.ChoiceField(["open", "sealed"])
    sealed = serializers.BooleanField(help_text="Held-out results are not shown.")
    retired = serializers.DateTimeField(
        allow_null=True, help_text="When the seal was broken, which uses the split up."
    )
    before_judge = serializers.IntegerField(
        help_text="Results seen before this judge was frozen, which may show in it."
    )
    splits_moved = serializers.IntegerField(
        help_text="Pairs that stand in another split now than in this gold version."
    )
    open_elsewhere = serializers.IntegerField(
        help_text="Held-out pairs whose texts were judged where they are not held out."
    )
    words = SealedWordSerializer(many=True)


@extend_schema_field(OpenApiTypes.OBJECT)
class ObjectField(serializers.DictField):
    """A JSON object whose fields the report schema defines."""


class ReportSerializer(serializers.Serializer[object]):
    """A report in full, schema `evenhand.report/1`, with its looks."""

    schema = serializers.CharField()
    digest = serializers.CharField(help_text="SHA-256 of the stored report.")
    gold = ObjectField(help_text="Gold set, version, digest, rule, corrections.")
    judge = ObjectField(help_text="Judge name, version and digest.")
    run = ObjectField(help_text="Run, calls, served models.")
    splits = ObjectField(help_text="Figures of `dev`, `held_out` and `all`.")
    looks = LooksSerializer()
    disagreements = ObjectField(help_text="Reviewed ones by what they are.")


class FilterSerializer(serializers.Serializer[object]):
    """The query of a list of reports."""

    gold_set = serializers.SlugField(required=False)
    judge = serializers.SlugField(required=False)


class InvalidSerializer(serializers.Serializer[object]):
    """Calls without an outcome, by reason."""

    reason = serializers.CharField()
    calls = serializers.IntegerField()


class ServedSerializer(serializers.Serializer[object]):
    """A model that answered."""

    model = serializers.CharField()
    fingerprint = serializers.CharField()
    calls = serializers.IntegerField()


class RunSerializer(serializers.Serializer[object]):
    """How far a run is; no outcomes."""

    id = serializers.IntegerField()
    gold_set = serializers.CharField()
    judge = serializers.CharField()
    judge_version = serializers.IntegerField()
    judge_digest = serializers.CharField()
    status = serializers.ChoiceField(
        ["pending", "running", "paused", "stopped", "done", "failed"]
    )
    failure = serializers.CharField()
    notices = serializers.ListField(child=serializers.CharField())
    calls = serializers.IntegerField()
    done = serializers.IntegerField(help_text="Calls that were answered, or given up.")
    invalid = InvalidSerializer(many=True)
    served_models = ServedSerializer(many=True)
    reports = serializers.ListField(child=serializers.IntegerField())
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
