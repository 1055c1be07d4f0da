"""JSON answers with more than one field for the winner, and in wrappers."""

from __future__ import annotations

import pytest

from judging.domain.formats.registry import get_format
from judging.domain.scale_kinds import scale_from
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid, Verdict
from tests.judging.domain.formats.helpers import read, verdict
from tests.judging.domain.pointwise_specs import PASS_FAIL

ALOUD = '<|channel|>analysis<|message|>B? {"winner": "B"}<|end|>'


@pytest.mark.parametrize(
    "text",
    [
        '{"winner": "A", "verdict": "B"}',
        '{"winner":"A","final_winner":"B"}',
        '{"winner": "A", "final verdict": "tie"}',
        '{"choice": "Response B", "winner": "A"}',
        '{"winner": "A", "better_response": "b"}',
        '{"winner": "A", "preferred": "abstain"}',
        '{"winner": "A", "final": {"winner": "B"}}',
        '{"winner": "A", "verdict": {"answer": "B"}}',
        '{"winner": "A", "loser": "A"}',
        '{"winner": "A", "worse_response": "Response A"}',
        '{"winner": "A", "conclusion": "Response B is better."}',
    ],
)
def test_two_fields_that_name_two_winners_conflict(text):
    assert read("json_winner", text) == "conflicting"


@pytest.mark.parametrize(
    "text",
    [
        '{"winner": "A", "verdict": "A"}',
        '{"winner": "A", "loser": "B"}',
        '{"winner": "A", "verdict": "A is better."}',
        '{"winner": "A", "answer": "The deadline is 1 May."}',
        '{"winner": "A", "tone": {"winner": "B"}, "confidence": 0.9}',
        '{"winner": "A", "scores": {"A": 3, "B": 2}, "result": null}',
    ],
)
def test_fields_that_agree_or_say_something_else_do_not(text):
    assert read("json_winner", text) == "first"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('{"winner": "Response A"}', "first"),
        ('{"winner": "assistant_b"}', "second"),
        ('{"winner": "Output (b)"}', "second"),
        ('{"winner": "Response 1"}', "off_menu"),
        ('{"winner": "Response A and Response B"}', "off_menu"),
        ('{"winner": "Response C"}', "off_menu"),
        ('<|channel|>final<|message|>{"winner": "A"}', "first"),
        ('<|start|>assistant<|channel|>final<|message|>{"winner": "A"}<|return|>',
         "first"),
        ('<|channel|>final <|constrain|>json<|message|>{"winner": "B"}', "second"),
        (f'{ALOUD}<|start|>assistant<|channel|>final<|message|>{{"winner": "A"}}',
         "first"),
        ('<|channel|>analysis<|message|>{"winner": "B"}', "unparsed"),
        ('{"winner": "B"}\n<|channel|>final<|message|>', "unparsed"),
        ('<|channel|>commentary<|message|>{"winner": "B"}', "unparsed"),
    ],
)  # fmt: skip
def test_names_of_responses_and_wrappers_of_servers(text, wanted):
    assert read("json_winner", text) == wanted


def test_a_response_called_by_name_is_flagged():
    assert verdict("json_winner", '{"winner": "Response A"}').flags == (
        "response_by_name",
    )
    assert verdict("json_winner", '{"winner": "a"}').flags == ()


@pytest.mark.parametrize("name", ["five_token", "ab_bracket"])
def test_a_final_channel_is_read_by_other_formats_too(name):
    token = {"five_token": "[[B>A]]", "ab_bracket": "[[B]]"}[name]
    assert read(name, f"<|channel|>final<|message|>{token}") == "second"


def test_a_declared_field_beside_another_for_the_winner():
    known = get_format("five_token", {"place": "json_field", "field": "decision"})
    two = known.read(
        '{"decision": "[[A>B]]", "verdict": "[[B>A]]"}', offers_abstain=True
    )
    assert isinstance(two, Invalid)
    assert two.reason is InvalidReason.CONFLICTING
    same = known.read('{"decision": "[[A>B]]", "verdict": "[[A>>B]]"}',
                      offers_abstain=True)  # fmt: skip
    assert isinstance(same, Verdict)


def test_a_declared_mark_beside_another():
    scale = scale_from({**PASS_FAIL, "place": "json_field", "field": "mark"})
    reading = scale.read('{"mark": "PASS", "verdict": "FAIL"}')
    assert isinstance(reading, Invalid)
    assert reading.reason is InvalidReason.CONFLICTING
    assert not isinstance(scale.read('{"mark": "PASS", "verdict": "good"}'), Invalid)
