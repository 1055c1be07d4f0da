"""Parquet files for the tests, written with the package that reads them."""

from __future__ import annotations

import io
from typing import Any

from arro3.core import Array, DataType, Field, Schema, Table
from arro3.io import write_parquet


def parquet(columns: dict[str, tuple[Any, list[Any]]], **options: Any) -> bytes:
    """A file of named columns, each with its type and values."""
    fields = [Field(name, kind) for name, (kind, _) in columns.items()]
    arrays = [Array(values, kind) for kind, values in columns.values()]
    table = Table.from_arrays(arrays, schema=Schema(fields))
    file = io.BytesIO()
    write_parquet(table, file, **options)
    return file.getvalue()


def texts(values: list[Any]) -> tuple[Any, list[Any]]:
    """A column of text."""
    return DataType.utf8(), values
