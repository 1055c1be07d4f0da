"""The three-way bracket format: [[A]], [[B]], [[C]] for a tie, [[ABSTAIN]].

The notation is that of MT-bench; A is the first slot, B the second. Judges also write
the brackets as mere names ("[[A]] names the date, [[B]] does not"), so a pair of
brackets that the sentence goes on from, or leads up to, is a name and no verdict.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from annotation.domain.outcomes import SlotChoice
from judging.domain.formats.base import (
    Example,
    OffMenu,
    Place,
    VerdictFormat,
    nothing_found,
    settle,
)
from judging.domain.formats.brackets import (
    DOUBLE,
    DOUBLE_ALONE,
    MOST_TOKENS,
    is_attempt,
    plain,
)
from judging.domain.formats.framing import Standing, standing
from judging.domain.formats.reporting import lead_above, reported_above
from judging.domain.formats.scanning import (
    heard,
    is_exemplar,
    without_quotes,
)
from judging.domain.verdicts import Verdict

if TYPE_CHECKING:
    from judging.domain.verdicts import Reading

SINGLE_BRACKET = "single_bracket"
TIE_BY_NAME = "tie_by_name"

_MENU = {
    "A": SlotChoice.FIRST,
    "B": SlotChoice.SECOND,
    "C": SlotChoice.TIE,
    "TIE": SlotChoice.TIE,
    "ABSTAIN": SlotChoice.ABSTAIN,
}
_LONGEST = 500
# "Assistant [[A]] is better.": the sentence says no more than the brackets do.
_STATES = re.compile(
    r"[*_`\s]*(?:(?:is|was) +(?:(?:the|a|much|far|clearly|slightly|significantly"
    r"|marginally|overall) +){0,3}(?:better|best|superior|stronger|preferred"
    r"|preferable|winner)(?: +(?:one|answer|response|assistant|choice))?|wins)"
    r"[*_`]*(?![^\n]{0,100}\b(?:said|says?|claims?|claimed|wrote|writes|according to"
    r"|argues?|insists?|states?|if|unless)\b)(?:\s*[.!,;]|\s*$|\s+(?:because"
    r"|since|as|due)\b)",
    re.IGNORECASE | re.MULTILINE,
)
_LABEL = (
    r"(?:my |the )?(?:final |overall )?(?:verdict|answer|choice|decision)"
    r"(?: +is\b)?[*_`\s]*:?[*_`\s]*"
)
_OPEN = r"(?:#{1,6} +|[-\u2022] +)?[*_`\s]*"
_LETTER = (
    r"(?:\[[*_`\s]*(?P<square>[A-Za-z]{1,12})[*_`\s]*\]"
    r"|<\|(?P<angle>[A-Za-z]{1,12})\|>)[*_`\s.]*"
)
# A list of names: what stands below it is one of them.
_NAMES_ABOVE = re.compile(
    r"(?:^|\b)(?:sources?|references?|see(?: also)?|links?|citations?|footnotes?|notes?"
    r"|further reading|bibliography|related|index|contents|labels?|names?"
    r"|legend|quellen?"
    r"|siehe(?: auch)?|fuentes?|v\u00e9ase|fonti|fontes?|voir(?: aussi)?)$",
    re.IGNORECASE,
)
_LINK = re.compile(r"[(\[]|:\s*(?:http|/|#)|\|")
_REASON = r"[-\u2013\u2014] [^\[\]]{1,400}"
_SINGLES = (
    re.compile(rf"{_OPEN}(?:{_LABEL})?{_LETTER}", re.IGNORECASE),
    re.compile(rf"{_OPEN}{_LABEL}{_LETTER}{_REASON}", re.IGNORECASE),
)


def _read(text: str, *, offers_abstain: bool) -> Reading:
    view = without_quotes(heard(text), DOUBLE_ALONE)
    matches = list(islice(DOUBLE.finditer(view), MOST_TOKENS + 1))
    if len(matches) > MOST_TOKENS:
        return nothing_found(view, f"more than {MOST_TOKENS} double brackets")
    stated, named = _tokens(view, matches)
    if not stated and not named:
        return settle(_single(view), view, offers_abstain=offers_abstain)
    reading = settle([*named, *stated], view, offers_abstain=offers_abstain)
    if isinstance(reading, Verdict) and not stated:
        return nothing_found(view, "brackets name a response and state no verdict")
    return reading


def _tokens(
    view: str, matches: list[re.Match[str]]
) -> tuple[list[Verdict | OffMenu], list[Verdict | OffMenu]]:
    """Find what double brackets state, and what they only name."""
    stated: list[Verdict | OffMenu] = []
    named: list[Verdict | OffMenu] = []
    for match in matches:
        item = _meaning(plain(match[1]), match.span())
        if item is None or is_exemplar(view, match.start()):
            continue
        if _LINK.match(view, match.end()) or _is_listed_name(view, match.start()):
            continue
        how = standing(view, match.span(), DOUBLE, _STATES)
        if how is not Standing.QUOTED:
            (stated if how is Standing.STATED else named).append(item)
    return stated, named


def _is_listed_name(view: str, start: int) -> bool:
    """Whether a line such as "See also:" stands right above, so that this is a name."""
    if view[view.rfind("\n", 0, start) + 1 : start].strip(" *_`"):
        return False
    return _NAMES_ABOVE.search(lead_above(view, start)[0]) is not None


def _meaning(word: str, span: tuple[int, int]) -> Verdict | OffMenu | None:
    choice = _MENU.get(word)
    if choice is not None:
        return Verdict(choice, flags=(TIE_BY_NAME,) * (word == "TIE"), span=span)
    return OffMenu(f"[[{word}]]") if is_attempt(word) else None


def _single(view: str) -> list[Verdict | OffMenu]:
    """Read [A] or <|A|>, but only as the last line: alone, or labelled a verdict."""
    end = len(view.rstrip())
    start = view.rfind("\n", 0, end) + 1
    if end - start > _LONGEST:
        return []
    matches = (form.fullmatch(view, start, end) for form in _SINGLES)
    match = next((match for match in matches if match), None)
    if match is None or is_exemplar(view, start) or reported_above(view, start):
        return []
    if _is_listed_name(view, start):
        return []
    span = match.span("square" if match["square"] else "angle")
    item = _meaning(plain(match["square"] or match["angle"]), span)
    if isinstance(item, Verdict):
        return [Verdict(item.choice, flags=(*item.flags, SINGLE_BRACKET), span=span)]
    return [] if item is None else [item]


_ASK = """\
Give your reasons briefly. End your reply with exactly one of these verdicts, in \
double brackets:
"""
_CHOICES = """\
[[A]]  Response A is better
[[B]]  Response B is better
[[C]]  Tie: they are equally good"""
_ABSTAIN = "\n[[ABSTAIN]]  It cannot be judged from what is given (this is not a tie)"

AB_BRACKET = VerdictFormat(
    name="ab_bracket",
    parser_version="ab_bracket/4",
    place=Place.WHOLE,
    menu_without_abstain=_ASK + _CHOICES,
    menu_with_abstain=_ASK + _CHOICES + _ABSTAIN,
    worked=(
        Example("The first is clearer.\n\n[[A]]", Verdict(SlotChoice.FIRST)),
        Example("The second is clearer.\n\n[[B]]", Verdict(SlotChoice.SECOND)),
        Example("Both say the same.\n\n[[C]]", Verdict(SlotChoice.TIE)),
        Example("The file is missing.\n\n[[ABSTAIN]]", Verdict(SlotChoice.ABSTAIN)),
    ),
    tokens=re.compile(r"\[\[\s*(?:[A-C]|tie|abstain)\s*\]\]", re.IGNORECASE),
    reader=_read,
)
