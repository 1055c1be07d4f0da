"""What a lead fills in to start a release run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from calibration.services.release_starts import ReleaseWish, asked_for
from calibration.services.swap_panels import LONGEST_SEED
from judging.forms.runs import RunForm, judge_key, judges_to_run
from judging.models import ConfigKind, RunPurpose
from judging.services.run_options import RunOptions

if TYPE_CHECKING:
    from collections.abc import Mapping

LONGEST_NAMES = 400


class ReleaseForm(RunForm):
    """A run form for releases: which systems, and whether all pairs or a panel."""

    systems = forms.CharField(
        required=False,
        max_length=LONGEST_NAMES,
        label="Baseline, candidate",
        help_text="Only where the set compares more than two systems.",
    )
    share = forms.FloatField(
        required=False,
        label="Share of the pairs",
        help_text="Such as 0.2. Empty: all pairs. Critical ones are always in.",
    )
    seed = forms.CharField(
        required=False,
        max_length=LONGEST_SEED,
        label="Seed of the draw",
        help_text="A text, kept with the run. Needed with a share.",
    )
    slices = forms.CharField(
        required=False,
        max_length=LONGEST_NAMES,
        label="Slices in proportion",
        help_text="Keys, separated by commas.",
    )
    # Django takes an inherited field away where its name is None.
    purpose = None  # type: ignore[assignment]
    again = None  # type: ignore[assignment]

    def __init__(self, data: Mapping[str, Any] | None = None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        judge = self.fields["judge"]
        assert isinstance(judge, forms.ChoiceField)  # noqa: S101 - declared so
        pairs = judges_to_run().exclude(kind=ConfigKind.POINTWISE)
        judge.choices = [(judge_key(one), str(one)) for one in pairs]

    def wish(self) -> ReleaseWish:
        """What was filled in; raises ``InvalidInput`` for half a panel."""
        said = self.cleaned_data
        return ReleaseWish(
            config=self.config(),
            gold_set=said["gold_set"],
            panel=asked_for(said["share"], said["seed"], _names(said["slices"])),
            systems=_names(said["systems"]),
            options=self.options(),
        )

    def options(self) -> RunOptions:
        """What it may copy and spend."""
        return RunOptions(
            purpose=RunPurpose.RELEASE,
            reuse=self.cleaned_data["reuse"],
            batches=self.cleaned_data["batches"],
            budget=self.budget(),
            member_runs=self._member_runs(),
        )


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for each in text.split(",") if (name := each.strip()))
