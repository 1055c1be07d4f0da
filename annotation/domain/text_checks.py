"""Signs that a response is empty or was cut off."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Cut(StrEnum):
    """How sure it is that a response was cut off."""

    MARKED = "marked"
    LOOKS = "looks"


# Keys under which systems and gateways say why the text ended, and what they say then.
FINISH_KEYS = ("finish_reason", "stop_reason", "finish", "done_reason")
CUT_REASONS = frozenset(
    {"length", "max_tokens", "max_output_tokens", "token_limit", "truncated"}
)
CUT_FLAGS = ("truncated", "is_truncated", "incomplete")
# A short text without a full stop is an answer ("Paris"), not half of one.
FEWEST_CHARACTERS = 80

_FENCE = re.compile(r"^\s{0,3}(?:```|~~~)", re.MULTILINE)
_NO_SENTENCE = re.compile(r"\s*(?:[-*+\u2022>|#]|\d+[.)]|[A-Za-z][.)]\s)")
_ENDS_OPEN = re.compile(r"(?:[,;:(\[{\u3001\uff0c\u2014\u2013&]|\s-)$")
_ENDS_IN_WORD = re.compile(r"[^\W_]$")
# So much of a text's end is looked at.
END = 60
# Words that no sentence of these languages ends with.
_OPEN_WORD = re.compile(
    r"\b(?:a|an|the|and|or|but|of|to|for|with|from|in|on|at|by|as|that|which|because|if"
    r"|is|are|was|were|will|your|our|their|und|oder|der|die|das|ein|eine|mit|von|zu"
    r"|et|ou|le|la|les|des|du|un|une|que|y|el|los|las|de|con|para)$",
    re.IGNORECASE,
)
_SPACED = re.compile(r"[A-Za-z\u00c0-\u024f\u0370-\u052f]\s")


def cut_mark(meta: Mapping[str, object]) -> str | None:
    """What the response's own record says of its being cut off: "finish_reason=length".

    None where it says nothing of the kind.
    """
    for key in FINISH_KEYS:
        value = meta.get(key)
        if isinstance(value, str) and value.strip().lower() in CUT_REASONS:
            return f"{key}={value}"
    return next((f"{key}=true" for key in CUT_FLAGS if meta.get(key) is True), None)


def cut_sign(text: str) -> str | None:
    """Why a text looks cut off, in words; None where it does not.

    A guess from its end alone: an open code fence, a comma or bracket, a word that ends
    no sentence, or (in a text with full stops elsewhere) none at the end. Lists,
    tables, headings and texts under 80 characters may end without one.
    """
    trimmed = text.rstrip()
    if len(_FENCE.findall(trimmed)) % 2:
        return "a code block is left open"
    if len(trimmed) < FEWEST_CHARACTERS:
        return None
    last = trimmed[trimmed.rfind("\n") + 1 :].rstrip("*_ ")
    end = last[-END:]
    if _ENDS_OPEN.search(end) and not _FENCE.match(last):
        return f"it ends with {end[-1]!r}"
    if _OPEN_WORD.search(end):
        return f"it ends with the word {end.rsplit(None, 1)[-1]!r}"
    if _NO_SENTENCE.match(last) or not _ENDS_IN_WORD.search(end):
        return None
    return _unfinished(trimmed, last)


def _unfinished(text: str, last: str) -> str | None:
    """A long last line without its full stop, in a text that has some."""
    stops = text.count(". ") + text.count(".\n")
    is_prose = len(last) >= FEWEST_CHARACTERS and _SPACED.search(last)
    return "its last sentence has no end" if stops and is_prose else None
