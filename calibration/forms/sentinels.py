"""What a lead fills in to define a sentinel panel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from annotation.models import GoldSet
from calibration.domain.sentinels import MOST_PARTS
from calibration.services.sentinels.defining import (
    MOST_HOURS,
    MOST_SEED,
    USUAL_INVALID,
    SentinelPlan,
)
from judging.models import ConfigKind, JudgeConfig
from judging.services.starting import MOST_CONCURRENT

if TYPE_CHECKING:
    from collections.abc import Mapping


class SentinelForm(forms.Form):
    """A panel; what is left out has its usual value."""

    name = forms.SlugField(
        max_length=80, label="Name", help_text="Letters, digits, - and _."
    )
    gold_set = forms.ChoiceField(
        label="Gold set",
        help_text="Its newest frozen gold. Held-out pairs are never watched.",
    )
    judge = forms.ChoiceField(
        label="Judge", help_text="The newest frozen version is asked each time."
    )
    pointwise_judge = forms.ChoiceField(
        label="Pointwise judge beside it", required=False
    )
    pairs = forms.IntegerField(
        label="Pairs at most",
        min_value=1,
        max_value=MOST_SEED,
        required=False,
        help_text="Drawn by the seed, in proportion to gold outcomes. Empty: all.",
    )
    parts = forms.IntegerField(
        label="Parts",
        min_value=1,
        max_value=MOST_PARTS,
        initial=7,
        help_text="Each check judges one part. All of them once, then a new reference.",
    )
    period_hours = forms.IntegerField(
        label="Hours between checks", min_value=1, max_value=MOST_HOURS, initial=24
    )
    least_agreement = forms.DecimalField(
        label="Least agreement with gold",
        min_value=0,
        max_value=1,
        max_digits=4,
        decimal_places=3,
        required=False,
        help_text="A share such as 0.8. Alarm once it has surely fallen below.",
    )
    most_invalid = forms.DecimalField(
        label="Most invalid verdicts",
        min_value=0,
        max_value=1,
        max_digits=4,
        decimal_places=3,
        required=False,
        initial=USUAL_INVALID,
        help_text="A share. Alarm once there are surely more. Empty: not watched.",
    )
    production = forms.ChoiceField(
        label="Set of production cases",
        required=False,
        help_text="Pairs that are newly adjudicated there are judged beside.",
    )
    seed = forms.IntegerField(label="Seed", min_value=0, max_value=MOST_SEED, initial=1)
    concurrency = forms.IntegerField(
        label="Calls in flight", min_value=1, max_value=MOST_CONCURRENT, initial=8
    )

    def __init__(self, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        sets = list(GoldSet.objects.order_by("name").values_list("name", flat=True))
        judges = JudgeConfig.objects.frozen().in_use().filter(recorded=False)
        pairs = judges.exclude(kind=ConfigKind.POINTWISE)
        marks = judges.filter(kind=ConfigKind.POINTWISE)
        self._choose("gold_set", sets)
        self._choose("production", sets, empty="None")
        self._choose("judge", _names(pairs))
        self._choose("pointwise_judge", _names(marks), empty="None")

    def _choose(self, name: str, values: list[str], empty: str = "") -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - declared so
        none = [("", empty)] if empty else []
        field.choices = [*none, *((value, value) for value in values)]

    def plan(self) -> SentinelPlan:
        """What was filled in."""
        return SentinelPlan(**self.cleaned_data)


def _names(judges: Any) -> list[str]:
    return sorted(set(judges.values_list("name", flat=True)))
