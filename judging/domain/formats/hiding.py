"""Replacing parts of a reply, so that what is left keeps its positions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# Stands for text that is only quoted: no format's notation contains it, and unlike a
# space it cannot be mistaken for an empty line.
QUOTED = "\ufffc"

_NOT_NEWLINE = re.compile(r"[^\n]")


def hidden(text: str, by: str = QUOTED) -> str:
    """Write ``by`` for every character but the ends of lines."""
    return _NOT_NEWLINE.sub(by, text)


def hide_spans(text: str, spans: Iterable[tuple[int, int]], by: str = QUOTED) -> str:
    """Hide the parts between these positions, which may overlap."""
    parts, position = [], 0
    for start, end in sorted(spans):
        if end > position:
            low = max(start, position)
            parts += [text[position:low], hidden(text[low:end], by)]
            position = end
    return "".join([*parts, text[position:]])


_SMALL = str.maketrans({chr(n): chr(n + 32) for n in range(65, 91)} | {"\u2019": "'"})


def small(text: str) -> str:
    """Write small letters and plain apostrophes, of the same length."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a letter such as "\u0130" becomes two
        return text.translate(_SMALL)
    return lowered.replace("\u2019", "'")


_BETWEEN_WORDS = str.maketrans(
    dict.fromkeys('.,;:!?*_#()[]{}<>|"\n-\u2013\u2014\u2026\u201c\u201d', " ")
)


def words_of(text: str) -> frozenset[str]:
    """Give the words of a text, to tell quickly what it does not speak of."""
    # Texts of ASCII letters alone are translated many times faster.
    return frozenset(text.replace(QUOTED, " ").translate(_BETWEEN_WORDS).split())
