"""A pointwise judge survives the way into the form and back."""

from __future__ import annotations

import pytest

from judging.domain.pointwise import pointwise_digest
from judging.forms.pointwise import PointwiseForm, pointwise_initial_of
from judging.services.drafting import ensure_provider
from tests.judging.domain.pointwise_specs import (
    GATED,
    PASS_FAIL,
    SHORT,
    a_pointwise_spec,
)
from tests.judging.forms.test_judges import ADDRESS, sent_values

pytestmark = pytest.mark.django_db


def form_of(spec, **changes):
    ensure_provider(alias="local", base_url=ADDRESS)
    return PointwiseForm(sent_values(pointwise_initial_of(spec) | changes))


@pytest.mark.parametrize(
    "spec",
    [
        a_pointwise_spec(PASS_FAIL),
        a_pointwise_spec(SHORT, repeats=3),
        a_pointwise_spec(GATED, params={"max_completion_tokens": 9, "stop": ["x"]}),
        a_pointwise_spec({**SHORT, "place": "json_field", "field": "mark"}),
        a_pointwise_spec(question="", input_limit=99),
    ],
)
def test_there_and_back(spec):
    form = form_of(spec)
    assert form.is_valid(), form.errors
    assert pointwise_digest(form.spec()) == pointwise_digest(spec)


def test_a_schema_is_that_of_the_scale():
    form = form_of(a_pointwise_spec(GATED), use_schema=True)
    assert form.is_valid(), form.errors
    body = form.spec().response_format
    assert body["json_schema"]["schema"]["required"] == ["reason", "gates", "score"]
    wrong = form_of(a_pointwise_spec(PASS_FAIL), use_schema=True)
    assert not wrong.is_valid()
    assert "no schema" in str(wrong.errors)


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("short_scale", None),
        ("short_scale", {"levels": ["one"]}),
        ("gated_score", {"cap": 3}),
        ("pass_fail", {"levels": ["a", "b"]}),
        ("pass_fail", {"kind": "pass_fail"}),
    ],
)
def test_a_wrong_scale_is_said_at_its_options(kind, options):
    form = form_of(a_pointwise_spec(), scale_kind=kind, scale_options=options)
    assert not form.is_valid()
    assert list(form.errors) == ["scale_options"]
