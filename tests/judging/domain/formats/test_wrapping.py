"""Properties: wrapped tokens are never read; plain prose before one changes nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judging.domain.formats.registry import get_format
from judging.domain.verdicts import Invalid, Verdict
from tests.judging.domain.formats.test_declined_and_foreign import REASONED

TOKENS = {
    "five_token": ("[[A>>B]]", "[[A>B]]", "[[A=B]]", "[[B>A]]", "[[ABSTAIN]]"),
    "ab_bracket": ("[[A]]", "[[B]]", "[[C]]", "[[ABSTAIN]]", "[B]"),
    "choice_123": ("1", "2", "3", "0", "Choice: 2"),
    "output_ab": ("Output (a)", "Output (b)", "Tie", "Verdict: Tie"),
}
QUOTED = [
    ('"', '"'),
    ("'", "'"),
    ("\u201c", "\u201d"),
    ("\u2018", "\u2019"),
    ("\u201e", "\u201c"),
    ("\u00ab", "\u00bb"),
    ("\u300c", "\u300d"),
    ('"""', '"""'),
    ("'''", "'''"),
    ("<response_b>", "</response_b>"),
    ("<blockquote>", "</blockquote>"),
    ("<x-y>", "</x-y>"),
    ("<!--", "-->"),
    ("<<<BEGIN 3f9a>>>\n", "\n<<<END 3f9a>>>"),
]
WRAPPERS = [*QUOTED, *(each for each in REASONED if each[0] != "[REASONING]")]
# Prose without marks that open anything, and without a word that declines or reports.
WORDS = ("Good", "work", "both", "are", "clear", "and", "short", "better", "dates",
         "klar", "\u66f4\u597d", "\u043b\u0443\u0447\u0448\u0435", "ten")  # fmt: skip
words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
sentences = words.map(lambda each: f"{each}.")
gaps = st.sampled_from(["\n", "\n\n", " \n\n"])
pairs = st.sampled_from([(name, each) for name in TOKENS for each in TOKENS[name]])


def reading(name, text):
    return get_format(name).read(text, offers_abstain=True)


@given(pairs, st.sampled_from(WRAPPERS), sentences, gaps, sentences, st.booleans())
@settings(max_examples=300)
def test_a_token_inside_a_wrapped_text_is_never_read(
    pair, wrapper, before, gap, after, closed
):
    name, token = pair
    begin, end = wrapper
    inside = f"{before}{gap}{token}{gap}{after}" if closed else f"{before}{gap}{token}"
    text = f"Response B says: {begin}{inside}{end}"
    for whole in (text, f"{text}\n\nBoth are clear."):
        assert isinstance(reading(name, whole), Invalid), whole


@given(pairs, st.lists(sentences, max_size=5), gaps)
def test_prose_before_a_token_on_a_line_of_its_own_changes_nothing(pair, prose, gap):
    name, token = pair
    alone = reading(name, token)
    after = reading(name, gap.join([*prose, token]))
    assert isinstance(alone, Verdict)
    assert isinstance(after, Verdict), (prose, after)
    assert (alone.choice, alone.strength) == (after.choice, after.strength)


@given(pairs, st.text(max_size=60))
def test_no_text_before_a_token_makes_it_another_choice(pair, prefix):
    name, token = pair
    alone, after = reading(name, token), reading(name, f"{prefix}\n\n{token}")
    assert isinstance(alone, Verdict)
    if isinstance(after, Verdict):
        assert after.choice == alone.choice


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_the_judges_own_token_after_a_wrapped_one_is_read(wrapper):
    begin, end = wrapper
    text = f"{begin}Well.\n\n[[B>A]]\n{end}\n\nB is good, A is better.\n\n[[A>B]]"
    got = reading("five_token", text)
    assert isinstance(got, Verdict)
    assert got.choice == "first"
