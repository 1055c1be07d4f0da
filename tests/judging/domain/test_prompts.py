from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.domain import prompts
from judging.domain.asking import NotWhole, ask, prompt_case, template_of
from judging.domain.defaults import DEFAULT_TEMPLATE
from judging.domain.formats.registry import UnknownFormat
from judging.domain.ports import Role
from judging.domain.prompts import (
    JudgeTemplate,
    PromptCase,
    Rendered,
    fence_for,
    fenced,
    occurrences,
    render,
    too_long,
)
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid
from tests.judging.domain.specs import a_spec

CASE = PromptCase(prompt="Why?", first="Because.", second="No idea.")

texts = st.text(max_size=40) | st.sampled_from(
    ["{{second}}", "{{#context}}", "<<<END x>>>", "a\n", " ", "\ud800"]
)
cases = st.builds(
    PromptCase,
    prompt=texts,
    first=texts,
    second=texts,
    context=st.none() | texts,
    reference=st.none() | texts,
    rubric=texts,
    menu=texts,
)


def test_the_messages_as_they_are_sent():
    template = JudgeTemplate("Judge.", "{{prompt}}\nA:\n{{first}}\nB:\n{{second}}")
    rendered = render(template, CASE)
    mark = "4d7a66f51e71a20c"
    assert [message.role for message in rendered.messages] == [Role.SYSTEM, Role.USER]
    assert rendered.messages[0].content == "Judge."
    assert rendered.messages[1].content == (
        f"<<<BEGIN {mark}>>>\nWhy?\n<<<END {mark}>>>\n"
        f"A:\n<<<BEGIN {mark}>>>\nBecause.\n<<<END {mark}>>>\n"
        f"B:\n<<<BEGIN {mark}>>>\nNo idea.\n<<<END {mark}>>>"
    )
    assert rendered.fence == mark


def test_no_system_message_without_a_system_template():
    (only,) = render(JudgeTemplate("", "{{prompt}}"), CASE).messages
    assert only.role is Role.USER


@given(cases)
def test_every_text_arrives_once_and_whole_in_both_orders(case):
    for each in (case, case.swapped):
        rendered = render(DEFAULT_TEMPLATE, each)
        assert occurrences(rendered, each) == ()
    assert case.swapped.swapped == case


@given(cases)
def test_the_fence_is_the_same_in_both_orders_and_in_no_text(case):
    fence = fence_for(case)
    assert fence == fence_for(case.swapped)
    assert not any(fence in text for text in case.case_texts().values())


@given(cases)
def test_swapping_the_responses_changes_nothing_else(case):
    case = replace(case, first="probe-one", second="probe-two")
    one = render(DEFAULT_TEMPLATE, case)
    other = render(DEFAULT_TEMPLATE, case.swapped)
    for before, after in zip(one.messages, other.messages, strict=True):
        exchanged = before.content.replace("probe-one", "probe-gap")
        exchanged = exchanged.replace("probe-two", "probe-one")
        assert exchanged.replace("probe-gap", "probe-two") == after.content


def test_a_text_that_holds_the_code_gets_another_code(monkeypatch):
    monkeypatch.setattr(prompts, "_FENCE_DIGITS", 1)
    case = replace(CASE, first="0123456789abcd", second="-")
    assert fence_for(case) in {"e", "f"}


@pytest.mark.parametrize("field", ["prompt", "first", "second", "context", "reference"])
def test_every_case_text_changes_the_code(field):
    case = replace(CASE, context="c", reference="r")
    assert fence_for(replace(case, **{field: "other"})) != fence_for(case)
    same = fence_for(replace(case, rubric="other", menu="other", question="other"))
    assert same == fence_for(case)


def test_a_context_is_not_taken_for_a_reference():
    one = fence_for(replace(CASE, context="x"))
    assert one != fence_for(replace(CASE, reference="x"))


def test_two_equal_responses_must_stand_there_twice():
    twins = replace(CASE, second=CASE.first)
    assert occurrences(render(DEFAULT_TEMPLATE, twins), twins) == ()
    once = render(JudgeTemplate("", "{{prompt}}{{first}}"), twins)
    assert occurrences(once, twins) == (
        "first: 1 times, not 2",
        "second: 1 times, not 2",
    )


@pytest.mark.parametrize(
    ("user", "problem"),
    [
        ("{{prompt}} {{first}}", "second: 0 times, not 1"),
        ("{{prompt}} {{first}} {{first}} {{second}}", "first: 2 times, not 1"),
        ("{{first}} {{second}}", "prompt: 0 times, not 1"),
    ],
)
def test_missing_and_repeated_texts_are_found(user, problem):
    assert occurrences(render(JudgeTemplate("", user), CASE), CASE) == (problem,)


def test_a_damaged_text_is_found():
    rendered = render(DEFAULT_TEMPLATE, CASE)
    cut = tuple(
        replace(message, content=message.content.replace("No idea.", "No ide"))
        for message in rendered.messages
    )
    damaged = Rendered(cut, rendered.fence)
    assert occurrences(damaged, CASE) == ("second: 0 times, not 1",)
    extra = (*rendered.messages, replace(cut[0], content=fenced("x", rendered.fence)))
    more = Rendered(extra, rendered.fence)
    assert occurrences(more, CASE) == ("8 delimiter lines for 3 texts",)


def test_input_is_too_long_and_never_cut():
    rendered = render(DEFAULT_TEMPLATE, CASE)
    assert too_long(rendered, None) is None
    assert too_long(rendered, rendered.length) is None
    reading = too_long(rendered, rendered.length - 1)
    assert reading is not None
    assert reading.reason is InvalidReason.TOO_LONG


def test_asking_joins_judge_and_pair():
    spec = a_spec(input_limit=5_000)
    case = prompt_case(spec, prompt="Why?", first="x", second="y", context="c")
    rendered = ask(spec, case)
    assert isinstance(rendered, Rendered)
    system, user = (message.content for message in rendered.messages)
    assert spec.rubric in system
    assert spec.question in system
    assert "[[ABSTAIN]]" in user
    assert "Reference" not in user
    long = prompt_case(spec, prompt="Why?", first="x" * 5_000, second="y")
    assert isinstance(ask(spec, long), Invalid)


def test_nothing_is_sent_that_is_not_whole():
    spec = a_spec(user_template="{{prompt}}{{first}}{{second}}{{menu}}")
    plain = prompt_case(spec, prompt="p", first="x", second="y")
    assert isinstance(ask(spec, plain), Rendered)
    with_context = prompt_case(spec, prompt="p", first="x", second="y", context="c")
    with pytest.raises(NotWhole, match="context: 0 times, not 1"):
        ask(spec, with_context)
    assert template_of(spec).user == spec.user_template


def test_an_unknown_format_is_named():
    spec = replace(a_spec(), verdict_format="x")
    with pytest.raises(UnknownFormat):
        prompt_case(spec, prompt="p", first="x", second="y")
