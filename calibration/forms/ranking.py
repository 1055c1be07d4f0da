"""What people choose where systems are ranked."""

from __future__ import annotations

from django import forms

from calibration.services.ranking import RankedPart


class RankingForm(forms.Form):
    """Over which pairs."""

    part = forms.ChoiceField(
        label="Which pairs",
        widget=forms.RadioSelect,
        initial=RankedPart.OPEN.value,
        choices=[
            (RankedPart.OPEN.value, "All that are not held out"),
            (RankedPart.DEV.value, "Dev"),
            (RankedPart.HELD_OUT.value, "Held-out (a look)"),
        ],
    )
