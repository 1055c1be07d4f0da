from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.domain.formats.registry import (
    FORMAT_NAMES,
    FORMATS,
    UnknownFormat,
    get_format,
)
from judging.domain.verdicts import Invalid, Verdict
from tests.shared import shared_data

NAMES = sorted(FORMATS)
OURS = {
    "groundtruth5": "five_token",
    "mtbench": "ab_bracket",
    "json_winner": "json_winner",
    "free": "choice_123",
}


def test_formats_are_found_by_their_own_names():
    assert NAMES == ["ab_bracket", "choice_123", "five_token", "json_winner",
                     "output_ab"]  # fmt: skip
    assert set(FORMAT_NAMES) == {*NAMES, "regex"}
    for name, each in FORMATS.items():
        assert get_format(name) is each
        assert each.name == name
        assert each.parser_version.startswith(name + "/")
    with pytest.raises(
        UnknownFormat, match=r"'x'.*choice_123, five_token, json_winner, output_ab, reg"
    ):
        get_format("x")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("offers_abstain", [True, False])
def test_each_format_reads_its_own_examples_and_covers_its_menu(name, offers_abstain):
    each = get_format(name)
    examples = each.examples(offers_abstain=offers_abstain)
    for example in examples:
        reading = each.read(example.raw, offers_abstain=offers_abstain)
        assert isinstance(reading, Verdict)
        wanted = (example.verdict.choice, example.verdict.strength)
        assert (reading.choice, reading.strength) == wanted
    choices = {example.verdict.choice for example in examples}
    assert ("abstain" in choices) is offers_abstain
    assert len(choices) == 3 + offers_abstain


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("offers_abstain", [True, False])
def test_an_echoed_menu_is_no_verdict(name, offers_abstain):
    menu = get_format(name).menu(offers_abstain=offers_abstain)
    for text in (menu, menu + "\nI'm sorry, but I can't assist with that."):
        reading = get_format(name).read(text, offers_abstain=offers_abstain)
        assert isinstance(reading, Invalid)


def test_hard_replies_are_never_read_as_another_choice():
    lines = shared_data("hard_verdicts.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    for row in rows:
        # Replies made for other formats must not be misread by any of ours either.
        for name in NAMES:
            reading = get_format(name).read(row["raw"], offers_abstain=True)
            got = "invalid" if isinstance(reading, Invalid) else reading.choice
            fine = {row["expected"], "invalid", *row.get("also_acceptable", [])}
            assert got in fine, (name, row["note"], reading)
    assert len(rows) >= 38


@pytest.mark.parametrize(
    ("kind", "readable", "read"),
    [("mtbench", 17, 8), ("groundtruth5", 2, 2), ("json_winner", 1, 1),
     ("free", 11, 3)],
)  # fmt: skip
def test_so_many_hard_replies_are_read_by_the_format_they_were_made_for(
    kind, readable, read
):
    lines = shared_data("hard_verdicts.jsonl").read_text().splitlines()
    rows = [row for row in map(json.loads, lines) if row["format"] == kind]
    known = get_format(OURS[kind])
    readings = [known.read(row["raw"], offers_abstain=True) for row in rows]
    assert sum(row["expected"] != "invalid" for row in rows) == readable
    assert sum(isinstance(each, Verdict) for each in readings) >= read


@pytest.mark.parametrize("judge", ["gpt35", "gpt4", "claude", "bard", "vicuna-13b"])
def test_thousands_of_real_replies_are_read_as_their_authors_read_them(judge):
    lines = shared_data(f"prd/verdicts-{judge}.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    readings = [
        get_format("choice_123").read(row["raw"], offers_abstain=False) for row in rows
    ]
    both = list(zip(rows, readings, strict=True))
    read_ones = [(row, got) for row, got in both if isinstance(got, Verdict)]
    assert all(got.choice == row["choice"] for row, got in read_ones)
    shares = {"gpt35": 0.9, "gpt4": 1, "claude": 0.999, "bard": 0.25, "vicuna-13b": 0}
    assert len(read_ones) >= shares[judge] * len(rows)


PIECES = [
    "[[A>B]]", "[[B>A]]", "[[A=B]]", "[[ABSTAIN]]", "[[C]]", "[[A]]", "[[B]]", "[A]",
    "Output (a)", "Output (b)", "Tie", " is better.", "Verdict: ", "not ", "<think>",
    "</think>",
    "```", "```json", "~~~", "> ", '{"winner":', '"A"', '"tie"', "}", "{", "/*",
    "//", "1", "2", "3", "0", "I choose ", "Example: ", "\n", "\r\n", " ", "\\", '"',
    "[", "]", "\x00", "\ud800", "\uff3b\uff3b\uff21\uff1e\uff22\uff3d\uff3d",
]  # fmt: skip
# Ten times as long as what judges write at most.
LONG = 200_000
replies = st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=12).map(
    "".join
)


@given(replies, st.sampled_from(NAMES), st.booleans())
def test_no_text_raises_and_every_span_lies_in_it(text, name, offers_abstain):
    reading = get_format(name).read(text, offers_abstain=offers_abstain)
    if isinstance(reading, Verdict):
        assert reading.span is not None
        start, end = reading.span
        assert 0 <= start < end <= len(text)
        assert offers_abstain or reading.choice != "abstain"
    else:
        assert reading.detail.isprintable()


@given(replies, st.text("abc .,\n", max_size=30), st.sampled_from(NAMES))
def test_prose_after_an_invalid_reply_makes_no_verdict(text, junk, name):
    if "```" in text or "~~~" in text:
        junk = ""  # prose after a fence changes whether the fence is the whole reply
    before = get_format(name).read(text, offers_abstain=True)
    after = get_format(name).read(text + " so " + junk, offers_abstain=True)
    if isinstance(before, Invalid):
        assert isinstance(after, Invalid)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "unit",
    [
        "[", "[[", "[[A", "{", '{"', '{"a":', '{"winner":', "{/*", "{//", "{/* *",
        '{"\\"',
        "[[A>B]] ", "<think>", "</think>", "```\n", "```", "> ", "\n", " ", "\t", "* ",
        "1 ", "1,", "1 or ", "I choose ", "the best ", "Example: ", "choose, ", "a. ",
        "a", "(", "[[A]]", "[[A]] is ", "than [[B]] ", "[A]\n", "Output (a) ",
        "output ", "Output (a) is better. ", "Output (a) is the ", "the output is ",
        "\\", '"', ", ", "1.\n2.\n",
    ],
)  # fmt: skip
def test_no_length_takes_more_than_linear_time(name, unit):
    text = (unit * (LONG // len(unit) + 1))[:LONG]
    began = time.process_time()
    get_format(name).read(text + "\n3", offers_abstain=True)
    assert time.process_time() - began < 20  # quadratic work would take minutes


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("five_token", "[[A>B]]"),
        ("ab_bracket", "[[A]]"),
        ("output_ab", "\nOutput (a)"),
        ("choice_123", "\n1"),
        ("json_winner", '{"winner": "A"}'),
    ],
)
def test_much_prose_is_read_in_seconds(name, end):
    text = 'Response A names the deadline; "B" does not, see {x} and [y].\n' * 3_100
    began = time.process_time()
    reading = get_format(name).read(text + end, offers_abstain=True)
    assert time.process_time() - began < 10
    assert isinstance(reading, Verdict)
