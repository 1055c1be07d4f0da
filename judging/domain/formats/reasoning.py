"""What of a reply is the model thinking aloud: never searched for a verdict.

Models mark their reasoning in many ways. Rather than list them, a tag counts as a mark
of reasoning if its name says so (think, thought, reason, analysis, reflection, ...),
whatever its brackets: ``<think>``, ``[THINK]``, ``<seed:think>``,
``<|START_THINKING|>``, ``<end_of_thought>``. Channels other than the final one are
reasoning too.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_NOT_NEWLINE = re.compile(r"[^\n]")
_WORD = (
    r"(?P<word>think|thought|reason|analys|reflect|scratch|deliberat|rationale"
    r"|monologue|ponder|contemplat)"
)
_NAME = rf"(?P<name>[\w:.-]{{0,40}}?{_WORD}[\w:.-]{{0,40}})"
_MARK = re.compile(
    rf"(?<![\[<])(?P<open>[<\[\u25c1\u27e8])\|?(?P<slash>/?)\|?{_NAME}"
    r"(?P<more>[ \t][^<>\[\]\n]{0,100})?(?P<empty>/?)\|?[>\]\u25b7\u27e9]"
    r"|<\|?channel\|?>[ \t]*(?P<channel>\w{1,40})?"
    r"|(?P<stop><\|(?:end|return)\|>)"
    r"|(?P<raw>\A\s*analysis(?=[A-Z]))"
    r"|(?P<final>assistant ?final(?=\W|[A-Z]))",
    re.IGNORECASE,
)
_BRACKET = re.compile("[<\\[\u25c1\u27e8]")
_FINALLY = re.compile(r"assistant ?final", re.IGNORECASE)
_ENDS = re.compile(r"(?:end|stop|close)(?![a-z])(?:_|-|\b)", re.IGNORECASE)
# Also a thinking model's word: one opened by "thought" is closed by "think".
_SAME = {"thought": "think"}
# Headings such as [Analysis] are written without an end; these marks never are.
_ALWAYS = frozenset({"think"})
_CHANNEL = "channel"
# What stands before the answer where a server leaves its channels in the text.
_FINAL = re.compile(
    r"(?:<\|start\|>[ \t]*\w*[ \t]*)?<\|channel\|>[ \t]*final[ \t]*"
    r"(?:<\|constrain\|>[ \t]*\w+[ \t]*)?(?:<\|message\|>)?",
    re.IGNORECASE,
)


class _Event(NamedTuple):
    """A mark: what it opens or closes, and where it stands."""

    opens: bool
    root: str
    start: int
    end: int


def without_reasoning(text: str) -> str:
    """Blank the model's reasoning blocks.

    An unclosed block reaches to the end. A closing mark without an opening one ends a
    block that the prompt had opened: all before it is blanked.
    """
    aloud = _Aloud()
    for event in _events(text):
        aloud.heed(event)
    kept = _only(text, aloud.kept_until(len(text)))
    if "channel" not in kept:
        return kept
    first = _FINAL.search(kept)
    before = first.start() if first else 0
    kept = _NOT_NEWLINE.sub(" ", kept[:before]) + kept[before:]
    return _FINAL.sub(lambda mark: " " * len(mark[0]), kept)


class _Aloud:
    """What is said outside reasoning, mark by mark."""

    def __init__(self) -> None:
        self._kept: list[tuple[int, int]] = []
        self._open: list[str] = []
        self._counts: Counter[str] = Counter()
        self._start = 0

    def heed(self, event: _Event) -> None:
        """Open or close a block; one that was never opened closes all before it."""
        if event.opens:
            if not self._open:
                self._kept.append((self._start, event.start))
            self._open.append(event.root)
            self._counts[event.root] += 1
            return
        if self._open:
            self._close(event.root)
        else:
            self._kept.clear()
        if not self._open:
            self._start = event.end

    def kept_until(self, end: int) -> list[tuple[int, int]]:
        """Give the parts outside reasoning."""
        return self._kept if self._open else [*self._kept, (self._start, end)]

    def _close(self, root: str) -> None:
        """Close the newest block of that name and those inside it, if there is one."""
        last = ""
        while self._counts[root] and last != root:
            last = self._open.pop()
            self._counts[last] -= 1


def _events(text: str) -> Iterator[_Event]:
    """Yield the marks that open and close reasoning, in their order."""
    marks = _marks(text)
    closed = {_root(mark) for mark in marks if mark["name"] and _closes(mark)}
    in_channel = False
    for mark in marks:
        if mark["name"]:
            heading = mark["open"] == "[" and (
                mark["more"] or not (_root(mark) in _ALWAYS or _root(mark) in closed)
            )
            if not mark["empty"] and not heading:
                yield _Event(not _closes(mark), _root(mark), *mark.span())
            continue
        opens = mark["raw"] is not None or (
            mark["channel"] is not None and mark["channel"].lower() != "final"
        )
        if opens != in_channel:
            yield _Event(opens, _CHANNEL, *mark.span())
            in_channel = opens


def _marks(text: str) -> list[re.Match[str]]:
    """Find all marks; the long form is only tried where one can begin."""
    found: list[re.Match[str]] = []
    behind = 0
    places = [0, *(each.start() for each in _BRACKET.finditer(text))]
    if "final" in text.lower():
        places = sorted({*places, *(each.start() for each in _FINALLY.finditer(text))})
    for place in places:
        mark = _MARK.match(text, place) if place >= behind else None
        if mark is not None:
            found.append(mark)
            behind = mark.end()
    return found


def _root(mark: re.Match[str]) -> str:
    word = mark["word"].lower()
    return _SAME.get(word, word)


def _closes(mark: re.Match[str]) -> bool:
    return bool(mark["slash"]) or _ENDS.match(mark["name"]) is not None


def _only(text: str, kept: list[tuple[int, int]]) -> str:
    parts, position = [], 0
    for start, end in kept:
        parts += [_NOT_NEWLINE.sub(" ", text[position:start]), text[start:end]]
        position = end
    parts.append(_NOT_NEWLINE.sub(" ", text[position:]))
    return "".join(parts)
