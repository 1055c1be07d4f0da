"""What the page asks about files with verdicts of a judge that ran elsewhere."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.domain.readers.base import FileKind
from annotation.domain.readers.registry import READERS
from annotation.models import GoldSet
from annotation.services.previewing import ImportPlan
from annotation.views.import_forms import files_field, parts_of
from judging.domain.formats.registry import FORMAT_NAMES, UnknownFormat, get_format
from judging.domain.terms import CombiningRule
from judging.forms.fields import ObjectField
from judging.forms.judges import RULES
from judging.services.recorded import RecordedPlan
from judging.services.verdict_files import VerdictsPlan

STATED = "stated"
WANTS = {"answers": ",", "names": "\n", "fields_map": "\n", "values_map": "\n"}


def sources() -> list[tuple[str, str]]:
    """Tools whose files hold verdicts."""
    return [
        (reader.name, reader.title)
        for reader in READERS.values()
        if FileKind.VERDICTS in reader.yields
    ]


class VerdictsForm(forms.Form):
    """Files, whose they are, and how the replies in them are read."""

    judge = forms.SlugField(
        max_length=80, help_text="A name to file them under: letters, digits, - and _."
    )
    gold_set = forms.ModelChoiceField(
        GoldSet.objects.order_by("name"), to_field_name="name", empty_label=None
    )
    sent = files_field()
    reader = forms.ChoiceField(
        label="Where they come from", initial="evenhand", choices=sources
    )
    verdict_format = forms.ChoiceField(
        label="How replies are read",
        choices=[
            ("", "choose"),
            (STATED, "not at all: take the choice that the file states"),
            *((name, f"by the format {name}") for name in sorted(FORMAT_NAMES)),
        ],
        help_text="The text of each reply is read as that of a judge that is asked. A "
        "stated choice is marked as one that nobody read.",
    )
    format_options = ObjectField(
        label="Options of the format",
        help_text="As JSON: another place of the verdict, or the expression of regex.",
    )
    combining_rule = forms.ChoiceField(
        label="Verdict of a pair",
        choices=[(rule.value, text) for rule, text in RULES.items()],
        initial=CombiningRule.AGREE_ELSE_TIE.value,
    )
    answers = forms.CharField(
        label="Systems of the first and second answer",
        required=False,
        help_text="For files that do not say it: v12, v13.",
    )
    names = forms.CharField(
        label="Names of systems",
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="One a line, as the file calls it = as the set calls it.",
    )
    fields_map = forms.CharField(
        label="Fields",
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="One a line, such as raw=reply_text.",
    )
    values_map = forms.CharField(
        label="Words for a choice",
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="One a line: their word = first, second, tie or abstain.",
    )

    def clean(self) -> dict[str, Any]:
        """Options must be those of the format."""
        said = super().clean() or {}
        options, name = said.get("format_options"), said.get("verdict_format")
        if name == STATED and options:
            self.add_error("format_options", "Only a format has options.")
        elif name and name != STATED:
            try:
                get_format(name, options)
            except UnknownFormat as error:
                self.add_error("format_options", str(error))
        return said

    def plan(self) -> VerdictsPlan:
        """The plan as the services take it."""
        said = self.cleaned_data
        stated = said["verdict_format"] == STATED
        extra = {name: parts_of(said[name], by) for name, by in WANTS.items()}
        return VerdictsPlan(
            ImportPlan(
                kind=FileKind.VERDICTS,
                gold_set=said["gold_set"].name,
                reader=said["reader"],
                answers=extra["answers"],
                names=extra["names"],
                fields=extra["fields_map"],
                values=extra["values_map"],
            ),
            RecordedPlan(
                judge=said["judge"],
                verdict_format="choice_123" if stated else said["verdict_format"],
                combining_rule=CombiningRule(said["combining_rule"]),
                use_choice=stated,
                format_options=None if stated else said["format_options"],
            ),
        )
