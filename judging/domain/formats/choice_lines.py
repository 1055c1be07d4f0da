"""The lines and sentences that state a choice by its number.

Every form must match the whole line, or the whole closing sentence of it: a number that
merely occurs ("8/10", "39 is correct", "not 1") states nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judging.domain.formats.leads_elsewhere import leads_elsewhere

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST = 200

_OPEN = r"(?:#{1,6} +|[-\u2022] +)?[\s*_`\"'(\[{<|]*"
_SHUT = r"[\s*_`\"')\]}>|.!:\ufe0f\u20e3]*"
_LEAD = (
    r"(?:(?:therefore|thus|so|overall|hence|finally|in conclusion|in summary"
    r"|based on (?:the|this|these|my)(?: \w+){1,2}),? +)?"
)
# No "correct answer": the answer to the case's own question may be a number too.
_LABEL = (
    r"(?:(?:(?:my|the|final|overall|best|better|preferred) +){0,4}"
    r"(?:choice|answer|verdict|output|decision|selection|winner|preference|pick|option)"
    r"|(?:the +)?(?:clearly +|overall +)?(?:better|best|preferred|stronger|superior"
    r"|winning) +(?:response|assistant|one|reply)(?: of the two| overall)?)"
)
_NOUN = r"(?:(?:answer|assistant|choice|number|option|response)(?: +number)? +)?"
_ROLE = r"(?:assistant|answer|response|one|choice|option|output|solution|submission)"
_REASON = (
    r"(?:'s (?:answer|response))?"
    rf"(?: +as +(?:the|my) +(?:(?:better|best|preferred|superior|final) +)?{_ROLE})?"
)
_EVEN = (
    rf"(?: +as +(?:the|my) +{_ROLE})?(?:,| +as|, as| +because| +since) *"
    r"(?:the two|both)(?: \w+)? +are +(?:equivalent|equal|equally good)"
    r"(?: +in +terms +of +[^.\d]{1,80})?"
)
_LABELS = rf"{_LABEL}{_SHUT}(?: +is\b)?{_SHUT}{_OPEN}"
_CHOOSE = r"i(?: +would|'d| +will|'ll)? +(?:choose|pick|select|prefer)"

_CORRECT = (
    r"(?:the +)?correct +answer +is +(?:assistant|response|option|choice|number)"
    r" +(?P<digits>\d{1,3})"
)
_BARE = re.compile(_OPEN + r"(?P<digits>\d{1,3})" + _SHUT)
_SENTENCES = tuple(
    re.compile(rf"{_OPEN}{_LEAD}{form}{_SHUT}", re.IGNORECASE)
    for form in (
        rf"{_LABELS}{_NOUN}(?P<digits>\d{{1,3}}){_REASON}",
        _CORRECT,
        rf"{_CHOOSE} +{_OPEN}{_NOUN}(?P<digits>\d{{1,3}}){_REASON}",
        rf"(?:{_CHOOSE}|(?:the +correct +answer|{_LABEL}) +is) +(?P<digits>3){_EVEN}",
    )
)
# "Mein Urteil: 2": a lead in another language.
_LED = re.compile(_OPEN + r"(?P<lead>[^\d\n]{2,80}?)[*_` ]*(?P<digits>\d{1,3})" + _SHUT)
_SEVERAL = re.compile(
    rf"{_OPEN}(?:{_LABEL}{_SHUT}{_OPEN})?[0-3]"
    rf"(?:(?: *(?:[,;&]|or|and) *| +)[0-3])+{_SHUT}",
    re.IGNORECASE,
)
# "3 (Tie)", "2 (Response B is better)": what the menu says of that number.
_MEANS = (
    r"(?:(?:the )?(?:response|assistant|answer|output) )?(?:{0})"
    r"(?:(?: is)?(?: (?:clearly|much|slightly|the))* (?:better|winner|best)| wins)?"
)
_GLOSSES = {
    digit: re.compile(form, re.IGNORECASE)
    for digit, form in {
        "1": _MEANS.format("a|1|first|one"),
        "2": _MEANS.format("b|2|second|two"),
        "3": r"(?:a |it is a |it's a )?(?:tie|draw)(?:: they are equally good)?"
        r"|(?:(?:they|both)(?: \w+)? are )?(?:equally good|equal|equivalent)",
        "0": r"abstain|cannot be judged|can't be judged|undecidable",
    }.items()
}
_GLOSSED = re.compile(rf"(?P<own>.*\d{_SHUT}) *\((?P<gloss>[^()]{{1,60}})\){_SHUT}")
_REASONED = re.compile(
    r"(?P<own>[^\n]{0,120}?\d[*_`]*),? +(?:because|since|as it|due to)\b"
    r"(?![^\n]*\b(?:but|however|yet|if|unless|says?|said)\b)[^\n]*"
)
_SENTENCE_END = re.compile(r"[.!?][\"')]?[ \t]+")
_MENTION = re.compile(
    r"\b(?:choose|pick|select|prefer|(?:choice|answer|verdict|output|winner) +is)\b"
    r"[^.\d]{0,30}(\d{1,3})(?![\d/])",
    re.IGNORECASE,
)
_ITEM = re.compile(r"\s*([1-3])([.)])\s*")

LONE_NUMBER = _BARE


@dataclass(frozen=True, slots=True)
class Stated:
    """A number stated as the choice, and where it stands in the line.

    ``in_sentence`` is set when only the line's closing sentence states it, ``is_bare``
    when the number is all there is to the line.
    """

    digits: str
    span: tuple[int, int]
    in_sentence: bool = False
    is_bare: bool = False


def stated_in(line: str) -> Stated | None:
    """Find the number that a line, or its closing sentence, states as the choice."""
    if len(line) <= _LONGEST:
        for form in (_BARE, *_SENTENCES):
            match = form.fullmatch(line)
            if match:
                bare = form is _BARE
                return Stated(match["digits"], match.span("digits"), is_bare=bare)
        if (glossed := _GLOSSED.fullmatch(line)) is not None:
            return _with_gloss(glossed)
        led = _LED.fullmatch(line)
        if led and leads_elsewhere(led["lead"]):
            return Stated(led["digits"], led.span("digits"))
    return _with_reason(line) or _in_closing_sentence(line)


def _with_gloss(line: re.Match[str]) -> Stated | None:
    """Read a number that is explained in brackets, if that is what it means."""
    stated = stated_in(line["own"])
    meaning = None if stated is None else _GLOSSES.get(stated.digits)
    fits = meaning is not None and meaning.fullmatch(line["gloss"].strip(" *_.!"))
    return stated if fits else None


def _with_reason(line: str) -> Stated | None:
    reasoned = _REASONED.fullmatch(line.rstrip())
    if reasoned is None:
        return None
    matches = (form.fullmatch(reasoned["own"]) for form in _SENTENCES)
    match = next((each for each in matches if each), None)
    if match is None:
        return None
    return Stated(match["digits"], match.span("digits"), in_sentence=True)


def choices_in(text: str) -> Iterator[str]:
    """Yield the numbers of the menu that whole lines of a text state as the choice."""
    for line in text.split("\n"):
        if any(digit in line for digit in "0123") and len(line) <= _LONGEST:
            stated = stated_in(line)
            if stated is not None and stated.digits in tuple("0123"):
                yield stated.digits


def other_mentions(line: str, digits: str) -> tuple[str, ...]:
    """Give the other numbers of the menu that the line states anywhere as a choice."""
    numbers = (match[1] for match in _MENTION.finditer(line))
    return tuple(number for number in numbers if number in "0123" and number != digits)


def several_in(line: str) -> bool:
    """Whether a line states more than one choice ("1 or 2", "Choice: 1, 2")."""
    if len(line) > _LONGEST or not _SEVERAL.fullmatch(line):
        return False
    return len(set(re.findall(r"[0-3]", line))) > 1


def is_list_item(line: str, before: str) -> bool:
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


def _in_closing_sentence(line: str) -> Stated | None:
    tail = max(0, len(line) - _LONGEST)
    starts = [match.end() for match in _SENTENCE_END.finditer(line.rstrip(), tail)]
    for start in reversed(starts):
        for form in _SENTENCES:
            match = form.fullmatch(line, start)
            if match:
                return Stated(match["digits"], match.span("digits"), in_sentence=True)
    return None
