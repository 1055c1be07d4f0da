"""What texts take in tokens, before a provider has counted them.

Estimates, and labelled so: only the provider knows its tokenizer. English prose has
about four bytes to a token, most other scripts fewer tokens a byte; for limits the
count is on the safe side.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from judging.domain.lint_settings import TOKEN_LIMITS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from judging.domain.ports import Message

BYTES_PER_TOKEN = 4
FEWEST_BYTES_PER_TOKEN = 3
CHAT_TOKENS = 20
"""What a provider's chat format adds to the texts, at most."""

UNLIMITED_OUTPUT = 4096
"""A guess for a judge that does not limit its answers."""


def size_of(messages: Iterable[Message]) -> int:
    """Bytes of text that messages send."""
    return sum(len(message.content.encode()) for message in messages)


def prompt_tokens(size: int) -> int:
    """Tokens of so many bytes, about."""
    return math.ceil(size / BYTES_PER_TOKEN)


def most_prompt_tokens(size: int) -> int:
    """Tokens that one request of so many bytes may take, on the safe side."""
    return math.ceil(size / FEWEST_BYTES_PER_TOKEN) + CHAT_TOKENS


def output_limit(params: Mapping[str, object]) -> int | None:
    """Give the most tokens that one reply may have, or ``None`` without a limit."""
    limits = [params[name] for name in TOKEN_LIMITS if name in params]
    known = [n for n in limits if isinstance(n, int) and not isinstance(n, bool)]
    return min(known, default=None)


def longest_answer(params: Mapping[str, object]) -> int:
    """Tokens that one answer may have; a guess where the judge does not limit them."""
    return output_limit(params) or UNLIMITED_OUTPUT
