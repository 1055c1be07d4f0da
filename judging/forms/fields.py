"""Fields that the judge pages share."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django import forms

from annotation.domain.strict_json import BrokenJson, decode, flaws
from config.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping


class WholeText(forms.CharField):
    """A text kept as it was typed; browsers send line breaks as CRLF."""

    def __init__(self, *, rows: int = 4, **kwargs: Any) -> None:
        area = forms.Textarea(attrs={"rows": rows, "spellcheck": "false"})
        super().__init__(strip=False, widget=area, **kwargs)

    def to_python(self, value: Any) -> str:
        """Take line breaks as LF."""
        return str(super().to_python(value) or "").replace("\r\n", "\n")


class ObjectField(forms.CharField):
    """A JSON object, or nothing."""

    def __init__(self, *, rows: int = 3, **kwargs: Any) -> None:
        area = forms.Textarea(
            attrs={"rows": rows, "spellcheck": "false", "class": "mono"}
        )
        super().__init__(required=False, widget=area, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        """Show an object as indented JSON, and what was typed as it was typed."""
        return json.dumps(value, indent=2) if isinstance(value, dict) else value

    def clean(self, value: Any) -> Any:
        """Give the object; nothing typed is ``None``."""
        text = super().clean(value)
        if not text:
            return None
        try:
            found = decode(text)
        except BrokenJson as error:
            where = f"line {error.line}, column {error.column}"
            raise forms.ValidationError(
                f"is not JSON: {error.reason} ({where})"
            ) from error
        for path, reason in flaws(found):
            raise forms.ValidationError(f"{path}: {reason}" if path else reason)
        if not isinstance(found, dict):
            raise forms.ValidationError("must be a JSON object: {...}")
        return found


class TextMapField(ObjectField):
    """A JSON object of names with texts."""

    def clean(self, value: Any) -> Any:
        """Give the object; refuse values that are no texts without repeating them."""
        found = super().clean(value)
        if found and not all(isinstance(each, str) for each in found.values()):
            raise forms.ValidationError("every value must be a text in quotes")
        return found


def first_error(form: forms.BaseForm) -> str:
    """The first thing that is wrong, as "field: reason"."""
    name, errors = next(iter(form.errors.items()))
    return f"{name}: {errors[0]}"


def sent(form: forms.Form, code: str) -> Mapping[str, Any]:
    """What was sent, checked; raises ``InvalidInput`` with the first error."""
    if not form.is_valid():
        raise InvalidInput(code, first_error(form))
    return form.cleaned_data
