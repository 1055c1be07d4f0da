"""The shapes of splits and gold versions, in and out."""

from __future__ import annotations

import secrets
from typing import Any

from django.urls import reverse
from rest_framework import serializers

from annotation.domain.consensus import ConsensusRule
from annotation.domain.gold_changes import ChangeKind
from annotation.domain.outcomes import Outcome
from annotation.models import GoldVersion  # noqa: TC001 - the schema reads the hint
from annotation.services.splitting import LONGEST_SEED, SplitWish
from config.api import Strict

OUTCOMES = [outcome.value for outcome in Outcome]


class StratumSerializer(serializers.Serializer[object]):
    """Cases of one stratum by split; null is the one stratum of all cases."""

    stratum = serializers.CharField(allow_null=True)
    dev = serializers.IntegerField()
    held_out = serializers.IntegerField()


class SplitCountsSerializer(serializers.Serializer[object]):
    """Cases by split."""

    dev = serializers.IntegerField()
    held_out = serializers.IntegerField()
    unassigned = serializers.IntegerField()
    locked = serializers.BooleanField(help_text="Held-out results were looked at.")
    slices = serializers.ListField(child=serializers.CharField())


class SplitWishSerializer(Strict):
    """How to split; without `dry_run` it is written."""

    seed = serializers.CharField(
        max_length=LONGEST_SEED,
        required=False,
        help_text="A new one is drawn if left out; the reply names it.",
    )
    held_out = serializers.FloatField(default=0.5, help_text="Share of the cases.")
    slices = serializers.ListField(child=serializers.CharField(), default=list)
    by_class = serializers.BooleanField(default=False)
    join_near_duplicates = serializers.BooleanField(default=False)
    reassign = serializers.BooleanField(default=False)
    accept_seen = serializers.BooleanField(
        default=False,
        help_text="Hold out what could be seen before, though looks are planned.",
    )
    dry_run = serializers.BooleanField(default=False)
    expect = serializers.CharField(
        default=None,
        allow_null=True,
        max_length=64,
        help_text="Digest of the dry run; refused if it would come out otherwise.",
    )

    def wish(self) -> SplitWish:
        """The wish as the service takes it."""
        sent = self.validated_data
        return SplitWish(
            seed=sent.get("seed") or secrets.token_hex(8),
            held_out=sent["held_out"],
            slices=tuple(sent["slices"]),
            by_class=sent["by_class"],
            reassign=sent["reassign"],
            join_near_duplicates=sent["join_near_duplicates"],
            accept_seen=sent["accept_seen"],
        )


class SplitResultSerializer(serializers.Serializer[object]):
    """What a wish came to, or would."""

    written = serializers.BooleanField()
    digest = serializers.CharField()
    dev = serializers.IntegerField()
    held_out = serializers.IntegerField()
    moved = serializers.IntegerField(help_text="Cases whose split changes.")
    strata = StratumSerializer(many=True)
    notices = serializers.ListField(child=serializers.CharField())
    seed = serializers.CharField(help_text="That the splits follow from.")
    seen = serializers.IntegerField(
        help_text="Pairs that become held out though their results could be seen."
    )


class OpenPairSerializer(serializers.Serializer[object]):
    """A pair without gold."""

    case_id = serializers.CharField()
    systems = serializers.ListField(child=serializers.CharField())
    split = serializers.CharField(allow_blank=True)
    reason = serializers.CharField()


class GoldStateSerializer(serializers.Serializer[object]):
    """What freezing would come to now."""

    rule = serializers.ChoiceField([rule.value for rule in ConsensusRule])
    pairs = serializers.IntegerField()
    by_consensus = serializers.IntegerField()
    by_ruling = serializers.IntegerField()
    open = OpenPairSerializer(many=True)
    sealed_open = serializers.IntegerField(
        help_text="Open pairs under a seal, which are counted and not named."
    )
    surplus_labels = serializers.IntegerField(
        help_text="Outside labels past what the set wants of a pair; they settle "
        "nothing."
    )
    unchanged_from = serializers.IntegerField(
        allow_null=True, help_text="Number of the version that it equals."
    )


