from __future__ import annotations

import pytest

from judging.domain.formats.choice_123 import CLOSING_SENTENCE
from tests.judging.domain.formats.helpers import read, span_text, verdict


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("Output (a)", "first"),
        ("Output (b)", "second"),
        ("Tie", "tie"),
        ("Output (tie)", "tie"),
        ("Abstain", "abstain"),
        ("Output (abstain)", "abstain"),
        ("output (B).", "second"),
        ('"Output (b)"', "second"),
        ("**Output (b)**", "second"),
        ("## Output (b)", "second"),
        ("[Output (b)]", "second"),
        ("Output b", "second"),
        ("Output\uff08b\uff09", "second"),
        ("**Verdict:** Output (b)", "second"),
        ("My answer is Output (b).", "second"),
        ("Final verdict: tie", "tie"),
        ("The better output is Output (a).", "first"),
        ("Therefore, Output (a) is better.", "first"),
        ("I believe that **Output (a)** is the better response", "first"),
        ("Both work. Therefore, Output (b) is better.", "second"),
        ("Output (a) is better. Therefore, Output (b) is better.", "conflicting"),
        ("Output (a) is better in tone. So, Output (b) is better.", "conflicting"),
        ("Output (a) is short. So, Output (b) is better.", "second"),
        ("Output (c)", "off_menu"),
        ("Output (both)", "off_menu"),
        ("Neither", "off_menu"),
        ("VERDICT: BOTH", "off_menu"),
        ("Output (a) or Output (b)", "unparsed"),
        ("Output (a) is worse.", "unparsed"),
        ("Output (a) is not better.", "unparsed"),
        ("Output (a):", "unparsed"),
        ("I would not choose Output (a)", "unparsed"),
        ("It is better than Output (a).", "unparsed"),
        ("(a)", "unparsed"),
        ("a", "unparsed"),
        ("Tie  They are equally good", "unparsed"),
        ("I cannot decide.", "unparsed"),
        ("I'm sorry, but I can't assist with that.", "refused"),
    ],
)
def test_what_the_last_line_states(line, wanted):
    assert read("output_ab", f"Output (a) names the date.\n\n{line}\n") == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Output (a)\n\nBecause it is better.", "unparsed"),
        ("Output (a)\nOutput (b)", "second"),
        ("Output (a)\n> Output (b)", "unparsed"),
        ("ok\n```\nOutput (b)\n```", "second"),
        ("<think>Output (a)</think>\nOutput (b)", "second"),
        ("<think>so\nOutput (a)", "unparsed"),
        ("Example:\nOutput (a)", "unparsed"),
        ("I can't assist with that.\nOutput (c", "refused"),
        ("Output (b)\r\n\r\n", "second"),
        ("", "empty"),
    ],
)
def test_only_the_last_line_of_what_was_said_counts(text, wanted):
    assert read("output_ab", text) == wanted


def test_abstain_counts_only_where_it_is_offered():
    assert read("output_ab", "Abstain", offers_abstain=False) == "off_menu"


def test_a_choice_inside_a_longer_line_is_flagged_and_located():
    raw = "ok\r\nIt is shorter. Therefore, Output (b) is better."
    reading = verdict("output_ab", raw)
    assert reading.flags == (CLOSING_SENTENCE,)
    assert span_text(reading, raw) == "b"
