from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

import pytest

from judging.domain.asking import NotWhole
from judging.domain.digests import SpecError
from judging.domain.findings import Severity
from judging.domain.lint import may_freeze
from judging.domain.lint_pointwise import lint_pointwise
from judging.domain.marks import Abstained, Mark
from judging.domain.pointwise import (
    USER_TEMPLATE,
    PointwiseCase,
    PointwiseSpec,
    ask_pointwise,
    mark_of,
    pointwise_digest,
    pointwise_from_json,
    pointwise_to_json,
    scale_of,
)
from judging.domain.ports import RawReply
from judging.domain.prompts import Rendered
from judging.domain.terms import RepeatRule
from judging.domain.verdicts import Invalid
from tests.judging.domain.pointwise_specs import (
    GATED,
    PASS_FAIL,
    SHORT,
    a_pointwise_spec,
)
from tests.judging.domain.specs import held_to

SPEC = a_pointwise_spec()
CHANGES: dict[str, Any] = {
    "params": {"max_tokens": 9},
    "scale": SHORT,
    "response_format": {"type": "json_object"},
    "repeats": 2,
    "repeat_rule": RepeatRule.MAJORITY,
    "input_limit": 10,
}
ALL_FIELDS = [each.name for each in fields(PointwiseSpec)]


def reply(text: str | None, **more: Any) -> RawReply:
    return RawReply(**{"text": text, "body": "{}", "finish_reason": "stop", **more})


@pytest.mark.parametrize("scale", [PASS_FAIL, SHORT, GATED])
def test_the_default_judge_passes_with_every_scale(scale):
    spec = a_pointwise_spec(scale)
    with_schema = replace(spec, response_format=held_to(scale_of(spec).schema))
    assert lint_pointwise(with_schema, ["v12", "gpt-4"]) == ()


def test_every_field_alone_changes_the_digest():
    digests = {pointwise_digest(SPEC)}
    for name in ALL_FIELDS:
        change: dict[str, Any] = {name: CHANGES.get(name, f"{getattr(SPEC, name)} ")}
        digests.add(pointwise_digest(replace(SPEC, **change)))
    assert len(digests) == len(ALL_FIELDS) + 1


@pytest.mark.parametrize("scale", [PASS_FAIL, SHORT, GATED])
def test_json_there_and_back(scale):
    spec = a_pointwise_spec(scale, input_limit=5)
    stored = json.loads(json.dumps(pointwise_to_json(spec)))
    assert stored["schema"] == "evenhand.pointwise/1"
    assert pointwise_from_json(stored) == spec
    assert pointwise_digest(pointwise_from_json(stored)) == pointwise_digest(spec)


@pytest.mark.parametrize("field", [*ALL_FIELDS, "schema"])
def test_a_missing_key_and_a_wrong_type_are_named(field):
    stored = pointwise_to_json(SPEC)
    for wrong in ({k: v for k, v in stored.items() if k != field},
                  {**stored, field: 3.5}):  # fmt: skip
        with pytest.raises(SpecError) as error:
            pointwise_from_json(wrong)
        assert error.value.field == field


def test_the_response_is_fenced_and_whole():
    case = PointwiseCase("Refund?", "Yes. {{menu}}", context="Order 7")
    rendered = ask_pointwise(SPEC, scale_of(SPEC), case)
    assert isinstance(rendered, Rendered)
    content = rendered.messages[1].content
    assert f"<<<BEGIN {rendered.fence}>>>\nYes. {{{{menu}}}}\n<<<END" in content
    assert "PASS  The response" in content
    assert "Reference answer" not in content


def test_what_does_not_fit_is_too_long_and_what_is_lost_is_not_sent():
    scale = scale_of(SPEC)
    short = replace(SPEC, input_limit=50)
    reading = ask_pointwise(short, scale, PointwiseCase("p", "r"))
    assert isinstance(reading, Invalid)
    assert reading.reason == "too_long"
    lost = replace(SPEC, user_template="{{prompt}}{{menu}}")
    with pytest.raises(NotWhole, match="response: 0 times"):
        ask_pointwise(lost, scale, PointwiseCase("p", "r"))


