from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from judging.domain.defaults import USER_TEMPLATE
from judging.domain.findings import Finding, Severity
from judging.domain.formats.registry import FORMATS, get_format
from judging.domain.lint import lint, may_freeze
from tests.judging.domain.specs import a_spec, held_to

if TYPE_CHECKING:
    from judging.domain.digests import JudgeSpec

NAMES = ["gpt-4", "Vicuna 13B", "v12"]


def user(old: str, new: str) -> str:
    assert old in USER_TEMPLATE
    return USER_TEMPLATE.replace(old, new)


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_the_default_judge_passes_with_every_format(name):
    schema = FORMATS[name].response_schema(offers_abstain=True)
    assert lint(a_spec(name, response_format=held_to(schema)), NAMES) == ()


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"provider": " "}, "empty", "provider"),
        ({"model": ""}, "empty", "model"),
        ({"rubric": ""}, "empty", "rubric"),
        ({"rubric_version": ""}, "empty", "rubric_version"),
        ({"base_url": "localhost:80"}, "bad_url", "base_url"),
        ({"base_url": "http://[::1"}, "bad_url", "base_url"),
        ({"base_url": "https://me:pw@host/v1"}, "secret", "base_url"),
        ({"base_url": "https://host/v1?api_key=1"}, "secret", "base_url"),
        ({"params": {"max_tokens": 0}}, "bad_max_tokens", "params.max_tokens"),
        ({"params": {"max_tokens": "9"}}, "bad_max_tokens", "params.max_tokens"),
        (
            {"params": {"max_completion_tokens": True}},
            "bad_max_tokens",
            "params.max_completion_tokens",
        ),
        ({"params": {}}, "no_max_tokens", "params.max_tokens"),
        (
            {"params": {"max_tokens": 9, "temperature": 2.5}},
            "bad_temperature",
            "params.temperature",
        ),
        (
            {"params": {"max_tokens": 9, "temperature": None}},
            "bad_temperature",
            "params.temperature",
        ),
        ({"params": {"max_tokens": 9, "top_p": -1}}, "bad_top_p", "params.top_p"),
        ({"params": {"max_tokens": 9, "n": 2}}, "several_answers", "params.n"),
        ({"params": {"max_tokens": 9, "stream": 1}}, "own_field", "params.stream"),
        ({"params": {"max_tokens": 9, "api_key": "x"}}, "secret", "params.api_key"),
        (
            {"params": {"max_tokens": 9, "a": {"token": "x"}}},
            "secret",
            "params.a.token",
        ),
        (
            {"params": {"max_tokens": 9, "max_completion_tokens": 9}},
            "two_output_limits",
            "params",
        ),
        ({"params": {"max_tokens": 10**30}}, "bad_max_tokens", "params.max_tokens"),
        ({"repeats": 10**9}, "bad_repeats", "repeats"),
        ({"rubric": "Be kind. sk-live-abc123"}, "secret", "rubric"),
        ({"input_limit": 0}, "bad_input_limit", "input_limit"),
        ({"repeats": 0}, "bad_repeats", "repeats"),
        ({"combining_rule": "best"}, "unknown_rule", "combining_rule"),
        ({"repeat_rule": "last"}, "unknown_rule", "repeat_rule"),
        ({"renderer": "fenced/0"}, "other_renderer", "renderer"),
        ({"parser_version": "five_token/0"}, "other_parser", "parser_version"),
        ({"response_format": {"type": "x"}}, "second_format", "response_format"),
        ({"offers_abstain": False}, "abstain_not_offered", "offers_abstain"),
        ({"system_template": "{{x}}"}, "unknown_placeholder", "system_template"),
        ({"user_template": "{{#context}}"}, "section_not_closed", "user_template"),
    ],
)
def test_one_wrong_setting_is_one_finding(changes, code, field):
    found = [(each.code, each.field) for each in lint(a_spec(**changes), NAMES)]
    assert (code, field) in found
    assert not may_freeze(lint(a_spec(**changes), NAMES))


def test_an_unknown_format_is_named():
    spec = replace(a_spec(), verdict_format="six_token")
    assert [each.code for each in lint(spec)] == ["unknown_format"]


@pytest.mark.parametrize(
    ("template", "codes"),
    [
        (user("{{second}}", ""), {"placeholder_missing", "text_not_whole"}),
        (user("{{second}}", "{{first}}"), {"placeholder_missing", "text_not_whole"}),
        (user("{{menu}}", ""), {"placeholder_missing"}),
        (user("{{menu}}", "{{menu}} {{menu}}"), {"placeholder_repeated"}),
        (user("{{prompt}}", "{{prompt}}{{prompt}}"), {"placeholder_repeated"}),
        (user("{{context}}", ""), {"placeholder_missing", "text_not_whole"}),
        (user("{{reference}}", ""), {"placeholder_missing", "text_not_whole"}),
        # There only where the pair has a context.
        (
            user("{{second}}", "{{#context}}{{second}}{{/context}}"),
            {"text_not_whole"},
        ),
    ],
)
def test_every_text_must_be_there_once_for_every_kind_of_pair(template, codes):
    findings = lint(a_spec(user_template=template))
    assert codes <= {each.code for each in findings}
    assert not may_freeze(findings)


