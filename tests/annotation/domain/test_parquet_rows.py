"""Parquet files give the same rows as JSONL and CSV, and broken ones an error."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path

import pytest
from arro3.core import DataType
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.domain import parquet_rows
from annotation.domain.files import read_rows
from annotation.domain.parquet_rows import iter_parquet
from annotation.domain.rows import FileFormat, Problems
from tests.annotation.domain.parquet_files import parquet, texts

TYPES = (Path(__file__).parent / "types.parquet").read_bytes()


def read(data):
    return read_rows(data, "x.parquet")


def test_every_type_becomes_what_json_would_hold():
    found = read(TYPES)
    assert (found.format, found.errors) == (FileFormat.PARQUET, ())
    one, two = (dict(row.values) for row in found.rows)
    assert [row.line for row in found.rows] == [1, 2]
    assert one == {
        "text": "a",
        "whole": 1,
        "part": 1.5,
        "yes": True,
        "day": "2030-05-06",
        "at": "2030-05-06T09:00:00",
        "price": 2.5,
        "list": ["x", "y"],
        "object": {"a": "1"},
        "slices": {"k": "v"},
        "kind": "p",
        "prompt": [{"role": "user", "content": "Hi"}],
        "responses": {"v12": "one"},
        "systems": ["v12", "v13"],
    }
    assert two["price"] == 3
    assert two["object"] == {"b": "2"}
    assert two["prompt"] == "plain"
    assert {"whole", "day", "at", "slices", "systems"}.isdisjoint(two)


def test_what_json_can_not_hold_is_named_by_row_and_column():
    binary = (DataType.binary(), [b"\xff", None])
    broken = (DataType.float64(), [1.0, float("nan")])
    found = read(parquet({"case_id": texts(["a", "b"]), "x": binary, "y": broken}))
    assert found.rows == ()
    assert list(map(str, found.errors)) == [
        "line 1, x: holds bytes, which can't be taken as text",
        "line 2, y: is nan, which JSON does not have",
    ]


def test_a_column_and_its_parts_can_not_both_be():
    columns = {"slices": texts(["{}"]), "slices.a": texts(["b"])}
    assert read(parquet(columns)).errors == ()
    columns = {"slices": texts(["text"]), "slices.a": texts(["b"])}
    (error,) = read(parquet(columns)).errors
    assert error.reason.startswith("broken JSON")


@pytest.mark.parametrize("compression", ["uncompressed", "snappy", "gzip(6)"])
def test_compressed_files(compression):
    data = parquet({"case_id": texts(["a"] * 3000)}, compression=compression)
    assert len(read(data).rows) == 3000


def test_an_empty_table_has_no_rows():
    (error,) = read(parquet({"case_id": texts([])})).errors
    assert str(error) == "line 1: the file has no rows"


@pytest.mark.parametrize(
    "data",
    [b"PAR1", b"PAR1PAR1", TYPES[:-1], TYPES[:-8] + b"\xff\xff\xff\x7fPAR1"],
)
def test_a_file_that_was_cut_off(data):
    (error,) = read(data).errors
    assert error.line == 1
    assert error.reason.startswith("broken Parquet: ")


@settings(max_examples=25, deadline=None)
@given(place=st.integers(4, len(TYPES) - 9), value=st.integers(0, 255))
def test_a_damaged_file_gives_rows_or_errors_never_an_exception(place, value):
    data = TYPES[:place] + bytes([value]) + TYPES[place + 1 :]
    problems = Problems()
    rows = list(iter_parquet(io.BytesIO(data), problems))
    assert rows or problems.errors


def test_a_file_that_kills_its_reader_is_an_error():
    # The length of a text page, damaged: the reader gives up in its own way.
    for place in range(4, 60):
        data = TYPES[:place] + b"\xff" + TYPES[place + 1 :]
        problems = Problems()
        rows = list(iter_parquet(io.BytesIO(data), problems))
        assert rows or problems.errors


def test_who_stops_reading_leaves_no_process_behind(monkeypatch):
    started = []
    popen = subprocess.Popen

    def remember(*args, **options):
        started.append(popen(*args, **options))
        return started[-1]

    monkeypatch.setattr(parquet_rows.subprocess, "Popen", remember)
    data = parquet({"case_id": texts(["a"] * 50_000)})
    rows = iter_parquet(io.BytesIO(data), Problems())
    assert next(rows).line == 1
    rows.close()
    assert started[0].returncode is not None
