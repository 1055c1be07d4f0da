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
