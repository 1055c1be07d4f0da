from __future__ import annotations

from dataclasses import replace

import pytest

from judging.domain.defaults import USER_TEMPLATE
from judging.domain.formats.registry import FORMATS
from judging.domain.lint import lint, may_freeze
from tests.judging.domain.specs import a_spec
from tests.judging.domain.test_lint import REGEX, regex_spec

BEFORE = "Request:\n{{prompt}}\n{{#context}}\n{{context}}\n{{/context}}"
BEFORE += "{{#reference}}\n{{reference}}\n{{/reference}}\n"


def codes(pair: str, name: str = "five_token") -> set[str]:
    spec = a_spec(name, user_template=f"{BEFORE}{pair}\n\n{{{{menu}}}}\n")
    return {each.code for each in lint(spec)}


def turned(pair: str) -> str:
    """Put each response under the heading of the other."""
    return (
        pair.replace("{{first}}", "{{x}}")
        .replace("{{second}}", "{{first}}")
        .replace("{{x}}", "{{second}}")
    )


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_exchanged_labels_are_an_error_with_every_format(name):
    changed = (
        USER_TEMPLATE.replace("Response A:", "Response X:")
        .replace("Response B:", "Response A:")
        .replace("Response X:", "Response B:")
    )
    findings = lint(a_spec(name, user_template=changed))
    assert [each.code for each in findings] == ["slots_exchanged"] * 2
    assert [each.message.split()[0] for each in findings] == ["{{first}}", "{{second}}"]
    assert not may_freeze(findings)


PAIRS = [
    "Response A:\n{{first}}\n\nResponse B:\n{{second}}",
    "A: {{first}} B: {{second}}",
    "# Output (a):\n{{first}}\n\n# Output (b):\n{{second}}",
    "<response_a>\n{{first}}\n</response_a>\n<response_b>\n{{second}}\n</response_b>",
    "<a>{{first}}</a><b>{{second}}</b>",
    (
        "[The Start of Assistant A's Answer]\n{{first}}\n[End of Answer A]\n"
        "[The Start of Assistant B's Answer]\n{{second}}\n[End of Assistant B's Answer]"
    ),
    "Response 1:\n{{first}}\nResponse 2:\n{{second}}",
    "1. {{first}}\n2. {{second}}",
    "2. Response A:\n{{first}}\n3. Response B:\n{{second}}",
    "Step 1: read it.\n\n## Response A\n---\n{{first}}\n## Response B\n---\n{{second}}",
    "The first response:\n{{first}}\nThe second response:\n{{second}}",
    "Response one\n{{first}}\nResponse two\n{{second}}",
    "ResponseA = {{first}}\nResponseB = {{second}}",
    "Antwort A:\n{{first}}\nAntwort B:\n{{second}}",
    "回答A：\n{{first}}\n回答B：\n{{second}}",  # noqa: RUF001 - a full-width colon
    "{{first}}\n(That was Response A.)\n{{second}}\n(That was Response B.)",
    "Response A follows. Take your time.\n{{first}}\nResponse B follows.\n{{second}}",
    (
        "Compare A with B.\nResponse A:\n{{first}}\nResponse B, beside A or not:\n"
        "Response B:\n{{second}}"
    ),
]


@pytest.mark.parametrize("pair", PAIRS)
def test_the_right_labels_pass_and_the_same_exchanged_do_not(pair):
    assert codes(pair) == set()
    assert "slots_exchanged" in codes(turned(pair))


@pytest.mark.parametrize("pair", PAIRS)
def test_the_second_response_before_the_first_is_an_error(pair):
    assert "slots_turned" in codes(turned(pair))
    assert "slots_turned" not in codes(pair)


def test_right_labels_in_the_other_order_are_an_error_too():
    pair = "Response B:\n{{second}}\n\nResponse A:\n{{first}}"
    assert codes(pair) == {"slots_turned"}


def test_an_order_over_two_messages_is_seen():
    spec = a_spec(
        system_template="{{rubric}} {{question}}\nResponse B:\n{{second}}",
        user_template=f"{BEFORE}Response A:\n{{{{first}}}}\n{{{{menu}}}}",
    )
    assert [each.code for each in lint(spec)] == ["slots_turned"]


def test_one_exchanged_label_is_enough():
    assert codes("Response A:\n{{first}}\nResponse A:\n{{second}}") == {
        "slots_exchanged"
    }


def test_a_label_that_only_a_case_with_context_shows_counts():
    pair = (
        "Response A:\n{{#context}}Response B:\n{{/context}}{{first}}\n"
        "Response B:\n{{second}}"
    )
    assert codes(pair) == {"slots_exchanged"}


@pytest.mark.parametrize(
    "pair",
    [
        "{{first}}\n{{second}}",
        "Response X:\n{{first}}\nResponse Y:\n{{second}}",
        "A response:\n{{first}}\nHere is a response of at most 1 page:\n{{second}}",
        "The second is Response A, the first is Response B:\n{{first}}\n{{second}}",
    ],
)
def test_responses_without_a_label_of_the_menu_are_a_warning_only(pair):
    spec = a_spec(user_template=f"{BEFORE}{pair}\n\n{{{{menu}}}}\n")
    findings = lint(spec)
    assert [each.code for each in findings] == ["slot_unnamed"] * 2
    assert may_freeze(findings)


def own(left: str, right: str) -> set[str]:
    user = f"{BEFORE}{left}\n{{{{first}}}}\n{right}\n{{{{second}}}}\n{{{{menu}}}}"
    return {each.code for each in lint(replace(regex_spec(), user_template=user))}


def test_a_notation_of_one_s_own_names_the_slots_as_its_examples_do():
    assert own("Left:", "Right:") == set()
    assert own("Right:", "Left:") == {"slots_exchanged"}
    # Nothing tells what the letters are to it.
    assert own("Response B:", "Response A:") == set()
    assert own("", "") == set()


def test_a_notation_that_calls_the_first_slot_b_needs_b_above_it():
    options = {
        "pattern": "is (?P<first>B)|is (?P<second>A)|(?P<tie>even)"
        "|(?P<abstain>unclear)",
        "examples": [
            {"raw": "Best is B", "choice": "first"},
            {"raw": "Best is A", "choice": "second"},
            *REGEX["examples"][2:],
        ],
    }
    for headings, expected in (
        (("Response B:", "Response A:"), set()),
        (("Response A:", "Response B:"), {"slots_exchanged"}),
    ):
        user = "{}\n{{{{first}}}}\n{}\n{{{{second}}}}\n{{{{menu}}}}".format(*headings)
        spec = replace(regex_spec(**options), user_template=BEFORE + user)
        assert {each.code for each in lint(spec)} == expected
