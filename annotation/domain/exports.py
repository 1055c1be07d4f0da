"""Writing rows as JSONL or CSV, piece by piece."""

from __future__ import annotations

import csv
import io
import json
from enum import StrEnum
from itertools import chain, islice
from typing import TYPE_CHECKING

from annotation.domain.spreadsheets import ESCAPE, ESCAPE_COLUMN, neutralised

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    Cells = Sequence[object]

ROWS_A_PIECE = 500
BOM = b"\xef\xbb\xbf"


class ExportFormat(StrEnum):
    """How an export is written."""

    JSONL = "jsonl"
    CSV = "csv"

    @property
    def content_type(self) -> str:
        """What HTTP calls it."""
        names = {self.JSONL: "application/x-ndjson", self.CSV: "text/csv"}
        return f"{names[self]}; charset=utf-8"


def written(
    columns: Sequence[str],
    rows: Iterable[Cells],
    form: ExportFormat,
    *,
    bom: bool = False,
) -> Iterator[bytes]:
    """Write rows in pieces of some hundred, so that no export is in memory whole.

    Values are text, numbers, booleans, lists, dicts and ``None``. In CSV, text is made
    harmless for spreadsheets (:mod:`annotation.domain.spreadsheets`), lists and dicts
    are JSON, ``systems`` is ``a|b``, and ``bom`` puts a byte order mark first, without
    which Excel takes UTF-8 for something else.
    """
    if form is ExportFormat.JSONL:
        yield from _pieces(_json_line(columns, row) for row in rows)
        return
    head = ",".join([*columns, ESCAPE_COLUMN]) + "\r\n"
    start = [BOM.decode()] if bom else []
    yield from _pieces(chain(start, [head], _csv_lines(columns, rows)))


def _pieces(lines: Iterator[str]) -> Iterator[bytes]:
    while piece := "".join(islice(lines, ROWS_A_PIECE)):
        yield piece.encode()


def _json_line(columns: Sequence[str], row: Cells) -> str:
    values = dict(zip(columns, row, strict=True))
    return json.dumps(values, ensure_ascii=False, allow_nan=False) + "\n"


def _csv_lines(columns: Sequence[str], rows: Iterable[Cells]) -> Iterator[str]:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    for row in rows:
        cells = zip(columns, row, strict=True)
        writer.writerow([*(_cell(name, value) for name, value in cells), ESCAPE])
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def _cell(name: str, value: object) -> object:
    if value is None:
        return ""
    if isinstance(value, str):
        return neutralised(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | dict):
        return _nested(name, value)
    return value


def _nested(name: str, value: list[object] | dict[str, object]) -> str:
    names = [str(part) for part in value]
    if name == "systems" and not any("|" in part for part in names):
        return neutralised("|".join(names))
    return json.dumps(value, ensure_ascii=False, allow_nan=False) if value else ""
