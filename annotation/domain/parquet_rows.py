"""Parquet as another way to write the same rows.

Columns are named as in JSONL, or ``responses.<system>``, ``slices.<key>``,
``designed.<a>|<b>`` and ``response_meta.<system>`` as in CSV; lists, structs and maps
become lists and objects. A text cell may hold what a CSV cell may. Null is an absent
value, also inside structs, since a struct column has all keys in every row. The line
of a row is its number, from 1.

The file is read by a process of its own (:mod:`annotation.domain.parquet_child`), so
that a damaged one ends that process and not this.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from annotation.domain.csv_rows import NESTED, put_cell
from annotation.domain.rows import Row

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from annotation.domain.rows import Problems

MAGIC = b"PAR1"
_CHILD = Path(__file__).with_name("parquet_child.py")
_FOOTER = 8


class BrokenParquet(ValueError):
    """A file that starts like Parquet and can't be read."""


def iter_parquet(file: BinaryIO, problems: Problems) -> Iterator[Row]:
    """Read rows one by one; a broken file becomes an error about where it breaks."""
    number = 0
    try:
        for said in _said(file):
            number += 1
            for column, reason in said.get("bad", ()):
                problems.error(number, column, reason)
            row = _row(number, said["row"], problems) if "row" in said else None
            if row is not None:
                yield row
    except BrokenParquet as error:
        problems.error(number + 1, None, f"broken Parquet: {error}")
        return
    if number == 0:
        problems.error(1, None, "the file has no rows")


def _said(file: BinaryIO) -> Iterator[dict[str, Any]]:
    """What the reading process says of each row."""
    _check_ends(file)
    with _real_file(file) as real, _reader(real) as lines:
        for line in lines:
            said: dict[str, Any] = json.loads(line)
            if "broken" in said:
                raise BrokenParquet(said["broken"])
            if "end" in said:
                return
            yield said
    raise BrokenParquet("the file can't be read")


@contextmanager
def _reader(file: BinaryIO) -> Iterator[Iterator[bytes]]:
    """Start the process; whatever happens, it is gone afterwards."""
    process = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-I", str(_CHILD)],
        stdin=file,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert process.stdout is not None  # noqa: S101 - asked for above
        yield process.stdout
    finally:
        process.kill()
        process.communicate()


@contextmanager
def _real_file(file: BinaryIO) -> Iterator[BinaryIO]:
    """A file that another process can read: itself, or a copy of what is in memory."""
    try:
        file.fileno()
    except OSError:
        with tempfile.TemporaryFile() as copy:
            copy.write(file.read())
            copy.seek(0)
            yield copy
    else:
        yield file


def _check_ends(file: BinaryIO) -> None:
    """Tell a file that was cut off in words of our own."""
    size = file.seek(0, 2)
    file.seek(max(0, size - _FOOTER))
    footer = file.read(_FOOTER)
    file.seek(0)
    if size < len(MAGIC) + _FOOTER or not footer.endswith(MAGIC):
        raise BrokenParquet("the end of the file is missing")
    if int.from_bytes(footer[:4], "little") + _FOOTER + len(MAGIC) > size:
        raise BrokenParquet("its description is longer than the file")


def _row(number: int, values: Mapping[str, Any], problems: Problems) -> Row | None:
    found: dict[str, object] = {}
    sound = True
    for name, value in values.items():
        try:
            _put(found, name, value)
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
