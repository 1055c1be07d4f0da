"""The shapes of the labelling API, in and out."""

from __future__ import annotations

from rest_framework import serializers

from annotation.api.round_serializers import LedRoundSerializer
from annotation.domain.answers import (
    CODE,
    LONGEST_NOTE,
    MOST_OPTIONS,
    SLOTS,
    AbstainReason,
    Answer,
)
from annotation.domain.outcomes import SlotChoice
from config.api import Strict
from config.api_index import DoorSerializer


class ErrorSerializer(serializers.Serializer[object]):
    """Every refusal: a stable code for programs, a message for people."""

    code = serializers.CharField()
    message = serializers.CharField()
    detail = serializers.JSONField()


class ProgressSerializer(serializers.Serializer[object]):
    """Seats of a round as its reviewer may know them."""

    mine = serializers.IntegerField(help_text="Labels you gave.")
    waiting = serializers.IntegerField(help_text="Pairs you could be given now.")
    reserved = serializers.IntegerField(help_text="Seats reserved by others now.")
    labelled = serializers.IntegerField(help_text="Seats labelled by anyone.")
    seats = serializers.IntegerField(help_text="Labels wanted in all.")


class RoundSerializer(serializers.Serializer[object]):
    """A round that the caller belongs to, or leads."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    gold_set = serializers.CharField(
        allow_blank=True,
        help_text="Its title; without one its name for who reads all, for who labels "
        "blind nothing, since a name may tell the systems.",
    )
    open = serializers.BooleanField(help_text="Whether it takes labels.")
    blind = serializers.BooleanField(
        help_text="False for leads and auditors, whose labels are marked."
    )
    progress = ProgressSerializer(
        allow_null=True, help_text="Yours; null for who does not label in it now."
    )
    led = LedRoundSerializer(required=False, help_text="For leads and auditors alone.")
    doors = DoorSerializer(many=True, help_text="What of it you may open.")


class OptionSerializer(Strict):
    """One entry of a list that the set declares."""

    code = serializers.RegexField(CODE.pattern, max_length=40)
    label = serializers.CharField(max_length=120)  # type: ignore[assignment]  # moved out of the class by DRF


class AsksSerializer(serializers.Serializer[object]):
    """What is asked beside the choice."""

    strength = serializers.BooleanField(help_text="Say 2 where it is much better.")
    critical = OptionSerializer(many=True)
    criteria = OptionSerializer(many=True)
    abstain_reasons = OptionSerializer(many=True)


class GuidelineTextSerializer(serializers.Serializer[object]):
    """The version that the caller works by."""

    version = serializers.IntegerField()
    text = serializers.CharField()


class LineSerializer(serializers.Serializer[object]):
    """One line of two versions of a text."""

    change = serializers.ChoiceField(["kept", "removed", "added"])
    text = serializers.CharField(allow_blank=True)


class ChangeSerializer(serializers.Serializer[object]):
    """What is new in the guideline: to be read and confirmed before the next pair."""

    seen_version = serializers.IntegerField()
    version = serializers.IntegerField()
    text = serializers.CharField()
    lines = LineSerializer(many=True)
    criteria_added = OptionSerializer(many=True)
    criteria_removed = OptionSerializer(many=True)


class PairSerializer(serializers.Serializer[object]):
    """A blinded pair: texts by slot under a token of this assignment alone.

    A text is a string, or a list of `{"role", "content"}` messages.
    """

    token = serializers.UUIDField()
    question = serializers.CharField()
    prompt = serializers.JSONField()
    # DRF moves declared fields out of the class, so its own `context` stays what it is.
    context = serializers.JSONField(allow_null=True)  # type: ignore[assignment]  # see above
    reference = serializers.JSONField(allow_null=True)
    left = serializers.JSONField(help_text="Answer it with the choice `first`.")
    right = serializers.JSONField(help_text="Answer it with the choice `second`.")
    revision = serializers.IntegerField(
        help_text="Of your label of it, 0 for none: send it with your answer."
    )
    same_case_again = serializers.BooleanField()
    asks = AsksSerializer()
    guideline = GuidelineTextSerializer(allow_null=True)
    draft = serializers.JSONField(
        allow_null=True, help_text="What you kept of an answer, with `saved_at`."
    )
    doors = DoorSerializer(many=True, help_text="What you can do with it.")


class NextSerializer(serializers.Serializer[object]):
    """The next pair, or why there is none.

    `wait`: others hold what is left, until `wait_until` at least. `done`: nothing is
    left for you. `closed`: the round was closed. `guideline`: it has changed; confirm
    that you have read what is new, then ask again.
    """

    state = serializers.ChoiceField(["pair", "wait", "done", "closed", "guideline"])
    pair = PairSerializer(allow_null=True)
    wait_until = serializers.DateTimeField(allow_null=True)
    change = ChangeSerializer(allow_null=True)
    unsent = serializers.IntegerField(
        help_text="Where there is no pair: drafts of yours that did not become labels; "
        "they are kept, with why, under your labels of the round."
    )


class SayingSerializer(Strict):
    """What is said of a pair, in slots."""

    choice = serializers.ChoiceField(
        [c.value for c in SlotChoice], required=False, allow_blank=True, default=""
    )
    strength = serializers.IntegerField(
        required=False, allow_null=True, min_value=1, max_value=2, default=None
    )
    note = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=LONGEST_NOTE,
        trim_whitespace=False,
        default="",
    )
    confidence = serializers.IntegerField(
        required=False, allow_null=True, min_value=1, max_value=3, default=None
    )
    abstain_reason = serializers.ChoiceField(
        [r.value for r in AbstainReason], required=False, allow_blank=True, default=""
    )
    critical = serializers.DictField(
        child=serializers.ListField(
            child=serializers.RegexField(CODE.pattern, max_length=40),
            max_length=MOST_OPTIONS,
        ),
        required=False,
        default=dict,
        help_text="Codes of critical errors, for `first` and `second`.",
    )
    criteria = serializers.DictField(
        child=serializers.ChoiceField([c.value for c in SlotChoice]),
        required=False,
        default=dict,
        help_text="A choice for each criterion's code.",
    )
    active_seconds = serializers.FloatField(
        required=False, allow_null=True, min_value=0, max_value=86_400, default=None
    )

    def validate_note(self, note: str) -> str:
        """A note of spaces says nothing."""
        return note if note.strip() else ""

    def validate_critical(self, flags: dict[str, list[str]]) -> dict[str, list[str]]:
        """Flags belong to a slot."""
        if set(flags) - {slot.value for slot in SLOTS}:
            raise serializers.ValidationError("Only first and second have flags.")
        return {slot: sorted(set(codes)) for slot, codes in flags.items() if codes}

    def validate_criteria(self, said: dict[str, str]) -> dict[str, str]:
        """A criterion is named by its code."""
        if not all(CODE.fullmatch(code) for code in said):
            raise serializers.ValidationError("There is no such criterion.")
        return said


SAID = (
    "choice", "strength", "note", "confidence", "abstain_reason",
    "critical", "criteria",
)  # fmt: skip


class DraftSerializer(SayingSerializer):
    """A draft: anything may still be missing."""

    def content(self) -> dict[str, object]:
        """What was said so far, in the form of `Answer.said`."""
        return {name: self.validated_data[name] for name in SAID}


class AnswerSerializer(SayingSerializer):
    """One answer. An abstain needs a reason, and the reason `other` a note."""

    choice = serializers.ChoiceField([c.value for c in SlotChoice])
    revision = serializers.IntegerField(
        required=False,
        default=0,
        min_value=0,
        help_text="Of the label that you change, 0 for a first one.",
    )
    elapsed_seconds = serializers.FloatField(
        required=False, allow_null=True, min_value=0, max_value=86_400, default=None
    )

    def answer(self) -> Answer:
        """The answer as the service takes it."""
        sent = self.validated_data
        plain = {
            name: sent[name] for name in SAID if name not in ("choice", "critical")
        }
        return Answer(
            choice=SlotChoice(sent["choice"]),
            critical={slot: tuple(codes) for slot, codes in sent["critical"].items()},
            elapsed_seconds=sent["elapsed_seconds"],
            active_seconds=sent["active_seconds"],
            **plain,
        )


class KeptSerializer(serializers.Serializer[object]):
    """A draft that was kept, and where your reservation stands.

    `held` until the time given; `wanted`: it ran out, but the pair still takes an
    answer; `taken`: others have all of it; `labelled`: answered already, and the answer
    may be changed; `closed`: the round is; `given_back`: you skipped the pair;
    `removed`: you were taken out of the round.
    """

    saved_at = serializers.DateTimeField()
    reservation = serializers.ChoiceField(
        ["held", "wanted", "taken", "labelled", "closed", "given_back", "removed"]
    )
    until = serializers.DateTimeField(allow_null=True)


class SavedSerializer(serializers.Serializer[object]):
    """What was stored."""

    token = serializers.UUIDField()
    choice = serializers.CharField()
    revision = serializers.IntegerField()
    saved_at = serializers.DateTimeField()


class SubmittedSerializer(serializers.Serializer[object]):
    """The stored label and the pair that comes next."""

    saved = SavedSerializer()
    next = NextSerializer()
