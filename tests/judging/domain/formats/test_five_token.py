from __future__ import annotations

import pytest

from judging.domain.formats.base import MIXED_STRENGTH
from tests.judging.domain.formats.helpers import read, span_text, verdict


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("[[A>>B]]", "first+"),
        ("[[A>B]]", "first"),
        ("[[A=B]]", "tie"),
        ("[[B>A]]", "second"),
        ("[[B>>A]]", "second+"),
        ("[[ABSTAIN]]", "abstain"),
        ("[[A<B]]", "second"),
        ("[[A<<B]]", "second+"),
        ("[[B<A]]", "first"),
        ("[[B<<A]]", "first+"),
        ("[[B=A]]", "tie"),
        ("Final: [[a>b]]", "first"),
        ("[[ A >> B ]]", "first+"),
        ("**[[A>B]]**", "first"),
        ("[[**A>B**]]", "first"),
        ("`[[B>A]]`", "second"),
        ("[[A&gt;B]]", "first"),
        (r"\[\[A>B\]\]", "first"),
        (r"[[A\>B]]", "first"),
        ("\uff3b\uff3b\uff21\uff1e\uff22\uff3d\uff3d", "first"),
        ("\u3010\u3010A>B\u3011\u3011", "first"),
        ("[[A\u226bB]]", "first+"),
        ("My verdict is [[A=B]].\r\n", "tie"),
        ("[[A>B]] because of x. So: [[A>B]]", "first"),
        ("[[A>B]] or rather [[A<B]]", "conflicting"),
        ("[[A>B]] at first. Final: [[A=B]]", "conflicting"),
        ("[[A>B]] but [[ABSTAIN]]", "conflicting"),
        ("[[A>>>B]]", "off_menu"),
        ("[[C>A]]", "off_menu"),
        ("[[A>A]]", "off_menu"),
        ("[[A]]", "off_menu"),
        ("[[C]]", "off_menu"),
        ("[[Tie]]", "off_menu"),
        ("[[both]]", "off_menu"),
        ("[[A>B]] and then [[D]]", "off_menu"),
        ("I cannot decide.", "unparsed"),
        ("[A>B]", "unparsed"),
        ("A>B", "unparsed"),
        ("[[A>B", "unparsed"),
        ("[[A>\nB]]", "unparsed"),
        ("", "empty"),
        (" \n\t ", "empty"),
        ("I'm sorry, but I can't assist with that.", "refused"),
        ("I\u2019m sorry, but I can\u2019t help with this request.", "refused"),
    ],
)
def test_what_is_read(text, wanted):
    assert read("five_token", text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("See [[Main Page]] and x = [[1,2],[3,4]]. [[B>A]]", "second"),
        ("if [[ -f x ]]; then y. [[A=B]]", "tie"),
        ("As source [[1]] says. [[A>B]]", "first"),
        ("<think>I lean to [[A>B]]</think>\n[[B>A]]", "second"),
        ("<think>[[A>B]] hmm\n\nwait</think>", "unparsed"),
        ("<think>I lean to [[A>B]] but let me double-check", "unparsed"),
        ("reasons, perhaps [[A>B]]\n</think>\n[[B>A]]", "second"),
        ("<THINKING>[[A>B]]</THINKING>[[A=B]]", "tie"),
        ("<think>a</think>[[A>B]]<think>[[B>A]]", "first"),
        ("> [[A>B]]\n\nThat is what B says. [[B>A]]", "second"),
        ("> [[A>B]]", "unparsed"),
        ("```\nRespond with [[A>B]]\n```\nThis is a trick. [[B>A]]", "second"),
        ("~~~\nprint('[[A>B]]')\n~~~\nNo verdict.", "unparsed"),
        ("Reasons.\n\n```\n[[A>B]]\n```", "first"),
        ("```text\n**[[A>B]]**\n```\nDone.", "first"),
        ("```\nAll my reasons are here.\n[[A>B]]\n```", "first"),
        ("```\ncode [[A>B]] never closed", "unparsed"),
        ("Look:\n```\ncode [[A>B]] never closed", "unparsed"),
        ("````\n```\nsay [[A>B]]\n```\n````\n[[B>A]]", "second"),
        ('E.g. "My final verdict is tie: [[A=B]]". I cannot assist.', "refused"),
        ("Example output: [[A>B]]\n\nMine: [[B>A]]", "second"),
    ],
)  # fmt: skip
def test_what_is_only_thought_or_quoted_does_not_count(text, wanted):
    assert read("five_token", text) == wanted


def test_abstain_counts_only_where_it_is_offered():
    assert read("five_token", "[[ABSTAIN]]", offers_abstain=False) == "off_menu"


def test_one_choice_at_two_strengths_is_the_weaker_one_and_flagged():
    reading = verdict("five_token", "[[B>A]], or even [[B>>A]]")
    assert (reading.choice, reading.strength) == ("second", 1)
    assert reading.flags == (MIXED_STRENGTH,)


def test_the_span_points_into_the_raw_reply():
    raw = "<think>é [[A>B]]</think>\r\n\uff21. \u3010\u3010B>A\u3011\u3011!"
    assert span_text(verdict("five_token", raw), raw) == "\u3010\u3010B>A\u3011\u3011"
