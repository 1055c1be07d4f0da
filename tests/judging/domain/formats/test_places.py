from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judging.domain.formats.base import Place
from judging.domain.formats.registry import BadOptions, get_format
from judging.domain.verdicts import Invalid, Verdict

LAST = {"place": "last_line"}
FIELD = {"place": "json_field", "field": "verdict"}
PLACED = [
    ("five_token", LAST), ("ab_bracket", LAST), ("five_token", FIELD),
    ("ab_bracket", FIELD), ("output_ab", FIELD),
]  # fmt: skip


def read(name, options, text, *, offers_abstain=True) -> str:
    reading = get_format(name, options).read(text, offers_abstain=offers_abstain)
    return str(reading.reason if isinstance(reading, Invalid) else reading.choice)


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("ab_bracket", "[[A]] looks good at first.\nFinal: [[B]]", "second"),
        ("ab_bracket", "[[A]] looks good at first. Final: [[B]]", "conflicting"),
        ("ab_bracket", "[[A]]\nBecause it is better.", "unparsed"),
        ("ab_bracket", "x\n[B]\n\n", "second"),
        ("ab_bracket", "[[B]]\n> [[A]]", "unparsed"),
        ("ab_bracket", "so\n```\n[[B]]\n```", "second"),
        ("ab_bracket", "<think>\n[[B]]\n</think>", "unparsed"),
        ("ab_bracket", "Example:\n[[B]]", "unparsed"),
        ("ab_bracket", "I can't assist with that.\nok", "refused"),
        ("ab_bracket", "[[B]]\n[[D]]", "off_menu"),
        ("five_token", "[[A>B]]\n[[B>>A]]", "second"),
        ("five_token", "[[A>B]]\n[[B>>A]] [[B>A]]", "second"),
        ("five_token", "", "empty"),
    ],
)
def test_on_the_last_line(name, text, wanted):
    assert read(name, LAST, text) == wanted


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("ab_bracket", '{"reason": "[[A]]", "verdict": "[[B]]"}', "second"),
        ("ab_bracket", '{"Verdict": "so [[B]]",}', "second"),
        ("ab_bracket", '```json\n{"verdict": "[[C]]"}\n```\nHope it helps', "unparsed"),
        ("ab_bracket", '{"verdict": "[[A]] or [[B]]"}', "conflicting"),
        ("ab_bracket", '{"verdict": "[[A]]"} {"verdict": "[[B]]"}', "conflicting"),
        ("ab_bracket", '{"verdict": "[[A]]"} {"verdict": "hm"}', "unparsed"),
        ("ab_bracket", '{"verdict": "[[A]]", "verdict": "[[A]]"}', "unparsed"),
        ("ab_bracket", '{"x": {"verdict": "[[A]]"}}', "unparsed"),
        ("ab_bracket", '[{"verdict": "[[A]]"}]', "unparsed"),
        ("ab_bracket", '{"verdict": ["[[A]]"]}', "unparsed"),
        ("ab_bracket", '{"verdict": "[[A]]"} {"verdict": "[[B]]" oops', "unparsed"),
        ("ab_bracket", '{"verdict": "model_2"}', "unparsed"),
        ("ab_bracket", '{"verdict": "[[D]]"}', "off_menu"),
        ("ab_bracket", "[[A]]", "unparsed"),
        ("ab_bracket", '<think>{"verdict": "[[A]]"}</think>', "unparsed"),
        ("ab_bracket", 'Example: {"verdict": "[[A]]"}', "unparsed"),
        ("ab_bracket", "I'm sorry, but I can't assist with that.", "refused"),
        ("five_token", '{"verdict": "[[B>A]]"}', "second"),
        ("output_ab", '{"verdict": "Output (b)"}', "second"),
        ("output_ab", '{"verdict": "tie"}', "tie"),
    ],
)
def test_in_a_json_field(name, text, wanted):
    assert read(name, FIELD, text) == wanted


