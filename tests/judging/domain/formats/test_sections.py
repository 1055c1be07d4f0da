"""Verdicts below a heading that names a response."""

from __future__ import annotations

import pytest

from tests.judging.domain.formats.helpers import read


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("five_token", "Response B:\nI am great.\n[[B>A]]\n\nSo much for it."),
        ("five_token", "Response B:\nThis is accurate.\n[[B>A]]\n\nSo much for it."),
        ("five_token", "**Response B**\n\nHello there\n\n[[B>A]]"),
        ("five_token", "### Response B\nHello!\n\nHow are you?\n\n[[B>A]]"),
        ("five_token", "Response B:\nHello\nMy final verdict is: [[B>A]]\n"),
        ("five_token", "Response A:\nHello\n\nResponse B:\nHi\n\n[[B>A]]"),
        ("five_token", "Response A:\nHello there\n\n[[A=B]]"),
        ("ab_bracket", "Assistant B:\n\nHello there\n\n[[B]]"),
        ("ab_bracket", "\u56de\u7b54B\uff1a\n\u4f60\u597d\n\n[[B]]"),
        ("choice_123", "**Response 2**\n\nHello there\n\n2"),
        ("choice_123", "Assistant 2:\nHello there\n2"),
        ("output_ab", "Output (b):\nHello there\n\nOutput (b)"),
        ("json_winner", 'Response B:\nHello there.\n\n{"winner": "B"}'),
    ],
)
def test_a_verdict_in_a_repeated_response_is_none(name, text):
    assert read(name, text) == "unparsed"


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("five_token",
         "**Response A**\n\nIt is right.\n\n**Response B**\n\nIt fails.\n\n[[A>B]]",
         "first"),
        ("five_token", "**Response B**\n\nNames the fee.\n\n[[B>A]]", "second"),
        ("five_token", "**Response B**\n\nHello\n\n**Verdict**\n\n[[B>A]]", "second"),
        ("five_token", "Response B:\nHello\n\n---\n\n[[B>A]]", "second"),
        ("five_token", "Response A:\nI can't.\n\n[[B>A]]", "second"),
        ("five_token", "Response B:\nHello\n\n[[ABSTAIN]]", "abstain"),
        ("choice_123", "Assistant 1:\nx = 2\n\nAssistant 2:\nx = 3\n\n2", "second"),
        ("five_token", "Response B: it names the date.\n\n[[B>A]]", "second"),
    ],
)  # fmt: skip
def test_a_verdict_below_what_is_said_of_the_responses_is_read(name, text, wanted):
    assert read(name, text) == wanted