@pytest.mark.parametrize(
    ("made", "wanted"),
    [
        (reply("ok\nPASS"), "1"),
        (reply("ok\nABSTAIN"), "abstain"),
        (reply("It is fine."), "unparsed"),
        (reply(None), "empty"),
        (reply(None, reasoning="PASS"), "empty"),
        (reply("PASS", finish_reason="length"), "truncated"),
        (reply("PASS", finish_reason="content_filter"), "filtered"),
        (reply("PASS", refusal="no"), "refused"),
    ],
)
def test_what_the_provider_says_comes_before_the_text(made, wanted):
    got = mark_of(made, scale_of(SPEC))
    if isinstance(got, Invalid):
        assert got.reason == wanted
    else:
        assert wanted == ("abstain" if isinstance(got, Abstained) else str(got.score))


def test_a_mark_that_is_taken_back_or_has_no_finish_reason():
    whole = scale_of(a_pointwise_spec({**PASS_FAIL, "place": "whole"}))
    text = "Verdict: PASS\nSorry, but I cannot assist with this."
    got = mark_of(reply(text), whole)
    assert isinstance(got, Invalid)
    assert got.reason == "refused"
    unfinished = mark_of(reply("PASS", finish_reason=None), scale_of(SPEC))
    assert isinstance(unfinished, Mark)
    assert unfinished.flags == ("no_finish_reason",)


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"model": ""}, "empty", "model"),
        ({"base_url": "ftp://x"}, "bad_url", "base_url"),
        ({"params": {}}, "no_max_tokens", "params.max_tokens"),
        ({"repeats": 0}, "bad_repeats", "repeats"),
        ({"repeat_rule": "last"}, "unknown_rule", "repeat_rule"),
        ({"renderer": "fenced/0"}, "other_renderer", "renderer"),
        ({"parser_version": "pass_fail/0"}, "other_parser", "parser_version"),
        ({"response_format": {"type": "x"}}, "second_format", "response_format"),
        ({"rubric": "End with [[A>B]]."}, "second_format", "rubric"),
        ({"rubric": "Like v12."}, "system_name", "rubric"),
        ({"user_template": "{{first}}"}, "unknown_placeholder", "user_template"),
        ({"user_template": "{{#context}}"}, "section_not_closed", "user_template"),
        (
            {"user_template": USER_TEMPLATE.replace("{{response}}", "")},
            "placeholder_missing",
            "user_template",
        ),
        (
            {"user_template": USER_TEMPLATE + "{{menu}}"},
            "placeholder_repeated",
            "user_template",
        ),
        (
            {"user_template": USER_TEMPLATE.replace(
                "{{response}}", "{{#context}}{{response}}{{/context}}")},
            "text_not_whole",
            "user_template",
        ),
    ],
)  # fmt: skip
def test_one_wrong_setting_is_found(changes, code, field):
    findings = lint_pointwise(a_pointwise_spec(**changes), ["v12"])
    assert (code, field) in {(each.code, each.field) for each in findings}
    assert not may_freeze(findings)


def test_a_wrong_scale_and_a_name_on_the_scale_are_found():
    wrong = a_pointwise_spec({"kind": "stars"}, parser_version="x")
    assert [f.field for f in lint_pointwise(wrong)] == ["scale.kind"]
    named = a_pointwise_spec({**SHORT, "levels": ["as bad as v12", "better"],
                              "pass_mark": 2})  # fmt: skip
    (finding,) = lint_pointwise(named, ["v12"])
    assert (finding.code, finding.field) == ("system_name", "scale")


def test_repeats_at_temperature_zero_are_a_warning_only():
    spec = a_pointwise_spec(repeats=3, params={"temperature": 0, "max_tokens": 9})
    (finding,) = lint_pointwise(spec)
    assert finding.severity is Severity.WARNING


def test_several_choices_must_give_the_same_mark():
    def said(*others):
        return mark_of(reply("PASS", others=others), scale_of(SPEC))

    assert said("so PASS\nPASS", "nothing").flags == ("several_choices",)
    differs = said("FAIL")
    assert isinstance(differs, Invalid)
    assert differs.reason == "conflicting"
