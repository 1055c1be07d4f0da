"""The simulated judge marks responses, writes rubrics, and takes any notation."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from judging.domain.asking import ask, prompt_case
from judging.domain.exchange import reply_from_body
from judging.domain.formats.registry import get_format
from judging.domain.marks import Abstained, Mark
from judging.domain.pointwise import PointwiseCase, ask_pointwise, mark_of, scale_of
from judging.domain.ports import JudgeRequest, RawReply
from judging.domain.readings import reading_of
from judging.domain.rubrics import (
    MadeRubric,
    RubricCase,
    ask_for_rubric,
    read_step,
    rubric_from,
)
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid, Verdict
from judging.simulator.brain import Rule, decide, expected, quality
from judging.simulator.options import Options, Shape
from judging.simulator.shapes import answer_to
from tests.judging.domain.pointwise_specs import (
    GATED,
    PASS_FAIL,
    SHORT,
    a_pointwise_spec,
)
from tests.judging.domain.specs import a_spec
from tests.judging.rubric_judges import STEP

NOW = datetime(2025, 1, 1, tzinfo=UTC)
IN_JSON = {"place": "json_field", "field": "mark"}
SCALES = [
    PASS_FAIL,
    {**PASS_FAIL, **IN_JSON},
    {**PASS_FAIL, "place": "whole"},
    SHORT,
    {**SHORT, **IN_JSON},
    GATED,
]
REGEX = {
    "pattern": r"^VERDICT: (?:(?P<first>LEFT)|(?P<second>RIGHT)|(?P<tie>EVEN)"
    r"|(?P<abstain>PASS)|(?P<other>\w{1,9}))$",
    "menu": "End with VERDICT: LEFT, RIGHT, EVEN or PASS",
    "place": "last_line",
    "examples": [
        {"raw": "VERDICT: LEFT", "choice": "first"},
        {"raw": "VERDICT: RIGHT", "choice": "second"},
        {"raw": "VERDICT: EVEN", "choice": "tie"},
        {"raw": "VERDICT: PASS", "choice": "abstain"},
    ],
}
NOTATION = {
    "first": "VERDICT: LEFT",
    "second": "VERDICT: RIGHT",
    "tie": "VERDICT: EVEN",
    "abstain": "VERDICT: PASS",
}


def said(options, request):
    """What comes back over the wire for a request."""
    answer = answer_to(decide(options, request), request, "0" * 64)
    reply = reply_from_body(answer.status, {}, answer.text, now=NOW)
    assert isinstance(reply, RawReply)
    return reply


def about(spec, text):
    case = PointwiseCase("Why?", text, context="Because.")
    rendered = ask_pointwise(spec, scale_of(spec), case)
    return JudgeRequest(rendered.messages, "m").body


def comparing(spec, one="one", two="two"):
    case = prompt_case(spec, prompt="Why?", first=one, second=two)
    return JudgeRequest(ask(spec, case).messages, "m").body


class TestMarks:
    @pytest.mark.parametrize("scale", SCALES)
    def test_a_mark_is_read_back_and_follows_the_quality(self, scale):
        spec = a_pointwise_spec(scale)
        options = Options()
        for number in range(12):
            text = f"answer {number}"
            found = mark_of(said(options, about(spec, text)), scale_of(spec))
            assert isinstance(found, Mark), found
            value, read = quality(options, text), scale_of(spec)
            steps = (read.highest - read.lowest) or 1
            expected_score = read.lowest + value * steps
            if read.kind != "pass_fail":
                assert abs((found.stated or found.score) - expected_score) <= 1
            else:
                assert found.passed is (value >= 0.5)

    @pytest.mark.parametrize("scale", SCALES)
    def test_it_abstains_as_often_as_was_planted(self, scale):
        spec = a_pointwise_spec(scale)
        reply = said(Options(abstain=1), about(spec, "x"))
        assert isinstance(mark_of(reply, scale_of(spec)), Abstained)

    def test_each_gate_fails_as_often_as_was_planted(self):
        spec = a_pointwise_spec(GATED)
        options = Options(gate_fails=0.5)
        found = [
            mark_of(said(options, about(spec, f"t{n}")), scale_of(spec))
            for n in range(60)
        ]
        failed = [each.failed_gates for each in found]
        assert all(
            15 < sum(name in f for f in failed) < 45 for name in ("safe", "true")
        )
        assert len(set(failed)) == 4
        assert all(each.score <= 3 for each in found if each.failed_gates)

    def test_mistakes_turn_the_quality_round(self):
        spec = a_pointwise_spec(PASS_FAIL)
        right, wrong = (decide(Options(accuracy=a), about(spec, "x")) for a in (1, 0))
        assert {right.said, wrong.said} == {"pass", "fail"}
        assert (right.rule, wrong.rule) == (Rule.QUALITY, Rule.MISTAKE)
        counted = expected(Options(), [about(spec, "x")])
        assert counted.choices == {right.said: 1}

    @pytest.mark.parametrize("scale", SCALES)
    @pytest.mark.parametrize(
        ("shape", "reason"),
        [
            (Shape.OFF_MENU, InvalidReason.OFF_MENU),
            (Shape.CONFLICTING, InvalidReason.CONFLICTING),
            (Shape.UNPARSED, InvalidReason.UNPARSED),
            (Shape.REFUSED, InvalidReason.REFUSED),
            (Shape.TRUNCATED, InvalidReason.TRUNCATED),
        ],
    )
    def test_a_planted_shape_is_read_as_what_it_is(self, scale, shape, reason):
        spec = a_pointwise_spec(scale)
        found = mark_of(
            said(Options(shapes={shape: 1}), about(spec, "x")), scale_of(spec)
        )
        assert isinstance(found, Invalid)
        assert found.reason is reason


class TestRubrics:
    def test_a_rubric_is_its_cases_own(self):
        spec, step = a_spec(rubric_step=STEP), read_step(STEP)
        bodies = [
            JudgeRequest(
                ask_for_rubric(spec, step, RubricCase(text)).messages, "m"
            ).body
            for text in ("Why?", "How?")
        ]
        made = [rubric_from(said(Options(), body), step) for body in bodies]
        assert all(isinstance(each, MadeRubric) for each in made)
        assert made[0].text != made[1].text
        assert decide(Options(), bodies[0]).said == "rubric"
        refused = rubric_from(said(Options(shapes={Shape.REFUSED: 1}), bodies[0]), step)
        assert refused.reason is InvalidReason.REFUSED

    def test_a_comparison_by_a_written_rubric_is_no_rubric_request(self):
        spec = a_spec(rubric_step=STEP)
        case = prompt_case(
            spec, prompt="Why?", first="a", second="b", made_rubric="- Short."
        )
        asked = JudgeRequest(ask(spec, case).messages, "m").body
        assert decide(Options(), asked).rubric == ""


class TestNotations:
    @pytest.mark.parametrize("name", ["five_token", "ab_bracket", "output_ab"])
    def test_a_verdict_in_a_json_field(self, name):
        options = {"place": "json_field", "field": "verdict"}
        form = get_format(name, options)
        spec = a_spec(name, format_options=options, parser_version=form.parser_version)
        reading = reading_of(
            said(Options(first_slot=1), comparing(spec)), form, offers_abstain=True
        )
        assert isinstance(reading, Verdict)
        assert reading.choice == "first"
        off = said(Options(shapes={Shape.OFF_MENU: 1}), comparing(spec))
        assert reading_of(off, form, offers_abstain=True).reason == "off_menu"
        two = said(Options(shapes={Shape.CONFLICTING: 1}), comparing(spec))
        assert reading_of(two, form, offers_abstain=True).reason == "conflicting"

    @pytest.mark.parametrize(
        ("planted", "choice"),
        [
            ({"first_slot": 1}, "first"),
            ({"tie": 1}, "tie"),
            ({"abstain": 1}, "abstain"),
        ],
    )
    def test_words_of_ones_own_for_a_regular_expression(self, planted, choice):
        form = get_format("regex", REGEX)
        version = form.parser_version
        spec = replace(
            a_spec(),
            verdict_format="regex",
            parser_version=version,
            format_options=REGEX,
        )
        options = Options(notation=NOTATION, **planted)
        reading = reading_of(said(options, comparing(spec)), form, offers_abstain=True)
        assert isinstance(reading, Verdict)
        assert reading.choice == choice

    def test_a_notation_names_every_choice(self):
        with pytest.raises(ValueError, match="how abstain is written"):
            Options(notation={"first": "1", "second": "2", "tie": "3"})
