"""Lists that a set declares, and how people write them."""

from __future__ import annotations

import pytest

from annotation.domain.answers import (
    MOST_OPTIONS,
    AbstainReason,
    Option,
    lines_of,
    list_problem,
    options_from,
    options_from_lines,
)


def test_a_stored_list_is_read_in_order_without_what_is_no_code() -> None:
    stored = [
        {"code": "leak", "label": "Shows data"}, "invented_action", {"code": "A B"},
        7, {"label": "x"}, "leak",
    ]  # fmt: skip
    assert options_from(stored) == (
        Option("leak", "Shows data"),
        Option("invented_action", "Invented action"),
    )
    assert options_from(None) == options_from("leak") == ()


def test_lines_are_read_and_written_back() -> None:
    found = options_from_lines("Invented action!\n\n  leak : Shows: data \n")
    assert found == (
        Option("invented_action", "Invented action!"),
        Option("leak", "Shows: data"),
    )
    assert options_from_lines(lines_of(found)) == found


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a: x\na: y", "line 2: a occurs twice"),
        ("ok\n!!!", "line 2: write"),
        ("退款", "line 1: write"),
        ("a: " + "x" * 121, "line 1: at most 120"),
        ("\n".join(f"a{n}" for n in range(MOST_OPTIONS + 1)), "at most 20 lines"),
    ],
)
def test_lines_that_make_no_list_are_refused_by_number(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        options_from_lines(text)


@pytest.mark.parametrize(
    "options",
    [
        [Option("a", "x")] * 2, [Option("A", "x")], [Option("a", " ")],
        [Option("a", "x" * 121)], [Option("a", "\x00")],
        [Option(f"a{n}", "x") for n in range(MOST_OPTIONS + 1)],
    ],
)  # fmt: skip
def test_a_list_that_cannot_be_declared_has_a_problem(options: list[Option]) -> None:
    assert list_problem(options) is not None


def test_a_good_list_has_none() -> None:
    assert list_problem([Option("a", "x"), Option("b", "x")]) is None


def test_each_reason_has_its_own_words() -> None:
    assert len({reason.label for reason in AbstainReason}) == len(AbstainReason)
