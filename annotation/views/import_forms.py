"""What the import page asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from annotation.domain.readers.base import FileKind
from annotation.domain.readers.registry import READERS
from annotation.services.gold_sets import find_gold_set
from annotation.services.previewing import ImportPlan

if TYPE_CHECKING:
    from collections.abc import Iterable

KINDS = {
    FileKind.PAIRS: "Cases with the systems' responses",
    FileKind.LABELS: "Labels that people gave elsewhere",
}


class SeveralFiles(forms.ClearableFileInput):
    """A file input that takes several."""

    allow_multiple_selected = True


class FilesField(forms.FileField):
    """One or several files, as a list."""

    widget = SeveralFiles

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        """Check each file as one."""
        given = data if isinstance(data, list | tuple) else [data]
        return [super(FilesField, self).clean(one, initial) for one in given]


def files_field(example: str = "") -> FilesField:
    """Ask for files of rows; ``example`` says why there might be several."""
    return FilesField(
        label="Files",
        help_text="JSONL, JSON, CSV or Parquet; 200 MB at most. Several are read as "
        f"one{example}.",
        widget=SeveralFiles(
            attrs={"accept": ".jsonl,.ndjson,.json,.csv,.tsv,.parquet"}
        ),
    )


def parts_of(text: str, by: str) -> tuple[str, ...]:
    """Take apart what was typed into one field; blank parts are none."""
    return tuple(part.strip() for part in text.split(by) if part.strip())


def _lines(text: str) -> tuple[str, ...]:
    return parts_of("\n".join(text.splitlines()), "\n")


def _names(text: str) -> tuple[str, ...]:
    return parts_of(text, ",")


class ImportForm(forms.Form):
    """Files, whose they are, and where they go. Nothing is written from here."""

    kind = forms.ChoiceField(
        label="What to import",
        widget=forms.RadioSelect,
        initial=FileKind.PAIRS.value,
        choices=[(kind.value, text) for kind, text in KINDS.items()],
    )
    reader = forms.ChoiceField(
        label="Where it comes from",
        initial="evenhand",
        choices=[(reader.name, reader.title) for reader in READERS.values()],
    )
    sent = files_field(", such as the outputs of two systems")
    gold_set = forms.SlugField(
        label="Gold set",
        max_length=80,
        help_text="An existing one, or a new name: letters, digits, - and _.",
    )
    systems = forms.CharField(
        label="Systems, baseline first",
        required=False,
        help_text="For a new set: names separated by commas, such as v12, v13.",
    )
    title = forms.CharField(label="Title of a new set", required=False, max_length=200)
    question = forms.CharField(
        label="Question of a new set",
        required=False,
        help_text="What reviewers are asked, such as: which reply would you send?",
    )
    labels_per_pair = forms.IntegerField(
        label="Labels wanted per pair, in a new set",
        min_value=1,
        max_value=5,
        initial=3,
    )
    primary_slice = forms.CharField(
        label="Slice to balance left and right over, in a new set",
        required=False,
        max_length=80,
    )
    answers = forms.CharField(
        label="Systems of the first and second answer",
        required=False,
        help_text="For Argilla and Label Studio, whose files don't say it: v12, v13.",
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
        help_text="One a line, such as prompt=question_text.",
    )
    values_map = forms.CharField(
        label="Words for a choice",
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="One a line: their word = first, second, tie or abstain.",
    )

    def clean(self) -> dict[str, Any]:
        """A new set needs its systems; say so at the field."""
        said = super().clean() or {}
        name, systems = said.get("gold_set"), said.get("systems")
        is_new = name and find_gold_set(name) is None
        if is_new and said.get("kind") != FileKind.PAIRS.value:
            self.add_error("gold_set", "There is no gold set of this name.")
        elif is_new and not systems:
            self.add_error("systems", "A new gold set needs its systems.")
        reader = READERS.get(said.get("reader", ""))
        kinds: Iterable[str] = reader.yields if reader else ()
        if reader and str(said.get("kind")) not in kinds:
            listed = " and ".join(kinds)
            self.add_error("reader", f"{reader.title} gives {listed} only.")
        return said

    def plan(self) -> ImportPlan:
        """The plan as the services take it."""
        said = self.cleaned_data
        return ImportPlan(
            kind=FileKind(said["kind"]),
            gold_set=said["gold_set"],
            reader=said["reader"],
            systems=_names(said["systems"]),
            title=said["title"],
            question=said["question"],
            labels_per_pair=said["labels_per_pair"],
            primary_slice=said["primary_slice"],
            answers=_names(said["answers"]),
            names=_lines(said["names"]),
            fields=_lines(said["fields_map"]),
            values=_lines(said["values_map"]),
        )
