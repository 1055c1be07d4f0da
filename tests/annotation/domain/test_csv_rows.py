from __future__ import annotations

import csv

import pytest

from annotation.domain.csv_rows import read_csv
from annotation.domain.rows import Problems


def read(text):
    problems = Problems()
    rows = read_csv(text, problems)
    return rows, [str(error) for error in problems.errors]


def only(text):
    rows, errors = read(text)
    assert errors == []
    (row,) = rows
    return row.values


def test_dotted_columns_nest():
    assert only(
        "case_id,responses.v1.2,responses.b,slices.lang,designed.a|b\nx,one,two,en,tie\n"
    ) == {
        "case_id": "x",
        "responses": {"v1.2": "one", "b": "two"},
        "slices": {"lang": "en"},
        "designed": {"a|b": "tie"},
    }


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_delimiters_are_recognised(delimiter):
    lines = ["case_id,prompt", 'x,"a,b;c\td"']
    text = "\n".join([lines[0].replace(",", delimiter), f'x{delimiter}"a,b;c\td"'])
    assert only(text) == {"case_id": "x", "prompt": "a,b;c\td"}


def test_json_columns():
    text = (
        "responses;slices;systems;response_meta;designed\n"
        '"{""a"": ""x""}";"{""k"": 1}";"[""a"", ""b""]";'
        '"{""a"": {}}";"{""a|b"": ""tie""}"\n'
    )
    assert only(text) == {
        "responses": {"a": "x"},
        "slices": {"k": 1},
        "systems": ["a", "b"],
        "response_meta": {"a": {}},
        "designed": {"a|b": "tie"},
    }


def test_plain_forms_of_systems_and_designed():
    assert only("systems,designed\na | b,tie\n") == {
        "systems": ["a", "b"],
        "designed": "tie",
    }


def test_chat_messages_in_a_cell():
    chat = '"[{""role"": ""user"", ""content"": ""hi""}]"'
    message = {"role": "user", "content": "hi"}
    assert only(f"prompt,responses.a\n{chat},{chat}\n") == {
        "prompt": [message],
        "responses": {"a": [message]},
    }


@pytest.mark.parametrize("cell", ["[1, 2]", "[not json", "[]", "{}", "[link](x)"])
def test_text_that_only_looks_like_json_stays_text(cell):
    assert only(f'prompt\n"{cell}"\n') == {"prompt": cell}


@pytest.mark.parametrize(
    ("cell", "value"),
    [("true", True), ("FALSE", False), ("1", True), ("0", False), ("yes", "yes")],
)
def test_booleans(cell, value):
    assert only(f"case_id,critical\nx,{cell}\n")["critical"] is value or value == "yes"
    assert only(f"case_id,critical\nx,{cell}\n")["critical"] == value


def test_numbers_only_where_numbers_belong():
    assert only("case_id,repeat,strength,prompt\n007,2,1,42\n") == {
        "case_id": "007",
        "repeat": 2,
        "strength": 1,
        "prompt": "42",
    }
    assert only("repeat,x\n1.5,y\n")["repeat"] == "1.5"


def test_empty_cells_are_absent_except_an_empty_reply():
    assert only("case_id,raw,choice,note\nx,,tie,\n") == {
        "case_id": "x",
        "raw": "",
        "choice": "tie",
    }


def test_rows_are_named_by_their_first_line():
    rows, _ = read('a,b\n"x\ny\nz",1\n\n,\nlast,2\n')
    assert [row.line for row in rows] == [2, 7]


def test_a_formula_is_only_text():
    assert only('note\n"=HYPERLINK(""http://x"")"\n') == {
        "note": '=HYPERLINK("http://x")'
    }


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("a,a\n1,2\n", "line 1, a: the column occurs twice"),
        (
            "responses,responses.a\n{},x\n",
            "line 1, responses: give this column or responses.* columns, not both",
        ),
        ("a,b\n1,2,3\n", "line 2: has 3 cells, but the header names 2"),
        ("a,\n1,2\n", "line 2: a cell stands in a column without a name"),
        ("slices\n{\n", "line 2, slices: broken JSON at column 2: "),
        ('a,b\n1,"x\n', "line 2: broken CSV: unexpected end of data"),
    ],
)
def test_faults_are_named(text, complaint):
    rows, errors = read(text)
    assert len(errors) == 1
    assert errors[0].startswith(complaint)
    assert rows == []


def test_the_good_rows_around_a_bad_one_are_read():
    rows, errors = read("a,b\n1,2\n1,2,3\n4,5\n6\n7,8,,\n")
    assert [row.values for row in rows] == [
        {"a": "1", "b": "2"},
        {"a": "4", "b": "5"},
        {"a": "6"},
        {"a": "7", "b": "8"},
    ]
    assert len(errors) == 1


def test_the_cell_limit_is_put_back_after_an_error():
    before = csv.field_size_limit()
    read('a\n"x\n')
    assert csv.field_size_limit() == before
