"""Exports: what is written can be read again, and no spreadsheet runs it."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.exports import BOM, ROWS_A_PIECE, ExportFormat, written
from annotation.domain.files import read_rows
from annotation.domain.spreadsheets import neutralised, restored

STORED = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))
DANGEROUS = [
    '=HYPERLINK("http://x")',
    "+1",
    "-1+cmd",
    "@SUM(A1)",
    "\tx",
    "\rx",
    "  =1",
    "\n=1",
    "\u00a0=1",
    "\uff1d1",
    "'",
    "'=1",
    "''x",
]
HARMLESS = ["", "x", "a=1", "1-2", "mail@example.test", "Grüße", " x"]


@pytest.mark.parametrize("text", DANGEROUS)
def test_a_formula_gets_an_apostrophe(text):
    assert neutralised(text) == f"'{text}"
    assert restored(neutralised(text)) == text


@pytest.mark.parametrize("text", HARMLESS)
def test_other_text_stays_as_it_is(text):
    assert neutralised(text) == text


@given(STORED)
def test_any_text_comes_back(text):
    cell = neutralised(text)
    assert restored(cell) == text
    assert not cell.lstrip(" \t\r\n").startswith(("=", "+", "-", "@"))


def lines(form, columns, *rows, **options):
    return b"".join(written(columns, rows, form, **options))


@given(note=STORED, reviewer=st.sampled_from(["ann", "=ann", "'ann"]))
def test_what_csv_writes_our_reader_reads(note, reviewer):
    columns = ("case_id", "systems", "reviewer", "strength", "note")
    row = ["c-1", ["v12", "v13"], reviewer, 2, note]
    for bom in (False, True):
        data = lines(ExportFormat.CSV, columns, row, bom=bom)
        found = read_rows(data, "labels.csv")
        assert found.errors == ()
        (read,) = found.rows
        expected = dict(zip(columns, row, strict=True))
        if not note:
            del expected["note"]
        assert read.values == expected


@given(note=STORED)
def test_what_jsonl_writes_our_reader_reads(note):
    data = lines(ExportFormat.JSONL, ("a", "b", "c"), [note, None, {"k": [1, True]}])
    (read,) = read_rows(data, "x.jsonl").rows
    assert read.values == {"a": note, "b": None, "c": {"k": [1, True]}}
    assert data.count(b"\n") == 1


def test_csv_has_a_header_and_says_how_it_was_written():
    data = lines(ExportFormat.CSV, ("a", "b"), ["x\r\ny", True], bom=True)
    assert data == BOM + b'a,b,text_escape\r\n"x\r\ny",true,\'\r\n'


def test_nested_values_are_json_and_systems_are_joined():
    row = [["v12", "v13"], ["a|b", "c"], {"k": "ü"}, [], None]
    columns = ("systems", "systems2", "extra", "labels", "none")
    data = lines(ExportFormat.CSV, columns, row)
    (cells,) = list(csv.reader(io.StringIO(data.decode())))[1:]
    assert cells[0] == "v12|v13"
    assert json.loads(cells[1]) == ["a|b", "c"]
    assert json.loads(cells[2]) == {"k": "ü"}
    assert cells[3:5] == ["", ""]


def test_a_system_with_a_bar_in_its_name_is_written_as_json():
    data = lines(ExportFormat.CSV, ("systems",), [["a|b", "c"]])
    (row,) = read_rows(data, "x.csv").rows
    assert row.values["systems"] == ["a|b", "c"]


def test_a_foreign_csv_keeps_its_apostrophes():
    (row,) = read_rows(b"case_id,note\nc,'=1\n", "x.csv").rows
    assert row.values["note"] == "'=1"


def test_rows_are_written_in_pieces_as_they_come():
    taken = 0

    def rows():
        nonlocal taken
        for taken in range(1, 5 * ROWS_A_PIECE + 1):
            yield [taken]

    pieces = written(("n",), rows(), ExportFormat.JSONL)
    next(pieces)
    assert taken <= ROWS_A_PIECE + 1
    assert sum(piece.count(b"\n") for piece in pieces) == 4 * ROWS_A_PIECE


def test_an_export_without_rows_is_a_header_or_nothing():
    assert lines(ExportFormat.CSV, ("a",)) == b"a,text_escape\r\n"
    assert lines(ExportFormat.JSONL, ("a",)) == b""
