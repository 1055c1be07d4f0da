from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.domain.formats.regex import LONGEST_SEARCHED
from judging.domain.formats.regex_safety import MAX_STEPS, UnsafePattern, checked
from judging.domain.formats.registry import BadOptions, get_format
from judging.domain.verdicts import Invalid, Verdict

WINNER = (
    r"Winner:\s{0,9}+(?:(?P<first>model_1)|(?P<second>model_2)|(?P<tie>draw)"
    r"|(?P<abstain>unclear)|(?P<other>\w{1,20}))\b"
)
EXAMPLES = [
    {"raw": "Winner: model_1", "choice": "first"},
    {"raw": "Winner: model_2", "choice": "second"},
    {"raw": "Winner: draw", "choice": "tie"},
    {"raw": "Winner: unclear", "choice": "abstain"},
]
MENU = "Write Winner: and one of model_1, model_2, draw, unclear."
GOOD = {"pattern": WINNER, "menu": MENU, "examples": EXAMPLES}


def read(text: str, *, offers_abstain: bool = True, **changes: object) -> str:
    known = get_format("regex", {**GOOD, **changes})
    reading = known.read(text, offers_abstain=offers_abstain)
    if isinstance(reading, Invalid):
        return str(reading.reason)
    return reading.choice + ("+" if reading.strength == 2 else "")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Winner: model_1", "first"),
        ("I think so. Winner:model_2.", "second"),
        ("Winner: draw", "tie"),
        ("Winner: unclear", "abstain"),
        ("Winner: model_1 Winner: model_1", "first"),
        ("Winner: model_1 Winner: model_2", "conflicting"),
        ("Winner: model_3", "off_menu"),
        ("Winner: model_1 Winner: model_3", "off_menu"),
        ("winner: model_1", "unparsed"),
        ("model_1", "unparsed"),
        ("> Winner: model_1", "unparsed"),
        ("```\nx\nWinner: model_1\n```\nno", "unparsed"),
        ("<think>Winner: model_1</think>Winner: draw", "tie"),
        ("Example: Winner: model_1", "unparsed"),
        ("I'm sorry, but I can't assist with that.", "refused"),
        ("  ", "empty"),
    ],
)
def test_what_is_read_in_the_whole_reply(text, wanted):
    assert read(text) == wanted


def test_case_counts_unless_it_is_declared_not_to():
    assert read("WINNER: Model_2", ignore_case=True) == "second"


def test_abstain_counts_only_where_it_is_offered():
    assert read("Winner: unclear", offers_abstain=False) == "off_menu"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Winner: model_1\nWinner: model_2\r\n", "second"),
        ("Winner: model_2\nbecause", "unparsed"),
        ("Winner: model_1\n```\nWinner: model_2\n```", "second"),
    ],
)
def test_what_is_read_on_the_last_line(text, wanted):
    assert read(text, place="last_line") == wanted


def test_anchors_are_those_of_the_last_line():
    pattern = r"^(?:(?P<first>one)|(?P<second>two)|(?P<tie>even))$"
    assert read("two words\ntwo", pattern=pattern, place="last_line") == "second"
    assert read("two\ntwo words", pattern=pattern, place="last_line") == "unparsed"
    known = get_format("regex", {**GOOD, "pattern": pattern, "place": "last_line"})
    reading = known.read("so\ntwo\n", offers_abstain=True)
    assert isinstance(reading, Verdict)
    assert reading.span == (3, 6)


def test_what_is_read_in_a_json_field():
    options = {"place": "json_field", "field": "answer"}
    assert read('{"answer": "Winner: draw", "x": "Winner: q"}', **options) == "tie"
    assert read("Winner: draw", **options) == "unparsed"


def test_strengths_are_those_of_the_groups():
    pattern = (
        r"(?P<first_strong>\+\+A)|(?P<first>\+A)|(?P<second_strong>\+\+B)"
        r"|(?P<second>\+B)|(?P<tie>=)"
    )
    examples = [{"raw": "++A", "choice": "first", "strength": 2}]
    options = {"pattern": pattern, "examples": examples}
    assert read("++A", **options) == "first+"
    assert read("+B", **options) == "second"
    assert read("++B or +B", **options) == "second"
    known = get_format("regex", {**GOOD, **options})
    reading = known.read("++B or +B", offers_abstain=True)
    assert isinstance(reading, Verdict)
    assert reading.flags == ("mixed_strength",)


def test_two_choices_in_one_match_are_off_the_menu():
    pattern = r"(?P<first>A)(?P<second>B)?|(?P<tie>C)"
    assert read("AB", pattern=pattern) == "off_menu"
    assert read("A", pattern=pattern) == "first"


