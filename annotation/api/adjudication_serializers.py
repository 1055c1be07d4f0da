"""The shapes of the adjudication API, in and out."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from rest_framework import serializers

from annotation.api.doors import hearing_doors
from annotation.domain.outcomes import SlotChoice
from annotation.domain.ruling_categories import (
    correction_categories,
    offered_categories,
)
from annotation.domain.rulings import RulingCategory
from annotation.domain.texts import text_from_json, text_to_json
from annotation.models import Guideline, Hearing
from annotation.presenters import slots_of
from annotation.services.adjudicating import LONGEST_NOTE
from annotation.services.anonymous_labels import labels_for
from annotation.services.hearings import Docket, Statement
from config.api import Strict
from config.api_index import DoorSerializer

if TYPE_CHECKING:
    from rest_framework.request import Request

    from annotation.services.ruling_chains import Chain

SLOT = "`first` (left), `second` (right), `tie` or `abstain`."
OUTCOME = "`baseline`, `candidate`, `tie` or `abstain`."
SLOTS = [choice.value for choice in SlotChoice]
MOST_PAIRS = 10_000


class FlagSerializer(serializers.Serializer[object]):
    """A critical error that a reviewer saw in one response."""

    slot = serializers.CharField(help_text=SLOT)
    # DRF moves declared fields out of the class, so its own `label` stays what it is.
    label = serializers.CharField()  # type: ignore[assignment]  # see above


class CriterionSerializer(serializers.Serializer[object]):
    """A choice on one criterion."""

    label = serializers.CharField()  # type: ignore[assignment]  # as above
    choice = serializers.CharField(help_text=SLOT)


class AnonymousLabelSerializer(serializers.Serializer[object]):
    """One reviewer's label, without the reviewer.

    `choice` speaks of the left and right given here. `shown_choice` is what the
    reviewer chose in the sides they saw; `sides` says whether these were the same.
    """

    letter = serializers.CharField()
    choice = serializers.CharField(help_text=SLOT)
    shown_choice = serializers.CharField(allow_null=True, help_text=SLOT)
    sides = serializers.ChoiceField(["same", "swapped", "unknown"])
    strength = serializers.IntegerField(allow_null=True)
    confidence = serializers.IntegerField(allow_null=True)
    abstain_reason = serializers.CharField(allow_blank=True)
    flags = FlagSerializer(many=True)
    criteria = CriterionSerializer(many=True)
    note = serializers.CharField(allow_blank=True)
    guideline_version = serializers.IntegerField(allow_null=True)


class CategorySerializer(serializers.Serializer[object]):
    """A category that a ruling may have."""

    code = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # as above


class HearingSerializer(serializers.Serializer[object]):
    """A pair to rule on: texts by slot, and its labels without names.

    `labels` is null while a first ruling, made without them, is asked for.
    """

    token = serializers.UUIDField()
    question = serializers.CharField(allow_blank=True)
    guideline = serializers.CharField(allow_null=True)
    guideline_version = serializers.IntegerField(allow_null=True)
    prompt = serializers.JSONField()
    context = serializers.JSONField(allow_null=True)  # type: ignore[assignment]  # as above
    reference = serializers.JSONField(allow_null=True)
    left = serializers.JSONField(help_text="Rule for it with the choice `first`.")
    right = serializers.JSONField(help_text="Rule for it with the choice `second`.")
    categories = CategorySerializer(many=True)
    labels = AnonymousLabelSerializer(many=True, allow_null=True)
    doors = DoorSerializer(many=True, help_text="What you can do with it now.")


class WaitingSerializer(serializers.Serializer[object]):
    """How the caller's queue stands."""

    free = serializers.IntegerField(help_text="Pairs you could rule on now.")
    with_others = serializers.IntegerField(help_text="Pairs others have before them.")
    mine = serializers.IntegerField(help_text="Rulings you gave.")


class DocketSerializer(serializers.Serializer[object]):
    """The pair before you, or why there is none: `wait` for others, or `done`."""

    state = serializers.ChoiceField(["pair", "wait", "done"])
    pair = HearingSerializer(allow_null=True)
    wait_until = serializers.DateTimeField(allow_null=True)
    waiting = WaitingSerializer()


class FirstRulingSerializer(Strict):
    """A ruling made before the labels are shown."""

    choice = serializers.ChoiceField(SLOTS)


class RulingSerializer(Strict):
    """A ruling, in slots."""

    choice = serializers.ChoiceField(SLOTS)
    category = serializers.CharField(max_length=40)
    note = serializers.CharField(max_length=LONGEST_NOTE, trim_whitespace=False)

    def statement(self) -> Statement:
        """The ruling as the service takes it."""
        sent = self.validated_data
        return Statement(SlotChoice(sent["choice"]), sent["category"], sent["note"])


