"""The categories an adjudicator may choose from."""

from __future__ import annotations

import pytest

from annotation.domain.ruling_categories import (
    Category,
    category_label,
    correction_categories,
    offered_categories,
)
from annotation.domain.rulings import RulingCategory

GENERAL = [
    "reviewer_slip", "rubric_gap", "genuinely_close", "missing_evidence", "bad_case",
]  # fmt: skip


def codes(own: object) -> list[str]:
    return [category.code for category in offered_categories(own)]


@pytest.mark.parametrize("own", [[], None, {}, "tone_only", 3])
def test_five_are_always_offered_and_none_for_corrections(own: object):
    assert codes(own) == GENERAL


def test_a_set_adds_its_own_as_codes_or_with_labels():
    own = ["tone_only", {"code": "legal", "label": "Legal: ask counsel"}]
    assert offered_categories(own)[5:] == (
        Category("tone_only", "Tone only"),
        Category("legal", "Legal: ask counsel"),
    )


@pytest.mark.parametrize(
    "entry", ["", "Two words", "UPPER", 7, None, {"label": "x"}, {"code": 1}, "a" * 41]
)
def test_what_is_no_code_is_left_out(entry: object):
    assert codes([entry]) == GENERAL


def test_a_known_code_is_not_offered_twice_nor_brought_in_by_the_back_door():
    assert codes(["bad_case", "gold_wrong", "own", "own"]) == [*GENERAL, "own"]


def test_every_category_reads_as_words():
    for category in RulingCategory:
        assert category_label(category.value, []) != category.value
    assert category_label("own", [{"code": "own", "label": "Own"}]) == "Own"
    assert category_label("gone", []) == "gone"


def test_corrections():
    found = {one.code for one in correction_categories()}
    assert found == {"gold_wrong", "rubric_ambiguous", "label_slip"}
