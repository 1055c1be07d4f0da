"""CSV as another way to write the same rows.

The first line names the columns as in JSONL. ``responses.<system>``, ``slices.<key>``,
``designed.<a>|<b>`` and ``response_meta.<system>`` give one entry a column; the columns
``responses``, ``slices``, ``designed``, ``response_meta`` and ``systems`` hold JSON
(``systems`` also ``a|b``). A text cell that holds a JSON list of chat messages is taken
as messages. An empty cell is an absent value, except in ``raw``. Comma, semicolon and
tab are recognised by the header. The column ``text_escape`` says that the file is an
export of ours, whose cells are read as :mod:`annotation.domain.spreadsheets` says.
"""

from __future__ import annotations

import csv
import io
import re
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from annotation.domain.rows import Row
from annotation.domain.spreadsheets import ESCAPE_COLUMN, restored
from annotation.domain.strict_json import BrokenJson, decode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from annotation.domain.rows import Problems

NESTED = ("responses", "slices", "designed", "response_meta")
_JSON_COLUMNS = frozenset({*NESTED, "systems"})
_TEXTS = frozenset({"prompt", "context", "reference", "baseline", "candidate"})
_NUMBERS = frozenset({"repeat", "strength"})
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
_LARGEST_CELL = 2**31 - 1
_limit_lock = threading.Lock()


def read_csv(text: str, problems: Problems) -> list[Row]:
    """Read the rows of a CSV text; each is named by the line it starts on."""
    return list(iter_csv(io.StringIO(text, newline=""), problems))


def iter_csv(file: TextIO, problems: Problems) -> Iterator[Row]:
    """Read rows one by one from a text file that leaves line ends as they are."""
    lines = _records(file, problems)
    header = _header(lines, problems)
    if header is None:
        return
    escaped = ESCAPE_COLUMN in header
    for line, cells in lines:
        texts = [restored(cell) for cell in cells] if escaped else cells
        values = _row_values(line, header, texts, problems)
        if values is not None:
            yield Row(line, values)


@contextmanager
def _large_cells() -> Iterator[None]:
    """Lift the csv module's limit of 128 kB a cell, which is global, for a moment."""
    with _limit_lock:
        before = csv.field_size_limit(_LARGEST_CELL)
        try:
            yield
        finally:
            csv.field_size_limit(before)


def _records(file: TextIO, problems: Problems) -> Iterator[tuple[int, list[str]]]:
    """Give the records that are not blank, with their first line."""
    reader = csv.reader(file, delimiter=_delimiter(file), strict=True)
    start = 1
    try:
        while (cells := _next_record(reader)) is not None:
            if any(cells):
                yield start, cells
            start = reader.line_num + 1
    except csv.Error as error:
        problems.error(start, None, f"broken CSV: {error}")


def _next_record(reader: Iterator[list[str]]) -> list[str] | None:
    with _large_cells():
        return next(reader, None)


def _delimiter(file: TextIO) -> str:
    """Tell the delimiter by the header, and go back to the start."""
    header = ""
    for line in file:
        header = line.strip("\r\n")
        if header:
            break
    file.seek(0)
    return max(",;\t", key=header.count)


def _header(
    lines: Iterator[tuple[int, list[str]]], problems: Problems
) -> list[str] | None:
    line, cells = next(lines, (1, []))
    names = [cell.strip() for cell in cells]
    named = [name for name in names if name]
    repeated = sorted({name for name in named if named.count(name) > 1})
    for name in repeated:
        problems.error(line, name, "the column occurs twice")
    clashing = [name for name in NESTED if name in named and _has_part(name, named)]
    for name in clashing:
        problems.error(line, name, f"give this column or {name}.* columns, not both")
    return None if repeated or clashing or not names else names


def _has_part(prefix: str, names: list[str]) -> bool:
    return any(name.startswith(prefix + ".") for name in names)


def _row_values(
    line: int, header: list[str], cells: list[str], problems: Problems
) -> dict[str, object] | None:
    if any(cells[len(header) :]):
        reason = f"has {len(cells)} cells, but the header names {len(header)}"
        problems.error(line, None, reason)
        return None
    values: dict[str, object] = {}
    sound = True
    for name, cell in zip(header, cells, strict=False):
        if (not cell and name != "raw") or name == ESCAPE_COLUMN:
            continue
        try:
            put_cell(values, name, cell)
        except ValueError as error:
            problems.error(line, name or None, str(error))
            sound = False
    return values if sound else None


def put_cell(values: dict[str, object], name: str, cell: str) -> None:
    """Put a cell that is not empty under its column's name, nested as that says.

    Raises ``ValueError`` for what can't be read.
    """
    if not name:
        raise ValueError("a cell stands in a column without a name")
    prefix, dot, key = name.partition(".")
    if dot and key and prefix in NESTED:
        inner = values.setdefault(prefix, {})
        if not isinstance(inner, dict):
            raise ValueError(f"give {prefix} or {prefix}.* columns, not both")
        inner[key] = _nested_value(prefix, cell)
    else:
        values[name] = _value(name, cell)


def _nested_value(prefix: str, cell: str) -> object:
    if prefix == "response_meta":
        return _json(cell)
    return _text(cell) if prefix == "responses" else cell


def _value(name: str, cell: str) -> object:
    if name in _TEXTS:
        return _text(cell)
    if name in _NUMBERS and re.fullmatch(r"\d{1,9}", cell, re.ASCII):
        return int(cell)
    if name in ("critical", "retest"):
        return _BOOLEANS.get(cell.strip().lower(), cell)
    if name == "systems" and not cell.lstrip().startswith("["):
        return [part.strip() for part in cell.split("|")]
    if name == "designed" and not cell.lstrip().startswith("{"):
        return cell
    return _json(cell) if name in _JSON_COLUMNS else cell


def _text(cell: str) -> object:
    """Take a JSON list of chat messages for what it is, anything else as text."""
    if not cell.lstrip().startswith("["):
        return cell
    try:
        value = decode(cell)
    except BrokenJson:
        return cell
    is_chat = isinstance(value, list) and all(
        isinstance(item, dict) and "role" in item for item in value
    )
    return value if is_chat and value else cell


def _json(cell: str) -> object:
    try:
        return decode(cell)
    except BrokenJson as error:
        msg = f"broken JSON at column {error.column}: {error.reason}"
        raise ValueError(msg) from None
