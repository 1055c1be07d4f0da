"""How a verdict has to stand in a reply for it to be the judge's own.

A judge also speaks of notation: it quotes a response that asks for a verdict, or says
which verdict it would not give. So a token counts only where nothing else can be meant:
it is all there is to its line or to the closing sentence of it, at most led up to by
words that announce a verdict ("My final verdict is:") and followed by a reason.
"""

from __future__ import annotations

import re
from enum import StrEnum

from judging.domain.formats.hiding import QUOTED
from judging.domain.formats.leads import leads, without_signs
from judging.domain.formats.reporting import (
    lead_above,
    reported_above,
    reported_before,
)

_LOOK = 240
_DRESS = r"[*_`\"'\u201c\u201d\u2018\u2019\s]*"
_AGAIN = re.compile(
    r"(?:,|/|\band\b|\bor\b|\beven\b|\brather\b|\bso\b|\s)*", re.IGNORECASE
)
_SENTENCE_END = re.compile(
    r"[.!?;\u2026][\"')\u201d*_]*\s+|[\u3002\uff01\uff1f\uff1b][\"')\u201d*_]*\s*"
)
_CLOSED = re.compile(
    r"[*_`\"'\u201c\u201d)\s.!\u3002\uff01\u2705\u2713\u2714\U0001f44d\U0001f3c6]*"
    r"(?:(?:\u3067\u3059|\u3060|\uc785\ub2c8\ub2e4|\uc774\ub2e4)[.\u3002*_ ]*)?$"
)
_REASON = re.compile(
    r"[*_`\"'\s]*,?\s*[-\u2013\u2014(]?\s*(?:because|since|due to|as"
    r"(?! (?:requested|demanded|asked|instructed|told|ordered|said|stated|written|per"
    r"|if|an? (?:example|draft|quote|placeholder|test|sample|joke)|the (?:final"
    r"|verdict)|usual|quoted|given|in\b)))\b",
    re.IGNORECASE,
)
_OPENS = re.compile(
    r"[*_`\s]*(?:[.!:]?[*_\s]+:?\s*(?=[A-Z])(?!(?:That|This|It|Its|Which|Is|Was|So"
    r"|But)\b)"
    r"|[-\u2013\u2014(]+\s*(?!(?:not|draft|rejected|unless|example|sample"
    r"|placeholder|preliminary|tentative|as (?:requested|demanded|asked|instructed)"
    r"|says|said|quoted|demanded|requested|per|according|wrong|no)\b)\w)"
)
# What may stand before a verdict that opens a reply; also lines that are hidden.
_NOTHING = " \t\n*_`#" + QUOTED
_ITEM = re.compile(r"[ \t]*(?:[-*+\u2022] |\d{1,3}[.)] )")
# The sentence goes on in the next line, and takes back what it said, or whose it is.
_GOES_ON = re.compile(
    r"[ \t*_`.]*\n(?:\s*(?:but|though|although|however|unless|except|which|who|whom"
    r"|whose|where|whereas|while|and|or|nor|not|instead|yet|to|in|at|on|by|from|inside"
    r"|within|for|as|that|then|said|says|appears?|followed|written|embedded|hidden"
    r"|before|after|when|despite|even)\b"
    r"|(?:if|is|was|isn't|wasn't|would|might)\b)"
)
# What follows a verdict that the judge calls its own.
_IS_MINE = re.compile(
    r"[*_`\"'\s]*(?:is|,|:|=|[-\u2013\u2014]) (?:(?:also|therefore|thus|still) )?(?:my"
    r"|our)"
    r" (?:(?:final|overall|definitive|considered|clear|own|firm) )*(?:verdict|choice"
    r"|answer|decision|judge?ment|pick|conclusion|preference|selection|vote|rating)\b"
    r"(?![^\n]{0,120}\b(?:if|unless|only|not|said|says?|draft|first|until|before"
    r"|were|would|example)\b)",
    re.IGNORECASE,
)
_QUOTE_BEFORE = re.compile(r"[\"'`\u201c\u2018\u00ab][*_\s]*$")
_QUOTE_AFTER = re.compile(r"[*_\s.,]*[\"'`\u201d\u2019\u00bb]")


class Standing(StrEnum):
    """What a token is: the verdict, a name in a sentence, or quoted."""

    STATED = "stated"
    NAMED = "named"
    QUOTED = "quoted"


def standing(
    view: str,
    span: tuple[int, int],
    token: re.Pattern[str],
    states: re.Pattern[str] | None = None,
) -> Standing:
    """Say what a token at ``span`` is, from its line and the one above.

    ``token`` matches any token, since one may follow another ("[[A>B]] or even ...");
    ``states`` matches the rest of a sentence that says no more than its token does.
    """
    start, end = span
    line = view.rfind("\n", max(0, start - _LOOK), start) + 1
    stop = view.find("\n", end, end + _LOOK)
    after = view[end : end + _LOOK if stop < 0 else stop]
    whole = line > 0 or start < _LOOK
    before = view[line if whole else start - _LOOK : start]
    if _is_stated(view, before, after, span, token, states, whole=whole):
        return Standing.STATED
    quoted = _QUOTE_BEFORE.search(before) and _QUOTE_AFTER.match(after)
    return Standing.QUOTED if quoted else Standing.NAMED


def leads_up(before: str) -> bool:
    """Whether what stands before a verdict on its line only announces a verdict."""
    clause = _last_sentence(before)
    return clause is not None and leads(_bare(clause)) and not reported_before(before)


def _is_stated(
    view: str,
    before: str,
    after: str,
    span: tuple[int, int],
    token: re.Pattern[str],
    states: re.Pattern[str] | None,
    *,
    whole: bool,
) -> bool:
    clause = _last_sentence(before)
    if clause is None and not whole:
        return False
    bare = _bare(token.sub(" ", before if clause is None else clause))
    if not (leads(bare) or _AGAIN.fullmatch(bare)) or reported_before(before):
        return False
    if _GOES_ON.match(view, span[1]) or _is_anothers(view, span[0], before):
        return False
    announced = bool(bare.strip(" #>-\u2022"))
    forms = (_CLOSED, _REASON, _IS_MINE, *(() if states is None else (states,)))
    if any(form.match(after) for form in forms):
        return True
    opens = announced or _has_a_title(view, span[0])
    return opens and clause is not None and _OPENS.match(after) is not None


def _has_a_title(view: str, start: int) -> bool:
    """Whether what begins here opens the reply, or stands below words that lead up."""
    return not view[:start].strip(_NOTHING) or lead_above(view, start)[1]


def _is_anothers(view: str, start: int, before: str) -> bool:
    """Whether a token with nothing but signs before it is what somebody else wrote."""
    if (without_signs(_bare(before)) or "").strip(" #>-\u2022"):
        return False
    return reported_above(view, start) or _is_listed(view, start, before)


def _is_listed(view: str, start: int, before: str) -> bool:
    """Whether a bare token is one item of a list, as the lines of a response may be."""
    item = _ITEM.match(before)
    if item is None:
        return False
    line = view.rfind("\n", 0, start)
    above = view[view.rfind("\n", 0, max(0, line)) + 1 : max(0, line)]
    return _ITEM.match(above) is not None and bool(above.strip())


def _last_sentence(before: str) -> str | None:
    """Give what stands before a token since the last sentence ended."""
    ends = [each.end() for each in _SENTENCE_END.finditer(before)]
    return before[ends[-1] if ends else 0 :]


def _bare(text: str) -> str:
    return re.sub(r"[*_`\"'\u201c\u201d\u2018\u2019](?!(?:d|ll|s)\b)", "", text)
