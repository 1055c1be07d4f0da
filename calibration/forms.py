"""What people type into the calibration pages."""

from __future__ import annotations

from django import forms


class ReasonForm(forms.Form):
    """Why one more look at held-out results is taken."""

    reason = forms.CharField(
        max_length=2000,
        strip=True,
        label="Why is one more look needed?",
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": "Give a reason; it is logged with your name."},
    )
