from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.domain.formats.options import BadOptions
from judging.domain.marks import Abstained, Mark
from judging.domain.scale_kinds import scale_from
from judging.domain.verdicts import Invalid
from tests.judging.domain.pointwise_specs import GATED, PASS_FAIL, SHORT

WHOLE = {"place": "whole"}
FIELD = {"place": "json_field", "field": "mark"}
SCALES = [
    PASS_FAIL, {**PASS_FAIL, **WHOLE}, {**PASS_FAIL, **FIELD},
    SHORT, {**SHORT, **WHOLE}, {**SHORT, **FIELD}, GATED,
]  # fmt: skip


def read(scale: dict[str, object], text: str) -> str:
    reading = scale_from(scale).read(text)
    if isinstance(reading, Invalid):
        return str(reading.reason)
    return "abstain" if isinstance(reading, Abstained) else str(reading.score)


def said(reading):
    if isinstance(reading, Mark):
        return (reading.said, reading.passed, reading.flags)
    return type(reading)


@pytest.mark.parametrize("scale", SCALES)
def test_each_scale_reads_its_examples_and_not_its_menu(scale):
    known = scale_from(scale)
    for example in known.worked:
        assert said(known.read(example.raw)) == said(example.reading), example
    assert Abstained in {type(example.reading) for example in known.worked}
    assert isinstance(known.read(known.menu), Invalid)
    menu = known.menu.lower()
    assert "abstain" in menu


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("PASS", "1"),
        ("FAIL", "0"),
        ("ABSTAIN", "abstain"),
        ("pass.", "1"),
        ("**FAIL**", "0"),
        ("Passed", "1"),
        ("Verdict: FAIL", "0"),
        ("My final verdict is PASS.", "1"),
        ("\uff30\uff21\uff33\uff33", "1"),
        ("PASS or FAIL", "conflicting"),
        ("Verdict: PASS/FAIL", "conflicting"),
        ("Partial", "off_menu"),
        ("Verdict: mostly", "off_menu"),
        ("Great", "unparsed"),
        ("not PASS", "unparsed"),
        ("It would PASS if it named the date", "unparsed"),
        ("I cannot decide.", "unparsed"),
        ("I'm sorry, but I can't assist with that.", "refused"),
    ],
)
def test_pass_or_fail_on_the_last_line(line, wanted):
    assert read(PASS_FAIL, f"FAIL is what I thought.\n\n{line}\n") == wanted


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("4", "4"),
        ("**4**", "4"),
        ("4.0", "4"),
        ("4/5", "4"),
        ("Score: 4.", "4"),
        ("Rating: **4** / 5", "unparsed"),
        ("abstain", "abstain"),
        ("0", "off_menu"),
        ("6", "off_menu"),
        ("4.5", "off_menu"),
        ("4/10", "off_menu"),
        ("4 or 5", "conflicting"),
        ("4.", "unparsed"),
        ("-4", "unparsed"),
        ("4 5", "unparsed"),
        ("four", "unparsed"),
        ("It names 4 dates", "unparsed"),
    ],
)
def test_a_level_on_the_last_line(line, wanted):
    assert read(SHORT, f"2 of the points are met.\n\n{line}\n") == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("PASS\nbecause it is complete", "unparsed"),
        ("FAIL\n> PASS", "unparsed"),
        ("ok\n```\nPASS\n```", "1"),
        ("<think>FAIL</think>\nPASS", "1"),
        ("<think>so\nPASS", "unparsed"),
        ("Example:\nPASS", "unparsed"),
        ("", "empty"),
    ],
)
def test_only_the_last_line_of_what_was_said_counts(text, wanted):
    assert read(PASS_FAIL, text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Verdict: PASS\nbecause it is complete", "1"),
        ("Verdict: PASS\nOn reflection.\nVerdict: FAIL", "conflicting"),
        ("Verdict: PASS\nVerdict: PASS", "1"),
        ("Verdict: PASS\nVerdict: ABSTAIN", "conflicting"),
        ("Verdict: PASS\nVerdict: mostly", "off_menu"),
        ("Verdict: PASS or FAIL\nVerdict: PASS", "conflicting"),
        ("PASS", "unparsed"),
        ("The verdict: PASS is too kind", "unparsed"),
    ],
)
def test_in_the_whole_reply_a_mark_needs_its_label(text, wanted):
    assert read({**PASS_FAIL, **WHOLE}, text) == wanted


@pytest.mark.parametrize(
    ("scale", "text", "wanted"),
    [
        (PASS_FAIL, '{"reason": "FAIL", "mark": "PASS"}', "1"),
        (PASS_FAIL, '{"mark": "pass or fail"}', "off_menu"),
        (PASS_FAIL, '{"mark": true}', "off_menu"),
        (PASS_FAIL, '{"mark": "PASS"} {"mark": "FAIL"}', "conflicting"),
        (PASS_FAIL, '{"mark": "PASS", "mark": "PASS"}', "unparsed"),
        (PASS_FAIL, "PASS", "unparsed"),
        (SHORT, '{"mark": 4}', "4"),
        (SHORT, '{"mark": "4"}', "4"),
        (SHORT, '{"mark": 4.5}', "off_menu"),
        (SHORT, '{"mark": -1}', "off_menu"),
        (SHORT, '{"mark": null}', "off_menu"),
        (SHORT, '{"mark": "abstain"}', "abstain"),
    ],
)
def test_in_a_json_field(scale, text, wanted):
    assert read({**scale, **FIELD}, text) == wanted


