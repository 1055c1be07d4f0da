"""What pages may send about rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms

from annotation.domain.outcomes import Split
from annotation.services.round_members import labeller_named
from annotation.services.round_planning import (
    LARGEST_SAMPLE,
    LONGEST_NAME,
    LONGEST_SEED,
    MOST_LABELS,
    NO_SPLIT,
    RoundPlan,
    Selection,
    Which,
)
from annotation.services.rounds import new_sample_seed
from annotation.views.gold_forms import first_error
from config.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import QueryDict

    from annotation.models import GoldSet
    from config.accounts.models import User

WHICH = [
    (Which.ALL.value, "All pairs"),
    (Which.WITHOUT_GOLD.value, "Pairs without gold so far"),
    (Which.DISPUTED.value, "Disputed pairs: labelled, and not settled"),
]
SPLITS = [
    ("", "Any split"),
    (Split.DEV.value, "dev"),
    (Split.HELD_OUT.value, "held-out"),
    (NO_SPLIT, "In no split"),
]


class RoundForm(forms.Form):
    """A round to open, with shares in percent."""

    name = forms.CharField(max_length=LONGEST_NAME)
    labels_per_pair = forms.IntegerField(min_value=1, max_value=MOST_LABELS)
    which = forms.ChoiceField(choices=WHICH, label="Pairs")
    split = forms.ChoiceField(choices=SPLITS, required=False)
    slice = forms.ChoiceField(required=False)
    case_ids = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        label="Only these cases",
        help_text=(
            "Their ids, one a line; for one pair of several, a space and "
            "baseline|candidate after the id."
        ),
    )
    sample = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_SAMPLE,
        label="At random, so many of these",
    )
    seed = forms.CharField(
        required=False, max_length=LONGEST_SEED, help_text="Of the random choice."
    )
    minutes = forms.IntegerField(
        min_value=1,
        max_value=1440,
        initial=30,
        label="Minutes a pair is reserved",
    )
    retest_percent = forms.FloatField(
        min_value=0,
        max_value=100,
        initial=0,
        label="Planned repeats, % of pairs",
        help_text="Shown again to one of their reviewers with the sides swapped.",
    )
    designed_percent = forms.FloatField(
        min_value=0,
        max_value=100,
        initial=0,
        label="Designed pairs mixed in, % of the others",
        help_text="At 0 they are chosen like any other pair.",
    )
    reviewers = forms.MultipleChoiceField(
        required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(
        self,
        data: QueryDict | None,
        *,
        gold_set: GoldSet,
        slices: Sequence[tuple[str, str]],
        people: Sequence[User],
    ) -> None:
        super().__init__(data)
        self.gold_set = gold_set
        self.fields["labels_per_pair"].initial = gold_set.labels_per_pair
        self.fields["seed"].initial = new_sample_seed()
        self.fields["slice"] = forms.ChoiceField(
            required=False,
            choices=[("", "Any value")]
            + [(f"{key}={value}", f"{key} = {value}") for key, value in slices],
        )
        self.fields["reviewers"] = forms.MultipleChoiceField(
            required=False,
            widget=forms.CheckboxSelectMultiple,
            choices=[(one.get_username(), one.shown_name) for one in people],
        )

    def refuse_bad(self) -> None:
        """Raise InvalidInput with the first error as "field: reason"."""
        if not self.is_valid():
            raise InvalidInput("round_invalid", first_error(self))

    def plan(self) -> RoundPlan:
        """The plan as the service takes it."""
        sent = self.cleaned_data
        return RoundPlan(
            name=sent["name"],
            labels_per_pair=sent["labels_per_pair"],
            reservation_minutes=sent["minutes"],
            retest_share=sent["retest_percent"] / 100,
            designed_rate=sent["designed_percent"] / 100,
        )

    def selection(self) -> Selection:
        """Which pairs, as the service takes it."""
        sent = self.cleaned_data
        key, _, value = sent["slice"].partition("=")
        ids = (line.strip() for line in sent["case_ids"].splitlines())
        return Selection(
            which=Which(sent["which"]),
            split=sent["split"],
            slice_key=key,
            slice_value=value,
            case_ids=tuple(dict.fromkeys(one for one in ids if one)),
            sample=sent["sample"],
            seed=sent["seed"] or new_sample_seed(),
        )

    def people(self) -> list[User]:
        """Who was ticked."""
        return [labeller_named(name) for name in self.cleaned_data["reviewers"]]
