"""What the API takes and gives of panels, marks and trials."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from config.api import Strict
from config.errors import InvalidInput
from judging.domain.panels import AbstainRule, NoQuorum, PanelSpec, TopTie
from judging.domain.terms import CombiningRule

RULES = [rule.value for rule in CombiningRule if rule != CombiningRule.MEAN_STRENGTH]


class TemplateQuerySerializer(serializers.Serializer[object]):
    """Which kind of judge a template is of."""

    pointwise = serializers.BooleanField(
        default=False, help_text="Of a judge that marks one response at a time."
    )
    rubric_step = serializers.BooleanField(
        default=False, help_text="Of one that first writes a rubric for each case."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """A pointwise judge has no first step."""
        if attrs["pointwise"] and attrs["rubric_step"]:
            raise serializers.ValidationError("A pointwise judge has no rubric step.")
        return attrs


class NewPanelSerializer(Strict):
    """A panel to freeze: the digests of its members, and how they vote."""

    name = serializers.SlugField(max_length=80)
    members = serializers.ListField(
        child=serializers.RegexField(r"^[0-9a-f]{64}$"),
        help_text="Digests of frozen pairwise judges in use.",
    )
    combining_rule = serializers.ChoiceField(
        RULES, default=CombiningRule.AGREE_ELSE_TIE.value
    )
    top_tie = serializers.ChoiceField(
        [each.value for each in TopTie],
        default=TopTie.TIE.value,
        help_text="What it is when two outcomes share the most votes.",
    )
    abstain_rule = serializers.ChoiceField(
        [each.value for each in AbstainRule],
        default=AbstainRule.LEFT_OUT.value,
        help_text="Whether an abstain is no vote, or a vote like any other.",
    )
    no_quorum = serializers.ChoiceField(
        [each.value for each in NoQuorum],
        default=NoQuorum.ABSTAIN.value,
        help_text="What fewer votes than the quorum come to.",
    )
    quorum = serializers.IntegerField(
        min_value=1,
        default=None,
        allow_null=True,
        help_text="More than half of the members unless given.",
    )

    def panel(self) -> PanelSpec:
        """The rules as the services take them; raises ``InvalidInput``."""
        said = self.validated_data
        try:
            return PanelSpec(
                members=tuple(said["members"]),
                combining_rule=CombiningRule(said["combining_rule"]),
                top_tie=TopTie(said["top_tie"]),
                abstain_rule=AbstainRule(said["abstain_rule"]),
                no_quorum=NoQuorum(said["no_quorum"]),
                quorum=said["quorum"],
            )
        except ValueError as error:
            raise InvalidInput("panel_invalid", str(error)) from error


class MarkSerializer(serializers.Serializer[object]):
    """The mark of one response, from its repeats."""

    case_id = serializers.CharField()
    system = serializers.CharField()
    split = serializers.CharField(help_text="Empty for one in no split.")
    critical = serializers.BooleanField()
    state = serializers.ChoiceField(["marked", "abstain", "invalid"])
    score = serializers.FloatField(allow_null=True, help_text="Mean over the marks.")
    passed = serializers.BooleanField(allow_null=True)
    failed_gates = serializers.DictField(
        child=serializers.IntegerField(), help_text="Replies by gate."
    )
    marked = serializers.IntegerField(help_text="Replies with a mark.")
    abstained = serializers.IntegerField()
    invalid = serializers.IntegerField()
    invalid_reasons = serializers.ListField(child=serializers.CharField())
    response_sha256 = serializers.CharField()


class MarksSerializer(serializers.Serializer[object]):
    """Every response of a finished run that is held out nowhere."""

    run = serializers.IntegerField()
    hidden = serializers.IntegerField(help_text="Held-out responses, left out.")
    marks = MarkSerializer(many=True)


class SystemMarksSerializer(serializers.Serializer[object]):
    """The marks of one system's responses that are held out nowhere."""

    system = serializers.CharField()
    responses = serializers.IntegerField()
    marked = serializers.IntegerField()
    abstained = serializers.IntegerField()
    invalid = serializers.IntegerField()
    passed = serializers.IntegerField()
    failed = serializers.IntegerField()
    critical_failed = serializers.IntegerField()
    mean = serializers.FloatField(allow_null=True, help_text="Of the marked ones.")
    failed_gates = serializers.DictField(child=serializers.IntegerField())


class TrialReplySerializer(serializers.Serializer[object]):
    """One request of a trial and what came of it; nothing of it is kept."""

    what = serializers.CharField()
    reading = serializers.CharField()
    invalid = serializers.BooleanField()
    detail = serializers.CharField()
    flags = serializers.ListField(child=serializers.CharField())
    text = serializers.CharField(allow_null=True)
    served_model = serializers.CharField(allow_null=True)
    latency_ms = serializers.IntegerField(allow_null=True)


class TrialSerializer(serializers.Serializer[object]):
    """A judge that was tried on one dev pair."""

    case_id = serializers.CharField()
    result = serializers.CharField()
    replies = TrialReplySerializer(many=True)


class TrialWishSerializer(Strict):
    """The dev pair to try a judge on."""

    gold_set = serializers.SlugField(max_length=80)
    number = serializers.IntegerField(
        min_value=1, default=1, help_text="Of the set's dev pairs, from 1."
    )


class ConnectionSerializer(serializers.Serializer[object]):
    """Whether the provider answers one short request."""

    answered = serializers.BooleanField()
    kind = serializers.CharField(help_text="Of the failure; empty where it answers.")
    failure = serializers.CharField()
    text = serializers.CharField(allow_null=True)
    served_model = serializers.CharField(allow_null=True)
    finish_reason = serializers.CharField(allow_null=True)
    latency_ms = serializers.IntegerField(allow_null=True)
