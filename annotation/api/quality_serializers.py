"""The shapes of reviewer quality and of the checks of a set, in and out."""

from __future__ import annotations

from rest_framework import serializers

from annotation.domain.hygiene import Check, Severity
from annotation.domain.outcomes import Split
from annotation.services.quality import ALL
from annotation.services.set_aside import LONGEST_NOTE, REASONS
from config.api import Strict

SPLITS = [split.value for split in Split]
MOST_PAIRS = 10_000


class FigureSerializer(serializers.Serializer[object]):
    """A figure: an undefined one holds the reason and null for the rest."""

    value = serializers.FloatField(allow_null=True)
    numerator = serializers.IntegerField(allow_null=True)
    denominator = serializers.IntegerField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    level = serializers.FloatField(allow_null=True)
    method = serializers.CharField(allow_null=True)
    undefined = serializers.CharField(allow_null=True)


class SignTestSerializer(serializers.Serializer[object]):
    """An exact two-sided sign test."""

    wins = serializers.IntegerField()
    losses = serializers.IntegerField()
    p_value = serializers.FloatField(allow_null=True)


class QualityQuerySerializer(serializers.Serializer[object]):
    """Of which pairs: all that are not held out, unless said; the others are a look."""

    split = serializers.ChoiceField([*SPLITS, ALL], required=False, default="")


class ReviewerQualitySerializer(serializers.Serializer[object]):
    """One reviewer's figures; times are null for all but leads."""

    reviewer = serializers.CharField()
    labels = serializers.IntegerField()
    consensus = FigureSerializer()
    without_reference = serializers.IntegerField()
    designed = FigureSerializer()
    retest = FigureSerializer()
    retest_flips = serializers.IntegerField()
    left = FigureSerializer()
    left_test = SignTestSerializer()
    ties = FigureSerializer()
    abstains = FigureSerializer()
    active = FigureSerializer(allow_null=True)
    elapsed = FigureSerializer(allow_null=True)


class BetweenSerializer(serializers.Serializer[object]):
    """Two reviewers on the pairs that both labelled."""

    one = serializers.CharField()
    other = serializers.CharField()
    agreement = FigureSerializer()
    kappa = FigureSerializer()


class HumanIpiSerializer(serializers.Serializer[object]):
    """Instability of people between the two orders of a pair."""

    pairs = serializers.IntegerField()
    abstains = serializers.IntegerField()
    instability = FigureSerializer()
    flips = FigureSerializer()
    differing = serializers.IntegerField()
    comparisons = serializers.IntegerField()
    same_order_disagreement = FigureSerializer()
    same_order_differing = serializers.IntegerField()
    same_order_comparisons = serializers.IntegerField()


class TeamQualitySerializer(serializers.Serializer[object]):
    """All reviewers together."""

    pairs = serializers.IntegerField()
    labels = serializers.IntegerField()
    agreement = FigureSerializer()
    unanimous = FigureSerializer()
    alpha = FigureSerializer()
    ac1 = FigureSerializer()
    between = BetweenSerializer(many=True)
    ipi = HumanIpiSerializer()


class QualitySerializer(serializers.Serializer[object]):
    """Figures on the reviewers of a set, under their aliases."""

    split = serializers.CharField(allow_blank=True)
    reviewers = ReviewerQualitySerializer(many=True)
    team = TeamQualitySerializer()


class FindingSerializer(serializers.Serializer[object]):
    """One finding."""

    cases = serializers.ListField(child=serializers.CharField())
    pairs = serializers.ListField(child=serializers.IntegerField())
    detail = serializers.CharField()


class CheckSerializer(serializers.Serializer[object]):
    """One check; `count` may exceed the findings that are kept."""

    check = serializers.ChoiceField([check.value for check in Check])
    severity = serializers.ChoiceField([severity.value for severity in Severity])
    count = serializers.IntegerField()
    findings = FindingSerializer(many=True)


class LengthSerializer(serializers.Serializer[object]):
    """Which of two systems writes longer."""

    baseline = serializers.CharField()
    candidate = serializers.CharField()
    pairs = serializers.IntegerField()
    candidate_longer = serializers.IntegerField()
    baseline_longer = serializers.IntegerField()
    equal = serializers.IntegerField()
    longer_share = FigureSerializer()
    test = SignTestSerializer()
    ratio = serializers.FloatField(allow_null=True)
    unbalanced = serializers.BooleanField()


class ChecksSerializer(serializers.Serializer[object]):
    """What the checks of a set found."""

    cases = serializers.IntegerField()
    pairs = serializers.IntegerField()
    set_aside = serializers.IntegerField()
    checked_at = serializers.DateTimeField()
    stale = serializers.BooleanField(
        help_text="Cases, splits or the systems' names changed since."
    )
    checks = CheckSerializer(many=True)
    lengths = LengthSerializer(many=True)


class SetAsideSerializer(Strict):
    """Which pairs to keep out of new rounds, and why."""

    pairs = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**62),
        max_length=MOST_PAIRS,
    )
    reason = serializers.ChoiceField(list(REASONS), default="by-hand")
    note = serializers.CharField(default="", allow_blank=True, max_length=LONGEST_NOTE)


class LiftSerializer(Strict):
    """Which pairs to let into new rounds again."""

    pairs = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**62),
        max_length=MOST_PAIRS,
    )


class CountSerializer(serializers.Serializer[object]):
    """How many pairs this changed."""

    count = serializers.IntegerField()
