"""Small forms: which pair, which calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from annotation.domain.outcomes import Order, Split
from annotation.models import GoldSet
from config.errors import InvalidInput
from judging.domain.terms import InvalidReason

if TYPE_CHECKING:
    from django.db.models import QuerySet

EXAMPLE = "a built-in example"


class PairForm(forms.Form):
    """The dev pair that a judge is shown on; no set means a built-in example."""

    gold_set = forms.ModelChoiceField(
        GoldSet.objects.none(),
        to_field_name="name",
        required=False,
        empty_label=EXAMPLE,
        label="Shown on",
    )
    number = forms.IntegerField(
        required=False, min_value=1, initial=1, label="Dev pair number"
    )

    def __init__(self, sets: QuerySet[GoldSet], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["gold_set"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101 - declared above
        field.queryset = sets

    def chosen(self) -> tuple[GoldSet | None, int]:
        """The set and the number; raises ``InvalidInput`` for what can't be read."""
        for field, errors in self.errors.items():
            raise InvalidInput(
                "pair_choice_invalid", f"{field}: {errors[0]}", {"field": field}
            )
        return self.cleaned_data["gold_set"], self.cleaned_data["number"] or 1


class CallsForm(forms.Form):
    """Which calls of a run to list."""

    reason = forms.ChoiceField(
        required=False,
        label="Answer",
        choices=[
            ("", "all"),
            ("valid", "with a verdict"),
            ("unanswered", "not answered yet"),
            *((each.value, f"invalid: {each.value}") for each in InvalidReason),
        ],
    )
    order = forms.ChoiceField(
        required=False,
        choices=[
            ("", "both"),
            (Order.BASELINE_FIRST.value, "baseline first"),
            (Order.CANDIDATE_FIRST.value, "candidate first"),
        ],
    )
    split = forms.ChoiceField(
        required=False,
        choices=[
            ("", "dev and none"),
            (Split.DEV.value, "dev"),
            ("none", "in no split"),
        ],
    )
