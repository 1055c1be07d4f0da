from __future__ import annotations

import pytest

from annotation.domain.outcomes import SlotChoice
from judging.domain.formats.choice_123 import CHOICE_123
from judging.domain.formats.five_token import FIVE_TOKEN
from judging.domain.ports import RawReply
from judging.domain.readings import reading_of
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid, Verdict

REFUSAL = "I'm sorry, but I can't assist with that."


def read(text, finish="stop", fmt=FIVE_TOKEN, **fields):
    reply = RawReply(text=text, body="", finish_reason=finish, **fields)
    return reading_of(reply, fmt, offers_abstain=True)


def reason(text, finish="stop", **fields) -> InvalidReason:
    found = read(text, finish, **fields)
    assert isinstance(found, Invalid), found
    return found.reason


@pytest.mark.parametrize("finish", ["stop", "eos", "STOP", "tool_calls"])
def test_a_clean_reply_is_its_verdict(finish):
    found = read("Fine.\n\n[[A>>B]]", finish)
    assert isinstance(found, Verdict)
    assert (found.choice, found.strength, found.flags) == (SlotChoice.FIRST, 2, ())


@pytest.mark.parametrize("text", ["[[A>B]]", "half an ans", "", None])
@pytest.mark.parametrize("finish", ["length", "max_tokens", "MAX_TOKENS"])
def test_a_reply_cut_off_is_truncated_whatever_is_in_it(text, finish):
    assert reason(text, finish) is InvalidReason.TRUNCATED


@pytest.mark.parametrize("text", ["[[A>B]]", "", None])
@pytest.mark.parametrize(
    "finish", ["content_filter", "SAFETY", "RECITATION", "FINISH_REASON_SPII"]
)
def test_a_filtered_reply_is_filtered(text, finish):
    assert reason(text, finish) is InvalidReason.FILTERED


@pytest.mark.parametrize("finish", ["stop", "length", "content_filter", None])
def test_a_stated_refusal_comes_before_all_else(finish):
    assert reason("[[A>B]]", finish, refusal="no") is InvalidReason.REFUSED


@pytest.mark.parametrize("text", ["", " \n\t", None])
def test_no_text_is_empty_even_with_a_verdict_in_the_reasoning(text):
    assert reason(text, reasoning="[[A>B]]") is InvalidReason.EMPTY
    assert reason(text, tool_calls=True) is InvalidReason.EMPTY
    assert reason(text, None) is InvalidReason.EMPTY


def test_reasoning_is_never_searched():
    found = read("[[B>A]]", reasoning="[[A>>B]]")
    assert isinstance(found, Verdict)
    assert found.choice is SlotChoice.SECOND


def test_a_verdict_without_a_finish_reason_is_flagged():
    found = read("[[A>B]]", None)
    assert isinstance(found, Verdict)
    assert found.flags == ("no_finish_reason",)


@pytest.mark.parametrize("finish", ["other", "MALFORMED", "17"])
def test_a_verdict_with_an_unknown_finish_reason_is_flagged(finish):
    found = read("[[A>B]]", finish)
    assert isinstance(found, Verdict)
    assert found.flags == ("odd_finish_reason",)


def test_a_reply_that_ended_in_a_refusal_is_refused():
    assert reason("[[A>B]]", "refusal") is InvalidReason.REFUSED


@pytest.mark.parametrize(
    "text",
    [
        REFUSAL,
        REFUSAL.replace("'", "\u2019"),
        f"Use the form [[A>B]].\n\n{REFUSAL}",
        f"[[A>B]] {REFUSAL}",
        "[[A>B]]\nI am unable to help with this comparison.",
    ],
)
def test_a_refusal_in_words_is_a_refusal(text):
    assert reason(text) is InvalidReason.REFUSED


@pytest.mark.parametrize(
    "text",
    ["I cannot decide.", "Both have merits.", "I will not guess."],
)
def test_indecision_is_no_refusal(text):
    assert reason(text) is InvalidReason.UNPARSED


@pytest.mark.parametrize(
    "text",
    [
        f'Response B only says "{REFUSAL}"\n[[A>B]]',
        f"{REFUSAL} is all that B says.\n[[A>B]]",
        f'[[A>B]] since B only says "{REFUSAL}"',
        "[[A>B]]\nI can't help but note that B is shorter.",
        "[[A>B]]\nI cannot decide how much better it is.",
    ],
)
def test_a_refusal_that_is_talked_about_is_none(text):
    found = read(text)
    assert isinstance(found, Verdict), found
    assert found.choice is SlotChoice.FIRST


def test_the_format_decides_what_a_verdict_is():
    assert isinstance(read("[[A>B]]", fmt=CHOICE_123), Invalid)
    assert isinstance(read("Reasons.\n\n3", fmt=CHOICE_123), Verdict)
