"""Reading a list of pairs that a person wrote."""

from __future__ import annotations

import pytest

from annotation.domain.pair_lines import NamedPair, pair_lines


def test_blank_lines_and_spaces_around_are_left_out():
    found = pair_lines("\n case-1 \r\n\n\tcase-2\n")
    assert [line for line, _ in found] == ["case-1", "case-2"]
    assert found[0][1] == (NamedPair("case-1", None),)


def test_systems_follow_the_id_which_may_hold_spaces():
    ((_, readings),) = pair_lines("case of ann v12|v13")
    assert readings == (
        NamedPair("case of ann v12|v13", None),
        NamedPair("case of ann", ("v12", "v13")),
        NamedPair("case of", ("ann v12", "v13")),
        NamedPair("case", ("of ann v12", "v13")),
    )
    assert str(readings[1]) == "case of ann v12|v13"
    assert str(readings[0]) == "case of ann v12|v13"


@pytest.mark.parametrize("line", ["a|b", "case a|b|c", "case ab", "two words"])
def test_other_lines_have_one_reading(line: str):
    ((_, readings),) = pair_lines(line)
    assert readings == (NamedPair(line, None),)


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_nothing(text: str):
    assert pair_lines(text) == ()


def test_what_is_too_long_for_a_pair_has_one_reading():
    line = " a|b" * 100_000
    ((_, readings),) = pair_lines(line)
    assert readings == (NamedPair(line.strip(), None),)
