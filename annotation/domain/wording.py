"""Where two texts differ in their words, and two versions of a text in their lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from typing import TYPE_CHECKING

from annotation.domain.texts import Message, Text

if TYPE_CHECKING:
    from collections.abc import Sequence

# A word with the spaces after it; scripts that write without spaces go by character.
_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\u0e00-\u0e7f]"
    r"|[^\s\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\u0e00-\u0e7f]+[^\S\n]*"
    r"|\n+|[^\S\n]+"
)
# Comparing takes the square of the length at worst.
LONGEST_COMPARED = 100_000


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text; ``differs`` where the other text has something else."""

    text: str
    differs: bool


@dataclass(frozen=True, slots=True)
class MarkedTurn:
    """One turn of a text in pieces; a plain text is one turn without a role."""

    role: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    turn: int


def too_long_to_compare(one: Text, two: Text) -> bool:
    """Whether marking the differences would take too long to wait for."""
    return sum(len(t.content) for x in (one, two) for t in _turns(x)) > LONGEST_COMPARED


def marked_words(one: Text, two: Text) -> tuple[list[MarkedTurn], list[MarkedTurn]]:
    """Both texts, in turns, with the words marked that the other one does not have.

    Joining the pieces of a turn gives its text back, whatever the texts are.
    """
    left, right = _tokens(one), _tokens(two)
    matcher = SequenceMatcher(
        None, [t.text.strip() for t in left], [t.text.strip() for t in right]
    )
    same_left: set[int] = set()
    same_right: set[int] = set()
    for block in matcher.get_matching_blocks():
        same_left.update(range(block.a, block.a + block.size))
        same_right.update(range(block.b, block.b + block.size))
    return _marked(one, left, same_left), _marked(two, right, same_right)


def _turns(text: Text) -> tuple[Message, ...]:
    return (Message("", text),) if isinstance(text, str) else text


def _tokens(text: Text) -> list[_Token]:
    return [
        _Token(word, number)
        for number, turn in enumerate(_turns(text))
        for word in _WORD.findall(turn.content)
    ]


def _marked(text: Text, tokens: list[_Token], same: set[int]) -> list[MarkedTurn]:
    pieces: list[list[Piece]] = [[] for _ in _turns(text)]
    for place, token in enumerate(tokens):
        into = pieces[token.turn]
        # Nothing is to be seen of a space, so it goes along with what was before.
        blank_after = bool(into) and not token.text.strip()
        differs = into[-1].differs if blank_after else place not in same
        if into and into[-1].differs == differs:
            into[-1] = Piece(into[-1].text + token.text, differs)
        else:
            into.append(Piece(token.text, differs))
    turns = _turns(text)
    return [MarkedTurn(t.role, tuple(p)) for t, p in zip(turns, pieces, strict=True)]


class Change(StrEnum):
    """What became of a line."""

    KEPT = "kept"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of two versions of a text."""

    change: Change
    text: str


def changed_lines(old: str, new: str) -> list[Line]:
    """The lines of both versions in reading order, removed before added."""
    before, after = old.splitlines(), new.splitlines()
    lines: list[Line] = []
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            lines += _all(Change.KEPT, before[a:b])
            continue
        lines += _all(Change.REMOVED, before[a:b])
        lines += _all(Change.ADDED, after[c:d])
    return lines


def _all(change: Change, texts: Sequence[str]) -> list[Line]:
    return [Line(change, text) for text in texts]