class PastRulingSerializer(serializers.Serializer[object]):
    """A ruling of the pair's chain, without names, in the caller's slots."""

    sequence = serializers.IntegerField()
    by = serializers.CharField(help_text="`you`, or `adjudicator` and a number.")
    at = serializers.DateTimeField()
    choice = serializers.CharField(help_text=SLOT)
    before = serializers.CharField(allow_null=True, help_text=SLOT)
    category = serializers.CharField()
    note = serializers.CharField()
    first_choice = serializers.CharField(allow_null=True, help_text=SLOT)


class RuledSerializer(serializers.Serializer[object]):
    """The pair's rulings with the new one, and the pair that comes next."""

    history = PastRulingSerializer(many=True)
    next = DocketSerializer()


class RulingRecordSerializer(serializers.Serializer[object]):
    """A ruling in full; `before` is the gold that it replaced."""

    sequence = serializers.IntegerField()
    by = serializers.CharField()
    at = serializers.DateTimeField()
    outcome = serializers.CharField(help_text=OUTCOME)
    before = serializers.CharField(allow_null=True, help_text=OUTCOME)
    first_outcome = serializers.CharField(allow_blank=True)
    category = serializers.CharField()
    note = serializers.CharField()
    after_judge = serializers.BooleanField()
    request = serializers.CharField(allow_null=True, help_text="Why it was asked for.")
    previous_digest = serializers.CharField(allow_blank=True)
    digest = serializers.CharField()


class ChainSerializer(serializers.Serializer[object]):
    """All rulings on one pair, oldest first; `problems` is empty where all verify."""

    case_id = serializers.CharField()
    systems = serializers.ListField(child=serializers.CharField())
    split = serializers.CharField(allow_blank=True)
    rulings = RulingRecordSerializer(many=True)
    problems = serializers.ListField(child=serializers.CharField())


class CorrectionSerializer(Strict):
    """Pairs to be ruled on again: case ids, or `case-id baseline|candidate`."""

    pairs = serializers.ListField(
        child=serializers.CharField(), min_length=1, max_length=MOST_PAIRS
    )
    controls = serializers.ListField(
        child=serializers.CharField(), max_length=MOST_PAIRS
    )
    category = serializers.ChoiceField([c.code for c in correction_categories()])
    note = serializers.CharField(max_length=LONGEST_NOTE)

    def reason(self) -> RulingCategory:
        """The category that was chosen."""
        return RulingCategory(self.validated_data["category"])


class CorrectionBatchSerializer(serializers.Serializer[object]):
    """What was sent."""

    batch = serializers.UUIDField()
    corrections = serializers.IntegerField()
    controls = serializers.IntegerField()


def hearing_data(hearing: Hearing, request: Request) -> dict[str, object]:
    """The pair and its labels as plain data."""
    pair = hearing.pair
    left, right = slots_of(pair, hearing.order)
    guideline = Guideline.objects.in_force(pair.gold_set_id)
    own = pair.gold_set.ruling_categories
    revealed = hearing.revealed_at is not None
    return {
        "token": hearing.token,
        "question": pair.gold_set.question,
        "guideline": guideline.text if guideline else None,
        "guideline_version": guideline.version if guideline else None,
        "prompt": _plain(pair.case.prompt),
        "context": _plain(pair.case.context),
        "reference": _plain(pair.case.reference),
        "left": _plain(left.text),
        "right": _plain(right.text),
        "categories": [asdict(one) for one in offered_categories(own)],
        "labels": [asdict(one) for one in labels_for(hearing)] if revealed else None,
        "doors": hearing_doors(request, hearing.token, revealed=revealed),
    }


def _plain(stored: object) -> object:
    # Through the validated form, so that nothing but role and content gets out.
    return None if stored is None else text_to_json(text_from_json(stored))


def docket_data(docket: Docket, request: Request) -> dict[str, object]:
    """The reply for what the queue gave."""
    pair = hearing_data(docket.hearing, request) if docket.hearing else None
    state = "pair" if docket.hearing else "wait" if docket.wait_until else "done"
    return {
        "state": state,
        "pair": pair,
        "wait_until": docket.wait_until,
        "waiting": asdict(docket.waiting),
    }


def chain_data(chain: Chain) -> dict[str, object]:
    """A chain in full, for who may read everything."""
    pair = chain.pair
    return {
        "case_id": pair.case.external_id,
        "systems": [pair.baseline.system.name, pair.candidate.system.name],
        "split": pair.case.split,
        "problems": [str(problem) for problem in chain.problems],
        "rulings": [
            {
                "sequence": record.ruling.sequence,
                "by": record.ruling.adjudicator.get_username(),
                "at": record.ruling.created_at,
                "outcome": record.ruling.outcome,
                "before": record.before,
                "first_outcome": record.ruling.first_outcome,
                "category": record.ruling.category,
                "note": record.ruling.note,
                "after_judge": record.ruling.after_judge,
                "request": record.ruling.request.kind
                if record.ruling.request
                else None,
                "previous_digest": record.ruling.previous_digest,
                "digest": record.ruling.digest,
            }
            for record in chain.records
        ],
    }
