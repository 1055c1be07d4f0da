"""What pages may send about a label."""

from __future__ import annotations

from django import forms

from annotation.domain.outcomes import SlotChoice
from annotation.services.labelling import LONGEST_NOTE, Answer
from config.errors import InvalidInput

LONGEST_LOOK = 86_400.0


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


class LabelForm(SkipForm):
    """One answer, in slots: a reviewer never speaks of systems."""

    choice = forms.ChoiceField(choices=[(c.value, c.value) for c in SlotChoice])
    note = forms.CharField(required=False, strip=False)
    elapsed = forms.FloatField(required=False, min_value=0)

    def clean_note(self) -> str:
        """The note as it was typed: a browser sends line breaks as CRLF."""
        note = str(self.cleaned_data["note"]).replace("\r\n", "\n")
        if len(note) > LONGEST_NOTE:
            raise forms.ValidationError(f"longer than {LONGEST_NOTE} characters")
        return note if note.strip() else ""

    def clean_elapsed(self) -> float | None:
        """Seconds on the screen; a page left open over the weekend counts a day."""
        elapsed = self.cleaned_data["elapsed"]
        return None if elapsed is None else min(float(elapsed), LONGEST_LOOK)

    def answer(self) -> Answer:
        """The answer as the service takes it."""
        return Answer(
            choice=SlotChoice(self.cleaned_data["choice"]),
            note=self.cleaned_data["note"],
            elapsed_seconds=self.cleaned_data["elapsed"],
        )
