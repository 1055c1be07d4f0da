"""From a file to rows: JSONL, JSON list, CSV or Parquet, with every bad line named."""

from __future__ import annotations

import io
from pathlib import PurePath
from typing import TYPE_CHECKING

from annotation.domain.csv_rows import read_csv
from annotation.domain.parquet_rows import MAGIC, iter_parquet
from annotation.domain.rows import FileFormat, Problems, Row, RowsResult
from annotation.domain.strict_json import BrokenJson, decode, decode_at, flaws
from annotation.domain.values import kind_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_EXTENSIONS = {
    ".jsonl": FileFormat.JSONL,
    ".ndjson": FileFormat.JSONL,
    ".json": FileFormat.JSON,
    ".csv": FileFormat.CSV,
    ".tsv": FileFormat.CSV,
}
_BINARY = {
    b"PK\x03\x04": "is a zip or Excel file; save it as CSV (UTF-8)",
    b"\x1f\x8b": "is compressed; unpack it first",
    b"\xff\xfe": "is UTF-16; save it as UTF-8",
    b"\xfe\xff": "is UTF-16; save it as UTF-8",
}
_SPACES = " \t\r\n"


def read_rows(data: bytes, filename: str, *, one_object: bool = False) -> RowsResult:
    """Read the rows of a file; bad ones become errors, never exceptions.

    The format follows from the file name's extension, else from the content. UTF-8 with
    or without a byte order mark, blank lines and CRLF are fine. Rows come out as JSON
    values whatever the format; see :mod:`annotation.domain.csv_rows` for CSV and
    :mod:`annotation.domain.parquet_rows` for Parquet. For files too large for memory
    there is :mod:`annotation.domain.row_streams`. A file that is one JSON object over
    several lines is an error, or with ``one_object`` a single row.
    """
    problems = Problems()
    if data.startswith(MAGIC):
        table = iter_parquet(io.BytesIO(data), problems)
        good = tuple(sound_rows(table, problems))
        return RowsResult(FileFormat.PARQUET, good, problems.errors, problems.omitted)
    unreadable = why_unreadable(data)
    if unreadable:
        problems.error(1, None, unreadable)
        return RowsResult(None, (), problems.errors)
    text = _decoded(data, problems)
    kind = _format_of(filename, text)
    if kind is FileFormat.JSONL:
        rows = _read_lines(text, problems)
    elif problems.errors:
        rows = []  # Taking the bad lines out would break records that span lines.
    elif kind is FileFormat.JSON:
        rows = _read_list(text, problems, one_object=one_object)
    else:
        rows = read_csv(text, problems)
    if not rows and not problems.errors:
        problems.error(1, None, "the file has no rows")
    good = tuple(sound_rows(rows, problems))
    return RowsResult(kind, good, problems.errors, problems.omitted)


def why_unreadable(data: bytes) -> str | None:
    """Say why what starts with ``data`` is no text file of ours, if so."""
    for start, reason in _BINARY.items():
        if data.startswith(start):
            return f"the file {reason}"
    if b"\x00" in data[:4]:
        return "the file is UTF-16 or binary; save it as UTF-8"
    if not data.removeprefix(b"\xef\xbb\xbf").strip():
        return "the file is empty"
    return None


