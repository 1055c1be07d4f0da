"""Sentences that deny that a response wins, or rank both, in small letters.

"The winner is not A" leaves the other and a tie; "from best to worst: B, A" leaves B.
Every form must match the whole sentence: what is denied on one point only ("not better
on tone") says nothing of the whole.
"""

from __future__ import annotations

import re

from annotation.domain.outcomes import SlotChoice
from judging.domain.formats.claims_english import ANY_NAME

_FIRST, _SECOND, _TIE = SlotChoice.FIRST, SlotChoice.SECOND, SlotChoice.TIE
_HINTS = ("not", "n't", "neither", "false", "untrue", "anything but", "would have",
          "worst", "then", "1st", "2nd", "place")  # fmt: skip
_SO = r"(?:(?:so|thus|therefore|hence|overall|in conclusion|clearly|but|and),? )?"
_BEST = r"(?:the )?(?:clearly |overall )?(?:better|best|superior|stronger|winner)"
_KIND = r"(?: (?:response|assistant|answer|output|one|choice|option))?"
_WINS = rf"(?: (?:is|was) {_BEST}{_KIND}| wins| won| should win)"
_THAN = rf"(?: than (?:the )?(?:other(?: one)?|{ANY_NAME}))?(?: overall| here)?"
_FALSE = (
    r"(?:it(?:'s| is) (?:false|untrue|wrong|incorrect|not true|not the case|not so)"
    r"(?: to (?:say|claim|think))?|it (?:isn't|is not) (?:true|the case)"
    r"|i (?:can't|cannot|can not|don't|do not|couldn't|could not|wouldn't|would not)"
    r" (?:say|think|believe|claim|agree|find|conclude))(?: that)?"
)
_DENIED = re.compile(
    rf"{_SO}(?:(?:the |my )?(?:overall |clear |final )?(?:winner|choice|verdict|pick"
    r"|(?:better|best|stronger|superior|winning)(?: response| answer| assistant"
    rf"| one)?)(?: is not| was not| isn't| wasn't|:? not|(?: is|:)? anything but)"
    rf" (?P<not>{ANY_NAME})|anything but (?P<but>{ANY_NAME})"
    rf"|{_FALSE} (?P<false>{ANY_NAME}){_WINS}{_THAN}"
    rf"|(?P<hypothetical>{ANY_NAME}) would(?: otherwise)? have (?:won|been {_BEST}"
    rf"{_KIND})(?:,? (?:were it not|had it not|if it (?:were|had|was)(?: not|n't)"
    r"|if not|but|except) [^\n]*)?)"
)
_NEITHER = re.compile(
    rf"{_SO}neither {ANY_NAME} nor {ANY_NAME}"
    rf"(?: (?:is|was)(?: \w+ly)? {_BEST}{_KIND}| wins| won)"
)
_TO = r"(?:,| and|, and|;|,? then|,? followed by)"
_RANKED = re.compile(
    rf"{_SO}(?:(?:my |the )?(?:final |overall )?ranking[^:\n]{{0,40}}:|(?:ranked |in"
    r" order )?(?:from )?(?P<up>worst to best|best to worst)(?: is)?[:,]?)"
    rf" (?P<head>{ANY_NAME}){_TO} (?P<tail>{ANY_NAME})"
)
_PLACED = re.compile(
    rf"(?P<place>1st|2nd|first place|second place)(?: place)?: ?(?P<name>{ANY_NAME})"
)
_IS_SECOND = re.compile(r"\b(?:b|2|two|second)\b")


def denied_or_ranked(sentence: str) -> frozenset[SlotChoice] | None:
    """Give what a sentence that denies a winner, or ranks both, leaves open."""
    if not any(hint in sentence for hint in _HINTS):
        return None
    if (denied := _DENIED.fullmatch(sentence)) is not None:
        name = next(each for each in denied.groups() if each)
        return frozenset({_other(_who(name)), _TIE})
    if _NEITHER.fullmatch(sentence):
        return frozenset({_TIE})
    return _ranked(sentence)


def _ranked(sentence: str) -> frozenset[SlotChoice] | None:
    if (placed := _PLACED.fullmatch(sentence)) is not None:
        who = _who(placed["name"])
        return frozenset({who if placed["place"][0] in "1f" else _other(who)})
    ranked = _RANKED.fullmatch(sentence)
    if ranked is None or _who(ranked["head"]) is _who(ranked["tail"]):
        return None
    if ranked["up"] is None and "worst to best" in sentence:
        return None
    is_upwards = ranked["up"] == "worst to best"
    return frozenset({_who(ranked["tail" if is_upwards else "head"])})


def _who(name: str) -> SlotChoice:
    return _SECOND if _IS_SECOND.search(name) else _FIRST


def _other(who: SlotChoice) -> SlotChoice:
    return _SECOND if who is _FIRST else _FIRST
