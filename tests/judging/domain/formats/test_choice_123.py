from __future__ import annotations

import pytest

from tests.judging.domain.formats.helpers import read, span_text, verdict


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("1", "first"),
        ("2", "second"),
        ("3", "tie"),
        ("0", "abstain"),
        ("**2**", "second"),
        ("2.", "second"),
        ("[2]", "second"),
        ("(2)", "second"),
        ("`2`", "second"),
        ("## 2", "second"),
        ("- 2", "second"),
        ("\uff12", "second"),
        ("2\ufe0f\u20e3", "second"),
        ("<|2|>", "second"),
        ("Choice: 2", "second"),
        ("**Final verdict:** 2", "second"),
        ("Output: 3", "tie"),
        ("My choice is **1**.", "first"),
        ("I choose 1.", "first"),
        ("Therefore, I choose 2 as the better answer.", "second"),
        ("I would choose Assistant 1 as the better answer.", "first"),
        ("I'd pick option 2", "second"),
        ("Therefore, the output is: 1", "first"),
        ("Therefore, I choose 3 as both assistants are equivalent.", "tie"),
        ("It repeats itself. Therefore, my answer is 2.", "second"),
        ("8/10", "unparsed"),
        ("1/2", "unparsed"),
        ("10", "off_menu"),
        ("4", "off_menu"),
        ("Choice: 7", "off_menu"),
        ("-1", "unparsed"),
        ("1.5", "unparsed"),
        ("7 8", "unparsed"),
        ("1 1", "unparsed"),
        ("1 2", "conflicting"),
        ("1 or 2", "conflicting"),
        ("Choice: 1, 2", "conflicting"),
        ("I choose 1. Therefore, I choose 2.", "conflicting"),
        ("I would not choose 1.", "unparsed"),
        ("I choose 1 as the worst answer.", "unparsed"),
        ("I choose 1 as both are equally good", "unparsed"),
        ("My choice is not 1.", "unparsed"),
        ("Rating: 2", "unparsed"),
        ("Assistant 2: 6/10", "unparsed"),
        ("Assistant 1 gave 2 examples", "unparsed"),
        ("VERDICT: BOTH", "unparsed"),
        ("VERDICT: ABSTAIN", "unparsed"),
        ("I cannot decide.", "unparsed"),
        ("I'm sorry, but I can't assist with that.", "refused"),
    ],
)
def test_what_the_last_line_states(line, wanted):
    assert read("choice_123", f"The reasons come first.\n\n{line}\n") == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("I choose 2 as the better answer.\n\n3", "conflicting"),
        ("I choose 2 as the better answer.\n\n2", "second"),
        ("1\n\nBecause it is better.", "unparsed"),
        ("2\n> 1", "unparsed"),
        ("1\n```\n2\n```", "conflicting"),
        ("ok\n```\n2\n```", "second"),
        ("1\n```\nx = 2\n```", "unparsed"),
        ("<think>1</think>\n2", "second"),
        ("<think>so\n1", "unparsed"),
        ("so\n1\n</think>\n2\n", "second"),
        ("2\r\n\r\n", "second"),
        ("Reasons:\n1. clear\n2. short\n3.", "unparsed"),
        ("Reasons:\n1.", "unparsed"),
        ("Both are fine.\n1.", "first"),
        ("", "empty"),
    ],
)
def test_only_the_last_line_of_what_was_said_counts(text, wanted):
    assert read("choice_123", text) == wanted


def test_abstain_counts_only_where_it_is_offered():
    assert read("choice_123", "0", offers_abstain=False) == "off_menu"


def test_a_choice_inside_a_longer_line_is_flagged_and_located():
    raw = "It is shorter. Therefore, I choose 2."
    reading = verdict("choice_123", raw, offers_abstain=False)
    assert reading.flags == ("closing_sentence",)
    assert span_text(reading, raw) == "2"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("I can't decide\n\n3", "refused"),
        ("The correct answer is 3.", "unparsed"),
        ("The answer is 3.", "tie"),
        ("The correct answer is 3, as the two assistants are equivalent.", "tie"),
    ],
)
def test_a_number_that_may_answer_the_case_is_no_choice(text, wanted):
    assert read("choice_123", text) == wanted
