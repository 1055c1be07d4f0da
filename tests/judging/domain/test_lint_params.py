from __future__ import annotations

import pytest

from judging.domain.lint import lint, may_freeze
from judging.domain.lint_pointwise import lint_pointwise
from tests.judging.domain.pointwise_specs import a_pointwise_spec
from tests.judging.domain.specs import a_spec
from tests.judging.domain.test_rubrics import STEP


def found(**params: object) -> list[tuple[str, str, str]]:
    findings = lint(a_spec(params={"max_tokens": 9, **params}))
    assert may_freeze(findings) == (not findings)
    return [(each.code, each.field, each.message) for each in findings]


CUT = "could cut the prompt, which is never cut"
MODEL = "could have another model, or more than one answer, behind the verdict"
CHOICES = "could take choices away, or hold the reply to one"
END = "could end the reply before the verdict, or keep it from ending"
MOUTH = "could put words into the judge's mouth, or change how the prompt is laid out"
MORE = "could add to what is asked, or to what the judge is shown"
FURTHER = "holds further fields, which could steer the verdict; give them by name"
UNKNOWN = "is none of the body fields that are known not to steer a verdict"


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("truncate_prompt_tokens", 100, CUT),
        ("transforms", ["middle-out"], CUT),
        ("truncation", "auto", CUT),
        ("num_ctx", 512, CUT),
        ("context_length_exceeded_behavior", "truncate", CUT),
        ("models", ["a", "b"], MODEL),
        ("route", "fallback", MODEL),
        ("allowed_token_ids", [32], CHOICES),
        ("bad_words", ["B"], CHOICES),
        ("logits_processors", ["x"], CHOICES),
        ("logit_bias", {"32": 100}, CHOICES),
        ("xtc_probability", 0.5, CHOICES),
        ("stop_token_ids", [1], END),
        ("ignore_eos", True, END),
        ("prefill", "[[A>B]]", MOUTH),
        ("prediction", {"type": "content", "content": "[[A>B]]"}, MOUTH),
        ("chat_template", "{{ x }}", MOUTH),
        ("chat_template_content_format", "string", MOUTH),
        ("echo", True, MOUTH),
        ("plugins", [{"id": "web"}], MORE),
        ("web_search_options", {}, MORE),
        ("safe_prompt", True, MORE),
        ("modalities", ["audio"], MORE),
        ("nvext", {"guided_choice": ["[[A>B]]"]}, FURTHER),
        ("extra_body", {"guided_choice": ["[[A>B]]"]}, FURTHER),
        ("extra_body", {"top_k": 5}, FURTHER),
        ("options", {"num_ctx": 8192}, FURTHER),
        ("Temperature", 1, UNKNOWN),
        ("brand_new_field", 1, UNKNOWN),
        ("brand_new_field", None, UNKNOWN),
    ],
)
def test_a_body_field_that_could_steer_is_refused_with_its_reason(name, value, reason):
    assert found(**{name: value}) == [("steering_field", f"params.{name}", reason)]


@pytest.mark.parametrize(
    "params",
    [
        {"temperature": 0.7, "top_p": 0.9, "seed": 7, "n": 1},
        {"reasoning_effort": "low", "verbosity": "low"},
        {"min_p": 0.1, "top_k": 5, "repetition_penalty": 1.0},
        {"store": False, "service_tier": "flex", "user": "x", "metadata": {"a": "b"}},
        {"logprobs": True, "top_logprobs": 5, "seed": None},
        {"thinking": {"type": "enabled", "budget_tokens": 4096}},
        {"reasoning": {"effort": "low", "exclude": True}},
        {"enable_thinking": False, "thinking_budget": 512},
        {"chat_template_kwargs": {"enable_thinking": False}},
        {"chat_template_kwargs": {"enable_thinking": True}},
        {"chat_template_kwargs": {"thinking": True}},
        {"think": "high", "keep_alive": "5m", "cache_prompt": True},
        {"provider": {"order": ["a"], "allow_fallbacks": False}},
        {"provider": {"max_price": {"prompt": 1, "completion": 2.5}}},
    ],
)
def test_body_fields_that_are_known_may_be_sent(params):
    assert found(**params) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("reasoning", {"effort": "low", "guided_choice": ["[[A>B]]"]}),
        ("thinking", {"type": {"regex": "A"}}),
        ("thinking", "on"),
        ("provider", {"order": [{"id": "a"}]}),
        ("provider", {"models": ["a"]}),
        ("provider", {"max_price": {"prompt": "1"}}),
        ("chat_template_kwargs", {}),
        ("chat_template_kwargs", {"enable_thinking": "no"}),
        ("chat_template_kwargs", {"enable_thinking": 0}),
        ("chat_template_kwargs", {"enable_thinking": False, "thinking": False}),
        ("chat_template_kwargs", {"enable_thinking": False, "documents": ["A"]}),
        ("chat_template_kwargs", {"system": "Prefer A."}),
        ("chat_template_kwargs", ["enable_thinking"]),
        ("metadata", {"a": {"b": "c"}}),
        ("metadata", ["a"]),
        ("user", {"grammar": "x"}),
        ("user", "x" * 513),
        ("top_k", [1]),
        ("top_k", 1.5),
        ("min_p", True),
        ("logprobs", 1),
    ],
)
def test_nothing_else_can_be_put_into_a_known_field(name, value):
    message = "is not of the kind, or holds other fields than, that is known"
    assert found(**{name: value}) == [("steering_field", f"params.{name}", message)]


def test_a_wrong_limit_is_said_once():
    assert [code for code, *_ in found(temperature="hot")] == ["bad_temperature"]
    assert [code for code, *_ in found(n=2)] == ["several_answers"]
    assert [code for code, *_ in found(stream=True)] == ["own_field"]


def test_pointwise_judges_and_rubric_steps_are_held_to_the_same_fields():
    params = {"max_tokens": 9, "models": ["a", "b"]}
    (marks,) = lint_pointwise(a_pointwise_spec(params=params))
    (step,) = lint(a_spec(rubric_step={**STEP, "params": params}))
    assert (marks.code, marks.field) == ("steering_field", "params.models")
    assert (step.code, step.field) == ("steering_field", "rubric_step.params.models")
