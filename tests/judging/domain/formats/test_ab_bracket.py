from __future__ import annotations

import pytest

from judging.domain.formats.ab_bracket import SINGLE_BRACKET, TIE_BY_NAME
from tests.judging.domain.formats.helpers import read, span_text, verdict


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("[[A]]", "first"),
        ("[[B]]", "second"),
        ("[[C]]", "tie"),
        ("[[ABSTAIN]]", "abstain"),
        ("[[abstain]]", "abstain"),
        ("[[a]]", "first"),
        ("[[ B ]]", "second"),
        ("**[[B]]**", "second"),
        ("[[**B**]]", "second"),
        ("`[[B]]`", "second"),
        (r"\[\[B\]\]", "second"),
        ("\uff3b\uff3b\uff22\uff3d\uff3d", "second"),
        ("\u3010\u3010B\u3011\u3011", "second"),
        ("[[B]]\r\n", "second"),
        ("My final verdict is: [[A]].", "first"),
        ("Final: [[B]]", "second"),
        ("[[Tie]]\n\nBoth say the same.", "tie"),
        ("[[C]] and so [[tie]]", "tie"),
        ("[[A]] because it names the date.", "first"),
        ("[[A]] Assistant A names the date.", "first"),
        ("Therefore, Assistant [[A]] is better.", "first"),
        ("**[[B]]** is clearly the better answer.", "second"),
        ("[[B]] wins.", "second"),
        ("[[A]] \u7b54\u6848", "unparsed"),
        ("[[A]] x. [[A]]", "first"),
        ("[[A]] is wrong there, but so is B. Verdict: [[A]]", "first"),
        ("[[A]] looks good at first\u2026 Final: [[B]]", "conflicting"),
        ("[[A]] is slightly better than [[B]].", "conflicting"),
        ("[[C]] on the first, [[A]] on the whole", "conflicting"),
        ("[[A]] or [[ABSTAIN]]", "conflicting"),
        ("[[D]]", "off_menu"),
        ("[[both]]", "off_menu"),
        ("[[A>B]]", "off_menu"),
        ("[[A]] and [[D]]", "off_menu"),
        ("[[Assistant A]]", "off_menu"),
        ("I cannot decide.", "unparsed"),
        ("A", "unparsed"),
        ("VERDICT: BOTH", "unparsed"),
        ("Assistant A is better.", "unparsed"),
        ("[[A", "unparsed"),
        ("", "empty"),
        ("I'm sorry, but I can't assist with that.", "refused"),
    ],
)
def test_what_is_read(text, wanted):
    assert read("ab_bracket", text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "[[A]] is worse.",
        "[[A]]'s answer is wrong.",
        "[[A]] performed slightly worse.",
        "[[A]]: lacks the date.",
        "**[[A]]**: lacks the date.",
        "[[A]] is not better.",
        "[[A]], which lacks the date.",
        "[[A]] is better in tone, and wrong.",
        "The other one is better than [[A]].",
        "I would not choose [[A]].",
        "It isn't [[A]].",
        "Its rival beats **[[A]]**.",
        "Neither [[A]].",
    ],
)
def test_brackets_that_only_name_a_response_are_no_verdict(text):
    assert read("ab_bracket", text) == "unparsed"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("[B]", "second"),
        ("**[B]**", "second"),
        ("<|B|>", "second"),
        ("Reasons first.\n\n[A]\n", "first"),
        ("Reasons.\nFinal verdict: **[C]**", "tie"),
        ("**Verdict:** **[C]** - Both name the date.", "tie"),
        ("Verdict: [C] - Both name [x].", "unparsed"),
        ("[C] - Both name the date.", "unparsed"),
        ("[D]", "off_menu"),
        ("[x]", "off_menu"),
        ("[see]", "unparsed"),
        ("[B]\nand more", "unparsed"),
        ("[B] is worse", "unparsed"),
        ("It is [B]", "unparsed"),
        ("Verdict: [B] [A]", "unparsed"),
        ("Example:\n[B]", "unparsed"),
        ("[[A]]\n[B]", "first"),
    ],
)
def test_single_brackets_count_only_as_the_whole_last_line(text, wanted):
    assert read("ab_bracket", text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("See [[Main Page]] and x = [[1,2],[3,4]]. [[B]]", "second"),
        ("<think>I lean to [[A]]</think>\n[[B]]", "second"),
        ("<think>I lean to [[A]]", "unparsed"),
        ("> [[A]]\n\n[[B]]", "second"),
        ("```\nRespond with [[A]]\n```\n[[B]]", "second"),
        ("Reasons.\n```\n[[A]]\n```", "first"),
        ("Example output: [[A]]\n\nMine: [[B]]", "second"),
        ('E.g. "[[A]]". I cannot assist.', "refused"),
    ],
)
def test_what_is_only_thought_or_quoted_does_not_count(text, wanted):
    assert read("ab_bracket", text) == wanted


def test_abstain_counts_only_where_it_is_offered():
    assert read("ab_bracket", "[[ABSTAIN]]", offers_abstain=False) == "off_menu"


def test_what_was_forgiven_is_flagged_and_located():
    for raw, flag, where in [
        ("ok\n\uff3bB\uff3d", SINGLE_BRACKET, "B"),
        ("so: [[TIE]]", TIE_BY_NAME, "[[TIE]]"),
    ]:
        reading = verdict("ab_bracket", raw)
        assert reading.flags == (flag,)
        assert span_text(reading, raw) == where
