"""The shapes of the API of cases and disagreements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers

from annotation.domain.outcomes import Outcome, Split
from annotation.services.corrections import LONGEST_NOTE
from calibration.domain.behind import LISTS, PEOPLE
from calibration.models import Finding
from calibration.services.report_cases import OPEN, SPLIT_LABELS, UNANIMOUS
from config.api import Strict
from judging.domain.terms import Consistency, JudgeOutcome

if TYPE_CHECKING:
    from collections.abc import Sequence

SPLITS = [OPEN, *(split.value for split in Split)]
GOLD = [*(outcome.value for outcome in Outcome), "none"]


class SplitQuerySerializer(serializers.Serializer[object]):
    """Which disagreements are wanted."""

    split = serializers.ChoiceField(
        [OPEN, Split.HELD_OUT.value],
        default=OPEN,
        help_text="`open`: all that are not held out.",
    )


class SeveralField(serializers.CharField):
    """Names of a list, with commas between them."""

    def __init__(self, known: Sequence[str]) -> None:
        self.known = tuple(known)
        text = f"One or several, with commas between: {', '.join(self.known)}."
        super().__init__(default="", allow_blank=True, max_length=100, help_text=text)

    def to_internal_value(self, data: str) -> str:
        """The names as sent; refused where one is not of the list."""
        text = str(super().to_internal_value(data))
        if text and not set(text.split(",")) <= set(self.known):
            raise serializers.ValidationError("There is no such name.")
        return text


class CasesQuerySerializer(serializers.Serializer[object]):
    """Which pairs are wanted; what is left out does not matter."""

    split = serializers.ChoiceField(
        SPLITS, default=OPEN, help_text="`open`: all that are not held out."
    )
    gold = SeveralField(GOLD)
    verdict = SeveralField([outcome.value for outcome in JudgeOutcome])
    consistency = serializers.ChoiceField(
        [each.value for each in Consistency], default="", allow_blank=True
    )
    slice = serializers.CharField(
        default="", allow_blank=True, max_length=500, help_text="`key=value`"
    )
    labels = serializers.ChoiceField(
        [UNANIMOUS, SPLIT_LABELS],
        default="",
        allow_blank=True,
        help_text="Of pairs with two labels or more.",
    )
    critical = serializers.BooleanField(default=False)
    wrong = serializers.BooleanField(
        default=False, help_text="Only where the verdict is not the gold."
    )
    figure = serializers.ChoiceField(
        [*LISTS, *PEOPLE],
        default="",
        allow_blank=True,
        help_text="A figure by its place in a block of the report.",
    )
    reviewer = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=300,
        help_text="Of figures on one reviewer or two: whose, by anonymous name.",
    )
    other = serializers.CharField(
        default="", allow_blank=True, max_length=300, help_text="The second of two."
    )


class ReportPairSerializer(serializers.Serializer[Any]):
    """A pair as a report counted it."""

    pair = serializers.IntegerField(source="pair_id")
    case_id = serializers.CharField(source="pair.case.external_id")
    baseline_system = serializers.CharField(source="pair.baseline.system.name")
    candidate_system = serializers.CharField(source="pair.candidate.system.name")
    split = serializers.CharField()
    gold = serializers.CharField(help_text="Empty where there is none.")
    verdict = serializers.CharField()
    consistency = serializers.CharField()
    worst_slice = serializers.CharField()
    rank = serializers.IntegerField(
        allow_null=True, help_text="Place among the disagreements."
    )
    finding = serializers.CharField(default=None, allow_null=True)


class SaidSerializer(serializers.Serializer[Any]):
    """A label behind the gold."""

    by = serializers.CharField(help_text="The alias.")
    outcome = serializers.CharField()
    note = serializers.CharField()


class RulingOfPairSerializer(serializers.Serializer[Any]):
    """A ruling behind the gold."""

    sequence = serializers.IntegerField()
    outcome = serializers.CharField()
    category = serializers.CharField()
    note = serializers.CharField()


class RawReplySerializer(serializers.Serializer[Any]):
    """What the judge said in one order."""

    order = serializers.CharField(source="call.order")
    repeat = serializers.IntegerField(source="call.repeat")
    raw = serializers.CharField(allow_null=True)
    choice = serializers.CharField()
    invalid_reason = serializers.CharField()


class NotedFindingSerializer(serializers.Serializer[Any]):
    """What somebody found the disagreement to be."""

    finding = serializers.ChoiceField(Finding.values)
    note = serializers.CharField()
    revision = serializers.IntegerField()
    by = serializers.CharField(source="decided_by.username")
    at = serializers.DateTimeField(source="decided_at")
    batch = serializers.UUIDField(
        allow_null=True, help_text="The request to rule on the pair again, blind."
    )


class ReviewSerializer(serializers.Serializer[Any]):
    """One disagreement in full."""

    row = ReportPairSerializer()
    gold_source = serializers.CharField(help_text="Where the gold comes from.")
    prompt = serializers.CharField()
    context = serializers.CharField(allow_null=True)  # type: ignore[assignment]  # a field, not the property
    reference = serializers.CharField(allow_null=True)
    baseline = serializers.CharField()
    candidate = serializers.CharField()
    labels = SaidSerializer(many=True)
    rulings = RulingOfPairSerializer(many=True)
    replies = RawReplySerializer(many=True)
    findings = NotedFindingSerializer(many=True)
    place = serializers.IntegerField()
    total = serializers.IntegerField()
    previous = serializers.IntegerField(allow_null=True)
    next = serializers.IntegerField(allow_null=True)


class DispositionWishSerializer(Strict):
    """What a disagreement is found to be, and why."""

    finding = serializers.ChoiceField(Finding.values)
    note = serializers.CharField(max_length=LONGEST_NOTE)
