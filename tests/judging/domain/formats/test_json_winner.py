from __future__ import annotations

import json

import pytest

from judging.domain.formats.json_winner import JSON_WINNER
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid
from tests.judging.domain.formats.helpers import read, verdict


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('{"winner": "A", "reason": "x"}', "first"),
        ('{"winner": "b"}', "second"),
        ('{"winner": " Tie "}', "tie"),
        ('{"winner": "abstain"}', "abstain"),
        ('{"Winner": "A"}', "first"),
        ('```json\n{"winner": "b", "reason": "more complete",}\n```', "second"),
        ('```json {"winner":"A"} ```', "first"),
        ('```json\n{"winner":"tie"}\n```\nHope this helps!', "unparsed"),
        ('{"winner":"A","reason":"use ```x``` or ```y```"}', "first"),
        ('{"winner":"A","reason":"```json\\n{}\\n```"}', "first"),
        ('{"winner":"A", // ok\n"reason":"a\nb"}', "first"),
        ('{/* why */ "winner":"A" /* ** */, "reason":"http://x"}', "first"),
        ('{"winner":"A","reason":"\\d+ and \\u12 and C:\\x"}', "first"),
        ('{"winner":"A","reason":"{ unbalanced"}', "first"),
        ('{"winner":"A","reason":"\\"winner\\": \\"B\\""}', "first"),
        ('Reasoning: [] {"winner":"A"}', "first"),
        ('Notes {not json} and {}. {"winner":"B"}', "second"),
        ('{"scores":{"A":1,"B":[2,3,],},"winner":"B"}', "second"),
        ('{"step": 1}\n{"winner":"B"}', "second"),
        ('<think>{"winner":"A"}</think>{"winner":"B"}', "second"),
        ('<think>{"winner":"A"}</think>', "unparsed"),
        ('<think>{"winner":"A"}', "unparsed"),
        ('{"winner":"A"} and again {"winner":"A"}', "unparsed"),
        ('> {"winner":"A"}\n{"winner":"B"}', "second"),
        ('Example: {"winner":"A"}\nMine: {"winner":"B"}', "second"),
        ('Example:\n```json\n{"winner":"A"}\n```\nI\'m sorry, but I can\'t assist.',
         "refused"),
        ('{"winner":"A"}\r\n', "first"),
    ],
)  # fmt: skip
def test_what_is_read(text, wanted):
    assert read("json_winner", text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('{"winner":"A"} {"winner":"B"}', "conflicting"),
        ('{"winner":"A","winner":"B"}', "unparsed"),
        ('{"winner":"A","winner":"A"}', "unparsed"),
        ('{"winner":"A","Winner":"B"}', "unparsed"),
        ('{"winner":"A"} {"winner":"B" broken', "unparsed"),
        ('{"alt": {"winner":"A"}, "winner" "B", "x": oops}', "unparsed"),
        ('{"a": oops, "alt": {"winner":"A"}, "winner": "B"}', "unparsed"),
        ('{winner: "B"} {"winner":"A"}', "unparsed"),
        ('{"draft": {"winner":"A"}}', "unparsed"),
        ('[{"winner":"A"}]', "unparsed"),
        ('[{"winner":"A"}, {"winner":"B"}]', "unparsed"),
        ('["A"]', "unparsed"),
        ('"A"', "unparsed"),
        ("1", "unparsed"),
        ("null", "unparsed"),
        ("{}", "unparsed"),
        ('{"winner": null, "reason": "cannot decide"}', "unparsed"),
        ('{"winner": ["A"]}', "unparsed"),
        ('{"winner": 1}', "unparsed"),
        ('{"winner": true}', "unparsed"),
        ('{"winner": NaN}', "unparsed"),
        ('{"winner": "model_2"}', "off_menu"),
        ('{"winner": "A|B|tie"}', "off_menu"),
        ('{"winner": "BOTH"}', "off_menu"),
        ('{"winner": ""}', "off_menu"),
        ('{"winner":"A"} {"winner":"model_2"}', "off_menu"),
        ('{"verdict":"A"}', "unparsed"),
        ('{"winner":"A"', "unparsed"),
        ('{"winner":"A', "unparsed"),
        ("winner: A", "unparsed"),
        ("I cannot decide.", "unparsed"),
        ("", "empty"),
    ],
)
def test_what_is_not_one_clear_answer_is_invalid(text, wanted):
    assert read("json_winner", text) == wanted


def test_abstain_counts_only_where_it_is_offered():
    text = '{"winner": "abstain"}'
    assert read("json_winner", text, offers_abstain=False) == "off_menu"


@pytest.mark.parametrize(
    ("stated", "flags"),
    [
        ("0.8", ("confidence:0.8",)),
        ('"0.8"', ("confidence:0.8",)),
        ("1", ("confidence:1",)),
        ('"high"', ("odd_confidence",)),
        ("80", ("odd_confidence",)),
        ("1e999", ("odd_confidence",)),
        ("true", ("odd_confidence",)),
        ('"nan"', ("odd_confidence",)),
        ("null", ("odd_confidence",)),
    ],
)
def test_a_confidence_is_kept_as_it_was_said(stated, flags):
    text = f'{{"winner": "A", "confidence": {stated}}}'
    reading = verdict("json_winner", text)
    assert (reading.choice, reading.flags) == ("first", flags)


def test_one_broken_reply_of_fifty_harms_no_other():
    replies = ['{"winner":"A","reason":"\\d+"}'] + ['{"winner":"B"}'] * 49
    assert [read("json_winner", reply) for reply in replies][1:] == ["second"] * 49


def test_the_detail_holds_nothing_that_a_database_refuses():
    text = json.dumps({"winner": "\x00\ud800"})
    reading = JSON_WINNER.read(text, offers_abstain=True)
    assert reading == Invalid(InvalidReason.OFF_MENU, "??")


def test_the_schema_offers_what_the_menu_offers():
    for offers_abstain, last in ((True, ["abstain"]), (False, [])):
        schema = JSON_WINNER.response_schema(offers_abstain=offers_abstain)
        assert schema is not None
        assert schema["properties"] == {
            "reason": {"type": "string"},
            "winner": {"type": "string", "enum": ["A", "B", "tie", *last]},
        }