def test_full_width_characters_may_be_declared():
    pattern = (
        "\u7ed3\u8bba\uff1a(?:(?P<first>\u7532)|(?P<second>\u4e59)|(?P<tie>\u5e73))"
    )
    for place in ("whole", "last_line"):
        got = read("\u7ed3\u8bba\uff1a\u4e59", pattern=pattern, place=place)
        assert got == "second"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"pattern": "("}, "pattern"),
        ({"pattern": 3}, "pattern"),
        ({"pattern": "(?P<first>a)|(?P<second>b)"}, "pattern"),
        ({"pattern": "(?P<left>a)"}, "pattern"),
        ({"menu": " "}, "menu"),
        ({"examples": []}, "examples"),
        ({"examples": ["Winner: draw"]}, "examples"),
        ({"examples": [{"raw": "x", "choice": "left"}]}, "choice"),
        ({"examples": [{"raw": "x", "choice": "tie", "strength": 2}]}, "examples"),
        ({"examples": [{"raw": "x", "choice": "first", "strength": 3}]}, "strength"),
        ({"examples": [{"raw": "x", "choice": "tie", "note": "y"}]}, "note"),
        ({"ignore_case": "no"}, "ignore_case"),
        ({"place": "top"}, "place"),
        ({"flags": "i"}, "flags"),
    ],
)
def test_wrong_options_are_named(changes, field):
    with pytest.raises(BadOptions) as error:
        get_format("regex", {**GOOD, **changes})
    assert error.value.field == field


def test_it_does_not_exist_without_options():
    with pytest.raises(BadOptions, match="pattern: is missing"):
        get_format("regex")


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        (r"(a{1,9}){1,9}b", "no repeat"),
        (r"(a+)+b", "upper limit"),
        (r"[[A]]", "no clear"),
        (r"(?:a|aa){2,50}b", "no repeat and no alternatives"),
        (r"(?:a?){9}b", "no repeat"),
        (r"x\s*y", "upper limit"),
        (r"x.+", "upper limit"),
        (r"x.{0,5000}", "upper limit"),
        (r"a{0,200}a{0,200}a{0,200}b", "steps"),
        (r"(a)\1", "back references"),
        (r"(a)?(?(1)b|c)", "conditions"),
        (r"a?", "empty"),
        (r"(?:)|a", "empty"),
        (r"[", "no clear"),
        ("a" * 1001, "longer"),
        ("(?:ab|ba)" * 20 + "b", "steps"),
    ],
)
def test_patterns_that_could_run_away_are_refused(pattern, reason):
    with pytest.raises(UnsafePattern, match=reason):
        checked(pattern, ignore_case=False)


@pytest.mark.parametrize(
    "pattern",
    [
        r"a{0,60}a{0,60}b",
        r"a{1,200}+a{0,200}+b",
        r"(?=a{0,90}b)a{0,90}b",
        r"(?>a{0,200})(?:a|b)(?:a|b)(?:a|b)c",
        r"(?:aa){0,99}b",
        r"[^\n]{0,90}:\s{0,9}x",
    ],
)
def test_accepted_patterns_are_quick_on_the_worst_texts(pattern):
    known = checked(pattern, ignore_case=True)
    for text in ("a" * LONGEST_SEARCHED, "ab" * (LONGEST_SEARCHED // 2)):
        began = time.process_time()
        list(known.finditer(text))
        assert time.process_time() - began < 30


def test_a_longer_reply_is_unread_rather_than_searched_in_part():
    long = "x" * LONGEST_SEARCHED + " Winner: draw"
    assert read(long) == "unparsed"
    assert read(long, place="last_line") == "unparsed"
    assert read("x\n" * LONGEST_SEARCHED + "Winner: draw", place="last_line") == "tie"


@given(st.text("ab?*+{}(|)[]12,\\s.^$", max_size=14))
def test_no_pattern_breaks_the_check(text):
    try:
        known = checked(text, ignore_case=False)
    except UnsafePattern:
        return
    assert isinstance(known, re.Pattern)
    assert known.search("") is None
    assert MAX_STEPS > 0


@given(st.lists(st.sampled_from(["Winner: ", "model_1", "draw", "\n", "> ", "```",
       "<think>", "\x00"]) | st.text(max_size=4)).map("".join),
       st.sampled_from(["whole", "last_line"]))  # fmt: skip
def test_no_text_raises_and_every_verdict_stands_in_it(text, place):
    known = get_format("regex", {**GOOD, "place": place})
    reading = known.read(text, offers_abstain=True)
    if isinstance(reading, Verdict):
        assert reading.span is not None
        start, end = reading.span
        assert text[start:end].startswith("Winner:")


def test_a_notation_of_ones_own_may_call_the_first_slot_b():
    known = get_format(
        "regex",
        {
            "pattern": "Winner: (?:(?P<first>B)|(?P<second>A)|(?P<tie>tie))",
            "menu": "Write Winner: A, B or tie.",
            "examples": [{"raw": "Winner: B", "choice": "first"}],
        },
    )
    reading = known.read("B is better.\n\nWinner: B", offers_abstain=True)
    assert isinstance(reading, Verdict)
    taken_back = known.read("Winner: B\n\nScratch that.", offers_abstain=True)
    assert isinstance(taken_back, Invalid)
