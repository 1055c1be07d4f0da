from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.texts import (
    Message,
    TextError,
    is_blank,
    plain_text,
    text_digest_of,
    text_from_json,
    text_length,
    text_to_json,
)

CHAT = (Message("user", "Hi"), Message("assistant", "Hello!"))
JSON = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello!"}]

plain = st.text(st.characters(exclude_categories=["Cs"]))
roles = plain.filter(str.strip)
texts = plain | st.lists(st.builds(Message, roles, plain), min_size=1).map(tuple)


def test_both_forms():
    assert text_from_json("x") == text_to_json("x") == "x"
    assert text_from_json(JSON) == CHAT
    assert text_to_json(CHAT) == JSON


@given(texts)
def test_round_trip(text):
    assert text_from_json(text_to_json(text)) == text


def test_text_parts_are_joined():
    parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    (message,) = text_from_json([{"role": "user", "content": parts}])
    assert message.content == "ab"


@pytest.mark.parametrize("empty", [None, [], {}, ""])
def test_empty_export_keys_are_ignored(empty):
    value = [{"role": "user", "content": "x", "tool_calls": empty}]
    assert text_from_json(value) == (Message("user", "x"),)


@pytest.mark.parametrize(
    ("value", "path", "word"),
    [
        (None, "", "null"),
        (5, "", "a number"),
        (True, "", "true or false"),
        ({"role": "user"}, "", "an object"),
        ([], "", "no messages"),
        (["hi"], "[0]", "text"),
        ([JSON[0], 4], "[1]", "a number"),
        ([{"content": "x"}], "[0].role", "missing"),
        ([{"role": "user"}], "[0].content", "missing"),
        ([{"role": " ", "content": "x"}], "[0].role", "who speaks"),
        ([{"role": 1, "content": "x"}], "[0].role", "who speaks"),
        ([{"role": "user", "content": None}], "[0].content", "null"),
        ([{"role": "user", "content": {"a": 1}}], "[0].content", "an object"),
        (
            [{"role": "user", "content": [{"type": "image_url", "image_url": {}}]}],
            "[0].content[0]",
            "image_url",
        ),
        ([{"role": "user", "content": ["x"]}], "[0].content[0]", "text"),
        ([{"role": "user", "content": [{"type": "text"}]}], "[0].content[0].text", ""),
        ([{"role": "user", "content": "x", "name": "Bo"}], "[0].name", "only role"),
        ([{"role": "a", "content": "", "tool_calls": [1]}], "[0].tool_calls", "only"),
    ],
)
def test_nothing_else_is_taken(value, path, word):
    with pytest.raises(TextError) as caught:
        text_from_json(value)
    assert caught.value.path == path
    assert word in caught.value.reason


def test_plain_text_and_length():
    assert plain_text("x\ny") == "x\ny"
    assert plain_text(CHAT) == "User: Hi\n\nAssistant: Hello!"
    assert text_length("abc") == 3
    assert text_length(CHAT) == 8


def test_blank():
    assert is_blank("")
    assert is_blank(" \n\u00a0")
    assert is_blank((Message("user", " "),))
    assert not is_blank((Message("system", ""), Message("user", "x")))


def test_the_digest_tells_messages_from_a_text_that_looks_like_them():
    written = '[{"content":"Hi","role":"user"}]'
    assert text_digest_of((Message("user", "Hi"),)) != text_digest_of(written)


def test_the_digest_is_fixed():

    # SHA-256 of the six bytes of "text" with its quotes.
    assert text_digest_of("text") == (
        "1e1d0f251d3a76fa2b1bfc81164078572623403887db02988b504b0492e9f076"
    )


@given(texts, texts)
def test_digests_agree_only_for_equal_texts(one, two):
    assert (text_digest_of(one) == text_digest_of(two)) is (one == two)
