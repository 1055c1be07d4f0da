"""Where the sentences of a reply begin and end, and what they are without dress."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_SENTENCES = 500
_END = re.compile(
    r"\n+|[.!?;\u2026]+[\"')\]*_]*(?=\s|\Z|[*_\ufffc])|[\u3002\uff01\uff1f\uff1b]+"
    r"|\ufffc+"
)
_DRESS = re.compile(
    '[*_`"\u201c\u201d\u2190-\u21ff\u2600-\u27bf\u2b00-\u2bff\ufe0f\U0001f300-\U0001faff]'
)
SIGNS = " \t#>|-\u2022\u2013\u2014("
"""What may stand around a sentence and is no part of it."""


def bare(text: str, start: int, end: int) -> str:
    """Give a sentence without emphasis, brackets and signs around it."""
    return _DRESS.sub("", text[start:end]).strip(SIGNS)


@lru_cache(maxsize=2)
def sentences(text: str, start: int) -> tuple[tuple[int, int], ...]:
    """Give where sentences that hold anything begin and end, from a place on."""
    return tuple(islice(_sentences(text, start), _MOST_SENTENCES))


def _sentences(text: str, start: int) -> Iterator[tuple[int, int]]:
    at = start
    for mark in _END.finditer(text, start):
        if text[at : mark.start()].strip(SIGNS + "*_`.!:"):
            yield at, mark.start()
        at = mark.end()
    if text[at:].strip(SIGNS + "*_`.!:"):
        yield at, len(text)
