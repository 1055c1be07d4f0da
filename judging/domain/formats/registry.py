"""All verdict formats by name, and with the options that a judge declares."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from judging.domain.formats.ab_bracket import AB_BRACKET
from judging.domain.formats.base import Place
from judging.domain.formats.brackets import DOUBLE_ALONE
from judging.domain.formats.choice_123 import CHOICE_123
from judging.domain.formats.five_token import FIVE_TOKEN
from judging.domain.formats.json_winner import JSON_WINNER
from judging.domain.formats.options import BadOptions, Options, UnknownFormat
from judging.domain.formats.output_ab import OUTPUT_AB
from judging.domain.formats.places import in_json_field, on_last_line
from judging.domain.formats.regex import NAME as REGEX
from judging.domain.formats.regex import regex_format

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judging.domain.formats.base import VerdictFormat

__all__ = ["FORMATS", "FORMAT_NAMES", "BadOptions", "UnknownFormat", "get_format"]

FORMATS: Mapping[str, VerdictFormat] = MappingProxyType(
    {
        each.name: each
        for each in (FIVE_TOKEN, JSON_WINNER, CHOICE_123, AB_BRACKET, OUTPUT_AB)
    }
)
"""The formats that need no options; ``regex`` exists only with options."""

FORMAT_NAMES = (*FORMATS, REGEX)

# The places where a notation may be declared to stand, its own first.
_PLACES: Mapping[str, tuple[Place, ...]] = {
    "five_token": (Place.WHOLE, Place.LAST_LINE, Place.JSON_FIELD),
    "ab_bracket": (Place.WHOLE, Place.LAST_LINE, Place.JSON_FIELD),
    "output_ab": (Place.LAST_LINE, Place.JSON_FIELD),
}


def get_format(name: str, options: Mapping[str, object] | None = None) -> VerdictFormat:
    """Give the format of that name with the judge's format options.

    Raises ``UnknownFormat`` naming those there are, and ``BadOptions`` (one of its
    kind) for options that the format does not take or cannot do without.
    """
    if name == REGEX:
        return regex_format(options or {})
    try:
        known = FORMATS[name]
    except KeyError:
        names = ", ".join(sorted(FORMAT_NAMES))
        msg = f"unknown verdict format {name!r}; there are {names}"
        raise UnknownFormat(msg) from None
    return known if options is None else _placed(known, options)


def _placed(known: VerdictFormat, options: Mapping[str, object]) -> VerdictFormat:
    places = _PLACES.get(known.name)
    if places is None:
        raise BadOptions("format_options", f"{known.name} takes none")
    given = Options(options)
    place, field = given.place(default=known.place, known=places)
    given.refuse_others()
    if place is known.place:
        return known
    if place is Place.LAST_LINE:
        return on_last_line(known, DOUBLE_ALONE)
    return in_json_field(known, field)
