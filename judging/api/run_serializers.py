"""What the run API takes and gives."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.domain.outcomes import Order, Split
from config.api import Strict
from judging.domain.terms import InvalidReason
from judging.models import Call, RunPurpose
from judging.services.budgets import MOST_CALLS, MOST_TOKENS, SMALLEST, Budget
from judging.services.run_options import RunOptions
from judging.services.starting import MOST_CONCURRENT


class BudgetSerializer(Strict):
    """What a run may spend; nothing given is no limit."""

    max_calls = serializers.IntegerField(
        min_value=1, max_value=MOST_CALLS, default=None, allow_null=True
    )
    max_tokens = serializers.IntegerField(
        min_value=1, max_value=MOST_TOKENS, default=None, allow_null=True
    )
    max_cost = serializers.DecimalField(
        max_digits=18,
        decimal_places=9,
        min_value=SMALLEST,
        default=None,
        allow_null=True,
    )
    currency = serializers.CharField(max_length=3, default="USD")

    def budget(self) -> Budget:
        """The limits as the services take them."""
        said = self.validated_data
        cost = said["max_cost"]
        return Budget(
            calls=said["max_calls"],
            tokens=said["max_tokens"],
            cost=cost,
            currency="" if cost is None else said["currency"],
        )


class RunWishSerializer(BudgetSerializer):
    """A run to start or to estimate."""

    judge = serializers.SlugField(max_length=80)
    judge_version = serializers.IntegerField(
        min_value=1, default=None, allow_null=True, help_text="The newest frozen one."
    )
    gold_set = serializers.SlugField(max_length=80)
    concurrency = serializers.IntegerField(
        min_value=1, max_value=MOST_CONCURRENT, default=8
    )
    purpose = serializers.ChoiceField(
        RunPurpose.choices, default=RunPurpose.CALIBRATION.value
    )
    reuse = serializers.BooleanField(default=True)
    again = serializers.BooleanField(
        default=False, help_text="Start a new run although one is complete."
    )
    batches = serializers.BooleanField(
        default=False,
        help_text="Send calls as files: takes up to a day, at the price of batches.",
    )

    member_runs = serializers.ListField(
        child=serializers.IntegerField(min_value=1),
        default=list,
        max_length=50,
        help_text="Of a panel: complete runs that its members take part with, instead "
        "of their newest ones. The estimate says which would be taken.",
    )

    @property
    def concurrency_asked_for(self) -> int | None:
        """Calls in flight, where they were named."""
        named = "concurrency" in self.initial_data
        return int(self.validated_data["concurrency"]) if named else None

    def options(self) -> RunOptions:
        """Purpose, reuse and budget as the services take them."""
        return RunOptions(
            purpose=RunPurpose(self.validated_data["purpose"]),
            reuse=self.validated_data["reuse"],
            batches=self.validated_data["batches"],
            budget=self.budget(),
            member_runs=tuple(self.validated_data["member_runs"]),
        )


class MoneySerializer(serializers.Serializer[object]):
    """An amount in one currency."""

    amount = serializers.DecimalField(max_digits=None, decimal_places=None)
    currency = serializers.CharField()


class SeatSerializer(serializers.Serializer[object]):
    """The run that a member of a panel would take part with; null for a new one."""

    judge = serializers.CharField(source="member.name")
    version = serializers.IntegerField(source="member.version")
    digest = serializers.CharField(source="member.digest")
    run = serializers.IntegerField(source="run.pk", default=None, allow_null=True)
    status = serializers.CharField(
        source="run.status", default=None, allow_null=True, help_text="Of that run."
    )
    named = serializers.BooleanField()


class RunEstimateSerializer(serializers.Serializer[object]):
    """What a run would come to; `cost` is null where the price is unknown."""

    members = SeatSerializer(many=True, help_text="Empty where it is no panel.")
    pairs = serializers.IntegerField()
    calls = serializers.IntegerField()
    reused = serializers.IntegerField()
    too_long = serializers.IntegerField()
    to_ask = serializers.IntegerField()
    prompt_tokens = serializers.IntegerField()
    completion_tokens = serializers.IntegerField()
    seen = serializers.IntegerField()
    cost = MoneySerializer(allow_null=True)
    batch_cost = MoneySerializer(
        allow_null=True, help_text="The same calls, sent in batches."
    )
    simulated = serializers.BooleanField(
        help_text="Whether the answers will say nothing about a real model."
    )


class ReasonCountSerializer(serializers.Serializer[object]):
    """How many calls were invalid for one reason."""

    reason = serializers.ChoiceField([reason.value for reason in InvalidReason])
    calls = serializers.IntegerField()


class CostSerializer(serializers.Serializer[object]):
    """What a run's own requests cost so far."""

    known = MoneySerializer(many=True)
    complete = serializers.BooleanField()
    priced_calls = serializers.IntegerField()
    unknown_calls = serializers.IntegerField()
    requests = serializers.IntegerField()
    maybe_billed = serializers.IntegerField()
    reused = serializers.IntegerField()
    tokens = serializers.DictField(child=serializers.IntegerField())


