"""In what form a response is written: code, a list, other markdown, or plain text."""

from __future__ import annotations

import re
from enum import StrEnum

FEWEST_ITEMS = 2
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
_ITEM = re.compile(r"^ {0,8}(?:[-*+•]|\d{1,3}[.)]) +\S", re.MULTILINE)
_MARKDOWN = re.compile(
    r"^ {0,3}#{1,6} +\S|^ {0,3}\|[^\n]*\||\*\*[^*\s]|`[^`\n]+`", re.MULTILINE
)


class ResponseFormat(StrEnum):
    """The form of one response; of several, the first here counts."""

    CODE = "code"
    LIST = "list"
    MARKDOWN = "markdown"
    PLAIN = "plain"


DIFFERENT = "different"


def format_of(text: str) -> ResponseFormat:
    """Tell the form of a plain text.

    Code has a fence, a list two lines that begin as items, markdown a heading, a table
    row, bold text or inline code.
    """
    if _FENCE.search(text):
        return ResponseFormat.CODE
    items = _ITEM.finditer(text)
    if sum(1 for _ in zip(range(FEWEST_ITEMS), items, strict=False)) == FEWEST_ITEMS:
        return ResponseFormat.LIST
    return ResponseFormat.MARKDOWN if _MARKDOWN.search(text) else ResponseFormat.PLAIN


def format_of_pair(one: ResponseFormat, other: ResponseFormat) -> str:
    """The form that both responses of a pair have, or that they differ."""
    return one.value if one is other else DIFFERENT
