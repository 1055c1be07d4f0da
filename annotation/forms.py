"""What pages may send about a label."""

from __future__ import annotations

from django import forms

from annotation.domain.outcomes import SlotChoice
from annotation.services.labelling import LONGEST_NOTE, Answer


class SkipForm(forms.Form):
    """Which pair is given back."""

    token = forms.UUIDField()


class LabelForm(forms.Form):
    """One answer, in slots: a reviewer never speaks of systems."""

    token = forms.UUIDField()
    choice = forms.ChoiceField(choices=[(c.value, c.value) for c in SlotChoice])
    note = forms.CharField(required=False, strip=False, max_length=LONGEST_NOTE)
    elapsed = forms.FloatField(required=False, min_value=0, max_value=86_400)

    def token_text(self) -> str:
        """The assignment's token."""
        return str(self.cleaned_data["token"])

    def answer(self) -> Answer:
        """The answer as the service takes it."""
        # A browser sends line breaks as CRLF; the note is kept as it was typed.
        note = self.cleaned_data["note"].replace("\r\n", "\n")
        return Answer(
            choice=SlotChoice(self.cleaned_data["choice"]),
            note="" if not note.strip() else note,
            elapsed_seconds=self.cleaned_data["elapsed"],
        )

    def first_problem(self) -> str:
        """The first error as "field: reason"."""
        name, errors = next(iter(self.errors.items()))
        return f"{name}: {errors[0]}"
