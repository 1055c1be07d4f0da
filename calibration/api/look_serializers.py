"""The shapes of the API of looks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.models import LookMode
from annotation.services.look_plans import LONGEST_REASON, MOST_LOOKS
from calibration.domain.gates import RATES
from config.api import Strict

if TYPE_CHECKING:
    from calibration.models import Look

MODES = LookMode.values
WORDS = ["passed", "not_passed"]


class PlanSerializer(Strict):
    """How held-out results may be looked at."""

    mode = serializers.ChoiceField(MODES)
    budget = serializers.IntegerField(min_value=1, max_value=MOST_LOOKS)
    limits = serializers.DictField(
        child=serializers.FloatField(),
        default=dict,
        help_text=f"Shares by name, of a sealed set: {', '.join(RATES)}.",
    )


class UnsealSerializer(Strict):
    """Why a seal is broken."""

    reason = serializers.CharField(max_length=LONGEST_REASON)


class SealedLookSerializer(serializers.Serializer[object]):
    """All that a look at a sealed set says."""

    word = serializers.ChoiceField(WORDS)
    n = serializers.IntegerField(help_text="Looks used so far.")
    budget = serializers.IntegerField()


class LookSerializer(serializers.Serializer[Any]):
    """One look."""

    number = serializers.IntegerField()
    gold_set = serializers.CharField(source="gold_set.name")
    report = serializers.IntegerField(source="report_id", allow_null=True)
    what = serializers.CharField(help_text="What was seen, where it is no report.")
    judge_digest = serializers.CharField(source="config_digest")
    who = serializers.SerializerMethodField()
    at = serializers.DateTimeField(source="looked_at")
    door = serializers.CharField()
    reason = serializers.CharField()
    word = serializers.CharField(help_text="What a look at a sealed set said.")

    @extend_schema_field(OpenApiTypes.STR)
    def get_who(self, look: Look) -> str:
        """The user, or whoever ran the command."""
        return look.looked_by.get_username() if look.looked_by else look.actor


class LookLogSerializer(serializers.Serializer[Any]):
    """The plan in force and every look."""

    mode = serializers.ChoiceField(MODES, source="terms.mode.value")
    sealed = serializers.BooleanField(source="terms.sealed")
    unsealed_at = serializers.DateTimeField(
        source="terms.unsealing.unsealed_at", default=None, allow_null=True
    )
    limits = serializers.DictField(
        child=serializers.FloatField(), source="terms.limits"
    )
    used = serializers.IntegerField()
    budget = serializers.IntegerField()
    open_before = serializers.IntegerField(
        help_text=(
            "Held-out pairs whose texts were judged where nothing holds them out, or "
            "before they were: no plan makes these fresh material."
        )
    )
    nothing_sealed = serializers.CharField(
        help_text=(
            "Why a seal on a set that holds nothing out is of no use, and the way out; "
            "else empty."
        )
    )
    looks = LookSerializer(many=True)
