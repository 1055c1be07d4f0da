"""Quotation marks: which of them open, which close, and what they hold.

Marks are paired, also across empty lines. A straight mark opens where a word could
begin and closes where one could end, so that apostrophes and inches are neither. One
that is never closed counts only where the words before it introduce a quotation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judging.domain.formats.hiding import hide_spans

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST_VERDICT = 200
_MARKS = "\"'`\u201c\u201d\u201e\u00ab\u00bb\u2018\u300c\u300d\u300e\u300f\u2039\u203a"
_SINGLE_RUNS = re.compile(
    r'"""(?:.*?""")?|\'\'\'(?:.*?\'\'\')?|~~(?!~)[^\n~]++~~', re.DOTALL
)
_RUNS = ('"""', "'''", "~~")
_CODE = re.compile(r"(?<!`)``?(?!`)[^`\n]++``?(?!`)")
_MARK = re.compile(f"[{_MARKS.replace('`', '')}]")
# By closing mark: the marks that it may close.
_CLOSES = {
    '"': '"',
    "'": "'\u2018",
    "\u201d": "\u201c\u201e",
    "\u201c": "\u201e",
    "\u00bb": "\u00ab",
    "\u300d": "\u300c",
    "\u300f": "\u300e",
    "\u203a": "\u2039",
}
_OPENS = frozenset("\"'\u2018\u201c\u201e\u00ab\u300c\u300e\u2039")
_BEFORE_OPENING = frozenset(" \t\n([{<:=,;*_~-\u2013\u2014/\"'\u201c\u2018\ufffc")
_INTRODUCES = re.compile(
    r"(?:[:,=]|\b(?:says?|said|reads?|writes?|wrote|with|states?|answers?|replies"
    r"|replied|outputs?|prints?|that))[ \t\n]*\Z",
    re.IGNORECASE,
)


def without_quotations(text: str, verdict_alone: re.Pattern[str]) -> str:
    """Replace quotation marks and code spans with what they hold by QUOTED.

    They stay where they hold a verdict and nothing else, as some judges dress theirs:
    what such a one means shows in the words around it. What is struck out is hidden
    too.
    """
    if any(map(text.__contains__, _RUNS)):
        runs = [each.span() for each in _SINGLE_RUNS.finditer(text)]
        unclosed = [(a, len(text)) for a, b in runs if text[a:b] in _RUNS]
        text = hide_spans(text, [*runs, *unclosed])
    spans = [
        (start, end)
        for start, end in (*_code(text), *_quotations(text))
        if not _is_dress(text[start:end], verdict_alone)
    ]
    return hide_spans(text, spans)


def _is_dress(quoted: str, verdict_alone: re.Pattern[str]) -> bool:
    if len(quoted) > _LONGEST_VERDICT or "\n" in quoted:
        return False
    return verdict_alone.fullmatch(quoted.strip(_MARKS)) is not None


def _code(text: str) -> Iterator[tuple[int, int]]:
    return (each.span() for each in _CODE.finditer(text)) if "`" in text else iter(())


def _quotations(text: str) -> Iterator[tuple[int, int]]:
    waiting: dict[str, list[int]] = {mark: [] for mark in _OPENS}
    for found in _MARK.finditer(text):
        at, mark = found.start(), found[0]
        opener = _closed_by(mark, text, at, waiting)
        if opener is not None:
            yield opener, at + 1
        elif mark in _OPENS and _can_open(mark, text, at):
            waiting[mark].append(at)
    for places in waiting.values():
        for at in places:
            if _INTRODUCES.search(text, max(0, at - 40), at):
                yield at, len(text)
                break


def _closed_by(
    mark: str, text: str, at: int, waiting: dict[str, list[int]]
) -> int | None:
    """Find the mark that this one closes, the newest of those it may close."""
    openers = [each for each in _CLOSES.get(mark, "") if waiting[each]]
    if not openers or not _can_close(mark, text, at):
        return None
    return waiting[max(openers, key=lambda each: waiting[each][-1])].pop()


def _can_open(mark: str, text: str, at: int) -> bool:
    if mark not in "\"'":
        return True
    before = text[at - 1] if at else "\n"
    if mark == "'" and text[at + 1 : at + 2].isspace() and before != "\n":
        return False
    return before in _BEFORE_OPENING


def _can_close(mark: str, text: str, at: int) -> bool:
    if mark not in "\"'":
        return True
    after = text[at + 1 : at + 2]
    return not (after.isalnum() or after == "_")
