"""Sentences beside a verdict that deny its winner, or rank the other way."""

from __future__ import annotations

import pytest

from tests.judging.domain.formats.both_ways import BRACKETS, LAST_LINES, reads

AGAINST = [
    "The winner is not Response {N}.",
    "The winner isn't Response {N}.",
    "My choice is anything but Response {N}.",
    "Anything but Response {N}.",
    "It is false that Response {N} is better.",
    "It is not true that Response {N} wins.",
    "I can't say Response {N} is better.",
    "I don't think that Response {N} is the better one.",
    "Response {N} would have won, were it not for its error.",
    "Response {N} would have been better if not for the date.",
    "Neither Response {N} nor Response {M} is better.",
    "From best to worst: Response {M}, Response {N}",
    "From worst to best: Response {N}, Response {M}.",
    "Ranking: Response {M}, then Response {N}",
    "1st: Response {M}",
    "2nd place: Response {N}",
]
FOR = [
    "The winner is Response {N}, not Response {M}.",
    "The winner is not Response {M}.",
    "It is false that Response {M} is better.",
    "I can't say Response {M} is better.",
    "Response {M} would have won, were it not for its error.",
    "Response {N} is not perfect but it wins.",
    "From best to worst: Response {N}, Response {M}",
    "From worst to best: Response {M}, Response {N}",
    "Ranking: Response {N}, then Response {M}",
    "1st: Response {N}",
    "Second place: Response {M}",
    "I can't say Response {N} is better on tone.",
]
NAMES = [*BRACKETS, *LAST_LINES]


def _in_json(words: str) -> str:
    return f'{{"reason": "{words}", "winner": "{{V}}"}}'


@pytest.mark.parametrize("words", AGAINST)
def test_a_verdict_beside_words_that_deny_it_is_none(words):
    for name in NAMES:
        assert reads(name, words + "\n\n{V}") == ["conflicting"] * 2, name
    for name in BRACKETS:
        assert reads(name, "{V}\n\n" + words) == ["conflicting"] * 2, name
    assert reads("json_winner", _in_json(words)) == ["conflicting"] * 2


@pytest.mark.parametrize("words", FOR)
def test_a_verdict_beside_words_that_bear_it_out_is_read(words):
    for name in NAMES:
        assert reads(name, words + "\n\n{V}") == ["read"] * 2, name
    assert reads("json_winner", _in_json(words)) == ["read"] * 2
