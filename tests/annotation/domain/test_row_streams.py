"""Streaming a file gives what reading it whole gives."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.files import read_rows
from annotation.domain.row_streams import iter_rows
from annotation.domain.rows import Line, Problems
from tests.annotation.domain.parquet_files import parquet, texts


def streamed(data, name):
    problems = Problems()
    rows = tuple(iter_rows(io.BytesIO(data), name, problems))
    return rows, problems.errors


def whole(data, name):
    found = read_rows(data, name)
    return found.rows, found.errors


FILES = {
    "jsonl": (b'{"a": 1}\r\n\n{"a": "\xe2\x80\xa8"}\n{"a": 2}', "x.jsonl"),
    "a mark first": (b'\xef\xbb\xbf{"a": 1}\n', "x.jsonl"),
    "no name": (b'{"a": 1}\n{"a": 2}\n', "stdin"),
    "a broken line": (b'{"a": 1}\n{"a": }\n{"a": 3}\n', "x.jsonl"),
    "a list line": (b'{"a": 1}\n[1]\n', "x.jsonl"),
    "bytes of another encoding": (b'{"a": 1}\n{"a": "\xfc"}\n', "x.jsonl"),
    "a NUL": (b'{"a": "\\u0000"}\n{"b": 1}\n', "x.jsonl"),
    "an array": (b'[{"a": 1}, {"a": 2}]', "x.json"),
    "one object": (b'{"a":\n 1}', "x.json"),
    "csv": (b'a,b\r\n1,"x\r\ny"\r\n\r\n2,z\r\n', "x.csv"),
    "semicolons": (b"\xef\xbb\xbfa;b\n1;2\n", "x.csv"),
    "tabs": (b"a\tb\n1\t2\n", "x.tsv"),
    "csv in another encoding": (b"a,b\n1,\xfc\n", "x.csv"),
    "csv with a header only": (b"a,b\n", "x.csv"),
    "csv that breaks off": (b'a,b\n1,"x\n', "x.csv"),
    "csv without a name": (b"a,b\n1,2\n", "stdin"),
    "empty": (b"", "x.jsonl"),
    "blank": (b"\n \n", "x.csv"),
    "zip": (b"PK\x03\x04rest", "x.csv"),
    "parquet": (parquet({"case_id": texts(["a", "b"])}), "x.parquet"),
    "long blank start": (b"\n" * 70_000 + b'{"a": 1}', "x.jsonl"),
}


@pytest.mark.parametrize("name", FILES)
def test_streamed_is_the_same_as_whole(name):
    data, filename = FILES[name]
    assert streamed(data, filename) == whole(data, filename)


LINES = st.lists(
    st.dictionaries(st.text(max_size=3), st.text(max_size=5), max_size=2)
    | st.integers()
    | st.text(max_size=5),
    max_size=5,
).map(lambda values: "\n".join(map(json.dumps, values)).encode())


@given(
    data=LINES | st.binary(max_size=80),
    name=st.sampled_from(["x.jsonl", "x.csv", "x.json", "x"]),
)
def test_streamed_is_the_same_as_whole_for_any_bytes(data, name):
    assert streamed(data, name) == whole(data, name)


def test_many_rows_are_not_all_read_at_once():
    class Counting(io.BytesIO):
        lines = 0

        def __next__(self):
            self.lines += 1
            return super().__next__()

    file = Counting(b'{"a": 1}\n' * 10_000)
    rows = iter_rows(file, "x.jsonl", Problems())
    assert next(rows).line == 1
    assert file.lines == 1


def test_a_line_of_several_files_sorts_by_file_and_names_it():
    first, second = (
        Line(n, place, name, named=True)
        for n, place, name in ((900, 0, "a.jsonl"), (3, 1, "b.jsonl"))
    )
    assert first < second
    assert f"line {second}" == "line 3 of b.jsonl"
    assert str(Line(3, 1, "b.jsonl", named=False)) == "3"
