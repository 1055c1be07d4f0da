from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.domain.templates import TemplateError, fill, parse, slots_of


@pytest.mark.parametrize(
    ("template", "texts", "wanted"),
    [
        ("", {}, ""),
        ("plain {text} {{", {}, "plain {text} {{"),
        ("a {{first}} b", {"first": "X"}, "a X b"),
        ("{{ first }}{{second}}", {"first": "X", "second": "Y"}, "XY"),
        ("{{first}}", {"first": "{{second}}", "second": "no"}, "{{second}}"),
        ("{{first}}", {"first": "{{#context}}", "context": "no"}, "{{#context}}"),
        ("{{#context}}C: {{context}}.{{/context}}", {"context": "X"}, "C: X."),
        ("{{#context}}C: {{context}}.{{/context}}", {}, ""),
        ("{{context}}", {}, ""),
        (
            "{{#context}}{{#reference}}{{reference}}{{/reference}}|{{/context}}",
            {"context": "c"},
            "|",
        ),
    ],
)
def test_texts_are_put_in_once(template, texts, wanted):
    assert fill(parse(template), texts) == wanted


@pytest.mark.parametrize(
    ("template", "code"),
    [
        ("{{answer}}", "unknown_placeholder"),
        ("{{#baseline}}", "unknown_placeholder"),
        ("{{#first}}{{first}}{{/first}}", "needless_section"),
        ("{{#context}}", "section_not_closed"),
        ("{{/context}}", "section_not_open"),
        ("{{#context}}{{#reference}}{{/context}}", "section_not_open"),
    ],
)
def test_a_broken_template_says_what_is_wrong(template, code):
    with pytest.raises(TemplateError) as error:
        parse(template)
    assert error.value.code == code


def test_slots_are_found_in_sections_too():
    parts = parse("{{prompt}}{{#context}}{{context}}{{/context}}{{prompt}}")
    assert list(slots_of(parts)) == ["prompt", "context", "prompt"]


@given(st.text(), st.text())
def test_inserted_text_comes_out_unchanged(one, other):
    filled = fill(parse("<{{first}}|{{second}}>"), {"first": one, "second": other})
    assert filled == f"<{one}|{other}>"
