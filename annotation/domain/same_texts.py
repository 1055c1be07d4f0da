"""Whether two pairs hold the same texts, whatever they are called.

A pair's digest (:mod:`annotation.domain.pairs`) tells what was stored, names and all.
This one tells what is shown and judged: a prompt, and two responses to it in no order.
Seals, looks and warnings follow it (DESIGN rule 15), so that nobody gets around them by
importing the same texts under other case ids or system names, with candidate and
baseline exchanged, or beside another context.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING
from unicodedata import normalize

from annotation.domain.digests import text_digest
from annotation.domain.texts import Text, text_digest_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Stands in every digest, so that those of another rule would all be different.
RULE = "evenhand.texts/1"
SIZE = 32


def texts_digest(prompt: Text, responses: Sequence[Text]) -> str:
    """Digest of a prompt and its two responses, in whatever order these come."""
    one, other = responses
    return combined(text_mark(prompt), text_mark(one), text_mark(other))


def text_mark(text: Text, digest: str = "") -> str:
    """Digest of a text as far as it counts for being the same.

    That is in Unicode NFC, with line feeds for line ends, and without what is blank
    around it; beyond that every character counts. In a conversation so do the roles,
    but a single message is its content alone: some exports wrap every text that way.
    ``digest`` is the text's own (``text_digest_of``), which saves working it out.
    """
    plain = _plain(text)
    return digest if digest and plain == text else text_digest_of(plain)


def combined(prompt: str, one: str, other: str) -> str:
    """Digest of a pair from the marks of its three texts."""
    return text_digest("\n".join((RULE, prompt, *sorted((one, other)))))


def texts_of_case(
    prompt: Text, responses: Sequence[Text], digests: Sequence[str]
) -> bytes:
    """Digests of all pairs of a case in one, as ``combinations`` pairs its responses.

    ``digests`` are those of the responses. :func:`single_digests` takes them apart.
    """
    first = text_mark(prompt)
    marks = [text_mark(*each) for each in zip(responses, digests, strict=True)]
    found = (combined(first, *pair) for pair in combinations(marks, 2))
    return b"".join(map(bytes.fromhex, found))


def single_digests(joined: bytes) -> Iterator[str]:
    """Give the digests that :func:`texts_of_case` joined, one by one."""
    return (joined[at : at + SIZE].hex() for at in range(0, len(joined), SIZE))


def _plain(text: Text) -> Text:
    if isinstance(text, str):
        return _even(text)
    if len(text) == 1:
        return _even(text[0].content)
    return tuple(replace(turn, content=_even(turn.content)) for turn in text)


def _even(text: str) -> str:
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return normalize("NFC", text).strip()
