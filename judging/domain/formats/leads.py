"""Words that lead up to a verdict on its line, in English and in other languages.

English leads follow a grammar, since judges also talk about verdicts in English. In
another language every word of a lead must be a known one, see ``leads_elsewhere``.
"""

from __future__ import annotations

import re
import unicodedata

from judging.domain.formats.leads_elsewhere import leads_elsewhere
from judging.domain.formats.not_mine import is_not_meant, is_not_mine

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
    r"(?:(?:therefore|thus|so|hence|accordingly|consequently|ultimately|overall"
    r"|finally|now|in conclusion|in summary"
    r"|in my (?:view|opinion|judge?ment|assessment|estimation|eyes)|all considered"
    r"|on the whole|to sum up|summing up|all things considered|everything considered"
    r"|to summari[sz]e|at the end of the day|in the end"
    r"|in short|to conclude|on balance|on reflection|all in all|and so|mine"
    r"|based on (?:the|this|these|my)(?: \w+){1,3})\s*[,:]?\s*)?"
    r"(?:(?:(?:and|but)\s+)?"
    r"(?:(?:here is |this is )?(?:(?:my|the|our|final|overall|combined|best|better"
    r"|preferred|stronger) +){0,4}(?:" + _NOUN + "|(?<=better )" + _ROLE + r")"
    r"(?:\s+(?:is|remains|would be)\b)?(?:\s+(?:therefore|thus|that|as follows))?"
    + _POINT
    + r"(?:" + _BUT + r"[^:\[\]\n\"\u201c\u201d`]{1,80}:\s*)?"
    r"|i (?:give|state|render|reach|issue) (?:my|the|this) (?:final )?verdict\s*:?\s*"
    r"|i(?:'?m| am) (?:going with|choosing|picking|voting for|giving(?: it)?)\s*:?\s*"
    r"|i(?: would| will| do|'d|'ll)?(?: (?:therefore|thus))? say(?: it(?:'s| is))?"
    r"\s*:?\s*"
    r"|i(?: would| will| do|'d|'ll)?(?: (?:therefore|thus))? (?:choose|settle|pick"
    r"|select"
    r"|prefer|conclude|vote|go|judge|decide)(?: (?:for|with|that|on))?\s*:?\s*"
    r"|(?:(?:i (?:judge|think|find|believe|conclude)(?: that)? )?(?:(?:the )?" + _ROLE
    + r" )?(?:a|b|1|2) is (?:\w+ ){0,2}better(?: " + _ROLE + r")?(?: overall)?"
    r"|(?:it is |it's )?a tie|tie|they are equally good|equally good)\s*:\s*"
    r"))?"
    r"(?:(?:the )?" + _ROLE + r"\s+)?",
    re.IGNORECASE,
)  # fmt: skip
_REJECTS = frozenset("\u274c\u2717\u2718\u2716\u26d4\u2260\u274e\u00ac\u00d7\U0001f6ab"
                     "\U0001f6d1\U0001f44e\u2049\u2753")  # fmt: skip
_SIGNS = frozenset({"So", "Sm", "Sk", "Pd", "Mn", "Cf"})
_KEPT = frozenset("|<>=+~^`\ufffc")


# What a verdict is reached by, said before the words that announce it.
_OPENING = re.compile(
    r"\W*(?:after|upon|having|considering|given|based on|with|in (?:light|view|sum"
    r"|short|the end)|taking|weighing|comparing|looking|from|for (?:this|these|that"
    r"|all)"
    r"|since|as|because|judging|following|by|on|all|when|although|while|though|even"
    r"|despite|overall|to|if i (?:must|have to|had to))\b",
    re.IGNORECASE,
)
_SO = re.compile(r"\s*(?:and )?(?:so|therefore|thus|hence|making (?:it|this|the"
                 r" verdict)|which makes (?:it|this))\s*(?:it(?:'s| is))?:?\s*",
                 re.IGNORECASE)  # fmt: skip
_ANNOUNCED = re.compile(
    r"(?P<reasons>[^,:;.]{3,120}) my (?:final |overall )?(?:verdict|answer|choice"
    r"|decision|conclusion)(?: is)?[ :]*",
    re.IGNORECASE,
)
_AN_ASIDE = re.compile(r"(?<=\w), [^,:;.]{2,60}, (?=(?:is|remains|must be)\b)")
_HEARSAY = re.compile(
    r"\b(?:if (?!i (?:must|have|had))|unless|were|had been|told|asks?|asked|instruct\w*"
    r"|demand\w*|says?|said|claim\w*|wants?|wrote|writes|requests?|requested|orders?"
    r"|ordered|ends|ended|states|reads|insists?|pretend\w*|injected|example|quot\w+"
    r"|suppose\w*|according|as requested|per)\b",
    re.IGNORECASE,
)


def leads(clause: str) -> bool:
    """Whether a clause, without emphasis, only leads up to a verdict."""
    bare = without_signs(clause)
    if bare is None or is_not_mine(bare) or is_not_meant(bare):
        return False
    if _ENGLISH.fullmatch(bare) is not None or leads_elsewhere(bare):
        return True
    announced = _ANNOUNCED.fullmatch(bare)
    if announced and are_reasons(announced["reasons"]):
        return True
    return "," in bare and _leads_after_reasons(_AN_ASIDE.sub(" ", bare))


def _leads_after_reasons(bare: str) -> bool:
    """Whether reasons and a comma stand before words that lead up to a verdict."""
    if _ENGLISH.fullmatch(bare):
        return True
    reasons, _, lead = bare.rpartition(",")
    if not _may_reason(reasons):
        return False
    if not lead.strip():
        return _OPENING.match(reasons) is not None
    if _SO.fullmatch(lead):
        return True
    if _ENGLISH.fullmatch(lead.lstrip()) is None:
        return leads_elsewhere(lead) and leads_elsewhere(reasons)
    return are_reasons(reasons) or lead.lstrip().lower().startswith("so")


def are_reasons(clause: str) -> bool:
    """Whether a clause, up to its comma, only says what a verdict is reached by."""
    return _OPENING.match(clause) is not None and _may_reason(clause)


def _may_reason(clause: str) -> bool:
    return _HEARSAY.search(clause) is None and not is_not_mine(clause)


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
