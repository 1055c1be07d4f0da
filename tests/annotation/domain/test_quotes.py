"""Held-out texts inside a judge's own: exact, nearly, and not by chance."""

from __future__ import annotations

import pytest

from annotation.domain.quotes import Body, Quoted

CASE = (
    "My parcel arrived with a broken lid and the courier left before I could look. "
    "May I send it back at your cost, and how long does the refund take?"
)
RUBRIC = "Prefer the answer that solves the customer's problem. Ignore its length."


@pytest.fixture
def body() -> Body:
    return Body([RUBRIC, f"Example.\n{CASE}\nBetter: the first answer."])


def test_word_for_word(body: Body) -> None:
    assert body.holds(CASE) is Quoted.EXACT


def test_case_and_white_space_do_not_count(body: Body) -> None:
    assert body.holds(CASE.upper().replace(" ", "\n  ")) is Quoted.EXACT


def test_a_word_changed_here_and_there(body: Body) -> None:
    changed = CASE.replace("parcel", "package").replace("cost", "expense")
    assert body.holds(changed) is Quoted.NEAR


def test_another_case_is_not_quoted(body: Body) -> None:
    other = (
        "The lamp flickers whenever the heater runs. May I send it back at your cost, "
        "or will a technician look at it at home first?"
    )
    assert body.holds(other) is None


@pytest.mark.parametrize("short", ["", "   ", "Example.", "the first answer"])
def test_what_is_short_occurs_by_chance(body: Body, short: str) -> None:
    assert body.holds(short) is None


def test_a_quotation_does_not_span_two_texts() -> None:
    half = len(CASE) // 2
    assert Body([CASE[:half], CASE[half:]]).holds(CASE) is None


def test_scripts_without_spaces() -> None:
    text = "返品したいのですが、送料はどちらが負担しますか。箱は開けてしまいました。"
    assert Body([f"例 {text}"]).holds(text) is Quoted.EXACT
    assert Body([f"例 {text}"]).holds(text.replace("箱", "袋")) is Quoted.NEAR


def test_long_texts_are_told_by_a_part_of_their_runs() -> None:
    words = [f"word{n}" for n in range(3000)]
    long = " ".join(words)
    assert Body([" ".join(["before", *words[5:], "after"])]).holds(long) is Quoted.NEAR
    assert Body([" ".join(words[:1500])]).holds(long) is None


def test_nothing_to_search() -> None:
    assert Body([]).holds(CASE) is None
