"""A declared field of a JSON object in the reply, found without guessing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judging.domain.formats.elements import without_elements
from judging.domain.formats.framing import leads_up
from judging.domain.formats.json_scan import objects_in
from judging.domain.formats.reporting import reported_above, reported_before
from judging.domain.formats.scanning import (
    folded,
    is_exemplar,
    spoken,
    without_quoted_lines,
)
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judging.domain.formats.json_scan import Found, JsonValue

_DRESS_AFTER = re.compile(r"[\s`~*_]*")
_LINE_BEFORE = 240
_FIELD_BEFORE = re.compile(r'"[ \t\n]*:$')
FIELD_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")


@dataclass(frozen=True, slots=True)
class Held:
    """One answer: the field's value, its whole object, and where that stands."""

    value: JsonValue
    whole: Mapping[str, JsonValue]
    span: tuple[int, int]


def visible(text: str) -> str:
    """Give the text with reasoning and what is quoted hidden, of the same length."""
    shown = without_quoted_lines(spoken(text.replace("\r", " ")))
    return without_elements(shown, swallow=False)


def answers_in(text: str, field: str) -> tuple[str, tuple[Held, ...] | Invalid]:
    """Give what is visible of a reply and every answer in it, see :func:`held_in`.

    Full-width brackets and quotation marks are heeded where plain ones gave no answer.
    """
    view = visible(text)
    held = held_in(view, field)
    if held or "\uff5b" not in text:
        return view, held
    view = visible(folded(text))
    return view, held_in(view, field)


def held_in(view: str, field: str) -> tuple[Held, ...] | Invalid:
    """Find every answer of a visible text: an object that has ``field``, in any case.

    ``unparsed`` where a key of that name stands in no readable object of its own, in
    a list, in another object, or twice in one object: any of these could be the one
    that was meant. Objects introduced as examples are left out.
    """
    answers = [found for found in objects_in(view) if _values(found, field)]
    if _has_unread_key(view, answers, field) or any(
        _is_nested(view, a) for a in answers
    ):
        return Invalid(InvalidReason.UNPARSED, f"a {field} that no single object holds")
    if any(len(_values(answer, field)) > 1 for answer in answers):
        return Invalid(InvalidReason.UNPARSED, f"{field} is given twice")
    meant = [one for one in answers if not is_exemplar(view, one.start)]
    if meant and not _is_at_the_end(view, meant[-1]):
        return Invalid(
            InvalidReason.UNPARSED, f"the object with {field} does not end the reply"
        )
    return tuple(
        Held(_values(answer, field)[0], answer.value, (answer.start, answer.end))
        for answer in meant
    )


def _is_at_the_end(view: str, found: Found) -> bool:
    """Whether the object closes the reply, and is no part of a sentence or report."""
    if _DRESS_AFTER.fullmatch(view, found.end) is None:
        return False
    low = max(0, found.start - _LINE_BEFORE)
    before = view[low : found.start].rpartition("\n")[2]
    before = re.sub(r"^[ \t]*(?:`{3,}|~{3,})\w*", "", before).rstrip(" \t`*_")
    if not before:
        return not reported_above(view, found.start)
    if reported_before(before):
        return False
    return before[-1] in ".!?;)]}>\u3002\ufffc" or leads_up(before)


def _values(found: Found, field: str) -> list[JsonValue]:
    wanted = field.casefold()
    return [v for key, v in found.value.items() if key.strip().casefold() == wanted]


def _has_unread_key(view: str, answers: list[Found], field: str) -> bool:
    name = re.escape(field)
    key = re.compile(
        rf"""(?:["\u201c]{name}["\u201d]|[{{,][ \t\n]*+'?{name}'?)[ \t\n]*+:""",
        re.IGNORECASE,
    )
    position = 0
    for one in answers:
        if key.search(view, position, one.start):
            return True
        position = one.end
    return key.search(view, position) is not None


def _is_nested(view: str, found: Found) -> bool:
    before = view[max(0, found.start - 200) : found.start].rstrip()
    if before.endswith("[") or _FIELD_BEFORE.search(before):
        return True
    return view[found.end : found.end + 200].lstrip()[:1] == "]"