@pytest.mark.parametrize(("name", "options"), PLACED)
@pytest.mark.parametrize("offers_abstain", [True, False])
def test_a_placed_format_reads_its_examples_and_not_its_menu(
    name, options, offers_abstain
):
    placed = get_format(name, options)
    assert placed.place is Place(options["place"])
    assert placed.parser_version == get_format(name).parser_version
    for each in placed.examples(offers_abstain=offers_abstain):
        got = placed.read(each.raw, offers_abstain=offers_abstain)
        assert isinstance(got, Verdict)
        wanted = (each.verdict.choice, each.verdict.strength)
        assert (got.choice, got.strength) == wanted
    menu = placed.menu(offers_abstain=offers_abstain)
    assert menu != get_format(name).menu(offers_abstain=offers_abstain)
    assert isinstance(placed.read(menu, offers_abstain=offers_abstain), Invalid)


def test_the_schema_of_a_field_offers_what_the_menu_offers():
    schema = get_format("ab_bracket", FIELD).response_schema(offers_abstain=False)
    assert schema is not None
    assert schema["properties"] == {
        "reason": {"type": "string"},
        "verdict": {"type": "string", "enum": ["[[A]]", "[[B]]", "[[C]]"]},
    }
    assert get_format("ab_bracket", LAST).response_schema(offers_abstain=True) is None


@pytest.mark.parametrize(
    ("name", "options", "field"),
    [
        ("ab_bracket", {"place": "first_line"}, "place"),
        ("ab_bracket", {"place": True}, "place"),
        ("output_ab", {"place": "whole"}, "place"),
        ("ab_bracket", {"place": "json_field"}, "field"),
        ("ab_bracket", {"place": "json_field", "field": "a b"}, "field"),
        ("ab_bracket", {"place": "json_field", "field": "reason"}, "field"),
        ("ab_bracket", {"place": "json_field", "field": 3}, "field"),
        ("ab_bracket", {"place": "last_line", "field": "x"}, "field"),
        ("ab_bracket", {"pattern": "x"}, "pattern"),
        ("choice_123", {}, "format_options"),
        ("json_winner", {"place": "json_field"}, "format_options"),
    ],
)
def test_options_that_are_not_taken_are_named(name, options, field):
    with pytest.raises(BadOptions) as error:
        get_format(name, options)
    assert error.value.field == field


def test_a_format_in_its_own_place_is_the_format_itself():
    assert get_format("ab_bracket", {"place": "whole"}) is get_format("ab_bracket")
    assert get_format("output_ab", {}) is get_format("output_ab")


PIECES = ["[[A]]", "[[B>A]]", "Output (a)", '{"verdict": "', '"}', "\n", "> ", "```",
          "<think>", "Example: ", "\\", "\x00", "\ud800", " "]  # fmt: skip
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=12).map(
    "".join
)


@given(texts, st.sampled_from(PLACED))
def test_no_text_raises_and_every_span_lies_in_it(text, placed):
    reading = get_format(*placed).read(text, offers_abstain=True)
    if isinstance(reading, Verdict):
        assert reading.span is not None
        start, end = reading.span
        assert 0 <= start < end <= len(text)


@example("[[A]] Example: ")
@given(texts)
def test_what_the_last_line_says_does_not_depend_on_lines_without_marks(text):
    placed = get_format("ab_bracket", LAST)
    before = placed.read(text, offers_abstain=True)
    after = placed.read("so far so good.\n" + text, offers_abstain=True)
    if "```" not in text and "think" not in text and text.strip():
        assert type(before) is type(after)


@pytest.mark.parametrize(
    ("text", "whole", "last_line"),
    [
        ("B asks for this.\n\n[[B>>A]]\n\nI ignore that.", "second", "unparsed"),
        ("B asks for this.\n\n[[B>>A]]\n\nMine:\n[[A>B]]", "conflicting", "first"),
        ("B asks for [[B>>A]].\nI ignore that.", "unparsed", "unparsed"),
    ],
)
def test_a_bare_copied_line_is_told_from_a_verdict_only_by_a_place(
    text, whole, last_line
):
    assert read("five_token", None, text) == whole
    assert read("five_token", LAST, text) == last_line
