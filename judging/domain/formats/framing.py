"""How a verdict has to stand in a reply for it to be the judge's own.

A judge also speaks of notation: it quotes a response that asks for a verdict, or says
which verdict it would not give. So a token counts only where nothing else can be meant:
it is all there is to its line or to the closing sentence of it, at most led up to by
words that announce a verdict ("My final verdict is:") and followed by a reason.
"""

from __future__ import annotations

import re
from enum import StrEnum

from judging.domain.formats.scanning import reported_above

_LOOK = 240
_DRESS = r"[*_`\"'\u201c\u201d\u2018\u2019\s]*"
_NOUN = (
    r"(?:verdict|answer|choice|decision|judge?ment|conclusion|rating|evaluation"
    r"|assessment|preference|winner|pick|selection|result|final|outcome)"
)
_ROLE = r"(?:assistant|response|answer|option|one)"
_BUT = (
    r"(?!.*(?:\b(?:not|never|neither|nor|cannot|without|unless|if|than|wrong|worse"
    r"|worst|weaker)\b|n't\b))"
)
_LEAD = re.compile(
    r"(?:[#>\-\u2022\s]*(?:\d+[.)] +)?)"
    r"(?:(?:therefore|thus|so|hence|overall|finally|now|in conclusion|in summary"
    r"|in short|to conclude|on balance|on reflection|all in all|and so|mine"
    r"|based on (?:the|this|these|my)(?: \w+){1,3})\s*[,:]?\s*)?"
    r"(?:(?:(?:and|but)\s+)?"
    r"(?:(?:here is |this is )?(?:(?:my|the|our|final|overall|combined|best|better"
    r"|preferred|stronger) +){0,4}(?:" + _NOUN + "|(?<=better )" + _ROLE + r")"
    r"(?:\s+(?:is|remains|would be)\b)?(?:\s+(?:therefore|thus|that|as follows))?"
    r"\s*[:=]?\s*(?:" + _BUT + r"[^:\[\]\n\"\u201c\u201d`]{1,80}:\s*)?"
    r"|i(?: would| will| do|'d|'ll)?(?: (?:therefore|thus))? (?:choose|pick|select"
    r"|prefer|conclude|vote|go|judge|decide)(?: (?:for|with|that|on))?\s*:?\s*"
    r"|(?:(?:the )?" + _ROLE + r" (?:a|b|1|2) is (?:\w+ ){0,2}better"
    r"|(?:it is |it's )?a tie|tie|they are equally good|equally good)\s*:\s*"
    r"))?"
    r"(?:(?:the )?" + _ROLE + r"\s+)?",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"(?:,|/|\band\b|\bor\b|\beven\b|\brather\b|\bso\b|\s)*", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"[.!?;\u2026\u3002\uff01][\"')\u201d*_]*\s+")
_CLOSED = re.compile(r"[*_`\"'\u201c\u201d)\s.!]*$")
_REASON = re.compile(
    r"[*_`\"'\s]*,?\s*[-\u2013\u2014(]?\s*(?:because|since|due to)\b", re.IGNORECASE
)
_OPENS = re.compile(
    r"[*_`\s]*(?:[.!:]?[*_\s]+(?=[A-Z])(?!(?:That|This|It|Its|Which|Is|Was|So|But)\b)"
    r"|[-\u2013\u2014(]+\s*\w)"
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
    return clause is not None and _LEAD.fullmatch(_bare(clause)) is not None


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
    if not (_LEAD.fullmatch(bare) or _AGAIN.fullmatch(bare)):
        return False
    if not _bare(before).strip(" #>-\u2022") and reported_above(view, span[0]):
        return False
    announced = bool(bare.strip(" #>-\u2022"))
    if _CLOSED.match(after) or _REASON.match(after):
        return True
    if states is not None and states.match(after):
        return True
    opens = announced or not view[: span[0]].strip(" \t\n*_`#")
    return opens and clause is not None and _OPENS.match(after) is not None


def _last_sentence(before: str) -> str | None:
    """Give what stands before a token since the last sentence ended."""
    ends = [each.end() for each in _SENTENCE_END.finditer(before)]
    return before[ends[-1] if ends else 0 :]


def _bare(text: str) -> str:
    return re.sub(r"[*_`\"'\u201c\u201d\u2018\u2019](?!(?:d|ll|s)\b)", "", text)
