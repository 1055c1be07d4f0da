"""A schema that takes a choice away, or the field that is read, is found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judging.domain.lint import lint, may_freeze
from judging.domain.lint_pointwise import lint_pointwise
from judging.domain.scale_kinds import scale_from
from tests.judging.domain.pointwise_specs import GATED, a_pointwise_spec
from tests.judging.domain.specs import a_spec

ALL = ["A", "B", "tie", "abstain"]


def schema(winner, *, required=("reason", "winner"), **others):
    return {
        "type": "json_schema",
        "json_schema": {
            "name": "verdict",
            "strict": True,
            "schema": {
                "type": "object",
                "properties": {"reason": {"type": "string"}, **winner},
                "required": list(required),
                **others,
            },
        },
    }


def winner(*values):
    return {"winner": {"type": "string", "enum": list(values)}}


def found(response_format):
    spec = a_spec("json_winner", response_format=response_format)
    return [each for each in lint(spec) if each.code == "bad_response_format"]


@pytest.mark.parametrize(
    ("response_format", "words"),
    [
        (schema(winner("A", "B", "tie")), 'must allow "abstain"'),
        (schema(winner("A", "B")), 'must allow "tie"'),
        (schema(winner("A")), 'must allow "B"'),
        (schema(winner("first", "second", "tie", "abstain")), 'must allow "A"'),
        (schema(winner(*ALL, "both")), 'allows "both", which is not on the menu'),
        (schema({"verdict": {"enum": ALL}}), 'has no property "winner"'),
        (schema(winner(*ALL), required=["reason"]), "required"),
        (schema({"winner": {"type": "integer"}}), 'must allow "A"'),
        (schema({"winner": {"type": "string", "pattern": "^[AB]$"}}), '"tie"'),
        (schema({"winner": {"type": "string", "maxLength": 3}}), '"abstain"'),
        (schema({"winner": {"$ref": "#/$defs/none"}}), 'must allow "A"'),
        ({"type": "text"}, "json_schema"),
        ({"foo": 1}, "json_schema"),
        ({"type": "json_schema"}, "an object called schema"),
        ({"type": "json_object", "schema": {"type": "object"}}, "no property"),
    ],
)
def test_a_schema_that_takes_something_away_is_an_error(response_format, words):
    findings = found(response_format)
    assert any(words in each.message for each in findings), findings
    assert not may_freeze(findings)
    assert {each.field for each in findings} == {"response_format"}


@pytest.mark.parametrize(
    "response_format",
    [
        None,
        {"type": "json_object"},
        schema(winner(*ALL), additionalProperties=False),
        schema({"winner": {"type": "string"}}),
        schema({"winner": {"$ref": "#/$defs/w"}}, **{"$defs": {"w": {"enum": ALL}}}),
        schema({"winner": {"anyOf": [{"const": each} for each in ALL]}}),
        schema({**winner(*ALL), "confidence": {"type": "number"}}),
    ],
)
def test_a_schema_that_lets_every_choice_through_is_fine(response_format):
    assert found(response_format) == []


NOT_TIE = {"winner": {"enum": ALL, "not": {"enum": ["tie", "abstain"]}}}
REASON = {"reason": {"const": "Response A is clearly better."}}
BESIDE = {"type": "json_schema", "guided_choice": ["A"]} | {
    "json_schema": schema(winner(*ALL))["json_schema"]
}


@pytest.mark.parametrize(
    ("response_format", "words"),
    [
        (schema(NOT_TIE), '"winner" holds "not"'),
        (schema(winner(*ALL), allOf=[{"properties": {}}]), 'holds "allOf"'),
        (schema(winner(*ALL), anyOf=[{}]), 'the schema holds "anyOf"'),
        (schema(winner(*ALL), const={}), 'the schema holds "const"'),
        (schema(winner(*ALL), patternProperties={}), 'holds "patternProperties"'),
        (schema(winner(*ALL), maxProperties=1), 'holds "maxProperties"'),
        (schema(winner(*ALL), **{"if": {}}), 'holds "if"'),
        (schema(winner(*ALL), type="array"), 'must be of type "object"'),
        (schema(winner(*ALL), required=["winner", "x"]), 'requires "x"'),
        (schema(winner(*ALL) | REASON), '"reason" fixes what the judge says'),
        (schema({"winner": {"$ref": "#/$defs/w", "enum": ["A"]}}), "beside $ref"),
        (BESIDE, 'response_format holds "guided_choice"'),
        ({**schema(winner(*ALL)), "schema": {}}, "two schemas"),
        ({**schema(winner(*ALL)), "type": "json_object"}, "of that name"),
    ],
)
def test_what_could_steer_the_reply_in_another_way_is_refused_by_name(
    response_format, words
):
    findings = found(response_format)
    assert any(words in each.message for each in findings), findings
    assert not may_freeze(findings)


@pytest.mark.parametrize(
    "name",
    [
        "guided_choice", "guided_regex", "structured_outputs", "grammar", "extra_body",
        "logit_bias", "stop", "json_schema", "format", "tools", "tool_choice", "system",
        "prompt", "instructions", "chat_template",
    ],
)  # fmt: skip
def test_a_body_field_that_could_steer_the_verdict_is_refused(name):
    spec = a_spec(params={"max_tokens": 9, name: ["[[A>B]]"]})
    findings = [each for each in lint(spec) if each.code == "steering_field"]
    assert [each.field for each in findings] == [f"params.{name}"]
    assert not may_freeze(findings)


def test_no_setting_names_a_system():
    hint = winner(*ALL) | {"reason": {"type": "string", "description": "heron-3 wins"}}
    for changes in (
        {"response_format": schema(hint)},
        {"params": {"max_tokens": 9, "user": "heron-3"}},
    ):
        findings = lint(a_spec("json_winner", **changes), ["heron-3"])
        assert not may_freeze(findings)
        assert any("heron-3" in each.message for each in findings)


def gated(**properties):
    scale = scale_from(GATED)
    assert scale.schema is not None
    own = dict(scale.schema)
    kept = own["properties"]
    assert isinstance(kept, dict)
    changed = {**own, "properties": {**kept, **properties}}
    spec = replace(
        a_pointwise_spec(GATED),
        response_format={
            "type": "json_schema",
            "json_schema": {"name": "mark", "schema": changed},
        },
    )
    return [e.message for e in lint_pointwise(spec) if e.code == "bad_response_format"]


def test_a_scale_is_held_to_its_marks_in_the_same_way():
    assert gated() == []
    assert gated(score={"type": "integer"}) == ['"score" must allow "abstain"']
    assert any("gates" in each for each in gated(gates={"type": "string"}))


@pytest.mark.parametrize(
    "end", ["/chat/completions", "/chat/completions/", "/completions", "/responses/"]
)
def test_an_address_that_holds_the_path_of_the_call_is_wrong(end):
    spec = a_spec(base_url=f"http://127.0.0.1:8000/v1{end}")
    assert [each.code for each in lint(spec)] == ["bad_url"]
