"""The shapes of gold sets, their cases and their pairs, as they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers

from annotation.services.set_data import SPLITS
from config.api_index import DoorSerializer

if TYPE_CHECKING:
    from annotation.models import Case, GoldSet, Pair
    from annotation.services.set_data import SetState, ShownCase


class SplitQuerySerializer(serializers.Serializer[object]):
    """Which cases or pairs."""

    split = serializers.ChoiceField(
        SPLITS, required=False, default="", help_text="Left out: all of them."
    )


class GoldSetSerializer(serializers.Serializer[object]):
    """A gold set."""

    name = serializers.CharField()
    title = serializers.CharField(allow_blank=True)
    question = serializers.CharField(allow_blank=True)
    systems = serializers.ListField(
        child=serializers.CharField(),
        help_text="In order: of a pair, the earlier one is the baseline.",
    )
    labels_per_pair = serializers.IntegerField()
    rule = serializers.CharField()
    primary_slice = serializers.CharField(allow_blank=True)
    simulated = serializers.BooleanField()
    created_at = serializers.DateTimeField()


class CaseCountsSerializer(serializers.Serializer[object]):
    """Cases by split."""

    dev = serializers.IntegerField()
    held_out = serializers.IntegerField()
    unassigned = serializers.IntegerField()


class PairCountsSerializer(serializers.Serializer[object]):
    """How many pairs there are."""

    all = serializers.IntegerField()
    set_aside = serializers.IntegerField(help_text="That no new round takes.")
    under_seal = serializers.IntegerField(
        help_text="That the lists leave out until they are unsealed."
    )


class GoldSetStateSerializer(GoldSetSerializer):
    """A gold set, and where it stands."""

    cases = CaseCountsSerializer()
    pairs = PairCountsSerializer()
    slices = serializers.ListField(child=serializers.CharField())
    splits_locked = serializers.BooleanField()
    sealed = serializers.BooleanField(help_text="Its held-out results are.")
    judged_at = serializers.DateTimeField(
        allow_null=True, help_text="When its first judge results came."
    )
    guideline = serializers.IntegerField(
        allow_null=True, help_text="The version in force."
    )
    gold_version = serializers.IntegerField(allow_null=True, help_text="The newest.")
    doors = DoorSerializer(many=True, help_text="What of it you may open.")


class CaseSerializer(serializers.Serializer[object]):
    """A case without its texts."""

    id = serializers.IntegerField(help_text="Its row, for its address.")
    case_id = serializers.CharField()
    split = serializers.CharField(allow_blank=True)
    group = serializers.CharField(allow_blank=True)
    critical = serializers.BooleanField()
    slices = serializers.DictField(child=serializers.CharField(allow_blank=True))
    digest = serializers.CharField()
    url = serializers.URLField(
        help_text="The case in full; opening it keeps its pairs from your queue."
    )


class PairRowSerializer(serializers.Serializer[object]):
    """A pair without its texts."""

    id = serializers.IntegerField()
    case = serializers.IntegerField(help_text="The row of its case.")
    case_id = serializers.CharField()
    systems = serializers.ListField(child=serializers.CharField())
    split = serializers.CharField(allow_blank=True)
    set_aside = serializers.BooleanField()
    digest = serializers.CharField()


class OwnedTextSerializer(serializers.Serializer[object]):
    """A response with the system that wrote it."""

    system = serializers.CharField()
    text = serializers.JSONField(help_text="A text, or a list of chat messages.")
    length = serializers.IntegerField()
    sha256 = serializers.CharField()
    meta = serializers.JSONField()


class CasePairSerializer(serializers.Serializer[object]):
    """A pair of a case that is shown in full."""

    id = serializers.IntegerField()
    systems = serializers.ListField(child=serializers.CharField())
    flags = serializers.ListField(child=serializers.CharField())
    designed = serializers.CharField(
        allow_blank=True, help_text="The outcome that it was built to have."
    )
    digest = serializers.CharField()


class FullCaseSerializer(CaseSerializer):
    """A case with all its texts, by system."""

    prompt = serializers.JSONField()
    # DRF moves declared fields out of the class, so its own `context` stays what it is.
    context = serializers.JSONField(allow_null=True)  # type: ignore[assignment]  # see above
    reference = serializers.JSONField(allow_null=True)
    extra = serializers.JSONField()
    responses = OwnedTextSerializer(many=True)
    pairs = CasePairSerializer(many=True)


def set_row(one: GoldSet) -> dict[str, Any]:
    """A gold set as plain data; its seed stays secret."""
    return {
        "name": one.name,
        "title": one.title,
        "question": one.question,
        "systems": [system.name for system in one.systems.all()],
        "labels_per_pair": one.labels_per_pair,
        "rule": one.consensus_rule,
        "primary_slice": one.primary_slice,
        "simulated": one.simulated,
        "created_at": one.created_at,
    }


def state_data(found: SetState) -> dict[str, Any]:
    """A gold set with its counts as plain data."""
    counts = found.splits
    return set_row(found.gold_set) | {
        "cases": {
            "dev": counts["dev"],
            "held_out": counts["held_out"],
            "unassigned": counts[""],
        },
        "pairs": {
            "all": found.pairs,
            "set_aside": found.set_aside,
            "under_seal": found.under_seal,
        },
        "slices": found.slices,
        "splits_locked": found.locked,
        "sealed": found.sealed,
        "judged_at": found.gold_set.judged_at,
        "guideline": found.guideline,
        "gold_version": found.gold_version,
    }


def case_row(one: Case, url: str) -> dict[str, Any]:
    """A case without its texts as plain data."""
    return {
        "id": one.pk,
        "case_id": one.external_id,
        "split": one.split,
        "group": one.group,
        "critical": one.critical,
        "slices": one.slices,
        "digest": one.digest,
        "url": url,
    }


def pair_row(one: Pair) -> dict[str, Any]:
    """A pair without its texts as plain data."""
    return {
        "id": one.pk,
        "case": one.case_id,
        "case_id": one.case.external_id,
        "systems": _systems(one),
        "split": one.case.split,
        "set_aside": one.is_aside,  # type: ignore[attr-defined]  # an annotation
        "digest": one.digest,
    }


def full_case(found: ShownCase, url: str) -> dict[str, Any]:
    """A case with its texts as plain data."""
    return case_row(found.case, url) | {
        "prompt": found.case.prompt,
        "context": found.case.context,
        "reference": found.case.reference,
        "extra": found.case.extra,
        "responses": [
            {
                "system": one.system.name,
                "text": one.text,
                "length": one.length,
                "sha256": one.sha256,
                "meta": one.meta,
            }
            for one in found.responses
        ],
        "pairs": [
            {
                "id": one.pk,
                "systems": _systems(one),
                "flags": one.flags,
                "designed": one.designed,
                "digest": one.digest,
            }
            for one in found.pairs
        ],
    }


def _systems(one: Pair) -> list[str]:
    return [one.baseline.system.name, one.candidate.system.name]
