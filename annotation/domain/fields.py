"""Taking the fields of one row, each with a reason when it is not as it should be."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from annotation.domain.texts import Text, TextError, is_blank, text_from_json
from annotation.domain.values import kind_of, shown

if TYPE_CHECKING:
    from collections.abc import Sequence
    from enum import StrEnum

    from annotation.domain.rows import Problems, Row

E = TypeVar("E", bound="StrEnum")

LONGEST_NAME = 200


class Fields:
    """The fields of one row. What is not taken is left over as extra.

    Each method returns ``None`` (or its default) after reporting what is wrong, so that
    one pass names every bad field; ``sound`` says whether all were good.
    """

    def __init__(self, row: Row, problems: Problems) -> None:
        self.line = row.line
        self.sound = True
        self._left = dict(row.values)
        self._problems = problems

    def has(self, name: str) -> bool:
        """Whether the row has this field and it is not null."""
        return self._left.get(name) is not None

    def says(self, name: str) -> bool:
        """Whether the row has this field and it is neither null nor empty text."""
        return self._left.get(name) not in (None, "")

    def fail(self, field: str | None, reason: str) -> None:
        """Report a reason why the row cannot be taken."""
        self.sound = False
        self._problems.error(self.line, field, reason)

    def take(self, name: str, *, required: bool = False) -> object:
        """Take a raw value; null is the same as absent."""
        value = self._left.pop(name, None)
        if value is None and required:
            self.fail(name, "missing")
        return value

    def name(self, field: str, *, required: bool = True) -> str | None:
        """Take an id or a person's name: short text without spaces around it."""
        value = self.take(field, required=required)
        if value is None or (value == "" and not required):
            return None
        reason = name_fault(value)
        if reason:
            self.fail(field, reason)
            return None
        return str(value)

    def text(self, field: str, *, required: bool = False) -> Text | None:
        """Take text or chat messages; an optional text that is "" counts as none."""
        value = self.take(field, required=required)
        if value is None or (value == "" and not required):
            return None
        return self.read_text(field, value)

    def read_text(self, field: str, value: object) -> Text | None:
        """Read a value as text that is not blank."""
        try:
            text = text_from_json(value)
        except TextError as error:
            path = error.path if error.path.startswith("[") else f".{error.path}"
            self.fail(field + (path if error.path else ""), error.reason)
            return None
        if is_blank(text):
            self.fail(field, "is empty")
            return None
        return text

    def string(self, field: str) -> str | None:
        """Take optional plain text, which may be empty."""
        value = self.take(field)
        if value is not None and not isinstance(value, str):
            self.fail(field, f"must be text, not {kind_of(value)}")
            return None
        return value

    def boolean(self, field: str) -> bool:
        """Take true or false, false when absent; the text "false" is neither."""
        value = self.take(field)
        if value is not None and not isinstance(value, bool):
            self.fail(field, f"must be true or false, not {shown(value)}")
        return value is True

    def integer(self, field: str, low: int, high: int) -> int | None:
        """Take an optional whole number within bounds."""
        value = self.take(field)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            self.fail(field, f"must be a whole number, not {shown(value)}")
            return None
        if not low <= value <= high:
            self.fail(field, f"must be between {low} and {high}, not {shown(value)}")
            return None
        return value

    def member(
        self, field: str, options: type[E], *, required: bool = False
    ) -> E | None:
        """Take one of an enumeration's values."""
        value = self.take(field, required=required)
        if value is None or (value == "" and not required):
            return None
        return self.read_member(field, value, options)

    def read_member(self, field: str, value: object, options: type[E]) -> E | None:
        """Read a value as one of an enumeration's."""
        known: Sequence[str] = [option.value for option in options]
        if not isinstance(value, str) or value not in known:
            self.fail(field, f"must be one of {', '.join(known)}, not {shown(value)}")
            return None
        return options(value)

    def mapping(self, field: str) -> dict[str, object]:
        """Take an optional object, empty when absent."""
        value = self.take(field)
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.fail(field, f"must be an object, not {kind_of(value)}")
            return {}
        return value

    def rest(self) -> dict[str, object]:
        """Give the fields that nobody took, once all others are."""
        self._problems.keep(self._left)
        return self._left


def name_fault(value: object) -> str | None:
    """Say why a value cannot be an id or name, ``None`` when it can."""
    if not isinstance(value, str):
        return f"must be text, not {kind_of(value)}"
    if not value.strip():
        return "is empty"
    if value != value.strip():
        return f"has spaces around it: {shown(value)}"
    if not value.isprintable():
        return f"holds characters that cannot be seen: {shown(value)}"
    if len(value) > LONGEST_NAME:
        return f"is longer than {LONGEST_NAME} characters"
    return None
