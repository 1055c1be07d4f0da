from __future__ import annotations

import unicodedata
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.same_texts import (
    single_digests,
    text_mark,
    texts_digest,
    texts_of_case,
)
from annotation.domain.texts import Message, text_digest_of

PROMPT, ONE, OTHER = "Where is my parcel?", "On its way.", "We do not know."
TURNS = (Message("user", "Hello"), Message("assistant", "Hi"), Message("user", "So?"))
# What XML and JSON can hold; a lone surrogate is refused at import.
plain = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
turns = st.lists(st.builds(Message, st.sampled_from(["user", "system"]), plain))
texts = plain | turns.filter(bool).map(tuple)


def test_the_rule_is_pinned() -> None:
    """A change of it would part what is sealed from what is imported later."""
    expected = "84b1a22839dc62912ec97ecb71266f34b4156fe4d542c19f037b2d2f649fbe22"
    assert texts_digest(PROMPT, (ONE, OTHER)) == expected
    assert texts_digest(TURNS, (ONE, OTHER)) == (
        "0ab49f070888aa7ed807c9440fada241f45dee7e0d1d001f001d7de02792e0e3"
    )


@given(texts, texts, texts)
def test_the_sides_have_no_order(prompt, one, other) -> None:
    assert texts_digest(prompt, (one, other)) == texts_digest(prompt, (other, one))


@given(texts, texts, texts, texts)
def test_another_text_is_another_pair(prompt, one, other, changed) -> None:
    found = texts_digest(prompt, (one, other))
    same = text_mark(changed) == text_mark(prompt)
    assert (texts_digest(changed, (one, other)) == found) is same
    same = text_mark(changed) == text_mark(other)
    assert (texts_digest(prompt, (one, changed)) == found) is same


@given(plain, plain)
def test_marks_differ_with_the_texts(one, other) -> None:
    def even(text: str) -> str:
        feeds = text.replace("\r\n", "\n").replace("\r", "\n")
        return unicodedata.normalize("NFC", feeds).strip()

    assert (text_mark(one) == text_mark(other)) is (even(one) == even(other))


@pytest.mark.parametrize(
    "text",
    [
        "é costs\n5 €",
        "e\N{COMBINING ACUTE ACCENT} costs\n5 €",
        "é costs\r\n5 €",
        "é costs\r5 €",
        "\n é costs\n5 €\t\n",
        (Message("user", "é costs\n5 €\n"),),
    ],
)
def test_what_does_not_count(text) -> None:
    assert text_mark(text) == text_digest_of("é costs\n5 €")


@pytest.mark.parametrize(
    "text",
    ["É costs\n5 €", "é  costs\n5 €", "é costs\n\n5 €", "é costs 5 €", "é costs\n5 €."],
)
def test_what_counts(text) -> None:
    assert text_mark(text) != text_mark("é costs\n5 €")


def test_a_conversation_counts_with_its_roles_and_turns() -> None:
    found = {
        text_mark(TURNS),
        text_mark(TURNS[:2]),
        text_mark((*TURNS[:2], Message("system", "So?"))),
        text_mark("user: Hello\n\nassistant: Hi\n\nuser: So?"),
    }
    assert len(found) == 4
    assert text_mark((Message("user", " Hello\r\n"), *TURNS[1:])) == text_mark(TURNS)


def test_the_responses_can_not_take_the_place_of_the_prompt() -> None:
    orders = [(PROMPT, ONE, OTHER), (ONE, PROMPT, OTHER), (OTHER, PROMPT, ONE)]
    assert len({texts_digest(a, (b, c)) for a, b, c in orders}) == 3


@given(texts, st.lists(texts, min_size=2, max_size=4))
def test_a_case_gives_the_digests_of_all_its_pairs(prompt, responses) -> None:
    digests = [text_digest_of(text) for text in responses]
    joined = texts_of_case(prompt, responses, digests)
    expected = [texts_digest(prompt, pair) for pair in combinations(responses, 2)]
    assert list(single_digests(joined)) == expected