def gated(score: object, safe: object = "pass", true: object = "pass") -> str:
    return json.dumps({"gates": {"safe": safe, "true": true}, "score": score})


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (gated(9), "9"),
        (gated(0), "0"),
        (gated(10), "10"),
        (gated("7"), "7"),
        (gated("7/10"), "7"),
        (gated(7.0), "7"),
        (gated(9, safe="fail"), "3"),
        (gated(2, safe="fail"), "2"),
        (gated(9, safe="FAIL", true=" fail "), "3"),
        (gated("abstain"), "abstain"),
        (gated(11), "off_menu"),
        (gated(-1), "off_menu"),
        (gated(7.5), "off_menu"),
        (gated("good"), "off_menu"),
        (gated(9, safe="partly"), "off_menu"),
        (gated(9, safe=True), "off_menu"),
        (gated(9, safe=None), "off_menu"),
        (gated(True), "unparsed"),
        (gated(None), "unparsed"),
        (gated([9]), "unparsed"),
        ('{"score": 9}', "unparsed"),
        ('{"gates": {"safe": "pass"}, "score": 9}', "unparsed"),
        ('{"gates": ["safe"], "score": 9}', "unparsed"),
        ('{"gates": {"safe": "pass", "true": "pass", "x": "pass"}, "score": 9}',
         "off_menu"),
        ('{"gates": {"safe": "pass", "safe": "fail", "true": "pass"}, "score": 9}',
         "unparsed"),
        (gated(9) + gated(8), "conflicting"),
        (gated(9) + gated(9, safe="fail"), "conflicting"),
        (gated(9) + gated("abstain"), "conflicting"),
        (gated(9) + " " + gated(9), "9"),
        ("```json\n" + gated(9) + "\n```\nHope this helps!", "unparsed"),
        (f"<think>{gated(2)}</think>{gated(9)}", "9"),
        ("score: 9", "unparsed"),
        ("I'm sorry, but I can't assist with that.", "refused"),
    ],
)  # fmt: skip
def test_a_score_with_gates(text, wanted):
    assert read(GATED, text) == wanted


def test_a_failed_gate_caps_the_score_and_fails_the_response():
    reading = scale_from(GATED).read(gated(9, true="fail"))
    assert isinstance(reading, Mark)
    assert (reading.score, reading.stated, reading.passed) == (3, 9, False)
    assert (reading.failed_gates, reading.flags) == (("true",), ("capped",))


@pytest.mark.parametrize(("stated", "passed"), [(5, False), (6, True), (10, True)])
def test_a_pass_mark_is_the_least_score_that_passes(stated, passed):
    for text, scale in (
        (gated(stated), {**GATED, "pass_mark": 6}),
        (str(stated), {**SHORT, "levels": ["x"] * 10, "pass_mark": 6}),
    ):
        reading = scale_from(scale).read(text)
        assert isinstance(reading, Mark)
        assert reading.passed is passed
    none = scale_from({"kind": "short_scale", "levels": ["x", "y"]}).read("2")
    assert isinstance(none, Mark)
    assert none.passed is None


@pytest.mark.parametrize(
    ("scale", "field"),
    [
        ({}, "kind"),
        ({"kind": "stars"}, "kind"),
        ({**PASS_FAIL, "levels": ["a", "b"]}, "levels"),
        ({**PASS_FAIL, "place": "top"}, "place"),
        ({**PASS_FAIL, "place": "json_field"}, "field"),
        ({**SHORT, "levels": ["a"]}, "levels"),
        ({**SHORT, "levels": ["x"] * 11}, "levels"),
        ({**SHORT, "levels": ["a", ""]}, "levels"),
        ({**SHORT, "levels": "ab"}, "levels"),
        ({**SHORT, "pass_mark": 6}, "pass_mark"),
        ({**SHORT, "pass_mark": True}, "pass_mark"),
        ({**GATED, "gates": []}, "gates"),
        ({**GATED, "gates": ["safe"]}, "gates"),
        ({**GATED, "gates": [{"name": "safe"}]}, "question"),
        ({**GATED, "gates": [{"name": "a b", "question": "?"}]}, "gates"),
        ({**GATED, "gates": [{"name": "a", "question": "?"}] * 2}, "gates"),
        ({**GATED, "cap": 10}, "cap"),
        ({**GATED, "place": "whole"}, "place"),
    ],
)
def test_options_that_are_not_taken_are_named(scale, field):
    with pytest.raises(BadOptions) as error:
        scale_from(scale)
    assert error.value.field == field


PIECES = ["PASS", "FAIL", "ABSTAIN", "Verdict: ", "Score: ", "3", "4.5", "/5", " or ",
          '{"mark": ', '{"gates": {"safe": "pass", "true": "fail"}, "score": ', "}",
          '"', "\n", "> ", "```", "<think>", "Example: ", "\\", "\x00",
          "\ud800", "\u0663", "\u00b2"]  # fmt: skip
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=10).map(
    "".join
)


@given(texts, st.sampled_from(SCALES))
def test_no_text_raises_and_every_mark_is_on_the_scale(text, scale):
    known = scale_from(scale)
    reading = known.read(text)
    if isinstance(reading, Invalid):
        assert reading.detail.isprintable()
        return
    assert reading.span is not None
    start, end = reading.span
    assert 0 <= start < end <= len(text)
    if isinstance(reading, Mark):
        assert known.lowest <= reading.score <= known.highest


@given(st.text("abc .,\n", max_size=40), st.sampled_from(SCALES))
def test_prose_is_no_mark(text, scale):
    assert isinstance(scale_from(scale).read(text), Invalid)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(
    "unit", ["Verdict: PASS\n", "my ", "3/", "{", '{"score":', " "]
)
def test_no_length_takes_more_than_linear_time(scale, unit):
    known = scale_from(scale)
    text = unit * (200_000 // len(unit))
    began = time.process_time()
    known.read(text)
    assert time.process_time() - began < 30  # quadratic work would take minutes
