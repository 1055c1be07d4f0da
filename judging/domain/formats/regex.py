"""A declared regular expression with named groups, for notations of your own.

Which group took part in a match says what was chosen: ``first``, ``second``, ``tie``,
``abstain``; ``first_strong`` and ``second_strong`` for a strong preference; ``other``
for what is meant as a verdict and is not offered. Every match in the declared place
counts, so the usual rule decides: exactly one distinct choice.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from annotation.domain.outcomes import SlotChoice
from judging.domain.formats.base import (
    Example,
    OffMenu,
    Place,
    VerdictFormat,
    settle,
)
from judging.domain.formats.options import BadOptions, Options
from judging.domain.formats.places import json_field_reader, last_line_reader
from judging.domain.formats.regex_safety import UnsafePattern, checked
from judging.domain.formats.scanning import (
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
    from judging.domain.verdicts import Reading, Strength

NAME = "regex"
PARSER_VERSION = "regex/4"
LONGEST_SEARCHED = 50_000
"""Characters; a place that is longer is unread, never searched in part."""

OTHER = "other"
_STRONG = "_strong"
_GROUPS = {
    "first": SlotChoice.FIRST,
    f"first{_STRONG}": SlotChoice.FIRST,
    "second": SlotChoice.SECOND,
    f"second{_STRONG}": SlotChoice.SECOND,
    "tie": SlotChoice.TIE,
    "abstain": SlotChoice.ABSTAIN,
}
_DECISIVE = (SlotChoice.FIRST, SlotChoice.SECOND)
_NEEDED = ("first", "second", "tie")


def regex_format(options: Mapping[str, object]) -> VerdictFormat:
    """Build the format that a judge's options declare; raises ``BadOptions``.

    Options: ``pattern``; ``ignore_case`` (false unless given); ``place`` (``whole``
    unless given, ``last_line`` or ``json_field`` with ``field``); ``menu``, the text
    for the prompt; ``examples``, a list of objects with ``raw``, ``choice`` and, where
    strong, ``strength`` 2.
    """
    given = Options(options)
    pattern = _pattern(given)
    place, field = given.place(default=Place.WHOLE)
    menu = given.text("menu")
    strengths = _has_strengths(pattern)
    examples = tuple(
        _example(each, strengths=strengths) for each in given.objects("examples")
    )
    given.refuse_others()
    return VerdictFormat(
        name=NAME,
        parser_version=PARSER_VERSION,
        place=place,
        menu_without_abstain=menu,
        menu_with_abstain=menu,
        worked=examples,
        tokens=pattern,
        reader=_reader(pattern, place, field),
        names_slots=False,
    )


def _pattern(given: Options) -> re.Pattern[str]:
    text = given.text("pattern")
    try:
        pattern = checked(text, ignore_case=given.truth("ignore_case", default=False))
    except UnsafePattern as error:
        raise BadOptions("pattern", str(error)) from error
    names = pattern.groupindex.keys()
    unknown = sorted(names - _GROUPS.keys() - {OTHER})
    if unknown:
        raise BadOptions(
            "pattern", f"{unknown[0]} is no choice; name one of {_known()}"
        )
    missing = [name for name in _NEEDED if not _covers(name, set(names))]
    if missing:
        raise BadOptions("pattern", f"needs a group named {missing[0]}")
    return pattern


def _covers(name: str, names: set[str]) -> bool:
    return name in names or name + _STRONG in names


def _has_strengths(pattern: re.Pattern[str]) -> bool:
    return any(name.endswith(_STRONG) for name in pattern.groupindex)


def _known() -> str:
    return ", ".join((*_GROUPS, OTHER))


def _example(given: Options, *, strengths: bool) -> Example:
    raw = given.text("raw")
    choice = given.one_of("choice", tuple(SlotChoice))
    strength = given.strength()
    given.refuse_others()
    if strengths and choice in _DECISIVE:
        strength = strength or 1
    try:
        return Example(raw, Verdict(SlotChoice(choice), strength))
    except ValueError as error:
        raise BadOptions("examples", str(error)) from error


def _reader(pattern: re.Pattern[str], place: Place, field: str) -> Reader:
    if place is Place.JSON_FIELD:
        return json_field_reader(partial(_read_visible, pattern), field)
    if place is Place.LAST_LINE:
        return last_line_reader(partial(_read_last, pattern), pattern, fold=False)
    return partial(_read_whole, pattern)


def _read_whole(
    pattern: re.Pattern[str], text: str, /, *, offers_abstain: bool
) -> Reading:
    if len(text) > LONGEST_SEARCHED:
        return _unsearched(text)
    elements = "<" not in pattern.pattern
    view = without_quotes(spoken(text), pattern, marks=False, elements=elements)
    return _read_visible(pattern, view, offers_abstain=offers_abstain)


def _read_last(
    pattern: re.Pattern[str], text: str, /, *, offers_abstain: bool
) -> Reading:
    """Search the last line alone, so that anchors mean its two ends."""
    start = text.rfind("\n") + 1
    reading = _read_visible(pattern, text[start:], offers_abstain=offers_abstain)
    if isinstance(reading, Verdict) and reading.span is not None:
        low, high = reading.span
        return Verdict(
            reading.choice, reading.strength, reading.flags, (start + low, start + high)
        )
    return reading


def _read_visible(
    pattern: re.Pattern[str], view: str, /, *, offers_abstain: bool
) -> Reading:
    if len(view) > LONGEST_SEARCHED:
        return _unsearched(view)
    found = [
        _item(match)
        for match in pattern.finditer(view)
        if not is_exemplar(view, match.start())
    ]
    said = [item for item in found if item is not None]
    return settle(said, view, offers_abstain=offers_abstain)


def _unsearched(text: str) -> Invalid:
    return Invalid(
        InvalidReason.UNPARSED,
        f"{len(text)} characters; at most {LONGEST_SEARCHED} are searched",
    )


def _item(match: re.Match[str]) -> Verdict | OffMenu | None:
    """Read the groups of one match; two that differ are off the menu together."""
    named = [name for name, text in match.groupdict().items() if text is not None]
    if not named:
        return None
    choices = {_GROUPS[name] for name in named if name != OTHER}
    if OTHER in named or len(choices) > 1:
        return OffMenu(match[0])
    (choice,) = choices
    strength: Strength | None = None
    if choice in _DECISIVE and _has_strengths(match.re):
        strength = 2 if all(name.endswith(_STRONG) for name in named) else 1
    return Verdict(choice, strength, span=match.span())
