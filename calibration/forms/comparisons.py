"""What people choose where they compare judges or reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django import forms

from calibration.services.compared_pairs import ComparedPart

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from calibration.models import Report


class SplitForm(forms.Form):
    """Which pairs."""

    split = forms.ChoiceField(
        label="Which pairs",
        widget=forms.RadioSelect,
        initial=ComparedPart.OPEN.value,
        choices=[
            (ComparedPart.OPEN.value, "All that are not held out"),
            (ComparedPart.DEV.value, "Dev"),
            (ComparedPart.HELD_OUT.value, "Held-out (a look at each judge)"),
        ],
    )


class JudgesForm(SplitForm):
    """Which judges, on which pairs."""

    judge = forms.MultipleChoiceField(
        label="Judges",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose two or more judges, or one panel."},
    )

    def __init__(
        self, known: Sequence[str], data: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(data)
        field = self.fields["judge"]
        assert isinstance(field, forms.MultipleChoiceField)  # noqa: S101 - declared so
        field.choices = [(name, name) for name in known]


class ReportsForm(forms.Form):
    """Which two reports, the earlier first."""

    MOST: ClassVar[int] = 200

    before = forms.TypedChoiceField(label="Before", coerce=int)
    after = forms.TypedChoiceField(label="After", coerce=int)

    def __init__(
        self, reports: Iterable[Report], data: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(data)
        choices = [(report.pk, _name(report)) for report in reports]
        for name in ("before", "after"):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)  # noqa: S101 - declared so
            field.choices = choices
        if len(choices) > 1:
            self.initial = {"before": choices[1][0], "after": choices[0][0]}


def _name(report: Report) -> str:
    config, gold = report.run.config, report.gold_version
    return (
        f"Report {report.pk}: {config.name} v{config.version} on "
        f"{gold.gold_set.name} v{gold.number}"
    )
