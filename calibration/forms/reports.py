"""What people type into the calibration pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from annotation.domain.exports import ExportFormat
from annotation.domain.outcomes import Outcome, Split
from annotation.models import LookMode
from annotation.services.corrections import LONGEST_NOTE
from annotation.services.exporting import Part
from annotation.services.look_plans import LONGEST_REASON, MOST_LOOKS
from calibration.domain.behind import LISTS, PEOPLE
from calibration.domain.gates import RATES
from calibration.models import Finding
from calibration.presenters.looks import limit_label
from calibration.services.exports import ExportKind, ExportPlan
from calibration.services.report_cases import OPEN, SPLIT_LABELS, UNANIMOUS
from judging.domain.terms import Consistency, JudgeOutcome

if TYPE_CHECKING:
    from collections.abc import Iterable

    from annotation.models import GoldSet

EXCEL = "csv-excel"
PREFIX = "limit_"


class ExportForm(forms.Form):
    """What is to be taken out of a gold set, and how it is written."""

    kind = forms.ChoiceField(
        label="What",
        widget=forms.RadioSelect,
        initial=ExportKind.LABELS.value,
        choices=[
            (ExportKind.LABELS.value, "Labels"),
            (ExportKind.RULINGS.value, "Rulings, with their notes"),
            (ExportKind.GOLD.value, "Gold version"),
        ],
    )
    version = forms.TypedChoiceField(
        label="Gold version", required=False, coerce=int, empty_value=None
    )
    part = forms.ChoiceField(
        label="Which pairs",
        widget=forms.RadioSelect,
        initial=Part.DEV.value,
        choices=[
            (Part.DEV.value, "All but held-out"),
            (Part.HELD_OUT.value, "Held-out only (a look)"),
            (Part.ALL.value, "All (a look, where there are held-out pairs)"),
        ],
    )
    form = forms.ChoiceField(
        label="Format",
        widget=forms.RadioSelect,
        initial=ExportFormat.JSONL.value,
        choices=[
            (ExportFormat.JSONL.value, "JSONL"),
            (ExportFormat.CSV.value, "CSV"),
            (EXCEL, "CSV for Excel (with a byte order mark)"),
        ],
    )
    names = forms.BooleanField(
        label="Show who labelled or ruled, instead of numbers", required=False
    )
    every_revision = forms.BooleanField(
        label="Every revision of a label, not only the last", required=False
    )
    reason = forms.CharField(
        label="Why you look at held-out pairs",
        required=False,
        max_length=2000,
        widget=forms.TextInput(attrs={"size": 60}),
        help_text="Logged with your name; needed once the looks are used up.",
    )

    def __init__(self, *args: Any, gold_set: GoldSet, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.gold_set = gold_set
        numbers = gold_set.versions.order_by("-number").values_list("number", flat=True)
        field = self.fields["version"]
        assert isinstance(field, forms.TypedChoiceField)  # noqa: S101 - declared above
        field.choices = [(n, f"v{n}") for n in numbers] or [("", "none yet")]

    def plan(self) -> ExportPlan:
        """The plan as the service takes it."""
        said = self.cleaned_data
        form = said["form"]
        csv = form in (EXCEL, ExportFormat.CSV.value)
        return ExportPlan(
            gold_set=self.gold_set.name,
            kind=ExportKind(said["kind"]),
            part=Part(said["part"]),
            form=ExportFormat.CSV if csv else ExportFormat.JSONL,
            bom=form == EXCEL,
            names=said["names"],
            every_revision=said["every_revision"],
            version=said["version"],
        )


class PlanForm(forms.Form):
    """How held-out results may be looked at. Limits are in percent."""

    mode = forms.TypedChoiceField(
        label="Mode",
        coerce=LookMode,
        widget=forms.RadioSelect,
        initial=LookMode.OPEN.value,
        choices=[
            (LookMode.OPEN.value, "Open: a look shows all numbers"),
            (
                LookMode.SEALED.value,
                "Sealed: a look says only passed or not passed, of all limits together",
            ),
        ],
    )
    budget = forms.IntegerField(
        label="Looks",
        min_value=1,
        max_value=MOST_LOOKS,
        initial=10,
        help_text="Different results that may be seen. It can't be raised later.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("label_suffix", "")
        super().__init__(*args, **kwargs)
        for name in RATES:
            self.fields[f"{PREFIX}{name}"] = forms.FloatField(
                label=f"{limit_label(name)} (%)",
                required=False,
                min_value=0,
                max_value=100,
                widget=forms.NumberInput(attrs={"step": "any"}),
            )

    def limits(self) -> dict[str, float]:
        """The limits that were filled in, as shares."""
        said = {name: self.cleaned_data[f"{PREFIX}{name}"] for name in RATES}
        return {name: value / 100 for name, value in said.items() if value is not None}

    def limit_fields(self) -> list[forms.BoundField]:
        """The fields of limits, for the template."""
        return [self[f"{PREFIX}{name}"] for name in RATES]


class UnsealForm(forms.Form):
    """Why a seal is broken."""

    reason = forms.CharField(
        label="Why is it unsealed?",
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": "Give a reason; it is logged with your name."},
    )


class SeveralField(forms.CharField):
    """Names of a list, with commas between them."""

    def __init__(self, known: Iterable[str]) -> None:
        super().__init__(required=False, max_length=100)
        self.known = frozenset(known)

    def clean(self, value: object) -> str:
        """The names as sent; refused where one is not of the list."""
        text = str(super().clean(value))
        if text and not self.known.issuperset(text.split(",")):
            raise forms.ValidationError("There is no such name.")
        return text


class CasesForm(forms.Form):
    """Which pairs of a report a list shows."""

    split = forms.ChoiceField(
        required=False,
        choices=[(name, name) for name in (OPEN, *(s.value for s in Split))],
    )
    gold = SeveralField((*(o.value for o in Outcome), "none"))
    verdict = SeveralField(o.value for o in JudgeOutcome)
    consistency = forms.ChoiceField(
        required=False, choices=[(c.value, c.value) for c in Consistency]
    )
    slice = forms.CharField(required=False, max_length=500)
    labels = forms.ChoiceField(
        required=False, choices=[(name, name) for name in (UNANIMOUS, SPLIT_LABELS)]
    )
    critical = forms.BooleanField(required=False)
    wrong = forms.BooleanField(required=False)
    figure = forms.ChoiceField(
        required=False, choices=[(name, name) for name in (*LISTS, *PEOPLE)]
    )
    reviewer = forms.CharField(required=False, max_length=300)
    other = forms.CharField(required=False, max_length=300)

    def wanted(self) -> dict[str, Any]:
        """What a filter of cases takes: what is not held out, unless it is named."""
        return {**self.cleaned_data, "split": self.cleaned_data["split"] or OPEN}


class DispositionForm(forms.Form):
    """What a disagreement was found to be."""

    finding = forms.ChoiceField(
        choices=Finding.choices,
        error_messages={"required": "Choose what it is."},
    )
    note = forms.CharField(
        max_length=LONGEST_NOTE,
        error_messages={"required": "Say why in a note."},
    )
