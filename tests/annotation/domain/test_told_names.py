"""Texts that reviewers read and that name a system, told in a sentence each."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.told_names import told_names

NAMES = ("zebrasys", "quagga-2", "Old Bot")


def test_one_sentence_for_each_text_that_names_one() -> None:
    texts = {
        "the title": "Zebrasys v. quagga 2",
        "the question": "Which is better?",
        "the guideline": "Think of old_bot, old bot and zebras.",
    }
    why = "who labels blind should not read the systems' names."
    assert told_names(texts, NAMES) == (
        f"Reviewers read the title, and it names zebrasys, quagga-2: {why}",
        f"Reviewers read the guideline, and it names Old Bot: {why}",
    )


def test_nothing_is_told_of_no_texts_or_no_names() -> None:
    assert told_names({}, NAMES) == told_names({"the title": "zebrasys"}, ()) == ()


@given(st.text(alphabet="abc -_.", max_size=40), st.sampled_from(NAMES))
def test_a_name_among_other_words_is_found(around: str, name: str) -> None:
    text = f"{around} | {name} | {around}"
    (told,) = told_names({"the title": text}, NAMES)
    assert name in told
