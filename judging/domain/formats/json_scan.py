"""A forgiving reader of JSON objects inside prose, in bounded time.

It forgives what models do to valid JSON and what leaves one reading only: trailing
commas, comments, raw newlines in strings, backslashes that escape nothing. A repeated
key is never forgiven, since either value could be meant.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

JsonValue = str | int | float | bool | dict[str, "JsonValue"] | list["JsonValue"] | None

_DEEPEST = 32
_MOST_ATTEMPTS = 2_000
_START = re.compile(r"\{(?=[ \t\n]*+[\"}/])")
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?")
_WORD = re.compile(r"(?:true|false|null)\b")
_GAP = re.compile(r"(?:[ \t\n]++|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)*+")
_BAD_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPES = frozenset('"\\/bfnrt')


class _Unreadable(Exception):
    """No object can be read here."""


@dataclass(frozen=True, slots=True)
class Found:
    """One object and where it stands: ``text[start:end]``."""

    value: dict[str, JsonValue]
    start: int
    end: int


def objects_in(text: str) -> Iterator[Found]:
    """Yield the outermost readable objects of a text, from left to right.

    The work is bounded by two thousand attempts and about eight passes over the text,
    however it is made; a text that would take more has no further objects.
    """
    end, budget = 0, 8 * len(text) + 1_000
    for _ in range(_MOST_ATTEMPTS):
        start = _START.search(text, end)
        if start is None or budget <= 0:
            return
        scan, position = _Scan(text), start.start()
        try:
            value, end = scan.object(position, 0)
        except _Unreadable:
            end = position + 1
        else:
            yield Found(value, position, end)
        budget -= max(scan.furthest - position, 0)


@dataclass(slots=True)
class _Scan:
    """One attempt to read an object; ``furthest`` is how far it looked."""

    text: str
    furthest: int = 0

    def object(self, start: int, depth: int) -> tuple[dict[str, JsonValue], int]:
        items: dict[str, JsonValue] = {}

        def member(position: int) -> int:
            key, position = self._string(position)
            position = self._expect(":", self._gap(position))
            if key in items:
                raise _Unreadable
            items[key], position = self._value(self._gap(position), depth + 1)
            return position

        return items, self._members(start, "}", depth, member)

    def _array(self, start: int, depth: int) -> tuple[list[JsonValue], int]:
        items: list[JsonValue] = []

        def member(position: int) -> int:
            value, position = self._value(position, depth + 1)
            items.append(value)
            return position

        return items, self._members(start, "]", depth, member)

    def _members(
        self, start: int, closing: str, depth: int, member: Callable[[int], int]
    ) -> int:
        if depth > _DEEPEST:
            raise _Unreadable
        position = self._gap(start + 1)
        while self.text[position : position + 1] != closing:
            position = self._gap(member(position))
            if self.text[position : position + 1] != closing:
                position = self._gap(self._expect(",", position))
        return position + 1

    def _value(self, position: int, depth: int) -> tuple[JsonValue, int]:
        mark = self.text[position : position + 1]
        if mark == "{":
            return self.object(position, depth)
        if mark == "[":
            return self._array(position, depth)
        if mark == '"':
            return self._string(position)
        match = self._match(_WORD, position) or self._match(_NUMBER, position)
        if match is None:
            raise _Unreadable
        value: JsonValue = json.loads(match[0])
        return value, match.end()

    def _string(self, position: int) -> tuple[str, int]:
        match = self._match(_STRING, position)
        if match is None:
            if self.text[position : position + 1] == '"':
                self.furthest = len(self.text)
            raise _Unreadable
        text: str = json.loads(_BAD_ESCAPE.sub(_escape, match[0]), strict=False)
        return text, match.end()

    def _gap(self, position: int) -> int:
        match = self._match(_GAP, position)
        end = match.end() if match else position
        if self.text.startswith("/*", end):  # never closed: looked at everything
            self.furthest = len(self.text)
        return end

    def _expect(self, mark: str, position: int) -> int:
        if self.text[position : position + 1] != mark:
            raise _Unreadable
        return position + 1

    def _match(self, pattern: re.Pattern[str], position: int) -> re.Match[str] | None:
        match = pattern.match(self.text, position)
        if match:
            self.furthest = max(self.furthest, match.end())
        return match


def _escape(match: re.Match[str]) -> str:
    if len(match[1]) > 1 or match[1] in _ESCAPES:
        return match[0]
    return "\\\\" + match[1]