def test_a_rubric_that_is_not_shown_is_an_error():
    spec = a_spec(system_template="Judge by the rubric.")
    missing = [each for each in lint(spec) if each.code == "placeholder_missing"]
    assert [each.message.split()[0] for each in missing] == [
        "{{rubric}}",
        "{{question}}",
    ]
    no_question = a_spec(question="", system_template="Judge. {{rubric}}")
    assert lint(no_question) == ()


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("system_template", "You are gpt4. {{rubric}} {{question}}"),
        ("user_template", USER_TEMPLATE + "vicuna-13b"),
        ("rubric", "Prefer V12."),
        ("question", "Is GPT 4 better?"),
    ],
)
def test_no_system_may_be_named(field, text):
    hits = [x for x in lint(a_spec(**{field: text}), NAMES) if x.code == "system_name"]
    assert [hit.field for hit in hits] == [field]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("five_token", 'Reply as {"winner": "A"}'),
        ("five_token", "Respond with a JSON object."),
        ("five_token", "Say [[A]], [[B]] or [[C]] for a tie."),
        ("five_token", "Choice: 1"),
        ("json_winner", "End with [[A>B]]."),
        ("choice_123", "End with [[A=B]]."),
        ("choice_123", 'Reply as {"verdict": "left"}'),
        ("json_winner", "Write 1 if the first is better."),
    ],
)
def test_a_second_format_in_the_prompt_is_an_error(name, text):
    for field in ("rubric", "user_template"):
        changed = text if field == "rubric" else USER_TEMPLATE + text
        found = lint(a_spec(name, **{field: changed}))
        assert ("second_format", field) in {(each.code, each.field) for each in found}


def test_repeating_the_menu_is_a_warning_only():
    findings = lint(a_spec(rubric="Example: [[A=B]]"))
    assert [(each.code, each.severity) for each in findings] == [
        ("repeated_menu", Severity.WARNING)
    ]
    assert may_freeze(findings)


def test_repeats_at_temperature_zero_are_a_warning_only():
    findings = lint(a_spec(repeats=3))
    assert [each.code for each in findings] == ["repeats_at_zero"]
    assert may_freeze(findings)
    warm = {"temperature": 0.7, "max_tokens": 9}
    assert lint(a_spec(repeats=3, params=warm)) == ()


def test_a_finding_is_an_error_unless_it_says_otherwise():
    assert not may_freeze([Finding("code", "field", "message")])
    assert may_freeze([])


BRACKETS = "End with [[A]], [[B]] or [[C]]."


def test_a_format_s_own_notation_is_no_second_format():
    findings = lint(a_spec("ab_bracket", rubric=BRACKETS + " Or [[ABSTAIN]]."))
    assert [each.code for each in findings] == ["repeated_menu"]
    other = lint(a_spec("five_token", rubric=BRACKETS))
    assert {each.code for each in other} == {"second_format"}


@pytest.mark.parametrize("name", ["five_token", "ab_bracket", "output_ab"])
def test_the_default_judge_passes_with_its_verdict_in_a_json_field(name):
    options = {"place": "json_field", "field": "verdict"}
    schema = get_format(name, options).response_schema(offers_abstain=True)
    asked = held_to(schema)
    assert lint(a_spec(name, format_options=options, response_format=asked)) == ()


def test_options_that_the_format_does_not_take_are_one_finding():
    (finding,) = lint(a_spec("ab_bracket", format_options={"place": "top"}))
    assert (finding.code, finding.field) == (
        "bad_format_options",
        "format_options.place",
    )


REGEX = {
    "pattern": "(?P<first>left)|(?P<second>right)|(?P<tie>even)|(?P<abstain>unclear)",
    "menu": "Say left, right, even or unclear.",
    "examples": [
        {"raw": "left", "choice": "first"},
        {"raw": "right", "choice": "second"},
        {"raw": "even", "choice": "tie"},
        {"raw": "unclear", "choice": "abstain"},
    ],
}


def regex_spec(**options) -> JudgeSpec:
    return replace(
        a_spec(rubric="Judge well."),
        verdict_format="regex",
        parser_version="regex/4",
        format_options={**REGEX, **options},
    )


def test_a_declared_expression_that_reads_its_examples_passes():
    assert lint(regex_spec()) == ()


@pytest.mark.parametrize(
    ("options", "codes"),
    [
        ({"examples": REGEX["examples"][:3]}, {"example_missing"}),
        ({"examples": REGEX["examples"][2:]}, {"example_missing"}),
        (
            {"examples": REGEX["examples"][:2]},
            {"tie_not_offered", "example_missing"},
        ),
        (
            {"examples": [*REGEX["examples"], {"raw": "odd", "choice": "tie"}]},
            {"example_unread"},
        ),
        (
            {"examples": [*REGEX["examples"], {"raw": "left", "choice": "tie"}]},
            {"example_unread"},
        ),
        ({"pattern": "(a+)+"}, {"bad_format_options"}),
        ({"menu": ""}, {"bad_format_options"}),
    ],
)
def test_a_declared_expression_must_read_an_example_of_each_choice(options, codes):
    findings = lint(regex_spec(**options))
    assert {each.code for each in findings} == codes
    assert not may_freeze(findings)