class GoldVersionSerializer(serializers.Serializer[Any]):
    """A frozen gold version."""

    number = serializers.IntegerField()
    rule = serializers.CharField()
    digest = serializers.CharField()
    pairs = serializers.IntegerField()
    left_open = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    changes_url = serializers.SerializerMethodField(
        help_text="What moved since the version before; null for the first."
    )

    def get_changes_url(self, version: GoldVersion) -> str | None:
        """Where the differences with the version before are given."""
        if version.number == 1:
            return None
        numbers = [version.number - 1, version.number]
        path = reverse("api-gold-diff", args=[self.context["set_name"], *numbers])
        return str(self.context["request"].build_absolute_uri(path))


class FreezeSerializer(Strict):
    """How to freeze."""

    rule = serializers.ChoiceField(
        [rule.value for rule in ConsensusRule], default=None, allow_null=True
    )
    leave_open = serializers.BooleanField(default=False)


class RuleQuerySerializer(serializers.Serializer[object]):
    """Under which rule."""

    rule = serializers.ChoiceField(
        [rule.value for rule in ConsensusRule], required=False
    )


class GoldSideSerializer(serializers.Serializer[object]):
    """A pair in one version."""

    outcome = serializers.ChoiceField(OUTCOMES, allow_null=True)
    # DRF moves declared fields out of the class, so its own `source` stays what it is.
    source = serializers.CharField()  # type: ignore[assignment]  # see above
    open_reason = serializers.CharField(allow_blank=True)
    split = serializers.CharField(allow_blank=True)
    labels = serializers.ListField(child=serializers.CharField())


class RulingSinceSerializer(serializers.Serializer[object]):
    """A ruling from between the versions."""

    by = serializers.CharField()
    outcome = serializers.CharField()
    category = serializers.CharField()
    note = serializers.CharField()
    after_judge = serializers.BooleanField()
    at = serializers.DateTimeField()
    correction = serializers.CharField(allow_blank=True)
    correction_note = serializers.CharField(allow_blank=True)


class LabelSinceSerializer(serializers.Serializer[object]):
    """A label from between the versions; its author under their alias."""

    by = serializers.CharField()
    outcome = serializers.CharField()
    note = serializers.CharField(allow_blank=True)
    revision = serializers.IntegerField()
    at = serializers.DateTimeField()


class GoldChangeSerializer(serializers.Serializer[object]):
    """A pair that differs."""

    case_id = serializers.CharField()
    systems = serializers.ListField(child=serializers.CharField())
    kind = serializers.ChoiceField([kind.value for kind in ChangeKind])
    before = GoldSideSerializer(allow_null=True)
    after = GoldSideSerializer(allow_null=True)
    rulings = RulingSinceSerializer(many=True)
    labels = LabelSinceSerializer(many=True)


def flow_serializer(name: str) -> serializers.Serializer[Any]:
    """How many pairs went from one thing to another; "from" is no Python name."""
    fields: dict[str, Any] = {
        "from": serializers.CharField(allow_blank=True),
        "to": serializers.CharField(allow_blank=True),
        "pairs": serializers.IntegerField(),
        "__doc__": "How many pairs went from one outcome or split to another.",
    }
    made: serializers.Serializer[Any] = type(name, (serializers.Serializer,), fields)(
        many=True
    )
    return made


class GoldDiffSerializer(serializers.Serializer[object]):
    """What lies between two versions."""

    gold_set = serializers.CharField()
    before = GoldVersionSerializer()
    after = GoldVersionSerializer()
    unchanged = serializers.IntegerField()
    withheld = serializers.IntegerField(help_text="Held-out pairs that differ.")
    counts = serializers.DictField(child=serializers.IntegerField())
    flow = flow_serializer("GoldFlowSerializer")
    split_moves = flow_serializer("GoldSplitMoveSerializer")
    rulings = serializers.IntegerField()
    rulings_after_judge = serializers.IntegerField()
    changes = GoldChangeSerializer(many=True)