class BatchSerializer(serializers.Serializer[object]):
    """Calls that were, or are to be, sent as one file."""

    id = serializers.IntegerField()
    state = serializers.CharField()
    provider_id = serializers.CharField()
    provider_status = serializers.CharField()
    requests = serializers.IntegerField()
    answered = serializers.IntegerField()
    failed = serializers.IntegerField()
    unsent = serializers.IntegerField()
    detail = serializers.CharField()
    submitted_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)


class SilenceSerializer(serializers.Serializer[object]):
    """A provider that does not answer, and when one call is sent to see."""

    since = serializers.DateTimeField()
    try_at = serializers.DateTimeField()
    looks = serializers.IntegerField(help_text="How often it was looked in vain.")
    detail = serializers.CharField()


class RunProgressSerializer(serializers.Serializer[object]):
    """How far a run is; no outcome."""

    run = serializers.IntegerField(source="run.pk")
    simulated = serializers.BooleanField(source="run.config.simulated")
    status = serializers.CharField(source="run.status")
    halt_reason = serializers.CharField(source="run.halt_reason")
    failure = serializers.CharField(source="run.failure")
    waiting = serializers.CharField(
        help_text="That the provider does not answer, and when it is tried again; "
        "empty if it does."
    )
    silence = SilenceSerializer(source="progress.silence", allow_null=True)
    calls = serializers.IntegerField(source="progress.total")
    done = serializers.IntegerField(
        source="progress.done", help_text="Calls that were answered, or given up."
    )
    in_hand = serializers.IntegerField(
        source="progress.in_hand",
        help_text="Calls in flight to the provider, or next in a runner's line.",
    )
    most_in_flight = serializers.IntegerField(
        help_text="How many of them may be in flight at once, over all runners."
    )
    invalid = serializers.SerializerMethodField()
    sealed = serializers.BooleanField(
        source="progress.sealed",
        help_text="Whether calls about sealed pairs are left out of `invalid`.",
    )
    cost = CostSerializer(source="progress.cost")
    batches = BatchSerializer(many=True, help_text="Empty for runs call by call.")
    calls_a_second = serializers.FloatField(source="progress.rate", allow_null=True)
    seconds_left = serializers.FloatField(
        source="progress.seconds_left", allow_null=True
    )

    @extend_schema_field(ReasonCountSerializer(many=True))
    def get_invalid(self, live: Any) -> list[dict[str, object]]:
        """The counts as objects."""
        return [{"reason": key, "calls": n} for key, n in live.progress.invalid.items()]


class CallsQuerySerializer(serializers.Serializer[object]):
    """Which calls to list; held-out pairs are never among them."""

    reason = serializers.ChoiceField(
        ["valid", "unanswered", *(reason.value for reason in InvalidReason)],
        default="",
        allow_blank=True,
    )
    order = serializers.ChoiceField(
        [order.value for order in Order], default="", allow_blank=True
    )
    split = serializers.ChoiceField(
        [Split.DEV.value, "none"], default="", allow_blank=True
    )


class ReplySerializer(serializers.Serializer[object]):
    """The one answer of a call."""

    choice = serializers.CharField(help_text="In slots; empty if invalid.")
    strength = serializers.IntegerField(allow_null=True)
    invalid_reason = serializers.CharField()
    detail = serializers.CharField()
    flags = serializers.ListField(child=serializers.CharField())
    span = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    raw = serializers.CharField(allow_null=True)
    finish_reason = serializers.CharField()
    served_model = serializers.CharField()
    fingerprint = serializers.CharField()
    usage = serializers.DictField()
    latency_ms = serializers.IntegerField(allow_null=True)
    request_hash = serializers.CharField()
    reused = serializers.SerializerMethodField()
    answered_at = serializers.DateTimeField()

    def get_reused(self, reply: Any) -> bool:
        """Whether it was copied from an earlier run."""
        return reply.reused_from_id is not None


class CallSerializer(serializers.Serializer[Call]):
    """One call with its answer, if it has one; all of a list are of one run."""

    _simulated: bool | None = None

    id = serializers.IntegerField()
    pair = serializers.IntegerField(source="pair_id")
    case_id = serializers.CharField(source="pair.case.external_id")
    split = serializers.CharField(source="pair.case.split")
    order = serializers.CharField()
    repeat = serializers.IntegerField()
    requests = serializers.IntegerField(source="tries")
    simulated = serializers.SerializerMethodField()
    reply = serializers.SerializerMethodField()

    def get_simulated(self, call: Any) -> bool:
        """Whether the judge is simulated; asked once for all calls of a list."""
        if self._simulated is None:
            self._simulated = call.run.config.simulated
        return self._simulated

    @extend_schema_field(ReplySerializer(allow_null=True))
    def get_reply(self, call: Any) -> dict[str, Any] | None:
        """The answer, or null."""
        reply = getattr(call, "reply", None)
        return None if reply is None else dict(ReplySerializer(reply).data)


class StopSerializer(Strict):
    """Why a run is ended."""

    reason = serializers.CharField(max_length=500, default="", allow_blank=True)
