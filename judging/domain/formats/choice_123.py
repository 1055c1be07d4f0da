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
from judging.domain.formats.scanning import folded, without_quotes, without_reasoning
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid, Verdict

if TYPE_CHECKING:
    from judging.domain.verdicts import Reading

_MENU = {
    "1": SlotChoice.FIRST,
    "2": SlotChoice.SECOND,
    "3": SlotChoice.TIE,
    "0": SlotChoice.ABSTAIN,
}
_LONGEST_LINE = 200

_OPEN = r"(?:#{1,6} +|[-\u2022] +)?[\s*_`\"'(\[{<|]*"
_SHUT = r"[\s*_`\"')\]}>|.!:\ufe0f\u20e3]*"
_LEAD = (
    r"(?:(?:therefore|thus|so|overall|hence|finally|in conclusion|in summary"
    r"|based on (?:the|this|my)(?: \w+){1,2}),? +)?"
)
_LABEL = (
    r"(?:(?:my|the|final|overall|best|better|correct|preferred) +){0,4}"
    r"(?:choice|answer|verdict|output|decision|selection|winner|preference|pick|option)"
)
_NOUN = r"(?:(?:answer|assistant|choice|number|option|response)(?: +number)? +)?"
_SINGULAR = r"(?:assistant|answer|response|one|choice|option|solution|submission)"
_REASON = (
    r"(?:'s (?:answer|response))?"
    rf"(?: +as +(?:the|my) +(?:better|best|preferred|superior|final) +{_SINGULAR}"
    rf"| +as +(?:the|my) +(?:final +)?{_SINGULAR})?"
)
_EVEN = (
    r"(?:,| +as| +because| +since) *(?:the two|both)(?: \w+)? +are +"
    r"(?:equivalent|equal|equally good)"
)
_CORE = r"(?P<digits>\d{1,3})"
_BARE = re.compile(_OPEN + _CORE + _SHUT)
_LABELLED = re.compile(
    rf"{_OPEN}{_LEAD}{_LABEL}{_SHUT}(?: +is\b)?{_SHUT}{_OPEN}"
    rf"{_NOUN}{_CORE}{_REASON}{_SHUT}",
    re.IGNORECASE,
)
_STATED = re.compile(
    rf"{_OPEN}{_LEAD}i(?: +would|'d| +will|'ll)? +(?:choose|pick|select|prefer) +"
    rf"{_OPEN}{_NOUN}{_CORE}{_REASON}{_SHUT}",
    re.IGNORECASE,
)
_EVEN_TIE = re.compile(
    rf"{_OPEN}{_LEAD}(?:i(?: +would|'d| +will)? +(?:choose|pick|select)"
    rf"|{_LABEL} +is) +(?P<digits>3){_EVEN}{_SHUT}",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    rf"{_OPEN}(?:{_LABEL}{_SHUT}{_OPEN})?[0-3]"
    rf"(?:(?: *(?:[,;&]|or|and) *| +)[0-3])+{_SHUT}",
    re.IGNORECASE,
)
_ITEM = re.compile(r"\s*([1-3])([.)])\s*")
_FORMS = (_BARE, _LABELLED, _STATED, _EVEN_TIE)


def _line(view: str) -> tuple[str, int]:
    """Give the last line that is not empty, and where it begins."""
    end = len(view.rstrip())
    start = view.rfind("\n", 0, end) + 1
    return view[start:end], start


def _read(text: str, *, offers_abstain: bool) -> Reading:
    view = without_quotes(without_reasoning(folded(text)), _BARE)
    line, start = _line(view)
    if len(line) > _LONGEST_LINE:
        return nothing_found(view, "the last line is prose")
    if _is_list_item(line, view[:start]):
        return nothing_found(view, "the last line is the number of a list item")
    for form in _FORMS:
        match = form.fullmatch(line)
        if match:
            at = (start + match.start("digits"), start + match.end("digits"))
            return settle(
                [_token(match["digits"], at)], "", offers_abstain=offers_abstain
            )
    if _SEVERAL.fullmatch(line) and len(set(re.findall(r"[0-3]", line))) > 1:
        return Invalid(InvalidReason.CONFLICTING, printable(line.strip()))
    return nothing_found(view, "the last line states no choice")


def _is_list_item(line: str, before: str) -> bool:
    """Whether a last line such as "3." carries on, or opens, a numbered list.

    A reply that was cut off there would otherwise be read as a choice.
    """
    item = _ITEM.fullmatch(line)
    if item is None:
        return False
    if item[1] == "1":
        return before.rstrip().endswith(":")
    previous = rf"^[ \t]*{int(item[1]) - 1}{re.escape(item[2])}[ \t]+\S"
    return re.search(previous, before, re.MULTILINE) is not None


def _token(digits: str, span: tuple[int, int]) -> Verdict | OffMenu:
    choice = _MENU.get(digits)
    return OffMenu(digits) if choice is None else Verdict(choice, span=span)


_ASK = "Give your reasons first. Then write one digit alone on the last line:\n"
_DIGITS = """\
1  Response A is better
2  Response B is better
3  Tie: they are equally good"""
_ZERO = "\n0  Abstain: it cannot be judged from what is given (this is not a tie)"

CHOICE_123 = VerdictFormat(
    name="choice_123",
    parser_version="choice_123/1",
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
