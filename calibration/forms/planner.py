"""What people ask the planner, and the round that they open from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from annotation.services.round_members import labeller_named
from annotation.services.round_planning import LONGEST_NAME, MOST_LABELS, RoundPlan
from calibration.services.planning import Questions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from config.accounts.models import User

MOST_NEXT = 500


def _percent(label: str, **more: Any) -> forms.FloatField:
    """A share, typed in percent."""
    return forms.FloatField(
        required=False, label=label, min_value=0, max_value=100, **more
    )


def _filled(data: Mapping[str, Any]) -> dict[str, Any]:
    """What was sent, with the usual figures in place of those that were not."""
    fields: dict[str, forms.Field] = PlannerForm.base_fields
    return {name: data.get(name) or one.initial for name, one in fields.items()}


class PlannerForm(forms.Form):
    """The questions, with shares in percent; one that is left empty is not asked."""

    half_width = _percent("Half-width wanted, points")
    rate = _percent("Rate expected there, %", initial=50)
    limit = _percent("Error rate to stay below, %")
    true = _percent("Error rate it really has, %")
    power = _percent("Chance wanted to find it, %", initial=80)
    looks = forms.IntegerField(
        required=False, min_value=1, max_value=1000, initial=1, label="Looks planned"
    )
    class_share = _percent("Share of gold that counts, %", initial=100)
    decisive = forms.IntegerField(
        required=False, min_value=1, max_value=100_000, label="Decisive pairs at hand"
    )
    share = _percent("Share of wins to be found, %")
    difference = _percent("Difference in agreement to be found, points")
    discordant = _percent("Pairs that one judge alone has right, %")
    gap = _percent("Gap to be found, points")
    dev_rate = _percent("Agreement on dev, %")
    held_out_share = _percent("Share of gold held out, %", initial=50)
    pairs_per_prompt = forms.FloatField(
        required=False, min_value=1, label="Pairs of one prompt"
    )
    correlation = forms.FloatField(
        required=False, min_value=0, max_value=1, label="How alike, 0 to 1"
    )
    judge = forms.ChoiceField(
        required=False, label="Judge whose flips and report count"
    )
    next = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_NEXT,
        initial=20,
        label="Pairs to suggest",
    )

    def __init__(
        self, judges: Sequence[str], data: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(data and _filled(data))
        field = self.fields["judge"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - declared so
        field.choices = [("", "none"), *((name, name) for name in judges)]

    def questions(self) -> Questions:
        """The questions as the service takes them."""
        return Questions(
            half_width=self._share("half_width"),
            rate=self._share("rate", 0.5),
            limit=self._share("limit"),
            true=self._share("true"),
            power=self._share("power", 0.8),
            looks=self._said("looks") or 1,
            class_share=self._share("class_share", 1.0),
            pairs_per_prompt=self._said("pairs_per_prompt"),
            correlation=self._said("correlation"),
            decisive=self._said("decisive"),
            share=self._share("share"),
            difference=self._share("difference"),
            discordant=self._share("discordant"),
            gap=self._share("gap"),
            dev_rate=self._share("dev_rate"),
            held_out_share=self._share("held_out_share", 0.5),
        )

    def wanted(self) -> tuple[str, int]:
        """Whose flips count, and how many pairs are to be suggested."""
        return self._said("judge") or "", self._said("next") or 20

    def _said(self, name: str) -> Any:
        return self.cleaned_data[name] if self.is_bound else self.fields[name].initial

    def _share(self, name: str, otherwise: Any = None) -> Any:
        said = self._said(name)
        return otherwise if said is None else said / 100


class SuggestedRoundForm(forms.Form):
    """A round of the suggested pairs."""

    name = forms.CharField(max_length=LONGEST_NAME, label="Name of the round")
    labels_per_pair = forms.IntegerField(
        min_value=1, max_value=MOST_LABELS, label="Labels a pair"
    )
    case = forms.MultipleChoiceField(
        label="Pairs",
        widget=forms.MultipleHiddenInput,
        error_messages={"required": "There is no pair to label."},
    )
    reviewers = forms.MultipleChoiceField(
        required=False, widget=forms.CheckboxSelectMultiple, label="Reviewers"
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        *,
        names: Sequence[str],
        people: Sequence[User],
        labels_per_pair: int,
    ) -> None:
        super().__init__(
            data, initial={"labels_per_pair": labels_per_pair, "case": list(names)}
        )
        choices = {
            "case": [(name, name) for name in names],
            "reviewers": [(one.get_username(), one.shown_name) for one in people],
        }
        for name, offered in choices.items():
            field = self.fields[name]
            assert isinstance(field, forms.MultipleChoiceField)  # noqa: S101
            field.choices = offered

    def plan(self) -> RoundPlan:
        """The plan as the service takes it."""
        sent = self.cleaned_data
        return RoundPlan(name=sent["name"], labels_per_pair=sent["labels_per_pair"])

    def people(self) -> list[User]:
        """Who was ticked."""
        return [labeller_named(name) for name in self.cleaned_data["reviewers"]]
