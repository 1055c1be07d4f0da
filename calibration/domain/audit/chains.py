"""Lines that are chained, so that an edited, lost or moved one is named.

A line is ``{"chain":"…",…}``: the canonical JSON of its row with the link before it.
The link is SHA-256 over the link before, a line end, and the bytes of the row; the
first one follows the name of the table, so that no table passes for another.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from annotation.domain.digests import canonical_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_START, _HEX = b'{"chain":"', 64
_PREFIX = len(_START) + _HEX + 2


def seed_of(table: str) -> str:
    """Give the link that stands before the first row of a table."""
    return hashlib.sha256(f"evenhand.audit/2 {table}".encode()).hexdigest()


def link(before: str, body: bytes) -> str:
    """Give the link of a row behind another."""
    return hashlib.sha256(before.encode() + b"\n" + body).hexdigest()


@dataclass(slots=True)
class ChainWriter:
    """Chains the rows of one table as they are written."""

    table: str
    head: str = ""
    rows: int = 0

    def lines(self, rows: Iterable[dict[str, Any]]) -> Iterator[bytes]:
        """Give the line of each row; a row may not be empty or hold ``chain``."""
        self.head = seed_of(self.table)
        for row in rows:
            body = canonical_json(row)
            self.head, self.rows = link(self.head, body), self.rows + 1
            yield b'%s%s",%s\n' % (_START, self.head.encode(), body[1:])


@dataclass(slots=True)
class ChainReader:
    """Follows the chain of one table line by line.

    Once a link is off, the chain goes on from what that line says, so that one edited
    row is named and not all behind it.
    """

    table: str
    head: str = ""
    rows: int = 0

    def __post_init__(self) -> None:
        self.head = seed_of(self.table)

    def body(self, line: bytes) -> tuple[bytes, bool]:
        """Give the row's bytes of a line, and whether it follows the line before.

        Raises ``ValueError`` for a line that is not laid out as one.
        """
        self.rows += 1
        text = line.removesuffix(b"\n")
        laid_out = (
            line.endswith(b"\n")
            and text.startswith(_START)
            and text[_PREFIX - 2 : _PREFIX] == b'",'
            and text.endswith(b"}")
        )
        if not laid_out:
            raise ValueError("it is not laid out as a line of a table")
        said = text[len(_START) : len(_START) + _HEX].decode("latin-1")
        body = b"{" + text[_PREFIX:]
        follows = link(self.head, body) == said
        self.head = said
        return body, follows
