"""Reads a Parquet file from standard input, writes its rows as JSON lines.

Run as a program of its own, not imported: a damaged or hostile file can make the reader
use up memory or abort the process, which then is this one. Lines are ``{"row": ...}``,
``{"bad": [[column, reason], ...]}`` for a row that JSON can't hold, and at the end
``{"end": true}`` or ``{"broken": reason}``.
"""

from __future__ import annotations

import datetime as dt
import decimal
import json
import resource
import sys
from typing import Any

BATCH = 1000
MOST_MEMORY = 4 * 1024**3


def main() -> None:
    """Read, write, and say how it ended."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        _copy()
    except Exception as error:  # noqa: BLE001 - whatever it is, the file is unreadable
        _say({"broken": (str(error).strip().splitlines() or ["unreadable"])[0][:200]})
    else:
        _say({"end": True})


def _copy() -> None:
    from arro3.io import read_parquet  # noqa: PLC0415 - its absence is an answer too

    for batch in read_parquet(sys.stdin.buffer, batch_size=BATCH):
        names = batch.schema.names
        columns = [batch.column(name) for name in names]
        for cells in zip(*columns, strict=True):
            _say(_row(names, [cell.as_py() for cell in cells]))


def _row(names: list[str], values: list[Any]) -> dict[str, object]:
    row: dict[str, object] = {}
    bad: list[tuple[str, str]] = []
    for name, value in zip(names, values, strict=True):
        try:
            row[name] = plain(value)
        except ValueError as error:
            bad.append((name, str(error)))
    return {"bad": bad} if bad else {"row": row}


def _say(value: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(value) + "\n")


def plain(value: Any) -> object:
    """Turn a value of the reader into one that JSON holds; null keys are left out."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items() if v is not None}
    if isinstance(value, list | tuple):
        return _list_or_map(value)
    return _scalar(value)


def _list_or_map(value: list[Any] | tuple[Any, ...]) -> object:
    """A map arrives as a list of pairs, which nothing else does."""
    if value and all(isinstance(item, tuple) and len(item) == 2 for item in value):  # noqa: PLR2004 - key and value
        return {str(k): plain(v) for k, v in value if v is not None}
    return [plain(item) for item in value]


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


if __name__ == "__main__":
    main()
