"""The same notation in another declared place (DESIGN rule 20).

A token format reads the whole reply. Where a judge's format options declare the last
line, or a field of a JSON object, the same reader is given that place only, and menu
and worked examples ask for it.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from judging.domain.formats.base import (
    Example,
    OffMenu,
    Place,
    VerdictFormat,
    nothing_found,
    settle,
)
from judging.domain.formats.hiding import QUOTED
from judging.domain.formats.json_field import answers_in
from judging.domain.formats.json_rivals import OTHER_FIELD, rival_values
from judging.domain.formats.reporting import reported_above
from judging.domain.formats.scanning import (
    folded,
    is_exemplar,
    spoken,
    without_quotes,
)
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid, Verdict

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

    from judging.domain.formats.base import Reader
    from judging.domain.formats.json_field import Held
    from judging.domain.verdicts import Reading


def on_last_line(known: VerdictFormat, alone: re.Pattern[str]) -> VerdictFormat:
    """Declare the last line that is not empty to be the place.

    ``alone`` matches a verdict with its dress and nothing else: a fenced block that
    holds only that is the judge's own word and no quotation.
    """
    ask = "Write it alone on the last line."
    return replace(
        known,
        place=Place.LAST_LINE,
        menu_without_abstain=f"{known.menu_without_abstain}\n{ask}",
        menu_with_abstain=f"{known.menu_with_abstain}\n{ask}",
        reader=last_line_reader(known.reader, alone),
    )


def in_json_field(known: VerdictFormat, field: str) -> VerdictFormat:
    """Declare a text field of the reply's JSON object to be the place."""

    def schema(*, offers_abstain: bool) -> Mapping[str, object]:
        examples = known.examples(offers_abstain=offers_abstain)
        return _schema(field, [_token(example) for example in examples])

    return replace(
        known,
        place=Place.JSON_FIELD,
        menu_without_abstain=_json_menu(known.menu_without_abstain, field),
        menu_with_abstain=_json_menu(known.menu_with_abstain, field),
        worked=tuple(_json_example(example, field) for example in known.worked),
        reader=json_field_reader(known.reader, field),
        schema=schema,
    )


def last_line_reader(
    reader: Reader, alone: re.Pattern[str], *, fold: bool = True
) -> Reader:
    """Let a reader see the last line that is not empty, and nothing above it.

    ``fold`` writes full-width characters in ASCII first, and takes what stands in
    quotation marks for a quotation; a declared expression may want either as it is.
    """

    def read(text: str, /, *, offers_abstain: bool) -> Reading:
        written = folded(text) if fold else text
        view = without_quotes(spoken(written), alone, marks=fold)
        start, end = last_line(view)
        if is_exemplar(view, start):
            return nothing_found(view, "the last line is an example")
        if reported_above(view, start):
            return nothing_found(view, "the last line is somebody's words")
        hidden = "\n".join(QUOTED * len(line) for line in view[:start].split("\n"))
        reading = reader(hidden + view[start:end], offers_abstain=offers_abstain)
        return _refusal_above(reading, view)

    return read


def json_field_reader(reader: Reader, field: str) -> Reader:
    """Let a reader see the text of one JSON field, and nothing else."""

    def value_of(held: Held, *, offers_abstain: bool) -> Reading:
        if not isinstance(held.value, str):
            return Invalid(InvalidReason.UNPARSED, f"{field} is no text")
        reading = reader(held.value, offers_abstain=offers_abstain)
        if not isinstance(reading, Verdict):
            return reading
        if _has_rival(reading, held, field, reader):
            return Invalid(InvalidReason.CONFLICTING, OTHER_FIELD)
        return replace(reading, span=held.span)

    def read(text: str, /, *, offers_abstain: bool) -> Reading:
        view, held = answers_in(text, field)
        if isinstance(held, Invalid):
            return held
        readings = [value_of(one, offers_abstain=offers_abstain) for one in held]
        return settle_readings(readings, view, offers_abstain=offers_abstain)

    return read


def _has_rival(reading: Verdict, held: Held, field: str, reader: Reader) -> bool:
    """Whether another field says otherwise, in the same notation."""
    for is_loser, text in rival_values(held.whole, field):
        other = reader(text, offers_abstain=True) if text.strip() else None
        if isinstance(other, Verdict):
            is_same = other.choice is reading.choice
            if is_same is is_loser:
                return True
    return False


def settle_readings(
    readings: list[Reading], view: str, *, offers_abstain: bool
) -> Reading:
    """Reduce the readings of several places to one; one that is invalid spoils all."""
    for reading in readings:
        if isinstance(reading, Invalid):
            return reading
    found: list[Verdict | OffMenu] = [r for r in readings if isinstance(r, Verdict)]
    return settle(found, view, offers_abstain=offers_abstain)


def last_line(view: str) -> tuple[int, int]:
    """Where the last line that is not empty begins and ends."""
    end = len(view.rstrip())
    return view.rfind("\n", 0, end) + 1, end


def _refusal_above(reading: Reading, view: str) -> Reading:
    """Tell a refusal, of which the reader saw only the last line, from no verdict."""
    if isinstance(reading, Invalid) and reading.reason is InvalidReason.UNPARSED:
        return nothing_found(view, reading.detail)
    return reading


def _json_menu(menu: str, field: str) -> str:
    choices = menu.partition("\n")[2]
    return (
        'Reply with one JSON object and nothing else. Field "reason": your reasons in '
        f'a few sentences. Field "{field}": exactly one of\n{choices}'
    )


def _token(example: Example) -> str:
    return example.raw.rpartition("\n")[2]


def _json_example(example: Example, field: str) -> Example:
    value = {"reason": "as it was seen", field: _token(example)}
    return Example(json.dumps(value), example.verdict)


def _schema(field: str, tokens: list[str]) -> Mapping[str, object]:
    return {
        "type": "object",
        "properties": {
            "reason": {"type": "string"},
            field: {"type": "string", "enum": tokens},
        },
        "required": ["reason", field],
        "additionalProperties": False,
    }
