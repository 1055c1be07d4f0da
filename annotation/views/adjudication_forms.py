"""What pages may send about rulings and corrections."""

from __future__ import annotations

from django import forms

from annotation.domain.outcomes import SlotChoice
from annotation.domain.ruling_categories import correction_categories
from annotation.domain.rulings import RulingCategory
from annotation.services.adjudicating import LONGEST_NOTE
from annotation.services.hearings import Statement
from config.errors import InvalidInput

LONGEST_LIST = 1_000_000


class FirstForm(forms.Form):
    """A first ruling: nothing but a slot."""

    choice = forms.ChoiceField(choices=[(c.value, c.value) for c in SlotChoice])

    def refuse_bad(self) -> None:
        """Raise InvalidInput with the first error as "field: reason"."""
        if not self.is_valid():
            name, errors = next(iter(self.errors.items()))
            raise InvalidInput("ruling_invalid", f"{name}: {errors[0]}")

    def chosen(self) -> SlotChoice:
        """The slot, a tie or an abstain."""
        return SlotChoice(self.cleaned_data["choice"])


class RulingForm(FirstForm):
    """A ruling in slots; which categories there are is for the service to say."""

    category = forms.CharField(max_length=40)
    note = forms.CharField(strip=False)

    def clean_note(self) -> str:
        """The note as it was typed: a browser sends line breaks as CRLF."""
        note = str(self.cleaned_data["note"]).replace("\r\n", "\n")
        if len(note) > LONGEST_NOTE:
            raise forms.ValidationError(f"longer than {LONGEST_NOTE} characters")
        return note

    def statement(self) -> Statement:
        """The ruling as the service takes it."""
        return Statement(
            choice=self.chosen(),
            category=self.cleaned_data["category"],
            note=self.cleaned_data["note"],
        )


class CorrectionForm(forms.Form):
    """Pairs to be ruled on again, among controls: one case id a line in each list."""

    pairs = forms.CharField(
        label="Pairs to correct",
        widget=forms.Textarea(attrs={"rows": 5, "spellcheck": "false"}),
        max_length=LONGEST_LIST,
        help_text="One case id a line; where a case has several pairs, a space and "
        "the two systems after it: case-7 v12|v13.",
    )
    controls = forms.CharField(
        label="Controls",
        widget=forms.Textarea(attrs={"rows": 5, "spellcheck": "false"}),
        max_length=LONGEST_LIST,
        help_text="At least as many pairs on which judge and gold agree. Nobody who "
        "rules can tell them from the others.",
    )
    category = forms.ChoiceField(
        label="Why",
        choices=[(one.code, one.label) for one in correction_categories()],
    )
    note = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 3}),
        max_length=LONGEST_NOTE,
        help_text="What made you doubt the gold. Adjudicators do not see it.",
    )

    def reason(self) -> RulingCategory:
        """The category that was chosen."""
        return RulingCategory(self.cleaned_data["category"])
