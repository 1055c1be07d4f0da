"""Runs as a list gives them: what each is and where it stands, no count of calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework import serializers

from judging.models import Run, RunPurpose, RunStatus

if TYPE_CHECKING:
    from judging.models.runs import RunQuerySet


class RunRowSerializer(serializers.Serializer[Run]):
    """A run in a list."""

    id = serializers.IntegerField(source="pk")
    gold_set = serializers.CharField(source="gold_set.name")
    judge = serializers.CharField(source="config.name")
    judge_version = serializers.IntegerField(source="config.version")
    judge_kind = serializers.CharField(source="config.kind")
    simulated = serializers.BooleanField(source="config.simulated")
    purpose = serializers.ChoiceField(RunPurpose.choices)
    status = serializers.ChoiceField(RunStatus.choices)
    halt_reason = serializers.CharField()
    failure = serializers.CharField()
    concurrency = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)


class RunsQuerySerializer(serializers.Serializer[object]):
    """Which runs to list; all where nothing is named."""

    gold_set = serializers.SlugField(max_length=80, required=False)
    judge = serializers.SlugField(max_length=80, required=False)
    status = serializers.ChoiceField(RunStatus.choices, required=False)

    def runs(self) -> RunQuerySet:
        """The runs, newest first."""
        fields = {"gold_set": "gold_set__name", "judge": "config__name"}
        chosen = {
            fields.get(key, key): value for key, value in self.validated_data.items()
        }
        return Run.objects.for_pages().filter(**chosen)
