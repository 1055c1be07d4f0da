"""Rows of a file one by one, for files that should not be in memory as a whole.

JSONL, CSV and Parquet are streamed; a JSON list has to be read whole. What comes out,
and what is reported, is the same as from :func:`annotation.domain.files.read_rows`.
"""

from __future__ import annotations

import codecs
import io
from pathlib import PurePath
from typing import TYPE_CHECKING, BinaryIO

from annotation.domain.csv_rows import iter_csv
from annotation.domain.files import (
    decoded_line,
    read_rows,
    row_of_line,
    sound_rows,
    why_unreadable,
)
from annotation.domain.parquet_rows import MAGIC, iter_parquet

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from annotation.domain.rows import Problems, Row

_HEAD = 64 * 1024
_BLOCK = 1024 * 1024
_BOM = codecs.BOM_UTF8
_SEPARATED = (".csv", ".tsv")


def iter_rows(file: BinaryIO, filename: str, problems: Problems) -> Iterator[Row]:
    """Give the good rows of a file that can be read from its start again."""
    head = file.read(_HEAD)
    file.seek(0)
    suffix = PurePath(filename).suffix.lower()
    if head.startswith(MAGIC):
        yield from sound_rows(iter_parquet(file, problems), problems)
    elif why_unreadable(head) is None and _is_jsonl(head, suffix):
        yield from sound_rows(_lines(file, problems), problems)
    elif suffix in _SEPARATED and _is_utf8(file):
        yield from _csv(file, problems)
    else:
        yield from problems.take(read_rows(file.read(), filename))


def _is_jsonl(head: bytes, suffix: str) -> bool:
    """Whether it is surely JSONL: a .json file may be one object over many lines."""
    start = head.removeprefix(_BOM).lstrip(b" \t\r\n")
    return start.startswith(b"{") and suffix not in (".json", *_SEPARATED)


def _lines(file: BinaryIO, problems: Problems) -> Iterator[Row]:
    for number, raw in enumerate(file, start=1):
        line = raw.removeprefix(_BOM) if number == 1 else raw
        text = decoded_line(number, line.removesuffix(b"\n"), problems)
        yield from row_of_line(number, text, problems)


def _is_utf8(file: BinaryIO) -> bool:
    """Read it through once: records span lines, so bad ones can't be left out."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        while block := file.read(_BLOCK):
            decoder.decode(block)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    else:
        return not _is_blank(file)
    finally:
        file.seek(0)


def _is_blank(file: BinaryIO) -> bool:
    file.seek(0)
    return why_unreadable(file.read(_HEAD)) is not None


def _csv(file: BinaryIO, problems: Problems) -> Iterator[Row]:
    text = io.TextIOWrapper(file, "utf-8-sig", newline="")
    try:
        counted = _Counted(iter_csv(text, problems))
        yield from sound_rows(counted, problems)
        if not counted.any and not problems.errors:
            problems.error(1, None, "the file has no rows")
    finally:
        text.detach()


class _Counted:
    """Rows that remember whether there were any."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows = rows
        self.any = False

    def __iter__(self) -> Iterator[Row]:
        for row in self._rows:
            self.any = True
            yield row
