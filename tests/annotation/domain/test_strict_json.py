"""What JSON must not hold, tried through the files that hold it."""

from __future__ import annotations

import pytest

from annotation.domain.files import read_rows


def read(content, name="pairs.jsonl"):
    data = content.encode() if isinstance(content, str) else content
    return read_rows(data, name)


def complaints(result):
    return [str(error) for error in result.errors]


@pytest.mark.parametrize(
    ("value", "field", "reason"),
    [
        ('{"b": 1, "b": 2}', "a.b", "occurs twice"),
        ("NaN", "a", "NaN"),
        ("[0, -Infinity]", "a[1]", "-Infinity"),
        ("1e999", "a", "too large"),
        ("9" * 5000, "a", "too large"),
        ('"x\\u0000y"', "a", "NUL character at position 2"),
        ('"x\\ud800"', "a", "surrogate pair at position 2"),
        ('{"\\ud800": 1}', "a", "a key holds half a surrogate"),
        ('[{"b": "\\u0000"}]', "a[0].b", "NUL"),
        ("[" * 60 + "]" * 60, "a" + "[0]" * 39, "nested too deeply"),
    ],
)
def test_flaws_are_named_by_field(value, field, reason):
    result = read('{"a": 1}\n{"a": %s}\n{"a": 3}' % value)  # noqa: UP031 - braces
    (error,) = result.errors
    assert (error.line, error.field) == (2, field)
    assert reason in error.reason
    assert [row.line for row in result.rows] == [1, 3]
    assert complaints(read('[\n{"a": %s}]' % value, "x.json")) == [str(error)]  # noqa: UP031 - braces


def test_a_repeated_top_key_is_named():
    assert complaints(read('{"a": 1, "a": 1}')) == [
        "line 1, a: occurs twice in one object"
    ]


def test_a_raw_nul_is_refused():
    assert read(b'{"a": "x\x00"}').errors
    assert complaints(read(b"a,b\nx,y\x00\n", "x.csv")) == [
        "line 2, b: holds a NUL character at position 2"
    ]


@pytest.mark.parametrize("name", ["x.jsonl", "x.json"])
def test_nesting_without_end_is_refused(name):
    deep = '{"a": ' + "[" * 100_000 + "]" * 100_000 + "}"
    content = deep if name.endswith("l") else f"[{deep}]"
    (error,) = read(content, name).errors
    assert "nested too deeply" in error.reason


def test_surrogate_pairs_written_as_escapes_are_fine():
    (row,) = read('{"a": "\\ud83d\\ude00"}').rows
    assert row.values == {"a": "\U0001f600"}


NUL = "a NUL byte: the file is binary, or its writing was cut off"


@pytest.mark.parametrize(
    ("line", "column", "reason"),
    [
        (b'{"a": "b\x00c"}', 9, NUL),
        (b'{"a": "b"}\x00', 11, NUL),
        (b'{"a": \x00', 7, NUL),
        (b"\x00\x00\x00", 1, NUL),
        (b'{"a": "b\x07c"}', 9, "a control character, U+0007, which has to be escaped"),
        (b'{"a": "b\tc"}', 9, "a control character, U+0009, which has to be escaped"),
    ],
)
def test_a_control_character_is_named_with_its_line(line, column, reason):
    first = b'{"a": "b"}\n'
    found = read_rows(first + line, "cases.jsonl")
    (error,) = found.errors
    assert str(error) == f"line 2: broken JSON at column {column}: {reason}"
    assert [row.line for row in found.rows] == [1]
