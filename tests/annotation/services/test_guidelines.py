"""Versions of a guideline: which one a reviewer works by, and what is new."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from annotation.domain.answers import Option
from annotation.models import Guideline, GuidelineSeen
from annotation.services.gold_sets import add_guideline
from annotation.services.guidelines import (
    confirm_seen,
    guideline_for,
    known_guideline,
    note_first_seen,
)
from config.errors import Conflict, InvalidInput
from tests.annotation.factory import START

if TYPE_CHECKING:
    from collections.abc import Sequence

    from annotation.models import GoldSet
    from config.accounts.models import User
    from tests.annotation.factory import Desk

TONE = Option("tone", "Tone")


def publish(gold_set: GoldSet, text: str, criteria: Sequence[Option] = ()) -> Guideline:
    return add_guideline(
        gold_set=gold_set, text=text, by=None, now=START, criteria=criteria
    )


def test_a_new_text_or_new_criteria_make_a_version_and_the_same_again_does_not(
    gold_set: GoldSet,
) -> None:
    versions = [
        publish(gold_set, "A"),
        publish(gold_set, "A"),
        publish(gold_set, "A", [TONE]),
        publish(gold_set, "A", [TONE]),
        publish(gold_set, "A"),
    ]
    assert [one.version for one in versions] == [1, 1, 2, 2, 3]
    assert versions[0].digest == versions[-1].digest != versions[2].digest
    assert Guideline.objects.in_force(gold_set.pk) == versions[-1]


@pytest.mark.parametrize(
    ("text", "criteria"),
    [("a\x00", []), ("a", [TONE, TONE]), ("a", [Option("No", "x")])],
)
def test_a_version_that_makes_no_sense_is_refused(
    text: str, criteria: list[Option], gold_set: GoldSet
) -> None:
    with pytest.raises(InvalidInput):
        publish(gold_set, text, criteria)
    assert not Guideline.objects.exists()


def test_a_newcomer_works_by_the_one_in_force_without_being_told_of_changes(
    gold_set: GoldSet, reviewer: User
) -> None:
    publish(gold_set, "A")
    second = publish(gold_set, "B")
    assert known_guideline(gold_set.pk, reviewer).change is None
    assert note_first_seen(gold_set_id=gold_set.pk, reviewer=reviewer, now=START)
    assert not note_first_seen(gold_set_id=gold_set.pk, reviewer=reviewer, now=START)
    assert GuidelineSeen.objects.get().guideline == second


def test_what_changed_is_shown_until_it_is_confirmed(
    gold_set: GoldSet, reviewer: User
) -> None:
    first = publish(gold_set, "Same\nOld", [TONE])
    note_first_seen(gold_set_id=gold_set.pk, reviewer=reviewer, now=START)
    publish(gold_set, "Same\nBetween")
    publish(gold_set, "Same\nNew", [Option("tone", "Manner")])

    known = known_guideline(gold_set.pk, reviewer)
    assert known.change is not None
    assert [(line.change.value, line.text) for line in known.change.lines] == [
        ("kept", "Same"), ("removed", "Old"), ("added", "New"),
    ]  # fmt: skip
    assert known.change.criteria_removed == [TONE]
    assert [one.label for one in known.change.criteria_added] == ["Manner"]
    assert guideline_for(gold_set.pk, reviewer) == first

    where: Any = {"gold_set_id": gold_set.pk, "reviewer": reviewer, "now": START}
    with pytest.raises(Conflict):  # a version was published while they read
        confirm_seen(**where, version=2)
    confirm_seen(**where, version=3)
    confirm_seen(**where, version=3)
    assert known_guideline(gold_set.pk, reviewer).change is None


def test_a_label_keeps_the_version_that_its_author_had_been_shown(
    desk: Desk, gold_set: GoldSet
) -> None:
    publish(gold_set, "A")
    note_first_seen(gold_set_id=gold_set.pk, reviewer=desk.reviewer, now=START)
    assignment = desk.claim()
    publish(gold_set, "B")
    before = desk.submit(assignment)
    confirm_seen(gold_set_id=gold_set.pk, reviewer=desk.reviewer, version=2, now=START)
    after = desk.submit(desk.claim())

    assert before.guideline is not None
    assert after.guideline is not None
    assert (before.guideline.version, after.guideline.version) == (1, 2)


def test_without_criteria_those_in_force_stay_and_an_empty_list_drops_them(
    gold_set: GoldSet,
) -> None:
    publish(gold_set, "A", [TONE])
    told: dict[str, Any] = {"gold_set": gold_set, "by": None, "now": START}
    kept = add_guideline(text="B", **told)
    assert (kept.version, kept.criteria) == (2, [{"code": "tone", "label": "Tone"}])
    assert add_guideline(text="B", criteria=[], **told).criteria == []
    assert add_guideline(text="C", **told).criteria == []
