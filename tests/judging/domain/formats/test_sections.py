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
        ("five_token", "Response A:\nI'm sorry, I can't help with that.\n\n[[B>A]]"),
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
        ("five_token", "Response A:\nHello\n\nResponse B:\nHi\n\n[[B>A]]", "second"),
        ("choice_123", "Assistant 1:\nx = 2\n\nAssistant 2:\nx = 3\n\n2", "second"),
        ("five_token", "Response B: it names the date.\n\n[[B>A]]", "second"),
    ],
)  # fmt: skip
def test_a_verdict_below_what_is_said_of_the_responses_is_read(name, text, wanted):
    assert read(name, text) == wanted


HEADS = ("**Response {}:**", "### Response {}", "Response {}:", "## Assistant {}")
BODIES = (
    "- wrong fee\n- polite", "Correctly says 14 days.", "Matches the reference.",
    "- falsche Geb\u00fchr\n- h\u00f6flich", "\u8d39\u7528\u9519\u8bef\u3002",
)  # fmt: skip
CLOSINGS = ("{}", "**Verdict:** {}", "### Verdict\n{}", "My final verdict is: {}")
VERDICTS = {
    "five_token": {
        "[[A>B]]": "first", "[[B>A]]": "second", "[[A=B]]": "tie",
        "[[ABSTAIN]]": "abstain",
    },
    "ab_bracket": {"[[A]]": "first", "[[B]]": "second", "[[C]]": "tie"},
}  # fmt: skip


@pytest.mark.parametrize("name", VERDICTS)
@pytest.mark.parametrize("closing", CLOSINGS)
@pytest.mark.parametrize("head", HEADS)
def test_below_both_responses_every_verdict_is_read_alike(name, closing, head):
    """Verdicts for one slot must not go missing more often than those for the other."""
    for body in BODIES:
        parts = [f"{head.format(slot)}\n{body}" for slot in "AB"]
        for order in (parts, parts[::-1]):
            for token, wanted in VERDICTS[name].items():
                text = "\n\n".join([*order, closing.format(token)])
                assert read(name, text) == wanted, text


@pytest.mark.parametrize("who", "AB")
@pytest.mark.parametrize("body", ["Hello there\n\n", "Hello there\n", "It lacks x.\n"])
@pytest.mark.parametrize("after", ["", "\n\nThank you."])
def test_below_one_response_no_verdict_is_read_or_all_are(who, body, after):
    found = {
        read("five_token", f"Response {who}:\n{body}{token}{after}") == wanted
        for token, wanted in VERDICTS["five_token"].items()
    }
    assert len(found) == 1
