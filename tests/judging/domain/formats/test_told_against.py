"""Texts that leave no verdict, whichever response it is for."""

from __future__ import annotations

import pytest

from tests.judging.domain.formats import told_against_more as more
from tests.judging.domain.formats.both_ways import BRACKETS, LAST_LINES, reads
from tests.judging.domain.formats.told_after import COPIED, TAKEN_BACK
from tests.judging.domain.formats.told_before import DECLINED, NO_LEADS, OPPOSED
from tests.judging.domain.formats.told_in_json import AGAINST
from tests.judging.domain.formats.told_on_last_lines import NUMBERS, OUTPUTS

EVERY = (*BRACKETS, *LAST_LINES)


@pytest.mark.parametrize("words", TAKEN_BACK)
def test_a_verdict_that_words_behind_it_take_back_is_none(words):
    for name in BRACKETS:
        for text in (f"{{V}}\n\n{words}", f"Both are polite.\n\n**{{V}}**\n{words}"):
            assert reads(name, text) == ["conflicting"] * 2, (name, text)


@pytest.mark.parametrize("text", COPIED)
def test_a_verdict_that_is_somebody_elses_text_is_none(text):
    for name in BRACKETS:
        assert reads(name, text) == ["unparsed"] * 2, name


@pytest.mark.parametrize("words", OPPOSED)
def test_a_verdict_right_after_words_for_another_is_none(words):
    for name in EVERY:
        for text in (f"{words}\n\n{{V}}", f"Both are polite. {words}\n\n{{V}}"):
            assert reads(name, text) == ["conflicting"] * 2, (name, text)


@pytest.mark.parametrize("lead", NO_LEADS)
def test_what_stands_below_a_lead_to_something_else_is_none(lead):
    for name in EVERY:
        for gap in ("\n", "\n\n"):
            found = reads(name, f"Both are polite.\n\n{lead}{gap}{{V}}")
            assert found in (["unparsed"] * 2, ["conflicting"] * 2), (name, gap)


@pytest.mark.parametrize("words", DECLINED)
def test_a_verdict_after_words_that_decline_is_refused(words):
    for name in EVERY:
        assert reads(name, f"{words}\n\n{{V}}") == ["refused"] * 2, name


@pytest.mark.parametrize("text", AGAINST)
def test_an_answer_in_json_whose_texts_go_against_it_is_none(text):
    first, second = reads("json_winner", text)
    assert first == second
    assert first in {"conflicting", "refused", "unparsed"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(("choice_123", each) for each in NUMBERS),
        *(("output_ab", each) for each in OUTPUTS),
    ],
)
def test_a_last_line_that_answers_something_else_is_none(name, text):
    first, second = reads(name, text)
    assert first == second
    assert first in {"conflicting", "unparsed", "off_menu"}


@pytest.mark.parametrize(
    ("names", "text"),
    [
        *((BRACKETS, each) for each in more.WHOLE_REPLIES),
        *((EVERY, each) for each in more.ANY_REPLIES),
        *((("json_winner",), each) for each in more.JSON_REPLIES),
    ],
)
def test_other_words_leave_no_verdict_either(names, text):
    for name in names:
        first, second = reads(name, text)
        assert first == second, name
        assert first in {"conflicting", "refused", "unparsed"}, name
