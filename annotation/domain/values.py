"""How untrusted values are called in error messages."""

from __future__ import annotations

LONGEST_SHOWN = 60


def kind_of(value: object) -> str:
    """Name the JSON type of ``value`` in words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "text"
    return "a list" if isinstance(value, list | tuple) else "an object"


def shown(value: object) -> str:
    """Show a value in a message, cut to a readable length, without line ends."""
    text = repr(value)
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "..."
