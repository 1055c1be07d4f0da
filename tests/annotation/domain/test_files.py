from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.files import read_rows
from annotation.domain.rows import (
    MOST_ERRORS,
    FileFormat,
    Problems,
    RowError,
    error_lines,
)

BOM = b"\xef\xbb\xbf"


def read(content, name="pairs.jsonl"):
    data = content.encode() if isinstance(content, str) else content
    return read_rows(data, name)


def values(result):
    assert result.errors == ()
    return [dict(row.values) for row in result.rows]


def complaints(result):
    return [str(error) for error in result.errors]


@pytest.mark.parametrize(
    ("content", "name", "kind"),
    [
        ('{"a": 1}\n{"a": 2}', "x.jsonl", FileFormat.JSONL),
        ('{"a": 1}\n{"a": 2}', "x.NDJSON", FileFormat.JSONL),
        ('{"a": 1}\n{"a": 2}', "x.json", FileFormat.JSONL),
        ('{"a": 1}\n{"a": 2}', "x", FileFormat.JSONL),
        ('[{"a": 1}, {"a": 2}]', "x.json", FileFormat.JSON),
        ('\n [\n{"a": 1},\n{"a": 2}\n]\n', "x.jsonl", FileFormat.JSON),
        ('[{"a": 1}, {"a": 2}]', "upload", FileFormat.JSON),
    ],
)
def test_the_same_rows_in_each_json_shape(content, name, kind):
    result = read(content, name)
    assert result.format is kind
    assert values(result) == [{"a": 1}, {"a": 2}]


@pytest.mark.parametrize("name", ["x.csv", "x.txt", "x"])
def test_csv_by_extension_or_content(name):
    result = read("a,b\n1,2\n", name)
    assert result.format is FileFormat.CSV
    assert values(result) == [{"a": "1", "b": "2"}]


def test_bom_blank_lines_and_crlf_are_accepted():
    jsonl = BOM + b'\r\n{"a": "1"}\r\n\r\n   \r\n{"a": "2"}\r\n\r\n'
    result = read(jsonl)
    assert values(result) == [{"a": "1"}, {"a": "2"}]
    assert [row.line for row in result.rows] == [2, 5]
    table = BOM + b"a\r\n1\r\n\r\n2\r\n"
    result = read(table, "x.csv")
    assert values(result) == [{"a": "1"}, {"a": "2"}]
    assert [row.line for row in result.rows] == [2, 4]


def test_files_put_together_with_their_boms_are_accepted():
    assert len(read(BOM + b'{"a": 1}\n' + BOM + b'{"a": 2}').rows) == 2


def test_unicode_line_separators_inside_text_are_no_line_ends():
    text = "a\u2028b\u2029c\x85d\x0ce"
    assert values(read(json.dumps({"a": text}, ensure_ascii=False))) == [{"a": text}]
    assert values(read(f'a\n"{text}"', "x.csv")) == [{"a": text}]


@pytest.mark.parametrize("name", ["x.jsonl", "x.json", "x.csv"])
def test_two_megabytes_in_one_text_are_accepted(name):
    before = csv.field_size_limit()
    text = 'long "quoted"\n text ' * 110_000
    if name.endswith("csv"):
        content = "a\n" + '"' + text.replace('"', '""') + '"'
    else:
        content = json.dumps([{"a": text}] if name.endswith("json") else {"a": text})
    assert values(read(content, name)) == [{"a": text}]
    assert csv.field_size_limit() == before


@pytest.mark.parametrize("data", [b"", b" \r\n\n", BOM, BOM + b"\n"])
@pytest.mark.parametrize("name", ["x.jsonl", "x.json", "x.csv", "x"])
def test_an_empty_file(data, name):
    assert complaints(read(data, name)) == ["line 1: the file is empty"]


@pytest.mark.parametrize(("content", "name"), [("[]", "x.json"), ("a,b\n", "x.csv")])
def test_a_file_without_rows(content, name):
    assert complaints(read(content, name)) == ["line 1: the file has no rows"]


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"PK\x03\x04rest", "Excel"),
        (b"\x1f\x8brest", "compressed"),
        (b"PAR1rest", "Parquet"),
        ("{}".encode("utf-16"), "UTF-16"),
        ("{}".encode("utf-16-le"), "UTF-16"),
    ],
)
def test_other_kinds_of_file_are_named(data, word):
    (error,) = read(data).errors
    assert word in error.reason


def test_broken_utf8_is_named_by_line_and_byte_and_the_rest_still_read():
    data = b'{"a": 1}\n{"a": "\xef\xf0"}\n{"a": 3\n{"a": 4}'
    result = read(data)
    assert complaints(result) == [
        "line 2: is not UTF-8: byte 0xEF at position 8 of the line",
        "line 3: broken JSON at column 8: Expecting ',' delimiter",
    ]
    assert [row.values["a"] for row in result.rows] == [1, 4]


@pytest.mark.parametrize("name", ["x.csv", "x.json"])
def test_another_encoding_names_every_line(name):
    content = "[\n" if name == "x.json" else "text\n"
    data = (content + "\u043f\u0440\u0438\n\u0432\u0435\u0442\n").encode("cp1251")
    assert [error.line for error in read(data, name).errors] == [2, 3]
    assert read(data, name).rows == ()


