"""The shapes of the labelling API, in and out."""

from __future__ import annotations

from rest_framework import serializers

from annotation.domain.outcomes import SlotChoice
from annotation.domain.texts import text_from_json, text_to_json
from annotation.models import Assignment, Pair
from annotation.presenters import slots_of
from annotation.services.labelling import LONGEST_NOTE, Answer
from annotation.services.queue import AllDone, Closed, Next, NothingNow, shown_pair


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
    """A round that the caller belongs to."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    gold_set = serializers.CharField(help_text="Its title.", allow_blank=True)
    progress = ProgressSerializer()


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
    same_case_again = serializers.BooleanField()


class NextSerializer(serializers.Serializer[object]):
    """The next pair, or why there is none.

    `wait`: others hold what is left, until `wait_until` at least. `done`: nothing is
    left for you. `closed`: the round was closed.
    """

    state = serializers.ChoiceField(["pair", "wait", "done", "closed"])
    pair = PairSerializer(allow_null=True)
    wait_until = serializers.DateTimeField(allow_null=True)


class AnswerSerializer(serializers.Serializer[object]):
    """One answer, in slots."""

    choice = serializers.ChoiceField([c.value for c in SlotChoice])
    strength = serializers.IntegerField(
        required=False, allow_null=True, min_value=1, max_value=2
    )
    note = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=LONGEST_NOTE,
        trim_whitespace=False,
        default="",
    )
    elapsed_seconds = serializers.FloatField(
        required=False, allow_null=True, min_value=0, max_value=86_400, default=None
    )

    def answer(self) -> Answer:
        """The answer as the service takes it."""
        sent = self.validated_data
        note = sent["note"]
        return Answer(
            choice=SlotChoice(sent["choice"]),
            strength=sent.get("strength"),
            note=note if note.strip() else "",
            elapsed_seconds=sent["elapsed_seconds"],
        )


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


def pair_data(assignment: Assignment, pair: Pair) -> dict[str, object]:
    """The blinded pair as plain data."""
    case = pair.case
    left, right = slots_of(pair, assignment.order)
    return {
        "token": assignment.token,
        "question": pair.gold_set.question,
        "prompt": _plain(case.prompt),
        "context": _plain(case.context),
        "reference": _plain(case.reference),
        "left": _plain(left.text),
        "right": _plain(right.text),
        "same_case_again": assignment.same_case_again,
    }


def _plain(stored: object) -> object:
    # Through the validated form, so that nothing but role and content gets out.
    return None if stored is None else text_to_json(text_from_json(stored))


def next_data(found: Next | Closed) -> dict[str, object]:
    """The reply for what the queue gave."""
    if isinstance(found, Assignment):
        pair = pair_data(found, shown_pair(found))
        return {"state": "pair", "pair": pair, "wait_until": None}
    if isinstance(found, NothingNow):
        return {"state": "wait", "pair": None, "wait_until": found.until}
    state = "done" if isinstance(found, AllDone) else "closed"
    return {"state": state, "pair": None, "wait_until": None}
