"""Double brackets, as several formats use them for their verdict."""

from __future__ import annotations

import re

DOUBLE = re.compile(r"\\?\[\\?\[([^\[\]\n]{1,60}?)\\?\]\\?\]")
DOUBLE_ALONE = re.compile(r"[*_`\s]*" + DOUBLE.pattern + r"[*_`\s.]*")

MOST_TOKENS = 2_000
"""In one reply: a model that loops has said nothing."""

# What is plainly meant as a verdict; other double brackets (links, arrays) are prose.
_ATTEMPT = re.compile(
    r"[A-Z]|(?:[A-Z0-9]|ASSISTANT[A-Z0-9])(?:[<>=~!\u2248-\u226b]+.{0,12})"
    r"|(?:ASSISTANT|RESPONSE|ANSWER|OPTION)[A-Z0-9]|TIED?|DRAW|EQUAL|BOTH|NEITHER|NONE"
    r"|ABSTAIN(?:ED)?|UNDECIDED|INVALID|SKIP"
)
_DRESS = re.compile(r"[\s*_`\\\"']+")


def plain(inner: str) -> str:
    """Give what brackets hold in capitals, without emphasis, quotes and spaces."""
    return _DRESS.sub("", inner).upper()


def is_attempt(word: str) -> bool:
    """Whether a word from :func:`plain` is plainly meant as some verdict."""
    return _ATTEMPT.fullmatch(word) is not None
