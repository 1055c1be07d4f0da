from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.identity import NameHit, NameScanner


def names_in(text, *names):
    return [hit.name for hit in NameScanner(names).scan(text)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("claude", "I am Claude, made to help."),
        ("claude", "CLAUDE's answer"),
        ("claude", "_claude_"),
        ("claude", "**Claude**"),
        ("claude", "model=claude_2"),
        ("gpt-4", "As GPT-4 I can"),
        ("gpt-4", "gpt4"),
        ("gpt-4", "GPT 4!"),
        ("gpt-4", "gpt_4."),
        ("gpt-4", "GPT\u20114"),
        ("gpt-4", "GPT\u00a04"),
        ("gpt4", "GPT-4"),
        ("acme bot v2", "AcmeBot-v2 here"),
        ("acme/bot", "acme bot"),
        ("v2", "this is v2."),
        ("v2", "(v2)"),
        ("claude", "\u6211\u662fClaude\u52a9\u624b"),
        ("\u6587\u5fc3", "\u6211\u662f\u6587\u5fc3\u4e00\u8a00"),
        (
            "\u044f\u043d\u0434\u0435\u043a\u0441",
            "(\u042f\u043d\u0434\u0435\u043a\u0441)",
        ),
        ("vicuna-13b", "Vicuna 13B"),
    ],
)
def test_found(name, text):
    assert names_in(text, name) == [name]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("claude", "Claudette and declauded"),
        ("v2", "rev2, v20, v2.1, v2b"),
        ("gpt-4", "gpt-40 or xgpt-4"),
        ("bard", "bardic bombard"),
        ("acme bot", "acme makes a bot"),
        (
            "\u044f\u043d\u0434\u0435\u043a\u0441",
            "\u044f\u043d\u0434\u0435\u043a\u0441\u043e\u043c",
        ),
        ("r\u00e9", "caf\u00e9r\u00e9s"),
        ("claude", ""),
    ],
)
def test_not_found(name, text):
    assert names_in(text, name) == []


def test_hits_say_where_with_an_excerpt():
    text = "x" * 60 + " as\nClaude  I " + "y" * 60
    (hit,) = NameScanner(["claude"]).scan(text)
    assert text[hit.start : hit.end] == "Claude"
    assert hit.excerpt == "..." + "x" * 36 + " as Claude I " + "y" * 36 + "..."


def test_a_short_text_is_its_own_excerpt():
    assert NameScanner(["ab"]).scan("AB") == (NameHit("ab", 0, 2, "AB"),)


def test_the_longest_name_wins_and_positions_are_in_order():
    assert names_in("gpt-4 turbo, claude, gpt-4", "gpt-4", "gpt-4-turbo", "claude") == [
        "gpt-4-turbo",
        "claude",
        "gpt-4",
    ]


def test_names_too_short_to_scan_for_are_reported():
    scanner = NameScanner(["a", "--", "", " ", "b2", "a"])
    assert scanner.skipped == ("a", "--")
    assert scanner.scan("a B2 a") == (NameHit("b2", 2, 4, "a B2 a"),)


def test_special_characters_in_names_are_plain():
    assert names_in("model (x+) [1]", "x+", "(y") == []
    assert names_in("aXb", "a.b") == []


words = st.text(st.sampled_from("abAB12"), min_size=2, max_size=6)


@given(words, st.sampled_from(["", " ", "(", "\n", "-", ", "]))
def test_a_name_is_found_in_any_case_between_any_marks(name, mark):
    text = f"{mark}{name.swapcase()}{mark}"
    (hit,) = NameScanner([name]).scan(text)
    assert text[hit.start : hit.end] == name.swapcase()


@given(words, st.text(max_size=60))
def test_hits_lie_in_the_text_and_do_not_overlap(name, text):
    hits = NameScanner([name, "gpt"]).scan(text + " " + name)
    assert hits
    for before, after in pairwise(hits):
        assert before.start < before.end <= after.end


def test_a_long_text_is_scanned_fast():
    scanner = NameScanner(["gpt-4-turbo-preview", "claude 3 opus"])
    start = time.process_time()
    scanner.scan("gpt - " * 400_000)
    assert time.process_time() - start < 2
