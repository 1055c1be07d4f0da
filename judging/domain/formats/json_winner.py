"""The JSON format: an object whose ``winner`` is "A", "B", "tie" or "abstain"."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from annotation.domain.outcomes import SlotChoice
from judging.domain.formats.base import (
    Example,
    OffMenu,
    Place,
    VerdictFormat,
    settle,
)
from judging.domain.formats.json_scan import objects_in
from judging.domain.formats.scanning import (
    is_exemplar,
    without_quoted_lines,
    without_reasoning,
)
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judging.domain.formats.json_scan import Found, JsonValue
    from judging.domain.verdicts import Reading

_FIELD = "winner"
_CHOICES = {
    "a": SlotChoice.FIRST,
    "b": SlotChoice.SECOND,
    "tie": SlotChoice.TIE,
    "abstain": SlotChoice.ABSTAIN,
}
# A key that no readable object accounts for: one more answer, which we cannot read.
_KEY = re.compile(
    r"""(?:["\u201c]winner["\u201d]|[{,][ \t\n]*+'?winner'?)[ \t\n]*+:""", re.IGNORECASE
)
_FIELD_BEFORE = re.compile(r'"[ \t\n]*:$')
ODD_CONFIDENCE = "odd_confidence"


def _read(text: str, *, offers_abstain: bool) -> Reading:
    view = without_quoted_lines(without_reasoning(text.replace("\r", " ")))
    answers = [found for found in objects_in(view) if _winners(found)]
    if _has_unread_key(view, answers) or any(_is_nested(view, one) for one in answers):
        return Invalid(InvalidReason.UNPARSED, "a winner that no single object holds")
    spoken = [one for one in answers if not is_exemplar(view, one.start)]
    items = [_item(one) for one in spoken]
    for item in items:
        if isinstance(item, Invalid):
            return item
    tokens = [item for item in items if not isinstance(item, Invalid)]
    return settle(tokens, view, offers_abstain=offers_abstain)


def _winners(found: Found) -> list[JsonValue]:
    return [value for key, value in found.value.items() if _is(key, _FIELD)]


def _is(text: str, word: str) -> bool:
    return text.strip().casefold() == word


def _has_unread_key(view: str, answers: list[Found]) -> bool:
    position = 0
    for one in answers:
        if _KEY.search(view, position, one.start):
            return True
        position = one.end
    return _KEY.search(view, position) is not None


def _is_nested(view: str, found: Found) -> bool:
    """Whether the object is an element of a list, or a field of a broken object."""
    before = view[max(0, found.start - 200) : found.start].rstrip()
    if before.endswith("[") or _FIELD_BEFORE.search(before):
        return True
    return view[found.end : found.end + 200].lstrip()[:1] == "]"


def _item(found: Found) -> Verdict | OffMenu | Invalid:
    winners = _winners(found)
    if len(winners) != 1 or not isinstance(winners[0], str):
        return Invalid(InvalidReason.UNPARSED, "winner is given twice or is no text")
    choice = _CHOICES.get(winners[0].strip().casefold())
    if choice is None:
        return OffMenu(winners[0])
    span = (found.start, found.end)
    return Verdict(choice, flags=_confidence(found.value), span=span)


def _confidence(value: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """Keep a stated confidence as the flag ``confidence:0.8``; also a quoted number."""
    if "confidence" not in value:
        return ()
    stated = value["confidence"]
    number = -1.0
    if isinstance(stated, str | int | float) and not isinstance(stated, bool):
        with suppress(ValueError, OverflowError):
            number = float(stated)
    return (f"confidence:{number:g}",) if 0 <= number <= 1 else (ODD_CONFIDENCE,)


def _schema(*, offers_abstain: bool) -> Mapping[str, object]:
    winners = ["A", "B", "tie", *(["abstain"] if offers_abstain else [])]
    return {
        "type": "object",
        "properties": {
            "reason": {"type": "string"},
            "winner": {"type": "string", "enum": winners},
        },
        "required": ["reason", "winner"],
        "additionalProperties": False,
    }


_ASK = (
    'Reply with one JSON object and nothing else. Field "reason": your reasons in a '
    'few sentences. Field "winner": exactly one of\n'
)
_WINNERS = """\
"A"  Response A is better
"B"  Response B is better
"tie"  They are equally good"""
_ABSTAIN = '\n"abstain"  It cannot be judged from what is given (this is not a tie)'

JSON_WINNER = VerdictFormat(
    name="json_winner",
    parser_version="json_winner/1",
    place=Place.JSON_FIELD,
    menu_without_abstain=_ASK + _WINNERS,
    menu_with_abstain=_ASK + _WINNERS + _ABSTAIN,
    worked=(
        Example('{"reason": "clearer", "winner": "A"}', Verdict(SlotChoice.FIRST)),
        Example('{"reason": "complete", "winner": "B"}', Verdict(SlotChoice.SECOND)),
        Example('{"reason": "the same", "winner": "tie"}', Verdict(SlotChoice.TIE)),
        Example(
            '{"reason": "no file", "winner": "abstain"}', Verdict(SlotChoice.ABSTAIN)
        ),
    ),
    tokens=re.compile(
        r"[\"'`](?:winner|verdict)[\"'`] *:"
        r"|\b(?:reply|respond|answer|output|return)\b[^.\n]{0,40}\bJSON\b",
        re.IGNORECASE,
    ),
    reader=_read,
    schema=_schema,
)
