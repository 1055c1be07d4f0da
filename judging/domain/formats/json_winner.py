"""The JSON format: an object whose ``winner`` is "A", "B", "tie" or "abstain"."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from annotation.domain.outcomes import SlotChoice
from judging.domain.formats.against import closing_claim
from judging.domain.formats.base import (
    Example,
    OffMenu,
    Place,
    VerdictFormat,
    settle,
)
from judging.domain.formats.json_field import answers_in
from judging.domain.formats.json_rivals import OTHER_FIELD, rival_values
from judging.domain.formats.scanning import folded
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judging.domain.formats.json_field import Held
    from judging.domain.formats.json_scan import JsonValue
    from judging.domain.verdicts import Reading

_FIELD = "winner"
_DRESS = " \t\n*_`"
_CHOICES = {
    "a": SlotChoice.FIRST,
    "b": SlotChoice.SECOND,
    "tie": SlotChoice.TIE,
    "abstain": SlotChoice.ABSTAIN,
}
_NAMED = re.compile(
    r"(?:response|assistant|answer|output|option|model)[ _-]?\(?([ab])\)?"
)
ODD_CONFIDENCE = "odd_confidence"
RESPONSE_BY_NAME = "response_by_name"


def _read(text: str, *, offers_abstain: bool) -> Reading:
    view, held = answers_in(text, _FIELD)
    if isinstance(held, Invalid):
        return held
    items = [_item(one) for one in held]
    for item in items:
        if isinstance(item, Invalid):
            return item
    tokens = [item for item in items if not isinstance(item, Invalid)]
    return settle(tokens, view, offers_abstain=offers_abstain)


def _item(held: Held) -> Verdict | OffMenu | Invalid:
    if not isinstance(held.value, str):
        return Invalid(InvalidReason.UNPARSED, "winner is no text")
    word = _plain(held.value)
    choice = _choice(word)
    if choice is None:
        return OffMenu(held.value)
    for is_loser, text in rival_values(held.whole, _FIELD):
        if _says_otherwise(_plain(text), choice, is_loser=is_loser):
            return Invalid(InvalidReason.CONFLICTING, OTHER_FIELD)
    flags = () if word in _CHOICES else (RESPONSE_BY_NAME,)
    return Verdict(choice, flags=(*flags, *_confidence(held.whole)), span=held.span)


def _says_otherwise(text: str, choice: SlotChoice, *, is_loser: bool) -> bool:
    named, said = _choice(text), closing_claim(text)
    if named is not None:
        return (named is choice) is is_loser
    return said is not None and said.opposes(choice) is not is_loser


def _plain(value: str) -> str:
    return folded(value).strip(_DRESS).casefold()


def _choice(word: str) -> SlotChoice | None:
    named = _NAMED.fullmatch(word)
    return _CHOICES.get(named[1] if named else word)


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
    parser_version="json_winner/4",
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
