"""The five-level bracket format: [[A>>B]], [[A>B]], [[A=B]], [[B>A]], [[B>>A]].

The notation is that of Arena-Hard; A is the first slot, B the second.
"""

from __future__ import annotations

import re
from dataclasses import replace
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
from judging.domain.formats.brackets import MOST_TOKENS
from judging.domain.formats.framing import Standing, standing
from judging.domain.formats.scanning import (
    heard,
    is_exemplar,
    without_quotes,
)
from judging.domain.verdicts import Verdict

if TYPE_CHECKING:
    from judging.domain.verdicts import Reading, Strength

_TOKEN = re.compile(r"\\?\[\\?\[([^\[\]\n]{1,60}?)\\?\]\\?\]")
_TOKEN_ALONE = re.compile(r"[*_`\s]*" + _TOKEN.pattern + r"[*_`\s.]*")
_RELATION = re.compile(r"([AB])(>{1,2}|<{1,2}|=)([AB])")
# What is plainly meant as a verdict; other double brackets (links, arrays) are prose.
_ATTEMPT = re.compile(
    r"[A-Z]|(?:[A-Z0-9]|ASSISTANT[A-Z0-9])(?:[<>=~!\u2248-\u226b]+.{0,12})"
    r"|(?:ASSISTANT|RESPONSE|ANSWER)[A-Z0-9]|TIE|TIED|DRAW|EQUAL|BOTH|NEITHER|NONE"
    r"|ABSTAIN(?:ED)?|UNDECIDED|INVALID|SKIP"
)
_DRESS = re.compile(r"[\s*_`\\\"']+")

_SCALE = """\
[[A>>B]]  Response A is much better
[[A>B]]  Response A is better
[[A=B]]  Tie: they are equally good
[[B>A]]  Response B is better
[[B>>A]]  Response B is much better"""
_ASK = """\
Give your reasons briefly. End your reply with exactly one of these verdicts, in \
double brackets:
"""
_ABSTAIN = "\n[[ABSTAIN]]  It cannot be judged from what is given (this is not a tie)"


def _meaning(inner: str) -> Verdict | OffMenu | None:
    """Say what double brackets hold; ``None`` if it is not meant as a verdict."""
    plain = inner.replace("&gt;", ">").replace("&lt;", "<").replace("\u226b", ">>")
    plain = _DRESS.sub("", plain.replace("\u226a", "<<")).upper()
    if plain == "ABSTAIN":
        return Verdict(SlotChoice.ABSTAIN)
    relation = _RELATION.fullmatch(plain)
    if relation and relation[1] != relation[3]:
        return _verdict(relation[1], relation[2])
    if relation or _ATTEMPT.fullmatch(plain):
        return OffMenu(f"[[{inner}]]")
    return None


def _verdict(left: str, sign: str) -> Verdict:
    if sign == "=":
        return Verdict(SlotChoice.TIE)
    strength: Strength = 2 if sign in (">>", "<<") else 1
    first = (left == "A") == sign.startswith(">")
    return Verdict(SlotChoice.FIRST if first else SlotChoice.SECOND, strength)


def _read(text: str, *, offers_abstain: bool) -> Reading:
    view = without_quotes(heard(text), _TOKEN_ALONE)
    matches = list(islice(_TOKEN.finditer(view), MOST_TOKENS + 1))
    if len(matches) > MOST_TOKENS:
        return nothing_found(view, f"more than {MOST_TOKENS} double brackets")
    found: list[Verdict | OffMenu] = []
    is_stated = False
    for match in matches:
        item = _meaning(match[1])
        if item is None or is_exemplar(view, match.start()):
            continue
        how = standing(view, match.span(), _TOKEN)
        if how is not Standing.QUOTED:
            found.append(_placed(item, match.span()))
            is_stated |= how is Standing.STATED
    reading = settle(found, view, offers_abstain=offers_abstain)
    if isinstance(reading, Verdict) and not is_stated:
        return nothing_found(view, "brackets are spoken of and state no verdict")
    return reading


def _placed(item: Verdict | OffMenu, span: tuple[int, int]) -> Verdict | OffMenu:
    return replace(item, span=span) if isinstance(item, Verdict) else item


FIVE_TOKEN = VerdictFormat(
    name="five_token",
    parser_version="five_token/4",
    place=Place.WHOLE,
    menu_without_abstain=_ASK + _SCALE,
    menu_with_abstain=_ASK + _SCALE + _ABSTAIN,
    worked=(
        Example("B is wrong.\n\n[[A>>B]]", Verdict(SlotChoice.FIRST, 2)),
        Example("A is clearer.\n\n[[A>B]]", Verdict(SlotChoice.FIRST, 1)),
        Example("Both say the same.\n\n[[A=B]]", Verdict(SlotChoice.TIE)),
        Example("B is clearer.\n\n[[B>A]]", Verdict(SlotChoice.SECOND, 1)),
        Example("A is wrong.\n\n[[B>>A]]", Verdict(SlotChoice.SECOND, 2)),
        Example("The file is missing.\n\n[[ABSTAIN]]", Verdict(SlotChoice.ABSTAIN)),
    ),
    tokens=re.compile(r"\[\[\s*(?:[AB]\s*[<>=]+\s*[AB]|ABSTAIN)\s*\]\]", re.IGNORECASE),
    reader=_read,
)
