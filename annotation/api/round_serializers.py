"""The shapes of the rounds API for those who lead, in and out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework import serializers

from annotation.domain.outcomes import Split
from annotation.services.round_planning import (
    LARGEST_SAMPLE,
    LONGEST_NAME,
    LONGEST_SEED,
    MOST_LABELS,
    NO_SPLIT,
    RoundPlan,
    Selection,
    Which,
)
from annotation.services.rounds import new_sample_seed
from config.api import Strict
from config.api_index import DoorSerializer

if TYPE_CHECKING:
    from annotation.models import GoldSet


class SliceSerializer(Strict):
    """One value of one slice."""

    key = serializers.CharField()
    value = serializers.CharField(allow_blank=True)


class OpenRoundSerializer(Strict):
    """A round to open. Conditions on its pairs hold together; a sample comes last."""

    name = serializers.CharField(max_length=LONGEST_NAME)
    labels_per_pair = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_LABELS,
        help_text="Left out: the set's own.",
    )
    reviewers = serializers.ListField(
        child=serializers.CharField(), required=False, default=list
    )
    which = serializers.ChoiceField(
        [w.value for w in Which], required=False, default=Which.ALL.value
    )
    split = serializers.ChoiceField(
        [NO_SPLIT, *(s.value for s in Split)], required=False, default=""
    )
    slice = SliceSerializer(required=False)
    case_ids = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        default=list,
        help_text=(
            "Ids of cases; for one pair of a case that has several, a space and "
            "`baseline|candidate` after its id."
        ),
    )
    sample = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_SAMPLE,
        help_text="Where there are fewer, the round takes all and its notes say so.",
    )
    seed = serializers.CharField(required=False, max_length=LONGEST_SEED)
    reservation_minutes = serializers.IntegerField(
        required=False, default=30, min_value=1, max_value=1440
    )
    retest_share = serializers.FloatField(
        required=False, default=0, min_value=0, max_value=1
    )
    designed_rate = serializers.FloatField(
        required=False, default=0, min_value=0, max_value=1
    )

    def plan(self, gold_set: GoldSet) -> RoundPlan:
        """The plan as the service takes it."""
        sent = self.validated_data
        return RoundPlan(
            name=sent["name"],
            labels_per_pair=sent.get("labels_per_pair", gold_set.labels_per_pair),
            reservation_minutes=sent["reservation_minutes"],
            retest_share=sent["retest_share"],
            designed_rate=sent["designed_rate"],
        )

    def selection(self) -> Selection:
        """Which pairs, as the service takes it."""
        sent = self.validated_data
        chosen = sent.get("slice", {"key": "", "value": ""})
        return Selection(
            which=Which(sent["which"]),
            split=sent["split"],
            slice_key=chosen["key"],
            slice_value=chosen["value"],
            case_ids=tuple(sent["case_ids"]),
            sample=sent.get("sample"),
            seed=sent.get("seed") or new_sample_seed(),
        )


class MemberNameSerializer(Strict):
    """One person."""

    username = serializers.CharField()


class LedRoundSerializer(serializers.Serializer[object]):
    """A round as its leads see it."""

    id = serializers.IntegerField()
    url = serializers.URLField(help_text="Where it is read, and what it opens.")
    name = serializers.CharField()
    gold_set = serializers.CharField()
    labels_per_pair = serializers.IntegerField()
    reservation_minutes = serializers.IntegerField()
    retest_share = serializers.FloatField()
    designed_rate = serializers.FloatField()
    selection = serializers.JSONField(help_text="How its pairs were chosen; counts.")
    notes = serializers.ListField(
        child=serializers.CharField(),
        help_text="What was left out of it or fell short when it was opened.",
    )
    opened_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)
    disclosed_at = serializers.DateTimeField(
        allow_null=True, help_text="From then on it can't be reopened."
    )


class PartSerializer(serializers.Serializer[object]):
    """Seats of one part of a round."""

    name = serializers.CharField()
    seats = serializers.IntegerField(help_text="Labels wanted.")
    labelled = serializers.IntegerField()
    reserved = serializers.IntegerField(help_text="Held by somebody now.")
    waiting = serializers.IntegerField()


class RepeatsSerializer(PartSerializer):
    """Planned repeats: each is for one person, and counts to no pair."""

    skipped = serializers.IntegerField(help_text="Given back by their reviewer.")
    lost = serializers.IntegerField(
        help_text="Their reviewer left the round or has seen results of the pair."
    )


class SlicePartsSerializer(serializers.Serializer[object]):
    """All values of one slice."""

    key = serializers.CharField()
    values = PartSerializer(many=True)


class MemberSerializer(serializers.Serializer[object]):
    """One reviewer of a round."""

    username = serializers.CharField()
    url = serializers.URLField(help_text="DELETE it to take them out of the round.")
    added_at = serializers.DateTimeField()
    removed_at = serializers.DateTimeField(allow_null=True)
    labels = serializers.IntegerField()
    retests = serializers.IntegerField(help_text="Planned repeats, not among labels.")
    skips = serializers.IntegerField()
    holds = serializers.BooleanField(help_text="Has a pair reserved now.")
    last_seen = serializers.DateTimeField(allow_null=True)
    blind = serializers.BooleanField(help_text="False for who can read results.")
    spoilt = serializers.IntegerField(help_text="Pairs they know something of.")
    elsewhere = serializers.IntegerField(
        help_text="Pairs they labelled in another round, and are not given again."
    )


class RoundProgressSerializer(serializers.Serializer[object]):
    """How far a round is."""

    round = LedRoundSerializer()
    total = PartSerializer()
    pairs = serializers.IntegerField()
    complete = serializers.IntegerField(help_text="Pairs with all their labels.")
    retests = RepeatsSerializer()
    splits = PartSerializer(many=True)
    slices = SlicePartsSerializer(many=True)
    members = MemberSerializer(many=True)
    doors = DoorSerializer(many=True, help_text="What of it you may open.")


class BalanceRowSerializer(serializers.Serializer[object]):
    """Orders under one heading, over labels submitted."""

    kind = serializers.CharField()
    name = serializers.CharField(
        allow_blank=True,
        help_text="Reviewers are under their aliases, as everywhere.",
    )
    baseline_first = serializers.IntegerField()
    candidate_first = serializers.IntegerField()
    difference = serializers.IntegerField()
    p_value = serializers.FloatField(allow_null=True, help_text="Exact sign test.")
    adjusted = serializers.FloatField(
        allow_null=True, help_text="Holm's, over all rows with enough labels."
    )
    verdict = serializers.ChoiceField(["even", "uneven", "not_enough"])


class BalanceSerializer(serializers.Serializer[object]):
    """The slot-balance report of a round."""

    round = LedRoundSerializer()
    rows = BalanceRowSerializer(many=True)
