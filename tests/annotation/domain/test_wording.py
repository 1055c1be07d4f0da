"""Differences in words and lines: marked where they are, and nothing lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.texts import Message, Text
from annotation.domain.wording import (
    LONGEST_COMPARED,
    MarkedTurn,
    changed_lines,
    marked_words,
    too_long_to_compare,
)

words = st.text(alphabet="ab 退款אב\n\t.é", max_size=40)
texts: st.SearchStrategy[Text] = st.one_of(
    words,
    st.lists(
        st.builds(Message, st.sampled_from(["user", "assistant"]), words),
        min_size=1,
        max_size=3,
    ).map(tuple),
)


def joined(turns: list[MarkedTurn]) -> list[str]:
    return ["".join(piece.text for piece in turn.pieces) for turn in turns]


def contents(text: Text) -> list[str]:
    return [text] if isinstance(text, str) else [turn.content for turn in text]


def marked(turns: list[MarkedTurn]) -> list[str]:
    return [p.text.strip() for turn in turns for p in turn.pieces if p.differs]


@given(texts, texts)
def test_no_character_is_lost_or_added(one: Text, two: Text) -> None:
    left, right = marked_words(one, two)
    assert joined(left) == contents(one)
    assert joined(right) == contents(two)


@given(texts)
def test_a_text_does_not_differ_from_itself(text: Text) -> None:
    left, right = marked_words(text, text)
    assert marked(left) == marked(right) == []


def test_the_words_that_differ_are_marked_in_both() -> None:
    left, right = marked_words("It takes 3 days, sorry.", "It takes 5 days, friend.")
    assert marked(left) == ["3", "sorry."]
    assert marked(right) == ["5", "friend."]


def test_scripts_without_spaces_go_by_character() -> None:
    left, right = marked_words("我可以退款", "我不可以退款")
    assert (marked(left), marked(right)) == ([], ["不"])


def test_very_long_texts_are_not_compared() -> None:
    half = "x" * (LONGEST_COMPARED // 2)
    assert not too_long_to_compare(half, half)
    assert too_long_to_compare(half, (Message("user", half + "x"),))


@given(words, words)
def test_the_lines_of_both_versions_are_all_there(old: str, new: str) -> None:
    lines = changed_lines(old, new)
    before = [line.text for line in lines if line.change != "added"]
    after = [line.text for line in lines if line.change != "removed"]
    assert (before, after) == (old.splitlines(), new.splitlines())
