from __future__ import annotations

import pytest

from judging.domain.estimating import (
    CHAT_TOKENS,
    UNLIMITED_OUTPUT,
    longest_answer,
    most_prompt_tokens,
    output_limit,
    prompt_tokens,
    size_of,
)
from judging.domain.ports import Message, Role


def test_texts_are_measured_in_bytes():
    messages = (Message(Role.SYSTEM, "x" * 9), Message(Role.USER, "é€"))
    assert size_of(messages) == 9 + 2 + 3


def test_four_bytes_to_a_token_rounded_up():
    assert [prompt_tokens(size) for size in (0, 1, 4, 5)] == [0, 1, 1, 2]


def test_for_limits_three_bytes_to_a_token_and_what_the_chat_format_adds():
    assert [most_prompt_tokens(size) for size in (3, 4)] == [
        1 + CHAT_TOKENS,
        2 + CHAT_TOKENS,
    ]


@pytest.mark.parametrize(
    ("params", "limit"),
    [
        ({"max_tokens": 9}, 9),
        ({"max_completion_tokens": 9}, 9),
        ({"max_tokens": 9, "max_completion_tokens": 5}, 5),
        ({"max_tokens": True}, None),
        ({}, None),
    ],
)
def test_the_output_limit(params, limit):
    assert output_limit(params) == limit
    assert longest_answer(params) == (limit or UNLIMITED_OUTPUT)
