"""Shapes of comparisons: of judges on one gold set, and of two reports."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from calibration.api.serializers import EstimateSerializer, ObjectField
from calibration.services.compared_pairs import ComparedPart


class SplitQuerySerializer(serializers.Serializer[Any]):
    """Which pairs."""

    split = serializers.ChoiceField(
        choices=[part.value for part in ComparedPart],
        default=ComparedPart.OPEN.value,
        help_text="`open`: all that are not held out, in dev or in no split.",
    )


class JudgesQuerySerializer(SplitQuerySerializer):
    """Which judges, on which pairs."""

    judge = serializers.ListField(
        child=serializers.SlugField(),
        help_text="Two or more, each once; a panel alone is compared with its members.",
    )


class ReportsQuerySerializer(serializers.Serializer[Any]):
    """Which two reports, by number."""

    before = serializers.IntegerField(min_value=1)
    after = serializers.IntegerField(min_value=1)


class ComparedJudgeSerializer(serializers.Serializer[Any]):
    """One judge on the shared pairs."""

    judge = serializers.CharField()
    exact_agreement = EstimateSerializer()
    false_candidate_wins = EstimateSerializer()
    flip_rate = EstimateSerializer()
    ipi = EstimateSerializer()
    tov = EstimateSerializer()
    modal_share = EstimateSerializer()
    invalid_rate = EstimateSerializer()
    not_separable = serializers.ListField(child=serializers.CharField())


class ComparedTwoSerializer(serializers.Serializer[Any]):
    """Two judges, pair by pair."""

    first = serializers.CharField()
    second = serializers.CharField()
    first_only = serializers.IntegerField(help_text="Pairs that it alone got right.")
    second_only = serializers.IntegerField()
    both_wrong = serializers.IntegerField()
    same_wrong = serializers.IntegerField(help_text="Of these, with the same verdict.")
    difference = EstimateSerializer()
    test = ObjectField(help_text="Exact McNemar, pairs taken as independent.")
    p_value = serializers.FloatField(
        allow_null=True, help_text="Of the same test with regard to clusters."
    )
    adjusted = serializers.FloatField(
        allow_null=True,
        help_text="`p_value` after Holm; null where there was no test.",
    )
    separable = serializers.BooleanField()


class ComparedConfigsSerializer(serializers.Serializer[Any]):
    """In what the specifications of two judges differ."""

    first = serializers.CharField()
    second = serializers.CharField()
    differ = serializers.ListField(child=ObjectField())


class JudgeComparisonSerializer(serializers.Serializer[Any]):
    """Judges on the same pairs, schema `evenhand.judge_comparison/1`."""

    schema = serializers.CharField()
    gold = ObjectField(help_text="Gold set, version, digest and systems.")
    split = serializers.CharField()
    runs = ObjectField(help_text="The run of each judge.")
    pairs = serializers.IntegerField()
    judges = ComparedJudgeSerializer(many=True)
    versus = ComparedTwoSerializer(many=True)
    all_wrong = serializers.ListField(
        child=serializers.CharField(),
        help_text="Cases that no judge got right; empty for held-out pairs.",
    )
    all_wrong_systems = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="Baseline and candidate of each of these, in the same order.",
    )
    all_wrong_pairs = serializers.ListField(child=serializers.CharField())
    shared_wrong = serializers.IntegerField()
    effective_votes = ObjectField()
    why_none = serializers.CharField(
        allow_blank=True, help_text="Why there are no pairs, where there are none."
    )
    configs = ComparedConfigsSerializer(many=True)


class AblationValueSerializer(serializers.Serializer[Any]):
    """One judge of a group."""

    judge = serializers.CharField(help_text="Name and version.")
    value = serializers.JSONField(help_text="What its specification says.")
    run = serializers.IntegerField()


class AblationSerializer(serializers.Serializer[Any]):
    """Judges that are the same but for one field."""

    field = serializers.CharField(help_text="Inside objects: `params.temperature`.")
    values = AblationValueSerializer(many=True)
    pairs = serializers.IntegerField(help_text="With gold, judged by all of them.")
    why_none = serializers.CharField(
        allow_blank=True, help_text="Why there are no pairs, where there are none."
    )
    judges = ComparedJudgeSerializer(many=True)
    versus = ComparedTwoSerializer(many=True)


class AblationsSerializer(serializers.Serializer[Any]):
    """Judges by the one field they differ in, schema `evenhand.ablations/1`."""

    schema = serializers.CharField()
    gold = ObjectField(help_text="Gold set, version and digest.")
    split = serializers.CharField()
    groups = AblationSerializer(many=True)


class ReportComparisonSerializer(serializers.Serializer[Any]):
    """Two reports, schema `evenhand.report_comparison/1`."""

    schema = serializers.CharField()
    before = ObjectField(help_text="Report, judge and gold version.")
    after = ObjectField()
    differ = serializers.ListField(
        child=ObjectField(), help_text="Fields of the judges that differ."
    )
    moved = ObjectField(
        allow_null=True,
        help_text="Paired figures by split; null on different gold.",
    )
    why_not = serializers.CharField(allow_blank=True)
    held_out_left_out = serializers.BooleanField(
        help_text="True until the looks at both were taken, by POST."
    )
    look_needed = serializers.CharField(
        allow_blank=True, help_text="What those looks would cost."
    )
