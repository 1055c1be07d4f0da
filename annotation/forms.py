"""What pages may send about a label."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms

from annotation.domain.answers import (
    CODE,
    LONGEST_NOTE,
    SLOTS,
    AbstainReason,
    Answer,
    whole_time,
)
from annotation.domain.outcomes import SlotChoice
from annotation.presenters import View
from config.errors import InvalidInput

if TYPE_CHECKING:
    from django.http import QueryDict

LONGEST_LOOK = 86_400.0
MOST_FIELDS = 60
LONGEST_CODE = 40
MOST_REVISIONS = 1_000_000
CRITICAL = "critical-"
CRITERION = "criterion-"
TEXTS = ("prompt", "context", "reference", "left", "right")
CHOICES = [(c.value, c.value) for c in SlotChoice]


class SkipForm(forms.Form):
    """Which pair is given back."""

    token = forms.UUIDField()

    def token_text(self) -> str:
        """The assignment's token."""
        return str(self.cleaned_data["token"])

    def refuse_bad(self) -> None:
        """Raise InvalidInput with the first error as "field: reason"."""
        if not self.is_valid():
            name, errors = next(iter(self.errors.items()))
            raise InvalidInput("answer_invalid", f"{name}: {errors[0]}")


class SayingForm(SkipForm):
    """What is said of a pair, in slots: a reviewer never speaks of systems.

    A draft may leave out the choice; which flags and criteria there are is the set's
    matter, and checked by the service.
    """

    choice = forms.ChoiceField(choices=CHOICES, required=False)
    strength = forms.IntegerField(required=False, min_value=1, max_value=2)
    note = forms.CharField(required=False, strip=False)
    confidence = forms.IntegerField(required=False, min_value=1, max_value=3)
    abstain_reason = forms.ChoiceField(
        required=False, choices=[(r.value, r.label) for r in AbstainReason]
    )
    active = forms.FloatField(required=False, min_value=0)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self.sent = data

    def clean_note(self) -> str:
        """The note as it was typed: a browser sends line breaks as CRLF."""
        note = str(self.cleaned_data["note"]).replace("\r\n", "\n")
        if len(note) > LONGEST_NOTE:
            raise forms.ValidationError(f"longer than {LONGEST_NOTE} characters")
        return note if note.strip() else ""

    def clean_active(self) -> float | None:
        """Seconds of work, no longer than a day."""
        return _seconds(self.cleaned_data["active"])

    def clean(self) -> None:
        """Refuse flags and criteria whose codes can't be codes."""
        super().clean()
        if self._stray():
            raise forms.ValidationError("critical: flags belong to first or second")
        for name, codes in (
            (
                "critical",
                [code for found in self.critical().values() for code in found],
            ),
            ("criteria", list(self.criteria())),
        ):
            if not all(CODE.fullmatch(code) for code in codes):
                raise forms.ValidationError(f"{name}: not one of those offered")
        if set(self.criteria().values()) - {c.value for c in SlotChoice}:
            raise forms.ValidationError("criteria: no such choice")

    def critical(self) -> dict[str, tuple[str, ...]]:
        """Flags by slot, as they were ticked."""
        found = {
            slot.value: self.sent.getlist(f"{CRITICAL}{slot.value}") for slot in SLOTS
        }
        return {
            slot: tuple(sorted({code[:LONGEST_CODE] for code in codes[:MOST_FIELDS]}))
            for slot, codes in found.items()
            if codes
        }

    def _stray(self) -> bool:
        """Whether flags were sent for what is no slot."""
        known = {f"{CRITICAL}{slot.value}" for slot in SLOTS}
        return any(
            name.startswith(CRITICAL) and name not in known for name in self.sent
        )

    def criteria(self) -> dict[str, str]:
        """Choices by criterion; those left open are left out."""
        found = [name for name in self.sent if name.startswith(CRITERION)]
        return {
            name.removeprefix(CRITERION)[:LONGEST_CODE]: str(self.sent[name])[:10]
            for name in found[:MOST_FIELDS]
            if self.sent[name]
        }

    def _strength(self) -> int | None:
        """The strength, which only a side has; a page may have kept an old tick."""
        decisive = self.cleaned_data["choice"] in {slot.value for slot in SLOTS}
        return self.cleaned_data["strength"] if decisive else None

    def _reason(self) -> str:
        abstains = self.cleaned_data["choice"] == SlotChoice.ABSTAIN.value
        return str(self.cleaned_data["abstain_reason"]) if abstains else ""


class DraftForm(SayingForm):
    """A draft: anything may still be missing."""

    def content(self) -> dict[str, object]:
        """What was said so far, in the form of `Answer.said`."""
        return {
            "choice": self.cleaned_data["choice"],
            "strength": self._strength(),
            "note": self.cleaned_data["note"],
            "confidence": self.cleaned_data["confidence"],
            "abstain_reason": self._reason(),
            "critical": {slot: list(codes) for slot, codes in self.critical().items()},
            "criteria": self.criteria(),
        }

    def active_seconds(self) -> float:
        """Seconds of work so far."""
        return float(self.cleaned_data["active"] or 0)


class LabelForm(SayingForm):
    """One answer; the reply to it brings the next pair."""

    choice = forms.ChoiceField(choices=CHOICES)
    revision = forms.IntegerField(required=False, min_value=0, max_value=MOST_REVISIONS)
    elapsed = forms.FloatField(required=False, min_value=0)
    view = forms.ChoiceField(required=False, choices=[(v.value, v.value) for v in View])
    linked = forms.BooleanField(required=False)
    as_written = forms.CharField(required=False, max_length=60)

    def clean_elapsed(self) -> float | None:
        """Seconds on the screen; a page left open over the weekend counts a day."""
        return _seconds(self.cleaned_data["elapsed"])

    def revision_seen(self) -> int:
        """The number of the label that the page was made from; 0 where it had none."""
        return int(self.cleaned_data["revision"] or 0)

    def shown_view(self) -> View:
        """How the texts were shown, and how the next ones are wanted."""
        return View(self.cleaned_data["view"] or View.RENDERED)

    def _view(self) -> dict[str, object]:
        """What was shown how; of a view that could not be had, which texts were not."""
        view: dict[str, object] = {
            "texts": self.shown_view().value,
            "linked": self.cleaned_data["linked"],
        }
        named = set(self.cleaned_data["as_written"].split())
        as_written = [name for name in TEXTS if name in named]
        return view | ({"as_written": as_written} if as_written else {})

    def answer(self) -> Answer:
        """The answer as the service takes it."""
        return Answer(
            choice=SlotChoice(self.cleaned_data["choice"]),
            strength=self._strength(),
            note=self.cleaned_data["note"],
            confidence=self.cleaned_data["confidence"],
            abstain_reason=self._reason(),
            critical=self.critical(),
            criteria=self.criteria(),
            view=self._view(),
            elapsed_seconds=whole_time(
                self.cleaned_data["elapsed"], self.cleaned_data["active"]
            ),
            active_seconds=self.cleaned_data["active"],
        )


def _seconds(value: float | None) -> float | None:
    return None if value is None else min(float(value), LONGEST_LOOK)
