"""A judge survives the way into the form and back, whatever it holds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from django.http import QueryDict

from judging.domain.defaults import rubric_step_to_start_from
from judging.domain.digests import JudgeSpec, spec_digest
from judging.domain.terms import CombiningRule, RepeatRule
from judging.forms.judges import JudgeForm, initial_of
from judging.services.drafting import ensure_provider
from tests.judging.domain.specs import a_spec

if TYPE_CHECKING:
    from collections.abc import Mapping

pytestmark = pytest.mark.django_db

ADDRESS = "http://127.0.0.1:8000/v1"


def sent(spec: JudgeSpec, **changes: Any) -> QueryDict:
    """What a browser sends of the form that shows a judge."""
    return sent_values(initial_of(spec) | changes)


def sent_values(values: Mapping[str, Any]) -> QueryDict:
    """What a browser sends of a form with these values: CRLF and all."""
    data = QueryDict(mutable=True)
    for name, value in values.items():
        if value is None or value is False or value == "":
            continue
        text = json.dumps(value) if isinstance(value, dict) else str(value)
        data[name] = "on" if value is True else text.replace("\n", "\r\n")
    return data


def form_of(spec: JudgeSpec, **changes: Any) -> JudgeForm:
    ensure_provider(alias="local", base_url=ADDRESS)
    return JudgeForm(sent(spec, **changes))


@pytest.mark.parametrize(
    "spec",
    [
        a_spec(),
        a_spec(
            "json_winner",
            params={"max_completion_tokens": 99, "reasoning_effort": "low", "seed": 7},
            combining_rule=CombiningRule.MEAN_STRENGTH,
            repeats=3,
            repeat_rule=RepeatRule.MAJORITY,
            input_limit=1000,
        ),
        a_spec(params={"max_tokens": 5, "reasoning_effort": "enormous", "stop": ["x"]}),
        a_spec(
            "five_token",
            format_options={"place": "json_field", "field": "verdict"},
            parser_version="",
        ),
        a_spec(
            system_template="\n  {{rubric}} \n\n", question="", offers_abstain=False
        ),
        a_spec(params={"max_tokens": 9, "temperature": 0.7, "top_p": 1}),
        a_spec(rubric_step=rubric_step_to_start_from()),
        a_spec(
            rubric_step={
                **rubric_step_to_start_from(),
                "params": {"max_completion_tokens": 7, "stop": ["x"]},
                "max_chars": 12,
            }
        ),
    ],
)
def test_a_judge_comes_back_as_it_went_in(spec):
    form = form_of(spec)
    assert form.is_valid(), form.errors
    back = form.spec()
    if not spec.parser_version:  # the form takes the version of the day
        assert back.parser_version
        spec = type(spec)(
            **{n: getattr(spec, n) for n in spec.__slots__}
            | {"parser_version": back.parser_version}
        )
    assert back == spec
    assert spec_digest(back) == spec_digest(spec)


def test_a_schema_is_asked_for_in_the_format_s_own_shape():
    form = form_of(a_spec("json_winner"), use_schema=True)
    assert form.is_valid(), form.errors
    asked = form.spec().response_format
    assert asked is not None
    assert asked["type"] == "json_schema"
    winners = asked["json_schema"]["schema"]["properties"]["winner"]["enum"]
    assert winners == ["A", "B", "tie", "abstain"]
    assert initial_of(form.spec())["use_schema"] is True


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"use_schema": True}, "no schema"),
        ({"extra": {"temperature": 1}}, "field of its own"),
        ({"temperature": 3}, "less than or equal to 2"),
        ({"format_options": {"nonsense": 1}}, "nonsense"),
        ({"extra": "[1]"}, "JSON object"),
        ({"extra": "{"}, "is not JSON"),
        ({"extra": '{"top_k": NaN}'}, "is NaN, which JSON does not have"),
        ({"extra": '{"a":' * 100_000}, "nested too deeply"),
        ({"extra": '{"a": 1' + "0" * 5_000 + "}"}, "too large a number"),
        ({"extra": '{"a": "\\ud800"}'}, "half a surrogate pair"),
        ({"limit": 10**30}, "less than or equal to 10000000"),
        ({"repeats": 0}, "greater than or equal to 1"),
        ({"model": ""}, "required"),
        ({"provider": "elsewhere"}, "Select a valid choice"),
    ],
)
def test_what_can_t_be_is_refused_where_it_stands(changes, word):
    form = form_of(a_spec(), **changes)
    assert not form.is_valid()
    assert word in str(form.errors)


def test_a_first_step_that_is_not_wanted_is_not_taken() -> None:
    form = form_of(a_spec(), step=False, step_max_chars=None)
    assert form.is_valid(), form.errors
    assert form.spec().rubric_step is None


def test_a_first_step_needs_its_longest_rubric() -> None:
    form = form_of(a_spec(), step=True, step_max_chars=None)
    assert not form.is_valid()
    assert "rubric_step.max_chars" in str(form.errors)
