"""What a judge says right before PASS or FAIL is held against it."""

from __future__ import annotations

import pytest

from judging.domain.marks import Mark
from judging.domain.scale_kinds import scale_from
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid

SCALE = scale_from({"kind": "pass_fail"})
FIELD = scale_from({"kind": "pass_fail", "place": "json_field", "field": "mark"})
OTHER = {"PASS": "FAIL", "FAIL": "PASS"}

CONTRARY = [
    "This is not a {mark}.",
    "It isn't a {mark}.",
    "So the response is not a {mark}!",
    "**This is not a {mark}.**",
    "The answer is anything but a {mark}.",
    "This cannot be a {mark}.",
    "Neither PASS nor FAIL.",
    "It is neither a pass nor a fail.",
    "This would have been a {mark}, were it not for the invented fee.",
    "It would have been a {mark} if it had not named a fee.",
    "The response does not {mark}.",
    "It is a {other}.",
    "My verdict is {other}.",
    "Overall, this {other}es.",
    "The response {other}s.",
]
HONEST = [
    "It names the deadline.",
    "This is a {mark}.",
    "This is not a {other}.",
    "The response does not {other}.",
    "It is not a {mark} on tone alone, but the rubric asks for the facts.",
    "A {other} would need an invented fee.",
    "This would have been a {other}, were it not for the deadline.",
    "A reply that does this is not a {mark}.",
    'The customer says "this is not a {mark}".',
    "> This is not a {mark}.",
]


def filled(sentence: str, mark: str) -> str:
    return sentence.format(mark=mark, other=OTHER[mark])


@pytest.mark.parametrize("mark", OTHER)
@pytest.mark.parametrize("sentence", CONTRARY)
def test_a_sentence_that_says_the_contrary_leaves_no_mark(
    sentence: str, mark: str
) -> None:
    said = filled(sentence, mark)
    for reply in (f"{said}\n\n{mark}", f"{said} It is long.\n\n{mark}"):
        reading = SCALE.read(reply)
        assert isinstance(reading, Invalid), reply
        assert reading.reason is InvalidReason.CONFLICTING
    held = FIELD.read(f'{{"reason": "{said}", "mark": "{mark}"}}')
    assert isinstance(held, Invalid)
    assert held.reason is InvalidReason.CONFLICTING


@pytest.mark.parametrize("mark", OTHER)
@pytest.mark.parametrize("sentence", HONEST)
def test_what_agrees_or_speaks_of_something_else_is_read(
    sentence: str, mark: str
) -> None:
    reading = SCALE.read(f"{filled(sentence, mark)}\n\n{mark}")
    assert isinstance(reading, Mark)
    assert reading.passed is (mark == "PASS")


@pytest.mark.parametrize("mark", OTHER)
def test_what_stands_further_up_speaks_of_a_point(mark: str) -> None:
    points = "Deadline: this is not a {mark}.\n\nTone: good.\n\nFee: none.\n\nAll told:"
    reading = SCALE.read(f"{points.format(mark=mark)} fine.\n\n{mark}")
    assert isinstance(reading, Mark)