def _decoded(data: bytes, problems: Problems) -> str:
    """Decode UTF-8, leaving a line that is not UTF-8 blank after naming it."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return data.decode()
    except UnicodeDecodeError:
        lines = enumerate(data.split(b"\n"), start=1)
        return "\n".join(decoded_line(line, raw, problems) for line, raw in lines)


def decoded_line(line: int, raw: bytes, problems: Problems) -> str:
    """Decode one line, or report its first bad byte and give a blank one."""
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        byte, place = raw[error.start], error.start + 1
        reason = f"is not UTF-8: byte 0x{byte:02X} at position {place} of the line"
        problems.error(line, None, reason)
        return ""


def _format_of(filename: str, text: str) -> FileFormat:
    named = _EXTENSIONS.get(PurePath(filename).suffix.lower())
    if named is FileFormat.CSV:
        return named
    first = text.lstrip(_SPACES)[:1]
    if first == "[" and not _starts_with_list_lines(text):
        return FileFormat.JSON
    if first == "{" and not (named is FileFormat.JSON and _is_one_object(text)):
        return FileFormat.JSONL
    if named:
        return named
    return FileFormat.JSONL if first == "[" else FileFormat.CSV


def _starts_with_list_lines(text: str) -> bool:
    """Whether each line is a list of its own, so that the lines are the bad rows."""
    lines = text.strip(_SPACES).split("\n", 1)
    try:
        decode(lines[0])
    except BrokenJson:
        return False
    return len(lines) > 1


def _is_one_object(text: str) -> bool:
    """Whether the whole file is one object over several lines, so not JSONL."""
    stripped = text.strip(_SPACES)
    try:
        decode(stripped)
    except BrokenJson:
        return False
    return "\n" in stripped


def _read_lines(text: str, problems: Problems) -> list[Row]:
    # Only "\n" ends a line: JSON strings may hold U+2028 and its like.
    lines = enumerate(text.split("\n"), start=1)
    return [row for line, raw in lines for row in row_of_line(line, raw, problems)]


def row_of_line(line: int, raw: str, problems: Problems) -> list[Row]:
    """Read one line of JSONL: its row, or nothing for a blank or a bad line."""
    rows: list[Row] = []
    content = raw.strip(_SPACES + "\ufeff")
    if not content:
        return rows
    try:
        _add_row(rows, line, decode(content), problems)
    except BrokenJson as error:
        column = error.column + raw.index(content[0])
        _report(problems, line, column, error.reason)
    return rows


def _read_list(text: str, problems: Problems, *, one_object: bool) -> list[Row]:
    """Read a JSON list element by element, so that each has its own line."""
    rows: list[Row] = []
    place = _skip(text, 0)
    if text[place] != "[":
        if one_object:
            _add_row(rows, 1, decode(text), problems)
            return rows
        reason = "the file is one JSON object; give a list, or one object a line"
        problems.error(1, None, reason)
        return rows
    try:
        place = _read_elements(text, place + 1, rows, problems)
        if text[place:].strip(_SPACES):
            line, column = _position(text, _skip(text, place))
            _report(problems, line, column, "more text after the list")
    except BrokenJson as error:
        _report(problems, error.line, error.column, error.reason)
    return rows


def _read_elements(text: str, place: int, rows: list[Row], problems: Problems) -> int:
    line, counted = 1, 0
    place = _skip(text, place)
    if text[place : place + 1] == "]":
        return place + 1
    while True:
        line, counted = line + text.count("\n", counted, place), place
        value, place = decode_at(text, place)
        _add_row(rows, line, value, problems)
        place = _skip(text, place)
        mark = text[place : place + 1]
        if mark == "]":
            return place + 1
        if mark != ",":
            reason = "the list is cut off" if not mark else "expected ',' or ']'"
            raise BrokenJson(reason, *_position(text, place))
        place = _skip(text, place + 1)


def _add_row(rows: list[Row], line: int, value: object, problems: Problems) -> None:
    if isinstance(value, dict):
        rows.append(Row(line, value))
    else:
        problems.error(line, None, f"must be an object, not {kind_of(value)}")


def sound_rows(rows: Iterable[Row], problems: Problems) -> Iterator[Row]:
    """Give the rows without a value that can't be stored; report the others."""
    return (row for row in rows if _is_sound(row, problems))


def _is_sound(row: Row, problems: Problems) -> bool:
    found = list(flaws(dict(row.values)))
    for field, reason in found:
        problems.error(row.line, field or None, reason)
    return not found


def _report(problems: Problems, line: int, column: int, reason: str) -> None:
    problems.error(line, None, f"broken JSON at column {column}: {reason}")


def _skip(text: str, place: int) -> int:
    while place < len(text) and text[place] in _SPACES:
        place += 1
    return place


def _position(text: str, place: int) -> tuple[int, int]:
    return text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)
