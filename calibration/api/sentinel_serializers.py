"""Shapes of sentinels: what is sent to define one, and what was measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from calibration.domain.sentinels import MOST_PARTS, AlarmKind, CheckKind
from calibration.domain.standing import Sign, Stands
from calibration.models import NoticeChannel
from calibration.services.sentinels.acknowledging import LONGEST_NOTE
from calibration.services.sentinels.defining import (
    MOST_HOURS,
    MOST_SEED,
    USUAL_INVALID,
    SentinelPlan,
)
from config.api import Strict
from judging.services.starting import MOST_CONCURRENT

if TYPE_CHECKING:
    from calibration.services.sentinels.reading import SeriesView

# Named in the settings, so that the schema has one name for it.
ALARM_KINDS = [kind.value for kind in AlarmKind]


class SentinelPlanSerializer(Strict):
    """A panel to define; shares are texts, such as "0.8"."""

    name = serializers.SlugField(max_length=80)
    gold_set = serializers.SlugField()
    judge = serializers.SlugField()
    pointwise_judge = serializers.SlugField(
        required=False, default="", allow_blank=True
    )
    pairs = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=1, max_value=MOST_SEED
    )
    parts = serializers.IntegerField(
        required=False, default=7, min_value=1, max_value=MOST_PARTS
    )
    period_hours = serializers.IntegerField(
        required=False, default=24, min_value=1, max_value=MOST_HOURS
    )
    seed = serializers.IntegerField(
        required=False, default=1, min_value=0, max_value=MOST_SEED
    )
    least_agreement = serializers.DecimalField(
        required=False,
        allow_null=True,
        default=None,
        max_digits=4,
        decimal_places=3,
        min_value=0,
        max_value=1,
    )
    most_invalid = serializers.DecimalField(
        required=False,
        allow_null=True,
        default=USUAL_INVALID,
        max_digits=4,
        decimal_places=3,
        min_value=0,
        max_value=1,
    )
    production = serializers.SlugField(required=False, default="", allow_blank=True)
    concurrency = serializers.IntegerField(
        required=False, default=8, min_value=1, max_value=MOST_CONCURRENT
    )

    def plan(self) -> SentinelPlan:
        """What was sent."""
        return SentinelPlan(**self.validated_data)


class SentinelSerializer(serializers.Serializer[Any]):
    """A panel as it was defined."""

    name = serializers.CharField()
    gold_set = serializers.CharField(source="gold_version.gold_set.name")
    gold_version = serializers.IntegerField(source="gold_version.number")
    judge = serializers.CharField()
    pointwise_judge = serializers.CharField()
    parts = serializers.IntegerField()
    period_hours = serializers.IntegerField()
    seed = serializers.IntegerField()
    least_agreement = serializers.DecimalField(
        max_digits=4, decimal_places=3, allow_null=True
    )
    most_invalid = serializers.DecimalField(
        max_digits=4, decimal_places=3, allow_null=True
    )
    production = serializers.CharField(
        source="production.name", allow_null=True, default=None
    )
    created_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class NoticeSerializer(serializers.Serializer[Any]):
    """An attempt to send an alarm out."""

    channel = serializers.ChoiceField(choices=NoticeChannel.values)
    attempt = serializers.IntegerField()
    sent = serializers.BooleanField()
    detail = serializers.CharField()
    tried_at = serializers.DateTimeField()


class AcknowledgeSerializer(Strict):
    """What an alarm was, or what is done about it."""

    note = serializers.CharField(max_length=LONGEST_NOTE)


class AcknowledgementSerializer(serializers.Serializer[Any]):
    """Who has taken note of an alarm."""

    by = serializers.CharField(source="author")
    at = serializers.DateTimeField(source="acknowledged_at")
    note = serializers.CharField()


class AlarmSerializer(serializers.Serializer[Any]):
    """An alarm, raised once."""

    id = serializers.IntegerField(source="pk")
    kind = serializers.ChoiceField(choices=ALARM_KINDS)
    series = serializers.IntegerField(source="series_id", allow_null=True)
    detail = serializers.CharField()
    raised_at = serializers.DateTimeField()
    notices = NoticeSerializer(many=True)
    acknowledgement = AcknowledgementSerializer(
        allow_null=True, default=None, help_text="null while nobody has taken note."
    )


class SentinelCheckSerializer(serializers.Serializer[Any]):
    """A run over the panel, or over a part of it."""

    run = serializers.IntegerField(source="run_id")
    kind = serializers.ChoiceField(choices=[kind.value for kind in CheckKind])
    cycle = serializers.IntegerField()
    part = serializers.IntegerField(help_text="0 for all pairs, and for fresh cases.")
    started_at = serializers.DateTimeField()


class PointViewSerializer(serializers.Serializer[Any]):
    """A point: when, and what the check came to (`evenhand.sentinel_point/1`)."""

    started_at = serializers.DateTimeField(source="check.started_at")
    digest = serializers.CharField(source="point.digest")
    result = serializers.SerializerMethodField()

    @extend_schema_field(OpenApiTypes.OBJECT)
    def get_result(self, one: Any) -> dict[str, Any]:
        """The payload without its changes, which stand once in their own list."""
        return {key: v for key, v in one.payload.items() if key != "changed"}


class StandingSerializer(serializers.Serializer[Any]):
    """What the evidence of a series comes to: what the page's headline says."""

    stands = serializers.ChoiceField(choices=[one.value for one in Stands])
    alarm = serializers.ChoiceField(choices=ALARM_KINDS, allow_null=True)
    signs = serializers.ListField(
        child=serializers.ChoiceField(choices=[one.value for one in Sign])
    )
    compared = serializers.IntegerField(help_text="Verdicts or marks, usable twice.")
    changed = serializers.IntegerField()
    left_out = serializers.IntegerField(help_text="Invalid either time.")
    reference = serializers.IntegerField(help_text="0 is the series' first one.")


class SeriesSerializer(serializers.Serializer[Any]):
    """What one instrument measured, oldest first; it is never joined to another."""

    id = serializers.IntegerField(source="series.pk")
    judge = serializers.CharField(source="series.config.name")
    judge_version = serializers.IntegerField(source="series.config.version")
    judge_digest = serializers.CharField(source="series.judge_digest")
    rubric_digest = serializers.CharField(source="series.rubric_digest")
    pointwise = serializers.BooleanField()
    points = PointViewSerializer(many=True)
    changed = serializers.SerializerMethodField()
    open_checks = SentinelCheckSerializer(many=True)
    standing = StandingSerializer()

    @extend_schema_field({"type": "array", "items": {"type": "object"}})
    def get_changed(self, one: SeriesView) -> list[dict[str, Any]]:
        """What changed since the first reference, newest first."""
        return [
            {"started_at": each.seen_at.isoformat(), **each.what}
            for each in one.changed
        ]


class SentinelViewSerializer(serializers.Serializer[Any]):
    """A panel and everything that was measured on it."""

    panel = SentinelSerializer()
    pairs = serializers.IntegerField()
    part_sizes = serializers.ListField(child=serializers.IntegerField())
    next_due = serializers.DateTimeField(allow_null=True)
    late = serializers.BooleanField(help_text="No check has finished in time.")
    alarms = AlarmSerializer(many=True)
    series = SeriesSerializer(many=True)
