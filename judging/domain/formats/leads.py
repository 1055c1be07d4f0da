"""Words that lead up to a verdict on its line, in English and in other languages.

English leads follow a grammar, since judges also talk about verdicts in English. In
another language every word of a lead must be a known one, see ``leads_elsewhere``.
"""

from __future__ import annotations

import re
import unicodedata

from judging.domain.formats.leads_elsewhere import leads_elsewhere
from judging.domain.formats.not_mine import is_not_mine

_NOUN = (
    r"(?:verdict|answer|choice|decision|judge?ment|conclusion|rating|evaluation"
    r"|assessment|preference|winner|pick|selection|result|final|outcome)"
)
_ROLE = r"(?:assistant|response|answer|option|one)"
_BUT = (
    r"(?!.*(?:\b(?:not|never|neither|nor|cannot|without|unless|if|than|wrong|worse"
    r"|worst|weaker)\b|n't\b))"
)
_POINT = r"\s*(?:[:=]|[-=]{1,2}>|[-\u2013\u2014\u2192\u21d2])?\s*"
_ENGLISH = re.compile(
    r"(?:[#>\-\u2022\s]*(?:\d+[.)] +)?)"
    r"(?:(?:therefore|thus|so|hence|overall|finally|now|in conclusion|in summary"
    r"|in short|to conclude|on balance|on reflection|all in all|and so|mine"
    r"|based on (?:the|this|these|my)(?: \w+){1,3})\s*[,:]?\s*)?"
    r"(?:(?:(?:and|but)\s+)?"
    r"(?:(?:here is |this is )?(?:(?:my|the|our|final|overall|combined|best|better"
    r"|preferred|stronger) +){0,4}(?:" + _NOUN + "|(?<=better )" + _ROLE + r")"
    r"(?:\s+(?:is|remains|would be)\b)?(?:\s+(?:therefore|thus|that|as follows))?"
    + _POINT
    + r"(?:" + _BUT + r"[^:\[\]\n\"\u201c\u201d`]{1,80}:\s*)?"
    r"|i(?: would| will| do|'d|'ll)?(?: (?:therefore|thus))? (?:choose|pick|select"
    r"|prefer|conclude|vote|go|judge|decide)(?: (?:for|with|that|on))?\s*:?\s*"
    r"|(?:(?:the )?" + _ROLE + r" (?:a|b|1|2) is (?:\w+ ){0,2}better"
    r"|(?:it is |it's )?a tie|tie|they are equally good|equally good)\s*:\s*"
    r"))?"
    r"(?:(?:the )?" + _ROLE + r"\s+)?",
    re.IGNORECASE,
)  # fmt: skip
_REJECTS = frozenset("\u274c\u2717\u2718\u2716\u26d4\u2260\u274e\u00ac\u00d7\U0001f6ab"
                     "\U0001f6d1\U0001f44e\u2049\u2753")  # fmt: skip
_SIGNS = frozenset({"So", "Sm", "Sk", "Pd", "Mn", "Cf"})
_KEPT = frozenset("|<>=+~^`\ufffc")


def leads(clause: str) -> bool:
    """Whether a clause, without emphasis, only leads up to a verdict."""
    bare = without_signs(clause)
    if bare is None or is_not_mine(bare):
        return False
    return _ENGLISH.fullmatch(bare) is not None or leads_elsewhere(bare)


def without_signs(clause: str) -> str | None:
    """Cut arrows, ticks and bullets off the start; ``None`` for a sign that rejects."""
    at = 0
    while at < len(clause):
        sign = clause[at]
        if sign in _REJECTS:
            return None
        arrow = re.match(r"[-=]{1,3}>|>{2,3}", clause[at:])
        if arrow:
            at += arrow.end()
        elif sign.isspace() or (
            sign not in _KEPT and unicodedata.category(sign) in _SIGNS
        ):
            at += 1
        else:
            break
    return clause[at:]
