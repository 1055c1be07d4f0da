"""The named-output format: Output (a), Output (b), Tie, Abstain, on the last line.

The notation is that of LLMBar and AlpacaEval prompts. "Output (a)" is also how a judge
speaks of a response while it reasons, so only the last line counts, and on it only the
choice alone, with a label ("Verdict: Output (a)"), or the sentence "Therefore, Output
(a) is better."
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from annotation.domain.outcomes import SlotChoice
from judging.domain.formats.base import (
    Example,
    OffMenu,
    Place,
    VerdictFormat,
    settle,
)
from judging.domain.formats.choice_123 import CLOSING_SENTENCE
from judging.domain.formats.leads import are_reasons
from judging.domain.formats.leads_elsewhere import leads_elsewhere
from judging.domain.formats.places import last_line_reader
from judging.domain.formats.scanning import folded
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid, Verdict

if TYPE_CHECKING:
    from judging.domain.verdicts import Reading

_MENU = {
    "a": SlotChoice.FIRST,
    "b": SlotChoice.SECOND,
    "tie": SlotChoice.TIE,
    "abstain": SlotChoice.ABSTAIN,
}
_LONGEST = 400

_OPEN = r"(?:#{1,6} +|[-\u2022] +)?[\s*_`\"'\[]*"
_SHUT = r"[\s*_`\"'\].!]*"
_LEAD = (
    r"(?:(?:therefore|thus|so|overall|hence|finally|in conclusion|in summary),? +)?"
    r"(?:i (?:believe|think|find|conclude|say)(?: +that)? +)?"
)
_LABEL = (
    r"(?:(?:my|the|final|overall|best|better|preferred) +){0,4}"
    r"(?:choice|answer|verdict|output|response|decision|selection|winner|preference"
    r"|pick)"
)
_LABELLED = rf"(?:{_LEAD}{_LABEL}[\s*_`\"']*(?::|\bis\b:?)[\s*_`\"']*)?"
_OUTPUT = r"output[\s*_`\"']*\([\s*_`]*(?P<in>[a-z]{1,12})[\s*_`]*\)"
_BARE = r"output +(?P<out>[ab])"
_WORD = r"(?P<word>tie|abstain|both|neither|none|draw)"
_BETTER = (
    r"[*_`\"']* +is +(?:(?:the|a|much|far|clearly|slightly|significantly|marginally"
    r"|overall) +){0,3}(?:better|best|superior|stronger|preferred|preferable|winner)"
    r"(?: +(?:one|output|response|answer|choice))?(?: +overall)?"
    r"|[*_`\"']* +(?:clearly +)?wins|[*_`\"']* +is +my +(?:final +)?(?:choice|pick"
    r"|preference|verdict|answer|winner|selection)"
)
_REASON = (
    r"(?:,? +(?:because|since|as it|due to)\b"
    r"(?![^\n]*\b(?:but|however|yet|if|unless|says?|said)\b)[^\n]{1,300})?"
)
_CHOOSE = (
    r"i(?: +would|'d| +will|'ll)?(?: +(?:therefore|thus))? +(?:choose|pick|select"
    r"|prefer|vote +for|go +with) +"
)
_ALONE = re.compile(
    rf"{_OPEN}(?:{_LABELLED}|{_LEAD}{_CHOOSE}){_OPEN}(?:{_OUTPUT}|{_BARE}"
    rf"|{_WORD}){_SHUT}",
    re.IGNORECASE,
)
# "Mein Urteil: Output (b)": a lead in another language.
_LED = re.compile(
    rf"{_OPEN}(?P<lead>[^\n(]{{2,80}}?)[*_` ]*(?:{_OUTPUT}|{_WORD}){_SHUT}",
    re.IGNORECASE,
)
_SENTENCE = re.compile(
    rf"{_OPEN}(?:(?P<reasons>[^.!?\n]{{2,160}}), +)??{_LEAD}[*_`\"']*{_OUTPUT}"
    rf"(?:{_BETTER}){_REASON}{_SHUT}",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?][\"')]?[ \t]+")
_MENTION = re.compile(
    rf"(?:{_LABEL} +is +)?{_OUTPUT}(?P<better>{_BETTER})?", re.IGNORECASE
)


def _read(text: str, *, offers_abstain: bool) -> Reading:
    """Read one line: what stands above it has been hidden."""
    line = folded(text)
    start = line.rfind("\n") + 1
    match = _stated(line, start)
    found = [] if match is None else [_item(match, in_sentence=match.start() > start)]
    if match is not None and _says_another(line, start, _letter(match)):
        return Invalid(InvalidReason.CONFLICTING, "the last line states two choices")
    return settle(found, line[start:], offers_abstain=offers_abstain)


def _stated(line: str, start: int) -> re.Match[str] | None:
    """Match the whole line, or the closing sentence of a longer one."""
    end = len(line.rstrip())
    if end - start <= _LONGEST:
        for form in (_ALONE, _SENTENCE):
            match = form.fullmatch(line, start, end)
            if match and _is_reasoned(match):
                return match
        led = _LED.fullmatch(line, start, end)
        if led and leads_elsewhere(led["lead"]):
            return led
    tail = max(start, end - _LONGEST)
    sentences = [each.end() for each in _SENTENCE_END.finditer(line, tail, end)]
    matches = (_SENTENCE.fullmatch(line, place, end) for place in sentences)
    return next((match for match in matches if match and _is_reasoned(match)), None)


def _is_reasoned(match: re.Match[str]) -> bool:
    reasons = match.groupdict().get("reasons")
    return reasons is None or are_reasons(reasons)


def _letter(match: re.Match[str]) -> str:
    groups = match.groupdict()
    word = groups["in"] or groups.get("out") or groups.get("word") or ""
    return word.lower()


def _item(match: re.Match[str], *, in_sentence: bool) -> Verdict | OffMenu:
    choice = _MENU.get(_letter(match))
    if choice is None:
        return OffMenu(match[0].strip())
    name = next(name for name in ("in", "out", "word") if match.groupdict().get(name))
    flags = (CLOSING_SENTENCE,) if in_sentence else ()
    return Verdict(choice, flags=flags, span=match.span(name))


def _says_another(line: str, start: int, letter: str) -> bool:
    """Whether the line also states, anywhere, that another output is the better."""
    return any(
        match["in"].lower() != letter and (match["better"] or _labelled(match))
        for match in _MENTION.finditer(line, start)
    )


def _labelled(match: re.Match[str]) -> bool:
    return not match[0].lower().startswith("output (")


_ASK = """\
Give your reasons first. Then write exactly one of these, alone on the last line:
"""
_CHOICES = """\
Output (a)  The response shown first is better
Output (b)  The response shown second is better
Tie  They are equally good"""
_ABSTAIN = "\nAbstain  It cannot be judged from what is given (this is not a tie)"

OUTPUT_AB = VerdictFormat(
    name="output_ab",
    parser_version="output_ab/4",
    place=Place.LAST_LINE,
    menu_without_abstain=_ASK + _CHOICES,
    menu_with_abstain=_ASK + _CHOICES + _ABSTAIN,
    worked=(
        Example("The first is clearer.\n\nOutput (a)", Verdict(SlotChoice.FIRST)),
        Example("The second is clearer.\n\nOutput (b)", Verdict(SlotChoice.SECOND)),
        Example("Both say the same.\n\nTie", Verdict(SlotChoice.TIE)),
        Example("The file is missing.\n\nAbstain", Verdict(SlotChoice.ABSTAIN)),
    ),
    tokens=re.compile(
        r"[\"'`]output \([ab]\)[\"'`]"
        r"|output \([ab]\)[\"'`]?,? or [\"'`]?output \([ab]\)",
        re.IGNORECASE,
    ),
    reader=last_line_reader(_read, _ALONE),
)
