from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

import pytest

from judging.domain.digests import (
    LEFT_OUT_IF_NONE,
    JudgeSpec,
    SpecError,
    spec_digest,
    spec_from_json,
    spec_to_json,
)
from judging.domain.terms import CombiningRule, RepeatRule
from tests.judging.domain.specs import a_spec

PLAIN = JudgeSpec(
    provider="p",
    base_url="http://x/v1",
    model="m",
    params={"temperature": 0.5, "max_tokens": 9},
    system_template="s",
    user_template="u",
    rubric="r",
    rubric_version="1",
    question="q",
    verdict_format="five_token",
    parser_version="five_token/1",
    renderer="fenced/1",
)
CHANGES: dict[str, Any] = {
    "provider": "p2",
    "base_url": "http://y/v1",
    "model": "m2",
    "params": {"temperature": 0.6, "max_tokens": 9},
    "system_template": "s ",
    "user_template": "u ",
    "rubric": "r ",
    "rubric_version": "2",
    "question": "q ",
    "verdict_format": "choice_123",
    "parser_version": "five_token/4",
    "response_format": {"type": "json_object"},
    "offers_abstain": False,
    "combining_rule": CombiningRule.MEAN_STRENGTH,
    "repeats": 2,
    "repeat_rule": RepeatRule.MAJORITY,
    "input_limit": 10,
    "on_too_long": "other",
    "reask": "once",
    "renderer": "fenced/2",
    "format_options": {"place": "last_line"},
    "rubric_step": {"max_chars": 9},
}
ALL_FIELDS = [each.name for each in fields(JudgeSpec)]


def test_the_digest_is_the_same_for_ever():
    assert (
        spec_digest(PLAIN)
        == "06683acffdf7d3418147f039c4fb1d70772a6511ffc3968095dd169af3e06875"
    )


def changed(name: str) -> JudgeSpec:
    """Change one field of the plain spec."""
    change: dict[str, Any] = {name: CHANGES[name]}
    return replace(PLAIN, **change)


@pytest.mark.parametrize("field", ALL_FIELDS)
def test_every_field_alone_changes_the_digest(field):
    assert spec_digest(changed(field)) != spec_digest(PLAIN)


def test_no_two_changes_share_a_digest():
    digests = {spec_digest(changed(name)) for name in ALL_FIELDS}
    assert len(digests) == len(ALL_FIELDS)


@pytest.mark.parametrize("name", ["temperature", "top_p", "seed", "reasoning_effort"])
def test_every_parameter_changes_the_digest(name):
    more = replace(PLAIN, params=dict(PLAIN.params) | {name: 1})
    assert spec_digest(more) != spec_digest(PLAIN)


def test_how_numbers_and_keys_are_written_does_not_change_the_digest():
    one = replace(PLAIN, params={"temperature": 1.0, "extra": {"a": [2.0]}})
    other = replace(PLAIN, params={"extra": {"a": [2]}, "temperature": 1})
    assert spec_digest(one) == spec_digest(other)


def test_a_frozen_spec_keeps_its_own_copy() -> None:
    stops = ["x"]
    params: dict[str, object] = {"max_tokens": 9, "stop": stops}
    spec = replace(PLAIN, params=params)
    before = spec_digest(spec)
    stops.append("y")
    params["max_tokens"] = 1
    assert spec_digest(spec) == before


@pytest.mark.parametrize("spec", [PLAIN, a_spec("json_winner", input_limit=5)])
def test_json_there_and_back(spec):
    stored = json.loads(json.dumps(spec_to_json(spec)))
    assert stored["schema"] == "evenhand.judge/1"
    assert spec_from_json(stored) == spec
    assert spec_digest(spec_from_json(stored)) == spec_digest(spec)


NEEDED = [name for name in ALL_FIELDS if name not in LEFT_OUT_IF_NONE]


@pytest.mark.parametrize("field", [*NEEDED, "schema"])
def test_a_missing_key_is_named(field):
    stored = spec_to_json(PLAIN)
    del stored[field]
    with pytest.raises(SpecError) as error:
        spec_from_json(stored)
    assert error.value.field == field


@pytest.mark.parametrize("field", [*ALL_FIELDS, "schema"])
def test_a_wrong_type_is_named(field):
    for wrong in (3.5, ["x"]):
        with pytest.raises(SpecError) as error:
            spec_from_json({**spec_to_json(PLAIN), field: wrong})
        assert error.value.field == field


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("offers_abstain", "false"),
        ("offers_abstain", 1),
        ("repeats", True),
        ("repeats", "2"),
        ("input_limit", "10"),
        ("combining_rule", "Agree_else_tie"),
        ("repeat_rule", None),
        ("on_too_long", "cut"),
        ("reask", "always"),
        ("schema", "evenhand.judge/2"),
        ("model", None),
    ],
)
def test_no_value_is_converted_or_guessed(field, value):
    with pytest.raises(SpecError) as error:
        spec_from_json({**spec_to_json(PLAIN), field: value})
    assert error.value.field == field


@pytest.mark.parametrize("name", LEFT_OUT_IF_NONE)
def test_what_older_judges_did_not_have_is_left_out_where_there_is_none(name):
    assert name not in spec_to_json(PLAIN)
    assert spec_from_json({**spec_to_json(PLAIN), name: None}) == PLAIN
    there = changed(name)
    assert spec_to_json(there)[name] == CHANGES[name]
    assert spec_from_json(spec_to_json(there)) == there


def test_an_unknown_key_is_named():
    with pytest.raises(SpecError, match="api_key: is not a known key"):
        spec_from_json({**spec_to_json(PLAIN), "api_key": "x"})
    with pytest.raises(SpecError, match="must be an object"):
        spec_from_json([])


@pytest.mark.parametrize(
    ("params", "path"),
    [
        ({"temperature": float("nan")}, "params.temperature"),
        ({"a": {"b": [float("inf")]}}, r"params.a.b\[0\]"),
        ({"a": {1: 2}}, "params.a"),
        ({"a": object()}, "params.a"),
    ],
)
def test_what_json_cannot_hold_is_refused(params, path):
    with pytest.raises(SpecError, match=path):
        replace(PLAIN, params=params)
