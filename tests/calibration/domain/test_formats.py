from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.domain.formats import ResponseFormat, format_of, format_of_pair

CODE, LIST, MARKDOWN, PLAIN = ResponseFormat


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("", PLAIN),
        ("It costs 3 * 4 - 5, see #1.", PLAIN),
        ("- only one item", PLAIN),
        ("well-known - and\nso - on", PLAIN),
        ("1990. A year.\nThen 2000.", PLAIN),
        ("- one\n- two", LIST),
        ("Do this:\n1. open\n2) close", LIST),
        ("• eins\n  • zwei", LIST),
        ("# Title\ntext", MARKDOWN),
        ("This is **bold**.", MARKDOWN),
        ("Call `run()` first.", MARKDOWN),
        ("| a | b |\n|---|---|", MARKDOWN),
        ("See:\n```python\nx = 1\n```\n- a\n- b", CODE),
        ("~~~\nx\n~~~", CODE),
    ],
)
def test_forms(text, form):
    assert format_of(text) is form


def test_a_pair_has_a_form_if_both_do():
    assert format_of_pair(LIST, LIST) == "list"
    assert format_of_pair(LIST, PLAIN) == "different"


@given(st.text())
def test_letters_alone_are_plain_and_any_text_has_a_form(text):
    assert format_of(text) in ResponseFormat
    assert format_of("".join(filter(str.isalpha, text))) is PLAIN
