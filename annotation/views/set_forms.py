"""What leads may send about a gold set's options and its guideline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from annotation.domain.answers import Option, lines_of, options_from_lines
from annotation.services.gold_sets import LONGEST_SYSTEM, LONGEST_TITLE, MOST_LABELS
from annotation.services.set_options import LONGEST_QUESTION, SetOptions

if TYPE_CHECKING:
    from django.http import QueryDict

ALIASES = "aliases-"
FAMILY = "family-"
LONGEST_GUIDELINE = 200_000
LISTED = "One a line: a label, or a short code, a colon and the label."


class OptionsField(forms.CharField):
    """A list of options, one a line."""

    def __init__(self, **rest: Any) -> None:
        super().__init__(required=False, widget=forms.Textarea({"rows": 5}), **rest)

    def clean(self, value: object) -> tuple[Option, ...]:
        """The options as written."""
        try:
            return options_from_lines(super().clean(value))
        except ValueError as error:
            raise forms.ValidationError(str(error)) from error


class SetOptionsForm(forms.Form):
    """The options of a set; fields for the aliases and the family of each system."""

    title = forms.CharField(max_length=LONGEST_TITLE)
    question = forms.CharField(
        required=False,
        max_length=LONGEST_QUESTION,
        widget=forms.Textarea({"rows": 2}),
        help_text="Shown above each pair.",
    )
    labels_per_pair = forms.IntegerField(
        min_value=1,
        max_value=MOST_LABELS,
        help_text="For rounds opened from now on.",
    )
    strength_wanted = forms.BooleanField(
        required=False, label="Ask whether the better response is much better"
    )
    critical_errors = OptionsField(
        label="Critical errors that can be flagged for each response", help_text=LISTED
    )
    ruling_categories = OptionsField(
        label="Own categories for rulings", help_text=LISTED
    )
    blind_first_ruling = forms.BooleanField(
        required=False, label="Adjudicators rule once before they see the labels"
    )

    def __init__(self, options: SetOptions, data: QueryDict | None = None) -> None:
        super().__init__(data, initial=_initial(options), label_suffix="")
        self.systems = list(options.aliases)
        for place, system in enumerate(self.systems):
            self.fields[f"{ALIASES}{place}"] = forms.CharField(
                required=False,
                label=f"Other names of {system}",
                help_text="Separated by commas. Texts that name one are flagged.",
                initial=", ".join(options.aliases[system]),
            )
        for place, system in enumerate(self.systems):
            self.fields[f"{FAMILY}{place}"] = forms.CharField(
                required=False,
                max_length=LONGEST_SYSTEM,
                label=f"Model family of {system}",
                help_text="How names of its maker's models begin, such as gpt. Reports "
                "say whether a judge of the same family prefers it.",
                initial=options.families[system],
            )

    def options(self) -> SetOptions:
        """The options as the service takes them."""
        sent = self.cleaned_data
        plain = {name: sent[name] for name in self.base_fields}
        return SetOptions(
            **plain,
            aliases={
                system: _names(sent[f"{ALIASES}{place}"])
                for place, system in enumerate(self.systems)
            },
            families={
                system: sent[f"{FAMILY}{place}"]
                for place, system in enumerate(self.systems)
            },
        )


def _initial(options: SetOptions) -> dict[str, object]:
    return {
        "title": options.title,
        "question": options.question,
        "labels_per_pair": options.labels_per_pair,
        "strength_wanted": options.strength_wanted,
        "critical_errors": lines_of(options.critical_errors),
        "ruling_categories": lines_of(options.ruling_categories),
        "blind_first_ruling": options.blind_first_ruling,
    }


def _names(text: str) -> tuple[str, ...]:
    names = (name.strip() for name in text.split(","))
    return tuple(dict.fromkeys(name for name in names if name))


class GuidelineForm(forms.Form):
    """A new version of a guideline."""

    text = forms.CharField(
        max_length=LONGEST_GUIDELINE,
        strip=False,
        widget=forms.Textarea({"rows": 16, "dir": "auto"}),
        help_text="Markdown.",
    )
    criteria = OptionsField(
        label="Criteria, asked one by one beside the choice", help_text=LISTED
    )

    def guideline_text(self) -> str:
        """The text as it was typed: a browser sends line breaks as CRLF."""
        return str(self.cleaned_data["text"]).replace("\r\n", "\n")
