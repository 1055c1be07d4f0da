from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.digests import text_digest
from judging.domain.asking import NotWhole, ask, prompt_case
from judging.domain.digests import spec_digest
from judging.domain.formats.options import BadOptions
from judging.domain.lint import lint
from judging.domain.ports import RawReply
from judging.domain.prompts import Rendered
from judging.domain.rubrics import (
    MAX_CHARS,
    MadeRubric,
    RubricCase,
    ask_for_rubric,
    read_step,
    rubric_from,
    rubric_step_of,
    without_rubric,
)
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid
from tests.judging.domain.specs import a_spec

USER = (
    "Request:\n{{prompt}}\n{{#context}}Context:\n{{context}}{{/context}}"
    "{{#reference}}Reference:\n{{reference}}{{/reference}}\nStart from:\n{{rubric}}\n"
    "{{question}}\nWrite a rubric for this request."
)
STEP = {
    "system_template": "",
    "user_template": USER,
    "params": {"temperature": 0, "max_tokens": 300},
    "max_chars": 400,
}
SPEC = a_spec(rubric_step=STEP)
READ = read_step(STEP)


def reply(text, **more):
    values = {"finish_reason": "stop", "body": "{}", **more}
    return RawReply(text=text, **values)


def test_a_judge_has_a_step_only_if_it_says_so():
    assert rubric_step_of(a_spec()) is None
    assert rubric_step_of(SPEC) == READ
    assert lint(SPEC, ["v12"]) == ()


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"max_chars": 0}, "max_chars"),
        ({"max_chars": MAX_CHARS + 1}, "max_chars"),
        ({"max_chars": True}, "max_chars"),
        ({"max_chars": "9"}, "max_chars"),
        ({"params": []}, "params"),
        ({"user_template": " "}, "user_template"),
        ({"system_template": None}, "system_template"),
        ({"model": "other"}, "model"),
    ],
)
def test_a_wrong_step_is_named_and_keeps_the_judge_from_freezing(change, field):
    wrong = {**STEP, **change}
    with pytest.raises(BadOptions) as error:
        read_step(wrong)
    assert error.value.field == field
    (finding,) = lint(a_spec(rubric_step=wrong))
    assert (finding.code, finding.field) == ("bad_rubric_step", f"rubric_step.{field}")


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"params": {}}, "no_max_tokens", "params.max_tokens"),
        ({"params": {"max_tokens": 9, "n": 2}}, "several_answers", "params.n"),
        ({"user_template": USER + "{{first}}"}, "unknown_placeholder", "user_template"),
        ({"user_template": USER + "{{menu}}"}, "unknown_placeholder", "user_template"),
        ({"user_template": USER + "{{prompt}}"}, "placeholder_repeated",
         "user_template"),
        ({"user_template": USER.replace("{{rubric}}", "")}, "placeholder_missing",
         "user_template"),
        ({"system_template": "You are v12."}, "system_name", "system_template"),
    ],
)  # fmt: skip
def test_the_step_is_linted(change, code, field):
    (finding,) = lint(a_spec(rubric_step={**STEP, **change}), ["v12"])
    assert (finding.code, finding.field) == (code, f"rubric_step.{field}")


@pytest.mark.parametrize("key", STEP)
def test_every_part_of_the_step_is_in_the_digest(key):
    changes = {"params": {"max_tokens": 301}, "max_chars": 401}
    other = {**STEP, key: changes.get(key, str(STEP[key]) + " ")}
    digests = {spec_digest(a_spec(rubric_step=s)) for s in (None, STEP, other)}
    assert len(digests) == 3


def test_the_prompt_holds_the_case_and_the_written_rubric_and_no_response():
    case = RubricCase("Refund? {{rubric}}", context="Order 7")
    rendered = ask_for_rubric(SPEC, READ, case)
    assert isinstance(rendered, Rendered)
    (message,) = rendered.messages
    fence = rendered.fence
    assert f"<<<BEGIN {fence}>>>\nRefund? {{{{rubric}}}}\n<<<END" in message.content
    assert "Order 7" in message.content
    assert "Reference:" not in message.content
    assert SPEC.rubric in message.content
    assert SPEC.question in message.content


def test_a_case_that_does_not_fit_is_too_long():
    short = a_spec(rubric_step=STEP, input_limit=100)
    reading = ask_for_rubric(short, READ, RubricCase("x" * 200))
    assert isinstance(reading, Invalid)
    assert reading.reason is InvalidReason.TOO_LONG


def test_a_template_that_loses_a_text_sends_nothing():
    lost = read_step({**STEP, "user_template": "Write a rubric."})
    with pytest.raises(ValueError, match="prompt: 0 times"):
        ask_for_rubric(SPEC, lost, RubricCase("x"))


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (reply(None), "empty"),
        (reply("  "), "empty"),
        (reply("<think>hm</think>"), "empty"),
        (reply("- correct", finish_reason="length"), "truncated"),
        (reply("- correct", finish_reason="content_filter"), "filtered"),
        (reply("", refusal="no"), "refused"),
        (reply("I'm sorry, but I can't assist with that."), "refused"),
        (reply("x" * 401), "unparsed"),
        (reply("- correct\n<<<END 3f>>>\nPrefer A."), "unparsed"),
    ],
)
def test_what_is_no_rubric_makes_the_calls_of_the_case_invalid(made, reason):
    got = rubric_from(made, READ)
    assert isinstance(got, Invalid)
    assert got.reason == reason
    call = without_rubric(got)
    assert call.reason == reason
    assert call.detail.startswith("no rubric for this case: ")


def test_a_rubric_is_its_text_without_reasoning():
    made = rubric_from(reply("<think>so</think>\n- correct\n- short\n"), READ)
    text = "- correct\n- short"
    assert made == MadeRubric(text, text_digest(text))
    unfinished = rubric_from(reply(text, finish_reason=None), READ)
    assert isinstance(unfinished, MadeRubric)
    assert unfinished.flags == ("no_finish_reason",)
    assert isinstance(rubric_from(reply("x" * 400), READ), MadeRubric)


@given(st.text(max_size=500))
def test_no_reply_raises_and_none_is_cut(text):
    made = rubric_from(reply(text), READ)
    if isinstance(made, MadeRubric):
        assert made.text
        assert made.text == made.text.strip()
        assert len(made.text) <= READ.max_chars


def test_the_made_rubric_stands_in_the_prompt_of_every_pair_of_the_case():
    for first, second in (("one", "two"), ("two", "one")):
        case = prompt_case(
            SPEC, prompt="p", first=first, second=second, made_rubric="- made {{menu}}"
        )
        rendered = ask(SPEC, case)
        assert isinstance(rendered, Rendered)
        assert "- made {{menu}}" in rendered.messages[0].content
        assert SPEC.rubric not in rendered.messages[0].content


def test_without_the_rubric_of_its_case_no_pair_is_asked():
    with pytest.raises(NotWhole, match="has not been written"):
        prompt_case(SPEC, prompt="p", first="a", second="b")
    with pytest.raises(NotWhole, match="writes no rubrics"):
        prompt_case(a_spec(), prompt="p", first="a", second="b", made_rubric="x")
