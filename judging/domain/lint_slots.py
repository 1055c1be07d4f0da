"""Whether each response stands where the menu says that it stands.

The menu speaks of "A", "1" or "the first" and means the first slot. A template that
puts the other name above that slot turns every verdict round, in both orders alike, so
that no figure could show it.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from annotation.domain.outcomes import SlotChoice
from judging.domain.findings import Finding, Severity
from judging.domain.prompts import fenced

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from judging.domain.formats.base import VerdictFormat
    from judging.domain.prompts import PromptCase, Rendered

FIRST, SECOND = SlotChoice.FIRST, SlotChoice.SECOND

_NOUNS = (
    "response|answer|assistant|output|candidate|option|text|completion|reply|model"
    "|choice|version|solution|submission|summary|translation"
)


def _pattern(capital: str, small: str, digit: str, words: str) -> re.Pattern[str]:
    """Find a slot's name in a heading; "A response" and "1 page" name none."""
    apart, then = r"(?<![A-Za-z0-9])", r"(?![A-Za-z0-9])"
    ways = (
        rf"{apart}[{capital}]{then}(?!\s+[a-z])",
        rf"(?<=[A-Za-z][ _-])[{capital}]{then}",
        rf"(?<=[a-z])[{capital}]{then}",
        rf"[(\[<_-]{small}(?=[)\]>\s:]|$)",
        rf"{apart}{small}\s*[):]",
        rf"\b(?i:{_NOUNS})[ _#-]*(?i:{small}|{digit}|{words.split('|')[1]})\b",
        rf"(?<![A-Za-z0-9.,]){digit}(?![0-9]|[.,][0-9]|\s+[a-z])",
        rf"\b(?i:{words.split('|', maxsplit=1)[0]})\b(?!,)",
    )
    return re.compile("|".join(ways))


# Greek and Cyrillic letters that look the same are meant the same.
_NAMED = {
    FIRST: _pattern("A\u0410\u0391", "a", "1", "first|one"),
    SECOND: _pattern("B\u0411\u0412\u0392", "b", "2", "second|two"),
}
# "2. Response A": the second point of a list, not the second response.
_POINT = re.compile(
    r"^[\s#*>_-]*(?:(?i:step|part|section|item|no\.?)\s*)?\(?\d{1,2}\s*[.):\u2013-]"
    r"(?=.*[^\W\d_])"
)
_CLOSING = re.compile(
    r"^\W*</|^\W*(?:the\s+)?end(?:s|ed)?\b|\b(?:that|this)\s+was\b|\bends\b"
    r"|\b(?:above|preceding)\s+(?:text\s+)?(?:is|was)\b",
    re.IGNORECASE,
)
_LINES = re.compile(r"\n|(?<=>)(?=<)")
_MESSAGES = "\x00"
_WORD = re.compile(r"\w{2,}")
_NEAR = 4  # lines that are not empty; what stands further up is no heading


@dataclass(frozen=True, slots=True)
class Names:
    """What a line calls the slots, for the formats and for a notation of one's own."""

    turned: bool = False
    first: frozenset[str] = frozenset()
    second: frozenset[str] = frozenset()
    letters: bool = True

    def slot(self, line: str) -> SlotChoice | None:
        """Say which slot a line names, if it is exactly one."""
        words = _words(line)
        found = {
            slot
            for slot, own in ((FIRST, self.first), (SECOND, self.second))
            if words & own
        }
        if self.letters:
            named = _slots(line)
            found |= {_other(slot) for slot in named} if self.turned else named
        return found.pop() if len(found) == 1 else None


def slot_findings(
    rendered: Rendered, case: PromptCase, known: VerdictFormat
) -> Iterator[Finding]:
    """Look under which names the two responses of a rendered probe stand."""
    text = _MESSAGES.join(message.content for message in rendered.messages)
    spans = _spans(text, rendered, case)
    if spans[SECOND] < spans[FIRST]:
        message = "{{second}} stands before {{first}}: the slots would be turned round"
        yield Finding("slots_turned", "user_template", message)
    names = names_of(known)
    for slot in (FIRST, SECOND):
        named = _named(text, spans, slot, names)
        wrong = [line for line, said in named if said is not slot]
        if wrong:
            message = (
                f"{{{{{slot}}}}} stands at {wrong[0].strip()[:80]!r}, which the menu "
                f"takes for the {_other(slot)} response"
            )
            yield Finding("slots_exchanged", "user_template", message)
        elif known.names_slots and not named:
            message = f"nothing at {{{{{slot}}}}} says which response of the menu it is"
            yield Finding("slot_unnamed", "user_template", message, Severity.WARNING)


def names_of(known: VerdictFormat) -> Names:
    """Give a format's names; those of a notation of one's own by its examples."""
    if known.names_slots:
        return Names()
    shown = {
        slot: " ".join(
            match[0]
            for each in known.worked
            if each.verdict.choice is slot
            for match in known.tokens.finditer(each.raw)
        )
        for slot in (FIRST, SECOND)
    }
    first, second = (_words(shown[slot]) for slot in (FIRST, SECOND))
    said = [_slots(shown[slot]) for slot in (FIRST, SECOND)]
    return Names(
        turned=said == [{SECOND}, {FIRST}],
        first=first - second,
        second=second - first,
        letters=said in ([{FIRST}, {SECOND}], [{SECOND}, {FIRST}]),
    )


def _named(
    text: str, spans: Mapping[str, tuple[int, int]], slot: SlotChoice, names: Names
) -> list[tuple[str, SlotChoice]]:
    """Give the lines that name a text: one that closes it, the nearest above it."""
    start, end = spans[slot]
    before = max((e for _, e in spans.values() if e <= start), default=0)
    after = min((s for s, _ in spans.values() if s >= end), default=len(text))
    below = _lines(text[end:after].split(_MESSAGES, maxsplit=1)[0])[:1]
    above = _lines(text[before:start].rsplit(_MESSAGES, maxsplit=1)[-1])
    if before and above and _CLOSING.search(above[0]):
        above = above[1:]
    closing = [line for line in below if _CLOSING.search(line)]
    found = [(line, said) for line in closing if (said := names.slot(line))]
    for line in reversed(above[-_NEAR:]):
        said = names.slot(line)
        if said:
            return [*found, (line, said)]
    return found


def _lines(text: str) -> list[str]:
    return [line for line in _LINES.split(text) if line.strip()]


def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(text))


@lru_cache(maxsize=512)
def _slots(line: str) -> frozenset[SlotChoice]:
    line = _POINT.sub("", unicodedata.normalize("NFKC", line))
    return frozenset(slot for slot, named in _NAMED.items() if named.search(line))


def _other(slot: SlotChoice) -> SlotChoice:
    return SECOND if slot is FIRST else FIRST


def _spans(
    text: str, rendered: Rendered, case: PromptCase
) -> Mapping[str, tuple[int, int]]:
    spans = {}
    for name, each in case.case_texts().items():
        piece = fenced(each, rendered.fence)
        start = text.find(piece)
        spans[name] = (start, start + len(piece))
    return spans
