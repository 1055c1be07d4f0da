"""The last-line format: 1 (first), 2 (second), 3 (tie), 0 (abstain, where offered)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from annotation.domain.outcomes import SlotChoice
from judging.domain.formats.base import (
    Example,
    OffMenu,
    Place,
    VerdictFormat,
    nothing_found,
    printable,
    settle,
)
from judging.domain.formats.choice_lines import (
    LONE_NUMBER,
    choices_in,
    is_list_item,
    other_mentions,
    several_in,
    stated_in,
)
from judging.domain.formats.lone_numbers import CHOICES, answers_another
from judging.domain.formats.reporting import reported_above
from judging.domain.formats.scanning import (
    heard,
    without_quotes,
)
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid, Verdict

if TYPE_CHECKING:
    from judging.domain.formats.choice_lines import Stated
    from judging.domain.verdicts import Reading

_MENU = {
    "1": SlotChoice.FIRST,
    "2": SlotChoice.SECOND,
    "3": SlotChoice.TIE,
    "0": SlotChoice.ABSTAIN,
}
CLOSING_SENTENCE = "closing_sentence"


def _line(view: str) -> tuple[str, int]:
    """Give the last line that is not empty, and where it begins."""
    end = len(view.rstrip())
    start = view.rfind("\n", 0, end) + 1
    return view[start:end], start


def _read(text: str, *, offers_abstain: bool) -> Reading:
    view = without_quotes(heard(text), LONE_NUMBER)
    line, start = _line(view)
    if why := _not_its_own(view, line, start):
        return nothing_found(view, why)
    if several_in(line):
        return Invalid(InvalidReason.CONFLICTING, printable(line.strip()))
    stated = stated_in(line)
    if stated is None:
        return nothing_found(view, "the last line states no choice")
    if stated.in_sentence and other_mentions(line, stated.digits):
        return Invalid(InvalidReason.CONFLICTING, "the last line states two choices")
    doubt = _in_doubt(view, start, stated.digits) if stated.is_bare else None
    item = _item(stated, start)
    return doubt or settle([item], view, offers_abstain=offers_abstain)


def _not_its_own(view: str, line: str, start: int) -> str:
    """Say why the last line can be no verdict, whatever it states."""
    if is_list_item(line, view[:start]):
        return "the last line is the number of a list item"
    if reported_above(view, start):
        return "the last line is somebody's words"
    return ""


def _in_doubt(view: str, start: int, digits: str) -> Invalid | None:
    """Say why a bare number may not be the choice: what stands above it."""
    if answers_another(view, start, CHOICES):
        return nothing_found(view, "the last line answers another question")
    if set(choices_in(view[:start])) - {digits}:
        return Invalid(InvalidReason.CONFLICTING, "another choice stands above")
    return None


def _item(stated: Stated, start: int) -> Verdict | OffMenu:
    choice = _MENU.get(stated.digits)
    if choice is None:
        return OffMenu(stated.digits)
    flags = (CLOSING_SENTENCE,) if stated.in_sentence else ()
    return Verdict(
        choice,
        flags=flags,
        span=(start + stated.span[0], start + stated.span[1]),
    )


_ASK = "Give your reasons first. Then write one digit alone on the last line:\n"
_DIGITS = """\
1  Response A is better
2  Response B is better
3  Tie: they are equally good"""
_ZERO = "\n0  Abstain: it cannot be judged from what is given (this is not a tie)"

CHOICE_123 = VerdictFormat(
    name="choice_123",
    parser_version="choice_123/4",
    place=Place.LAST_LINE,
    menu_without_abstain=_ASK + _DIGITS,
    menu_with_abstain=_ASK + _DIGITS + _ZERO,
    worked=(
        Example("The first one is clearer.\n\n1", Verdict(SlotChoice.FIRST)),
        Example("The second one is clearer.\n\n2", Verdict(SlotChoice.SECOND)),
        Example("Both say the same.\n\n3", Verdict(SlotChoice.TIE)),
        Example("The file is missing.\n\n0", Verdict(SlotChoice.ABSTAIN)),
    ),
    tokens=re.compile(
        r"\b(?:1, ?2,? (?:or|and) ?[03]|choice: ?[0-3]|(?:write|output|answer|reply)"
        r"(?: with)? [\"'`]?1[\"'`]?\b)",
        re.IGNORECASE,
    ),
    reader=_read,
)
