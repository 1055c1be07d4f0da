"""JSON as the standard has it: no NaN, no repeated keys, no text that cannot be stored.

Flaws inside a value do not stop the reading; they stand in its place until
:func:`flaws` names each with its path.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import isinf
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

DEEPEST = 40
LONGEST_NUMBER = 400


class BrokenJson(ValueError):
    """Text that is no JSON; ``line`` and ``column`` count from 1."""

    def __init__(self, reason: str, line: int, column: int) -> None:
        super().__init__(reason)
        self.reason, self.line, self.column = reason, line, column


@dataclass(frozen=True, slots=True)
class _Flaw:
    """Stands where a value would be that cannot be taken."""

    reason: str


def decode_at(text: str, start: int = 0) -> tuple[object, int]:
    """Decode the JSON value at ``start``; give it and where it ends.

    Raises :class:`BrokenJson`; its position is that in ``text``.
    """
    try:
        return _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        reason = _control_in(error.doc, error.pos) or error.msg
        raise BrokenJson(reason, error.lineno, error.colno) from None
    except RecursionError:
        line = text.count("\n", 0, start) + 1
        raise BrokenJson("nested too deeply", line, 1) from None


def decode(text: str) -> object:
    """Decode ``text``, which must hold one JSON value and nothing else."""
    start = len(text) - len(text.lstrip(" \t\r\n"))
    value, end = decode_at(text, start)
    if text[end:].strip(" \t\r\n"):
        rest = end + len(text[end:]) - len(text[end:].lstrip(" \t\r\n"))
        reason = _control_in(text, rest) or "more text after the value"
        before = text[:end]
        column = end - before.rfind("\n")
        raise BrokenJson(reason, before.count("\n") + 1, column)
    return value


def _control_in(text: str, place: int) -> str | None:
    """Name the control character at a place; a NUL tells of a file that is no text."""
    char = text[place : place + 1]
    if char == "\x00":
        return "a NUL byte: the file is binary, or its writing was cut off"
    if char and char < " ":
        return f"a control character, U+{ord(char):04X}, which has to be escaped"
    return None


def flaws(value: object) -> Iterator[tuple[str, str]]:
    """Name what cannot be taken in ``value``: (path, reason), in reading order."""
    # Nothing is the common case, and told without working out any path.
    return iter(()) if _is_clean(value, 0) else _flaws(value)


def _flaws(value: object) -> Iterator[tuple[str, str]]:
    waiting: list[tuple[str, object, int]] = [("", value, 0)]
    while waiting:
        path, value, depth = waiting.pop()
        if isinstance(value, _Flaw):
            yield path, value.reason
        elif isinstance(value, str):
            reason = text_flaw(value)
            if reason:
                yield path, reason
        elif isinstance(value, dict | list) and depth >= DEEPEST:
            yield path, "nested too deeply"
        elif isinstance(value, dict):
            bad = [key for key in value if text_flaw(key)]
            yield from ((path, f"a key {text_flaw(key)}") for key in bad)
            inner = [(joined(path, k), v, depth + 1) for k, v in value.items()]
            waiting.extend(reversed(inner))
        elif isinstance(value, list):
            inner = [(f"{path}[{i}]", v, depth + 1) for i, v in enumerate(value)]
            waiting.extend(reversed(inner))


def _is_clean(value: object, depth: int) -> bool:
    """Whether nothing inside ``value`` has a flaw."""
    if isinstance(value, str):
        return text_flaw(value) is None
    if isinstance(value, dict | list) and depth >= DEEPEST:
        return False
    if isinstance(value, dict):
        return all(
            text_flaw(key) is None and _is_clean(inner, depth + 1)
            for key, inner in value.items()
        )
    if isinstance(value, list):
        return all(_is_clean(inner, depth + 1) for inner in value)
    return not isinstance(value, _Flaw)


def text_flaw(text: str) -> str | None:
    """Say why ``text`` cannot be stored, ``None`` when it can."""
    if "\x00" in text:
        return f"holds a NUL character at position {text.index(chr(0)) + 1}"
    if text.isascii():
        return None
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return f"holds half a surrogate pair at position {error.start + 1}"
    return None


def joined(path: str, key: str) -> str:
    """Path of ``key`` inside ``path``; a long key is cut."""
    shown = key if len(key) <= DEEPEST else key[:DEEPEST] + "..."
    shown = shown.encode("ascii" if text_flaw(key) else "utf-8", "replace").decode()
    return f"{path}.{shown}" if path else shown


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        found[key] = _Flaw("occurs twice in one object") if key in found else value
    return found


def _float(digits: str) -> object:
    number = float(digits)
    return _Flaw("is too large a number") if isinf(number) else number


def _int(digits: str) -> object:
    if len(digits) > LONGEST_NUMBER:
        return _Flaw("is too large a number")
    return int(digits)


def _constant(name: str) -> object:
    return _Flaw(f"is {name}, which JSON does not have")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_float=_float,
    parse_int=_int,
    parse_constant=_constant,
)