def test_every_broken_line_is_named_with_its_column():
    result = read('{"a": 1}\n{"a": }\n  {"a" 1}\n{"a": 1} x\n{"a": 2}')
    assert complaints(result) == [
        "line 2: broken JSON at column 7: Expecting value",
        "line 3: broken JSON at column 8: Expecting ':' delimiter",
        "line 4: broken JSON at column 9: more text after the value",
    ]
    assert len(result.rows) == 2


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (
            '[\n{"a": 1},\n{"a": }\n]',
            "line 3: broken JSON at column 7: Expecting value",
        ),
        (
            '[\n{"a": 1}\n{"a": 2}]',
            "line 3: broken JSON at column 1: expected ',' or ']'",
        ),
        ('[{"a": 1}', "line 1: broken JSON at column 10: the list is cut off"),
        ('[{"a": 1},', "line 1: broken JSON at column 11: Expecting value"),
        (
            '[{"a": 1}]\n x',
            "line 2: broken JSON at column 2: more text after the list",
        ),
    ],
)
def test_a_broken_list_is_named_where_it_breaks(content, complaint):
    assert complaints(read(content, "x.json")) == [complaint]


def test_one_object_over_several_lines_is_no_list_of_rows():
    (error,) = read('{\n"a": 1,\n"b": 2\n}', "x.json").errors
    assert "one JSON object" in error.reason


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("[1]", "a list"),
        ('"x"', "text"),
        ("1", "a number"),
        ("null", "null"),
        ("true", "true or false"),
    ],
)
def test_rows_that_are_no_objects_are_named(value, kind):
    expected = [f"line 2: must be an object, not {kind}"]
    assert complaints(read('{"a": 1}\n' + value)) == expected
    assert complaints(read('[{"a": 1},\n' + value + "]", "x.json")) == expected


def test_lines_that_are_lists_are_each_named():
    assert complaints(read("[1]\n[2]")) == [
        "line 1: must be an object, not a list",
        "line 2: must be an object, not a list",
    ]


def test_errors_past_the_cap_are_counted():
    result = read("x\n" * (MOST_ERRORS + 7) + '{"a": 1}', "x.jsonl")
    assert len(result.errors) == MOST_ERRORS
    assert result.omitted == 7
    assert error_lines(result.errors, result.omitted)[-1] == "and 7 more"


def test_many_that_say_the_same_are_counted_in_one_line():
    """And others stay as they are, in their order."""
    many = [RowError(line, "raw", "missing") for line in range(1, 201)]
    other = RowError(50, "order", "must be 1 or 2")
    assert error_lines(sorted([*many, other], key=lambda e: e.line), 9) == (
        "line 1, raw: missing",
        "line 2, raw: missing",
        "line 3, raw: missing",
        "line 4 to line 200, raw: the same, 197 times",
        "line 50, order: must be 1 or 2",
        "and 9 more",
    )


@pytest.mark.parametrize("times", [0, 1, 3, 6])
def test_few_that_say_the_same_are_all_written_out(times):
    few = [RowError(line, None, "bad") for line in range(times)]
    assert error_lines(few, 0) == tuple(map(str, few))


def test_what_one_line_says_often_is_said_once():
    assert error_lines([RowError(1, "a", "bad")] * 9, 0) == ("line 1, a: bad",)


def test_problems_come_by_line():
    problems = Problems(most=2)
    problems.error(3, "a", "bad")
    problems.error(1, None, "bad")
    problems.error(2, None, "bad")
    parsed = problems.parsed(["record"])
    assert not parsed.ok
    assert parsed.messages() == ("line 1: bad", "line 3, a: bad", "and 1 more")
    assert RowError(3, "a", "bad") in parsed.errors


plain = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))
scalars = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | plain
trees = st.recursive(
    scalars, lambda t: st.lists(t, max_size=3) | st.dictionaries(plain, t, max_size=3)
)


@given(st.lists(st.dictionaries(plain, trees, max_size=4), min_size=1, max_size=5))
def test_what_json_writes_is_read_back(rows):
    lines = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    assert values(read(lines)) == rows
    assert values(read(json.dumps(rows, indent=1), "x.json")) == rows


@given(
    st.lists(st.tuples(plain, plain).filter(any), min_size=1, max_size=5),
    st.sampled_from(["\n", "\r\n"]),
)
def test_what_csv_writes_is_read_back(cells, end):
    target = io.StringIO()
    writer = csv.writer(target, lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writerows([("note", "other"), *cells])
    expected = [
        {n: c for n, c in zip(("note", "other"), row, strict=True) if c}
        for row in cells
    ]
    assert values(read(target.getvalue(), "x.csv")) == expected


@given(st.binary(max_size=200), st.sampled_from(["x.jsonl", "x.json", "x.csv", "x"]))
def test_any_bytes_give_rows_or_errors_never_an_exception(data, name):
    result = read_rows(data, name)
    assert result.rows or result.errors


@given(
    st.text(st.sampled_from('{}[]",:\\ \n1aNu0"'), max_size=60),
    st.sampled_from(["x.jsonl", "x.json", "x.csv"]),
)
def test_any_near_json_gives_rows_or_errors_never_an_exception(text, name):
    result = read(text, name)
    assert result.rows or result.errors
    assert all(error.line >= 1 for error in result.errors)
