"""The small template language of judge prompts.

``{{name}}`` stands for a text; ``{{#name}}...{{/name}}`` is kept only for a pair that
has that text. There is nothing else: no logic, no escapes, no includes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

CASE_TEXTS = ("prompt", "context", "reference", "first", "second")
OPTIONAL = ("context", "reference", "rubric", "question")
PLACEHOLDERS = (*CASE_TEXTS, "rubric", "menu", "question")

_TAG = re.compile(r"\{\{\s*([#/]?)\s*([A-Za-z_][\w.-]*)\s*\}\}")


class TemplateError(ValueError):
    """A template that cannot be used; ``code`` says why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Slot:
    """A place where the text of that name is put."""

    name: str


@dataclass(frozen=True, slots=True)
class Section:
    """A part that is kept only where the text of that name exists."""

    name: str
    parts: tuple[Part, ...]


Part = str | Slot | Section


@dataclass(slots=True)
class _Open:
    name: str
    parts: list[Part]


@dataclass(frozen=True, slots=True)
class Names:
    """The placeholders of one kind of template, and which of them take a section."""

    known: tuple[str, ...]
    optional: tuple[str, ...]


PAIRWISE = Names(PLACEHOLDERS, OPTIONAL)


@lru_cache(maxsize=256)  # a run renders the same few for each of its calls
def parse(template: str, names: Names = PAIRWISE) -> tuple[Part, ...]:
    """Parse a template. Raises :class:`TemplateError` naming what is wrong."""
    stack = [_Open("", [])]
    position = 0
    for tag in _TAG.finditer(template):
        stack[-1].parts.append(template[position : tag.start()])
        position = tag.end()
        _take(stack, tag[1], tag[2], names)
    stack[-1].parts.append(template[position:])
    if len(stack) > 1:
        name = stack[-1].name
        raise TemplateError("section_not_closed", f"{{{{#{name}}}}} is not closed")
    return tuple(stack[0].parts)


def fill(parts: Sequence[Part], texts: Mapping[str, str]) -> str:
    """Put the texts in their places, in one pass: inserted text is never parsed.

    A text that is not in ``texts`` is absent: its slots stay empty and its sections are
    dropped.
    """
    return "".join(_filled(parts, texts))


def slots_of(parts: Sequence[Part]) -> Iterator[str]:
    """Yield the name of every slot, in sections too, in their order."""
    for part in parts:
        if isinstance(part, Slot):
            yield part.name
        elif isinstance(part, Section):
            yield from slots_of(part.parts)


def _take(stack: list[_Open], sign: str, name: str, names: Names) -> None:
    if name not in names.known:
        known = ", ".join(names.known)
        raise TemplateError("unknown_placeholder", f"{name} is none of {known}")
    if not sign:
        stack[-1].parts.append(Slot(name))
    elif sign == "#":
        if name not in names.optional:
            raise TemplateError("needless_section", f"{name} is always there")
        stack.append(_Open(name, []))
    else:
        _close(stack, name)


def _close(stack: list[_Open], name: str) -> None:
    if len(stack) == 1 or stack[-1].name != name:
        raise TemplateError("section_not_open", f"{{{{/{name}}}}} closes nothing")
    closed = stack.pop()
    stack[-1].parts.append(Section(closed.name, tuple(closed.parts)))


def _filled(parts: Sequence[Part], texts: Mapping[str, str]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, str):
            yield part
        elif isinstance(part, Slot):
            yield texts.get(part.name, "")
        elif part.name in texts:
            yield from _filled(part.parts, texts)
