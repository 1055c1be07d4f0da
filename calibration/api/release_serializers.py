"""The shapes of the API of policies, release runs, decisions and waivers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers

from annotation.api.look_serializers import LookReasonSerializer
from annotation.services.round_planning import LONGEST_NAME, MOST_LABELS
from calibration.api.serializers import ObjectField
from calibration.domain.deciding import DecisionResult
from calibration.domain.waivers import WaiverState, end_of_day
from calibration.services.policies import warnings_of
from calibration.services.waivers import LONGEST_OWNER, LONGEST_TEXT
from config.api import Strict

if TYPE_CHECKING:
    from datetime import datetime


class PolicySerializer(serializers.Serializer[Any]):
    """A policy: a draft, or frozen under a digest."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    version = serializers.IntegerField()
    document = ObjectField()
    digest = serializers.CharField(help_text="Empty while it is a draft.")
    created_at = serializers.DateTimeField()
    frozen_at = serializers.DateTimeField(allow_null=True)
    warnings = serializers.SerializerMethodField()

    def get_warnings(self, policy: Any) -> list[str]:
        """Why nothing may ship under it, as far as that is plain beforehand."""
        return [*warnings_of(policy.document)]


class DocumentSerializer(Strict):
    """The content of a policy; its keys are checked, and faults named."""

    document = ObjectField()


class PolicyWishSerializer(DocumentSerializer):
    """A new draft, or new content of the draft there is."""

    name = serializers.CharField(max_length=80)


class ReleaseListSerializer(serializers.Serializer[Any]):
    """A release run in a list."""

    run = serializers.IntegerField(source="pk")
    gold_set = serializers.CharField(source="gold_set.name")
    judge = serializers.CharField(source="config.name")
    judge_version = serializers.IntegerField(source="config.version")
    judge_digest = serializers.CharField(source="config.digest")
    status = serializers.CharField()
    created_at = serializers.DateTimeField()


class ReleaseSerializer(serializers.Serializer[Any]):
    """What a release run came to."""

    run = ObjectField(source="facts")
    summary = ObjectField(help_text="Counts and preference, as in a decision.")
    not_judged = ObjectField(
        help_text="Pairs of the set that the run did not judge (`pairs` and those that "
        "a declared `panel` left out, `of` how many), and its `critical_cases`."
    )
    critical = serializers.ListField(
        child=ObjectField(),
        help_text="Critical pairs against the candidate, or that nobody settled.",
    )


class DecideSerializer(LookReasonSerializer):
    """By which policy, and with which calibration report of the judge."""

    policy = serializers.IntegerField(help_text="Id of a frozen policy.")
    report = serializers.IntegerField(
        allow_null=True,
        required=False,
        help_text="Left out for the newest held-out one of the judge; null for none: "
        "nothing ships without one.",
    )


class ReviewWishSerializer(Strict):
    """A round of the abstained pairs that a policy sends to people."""

    policy = serializers.IntegerField(help_text="Id of a frozen policy.")
    name = serializers.CharField(max_length=LONGEST_NAME)
    labels_per_pair = serializers.IntegerField(min_value=1, max_value=MOST_LABELS)
    reviewers = serializers.ListField(
        child=serializers.CharField(), default=list, help_text="User names."
    )


class ReviewRoundSerializer(serializers.Serializer[Any]):
    """The round that was opened."""

    round = serializers.IntegerField(source="round_id")
    policy = serializers.IntegerField(source="policy_id")
    pairs = serializers.IntegerField()
    notes = serializers.ListField(
        child=serializers.CharField(),
        help_text="What keeps the round from settling its pairs, in sentences.",
    )


class DecisionsQuerySerializer(serializers.Serializer[Any]):
    """Which decisions to list."""

    run = serializers.IntegerField(required=False, min_value=1, max_value=2**31 - 1)


class DecisionListSerializer(serializers.Serializer[Any]):
    """A decision in a list."""

    id = serializers.IntegerField(source="pk")
    run = serializers.IntegerField(source="run_id")
    policy = serializers.IntegerField(source="policy_id")
    report = serializers.IntegerField(source="report_id", allow_null=True)
    result = serializers.ChoiceField([one.value for one in DecisionResult])
    evidence_digest = serializers.CharField()
    digest = serializers.CharField()
    decided_at = serializers.DateTimeField()


class DecisionSerializer(serializers.Serializer[Any]):
    """A decision in full (`evenhand.decision/1`), and when and by whom."""

    schema = serializers.CharField()
    id = serializers.IntegerField()
    result = serializers.ChoiceField([one.value for one in DecisionResult])
    rules = serializers.IntegerField(
        required=False,
        help_text="Version of the rules that made it; an old decision names none.",
    )
    evidence_digest = serializers.CharField()
    digest = serializers.CharField()
    decided_at = serializers.CharField()
    decided_by = serializers.CharField()
    looks_before_judge = serializers.IntegerField(
        help_text="Held-out results that were seen before the judge was frozen."
    )
    others = ObjectField(
        help_text="`decisions` on the same run, and release `runs` over the same set."
    )
    simulated = serializers.BooleanField()
    policy = ObjectField()
    run = ObjectField()
    calibration = ObjectField(allow_null=True)
    conditions = serializers.ListField(child=ObjectField())
    missing = serializers.ListField(child=ObjectField())
    waivers = serializers.ListField(child=ObjectField())
    not_judged = ObjectField(help_text="As for the run.")
    summary = ObjectField()
    correction = ObjectField()


class WaiverSerializer(serializers.Serializer[Any]):
    """A waiver and what has happened to it."""

    id = serializers.IntegerField()
    gold_set = serializers.CharField()
    case_ids = serializers.ListField(child=serializers.CharField())
    systems = serializers.ListField(
        child=serializers.CharField(),
        allow_null=True,
        help_text="Baseline and candidate that it is for; null of an older one.",
    )
    impact = serializers.CharField()
    owner = serializers.CharField()
    reason = serializers.CharField()
    asked_by = serializers.CharField()
    asked_at = serializers.CharField()
    expires_at = serializers.CharField()
    confirmed_by = serializers.CharField(allow_null=True)
    confirmed_at = serializers.CharField(allow_null=True)
    revoked_by = serializers.CharField(allow_null=True)
    revoked_at = serializers.CharField(allow_null=True)
    revoked_because = serializers.CharField(allow_null=True)
    state = serializers.ChoiceField([one.value for one in WaiverState])


class UntilField(serializers.DateTimeField):
    """A moment; a day alone is counted whole, in UTC."""

    def to_internal_value(self, value: Any) -> datetime:
        """Read a day alone as the moment at which it is over."""
        ended = end_of_day(value) if isinstance(value, str) else None
        found: datetime = ended or super().to_internal_value(value)
        return found


class WaiverWishSerializer(Strict):
    """Which critical cases are to be lifted, and everything that has to be said."""

    gold_set = serializers.CharField(max_length=80)
    case_ids = serializers.ListField(child=serializers.CharField(), allow_empty=False)
    systems = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="Baseline and candidate that it is for; may be left out where the "
        "set has no other systems.",
    )
    impact = serializers.CharField(max_length=LONGEST_TEXT)
    owner = serializers.CharField(max_length=LONGEST_OWNER)
    reason = serializers.CharField(max_length=LONGEST_TEXT)
    expires_at = UntilField(
        help_text="A moment; of a date alone the whole day counts, in UTC."
    )


class RevokeSerializer(Strict):
    """Why a waiver counts no more."""

    reason = serializers.CharField(max_length=LONGEST_TEXT)
