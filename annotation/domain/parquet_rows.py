"""Parquet as another way to write the same rows.

Columns are named as in JSONL, or ``responses.<system>``, ``slices.<key>``,
``designed.<a>|<b>`` and ``response_meta.<system>`` as in CSV; lists, structs and maps
become lists and objects. A text cell may hold what a CSV cell may. Null is an absent
value, also inside structs, since a struct column has all keys in every row. The line
of a row is its number, from 1.
"""

from __future__ import annotations

import datetime as dt
import decimal
from typing import TYPE_CHECKING, Any, BinaryIO

from annotation.domain.csv_rows import NESTED, put_cell
from annotation.domain.rows import Row

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from annotation.domain.rows import Problems

MAGIC = b"PAR1"
_FOOTER = 8
_BATCH = 1000


class BrokenParquet(ValueError):
    """A file that starts like Parquet and can't be read."""


def iter_parquet(file: BinaryIO, problems: Problems) -> Iterator[Row]:
    """Read rows one by one; a broken file becomes one error about its first line."""
    number = 0
    try:
        for values in _records(file):
            number += 1
            row = _row(number, values, problems)
            if row is not None:
                yield row
    except BrokenParquet as error:
        problems.error(number + 1, None, f"broken Parquet: {error}")
        return
    if number == 0:
        problems.error(1, None, "the file has no rows")


def _records(file: BinaryIO) -> Iterator[dict[str, Any]]:
    """Give the records as Python values, some batches in memory at a time."""
    _check_ends(file)
    # Rust and its buffers are loaded only by those who bring Parquet.
    from arro3.io import read_parquet  # noqa: PLC0415 - see above

    try:
        reader = read_parquet(file, batch_size=_BATCH)
        for batch in reader:
            names = batch.schema.names
            columns = [batch.column(name) for name in names]
            for cells in zip(*columns, strict=True):
                values = zip(names, cells, strict=True)
                yield {name: cell.as_py() for name, cell in values}
    except BaseException as error:
        # The reader panics on some broken files, with an exception that is no
        # Exception; what else is none must go on its way.
        if isinstance(error, Exception) or type(error).__name__ == "PanicException":
            raise BrokenParquet(_first_line(error)) from error
        raise


def _check_ends(file: BinaryIO) -> None:
    """Tell a file that was cut off before the reader stumbles over it."""
    size = file.seek(0, 2)
    file.seek(max(0, size - _FOOTER))
    footer = file.read(_FOOTER)
    file.seek(0)
    if size < len(MAGIC) + _FOOTER or not footer.endswith(MAGIC):
        raise BrokenParquet("the end of the file is missing")
    if int.from_bytes(footer[:4], "little") + _FOOTER + len(MAGIC) > size:
        raise BrokenParquet("its description is longer than the file")


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or ["unreadable"])[0][:200]


def _row(number: int, values: Mapping[str, Any], problems: Problems) -> Row | None:
    found: dict[str, object] = {}
    sound = True
    for name, value in values.items():
        try:
            _put(found, name, _plain(value))
        except ValueError as error:
            problems.error(number, name, str(error))
            sound = False
    return Row(number, found) if sound else None


def _put(found: dict[str, object], name: str, value: object) -> None:
    if value is None:
        return
    prefix, dot, key = name.partition(".")
    if isinstance(value, str) and value:
        put_cell(found, name, value)
    elif dot and key and prefix in NESTED:
        inner = found.setdefault(prefix, {})
        if not isinstance(inner, dict):
            raise ValueError(f"give {prefix} or {prefix}.* columns, not both")
        inner[key] = value
    elif not (name in NESTED and value == []):  # an empty map comes as a list
        found[name] = value


def _plain(value: Any) -> object:
    """Turn a value of the reader into one that JSON could hold."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items() if v is not None}
    if isinstance(value, list | tuple):
        return _list_or_map(value)
    return _scalar(value)


def _list_or_map(value: list[Any] | tuple[Any, ...]) -> object:
    """A map arrives as a list of pairs, which nothing else does."""
    if value and all(isinstance(item, tuple) and len(item) == 2 for item in value):  # noqa: PLR2004 - key and value
        return {str(k): _plain(v) for k, v in value if v is not None}
    return [_plain(item) for item in value]


def _scalar(value: Any) -> object:
    if isinstance(value, float):
        if value - value != 0:
            raise ValueError(f"is {value}, which JSON does not have")
        return value
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    raise ValueError(f"holds {type(value).__name__}, which can't be taken as text")
