"""Labels as A, B, C: no authors, and left and right as the adjudicator sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from annotation.domain.hearings import Sides
from annotation.domain.outcomes import (
    Order,
    Outcome,
    SlotChoice,
    choice_for,
    outcome_of,
)
from annotation.models import GoldSet, Guideline, Label
from annotation.services.anonymous_labels import AnonymousLabel, labels_for
from tests.annotation.court import DISPUTE, A, B, Bench, label, pairs_of
from tests.annotation.factory import START, make_set

if TYPE_CHECKING:
    from annotation.models import Hearing
    from config.accounts.models import User


@pytest.fixture
def one_pair(people: list[User]) -> GoldSet:
    gold_set = make_set(cases=1)
    label(gold_set, people, [DISPUTE])
    return gold_set


def by_outcome(hearing: Hearing) -> dict[Outcome, AnonymousLabel]:
    here = Order(hearing.order)
    return {outcome_of(one.choice, here): one for one in labels_for(hearing)}


def change(person: User, **fields: Any) -> None:
    """A new revision of a person's label."""
    row = Label.objects.get(reviewer=person)
    row.pk, row.revision = None, row.revision + 1
    for name, value in fields.items():
        setattr(row, name, value)
    row.save()


def test_each_label_speaks_of_the_sides_shown_here(
    one_pair: GoldSet, bench: Bench
) -> None:
    hearing = bench.hearing()
    here = Order(hearing.order)
    found = by_outcome(hearing)
    assert set(found) == set(DISPUTE)
    assert {one.letter for one in found.values()} == {"A", "B", "C"}
    for row in Label.objects.all():
        shown = found[Outcome(row.outcome)]
        same = row.order == here.value
        assert shown.sides is (Sides.SAME if same else Sides.SWAPPED)
        assert shown.shown_choice == row.choice
        assert shown.choice is choice_for(Outcome(row.outcome), here)
        assert (shown.choice == row.choice) is (same or row.outcome == "tie")


def test_letters_stay_when_a_label_is_revised_and_differ_between_people(
    one_pair: GoldSet, bench: Bench, second: Bench, people: list[User]
) -> None:
    hearing = bench.hearing()
    before = {one.note or one.choice: one.letter for one in labels_for(hearing)}
    change(people[0], note="again")
    after = {one.note or one.choice: one.letter for one in labels_for(hearing)}
    assert sorted(before.values()) == sorted(after.values()) == ["A", "B", "C"]
    kept = {key: letter for key, letter in before.items() if key in after}
    assert len(kept) == 2
    assert kept.items() <= after.items()


def test_nothing_of_a_label_tells_its_author(bench: Bench, people: list[User]) -> None:
    gold_set = make_set(cases=1, labels_per_pair=3)
    label(gold_set, people, [DISPUTE[:2]])
    Label.objects.create(
        pair=pairs_of(gold_set)[0],
        external_reviewer="ann@example.org",
        outcome=DISPUTE[2].value,
        note="Right is better.",
        created_at=START,
    )
    found = labels_for(bench.hearing())
    text = repr(found)
    assert len(found) == 3
    for name in ("ann", *(person.username for person in people)):
        assert name not in text
    outside = next(one for one in found if one.sides is Sides.UNKNOWN)
    assert (outside.shown_choice, outside.note) == (None, "Right is better.")


def test_flags_and_criteria_turn_with_the_sides(
    one_pair: GoldSet, bench: Bench, people: list[User]
) -> None:
    GoldSet.objects.update(
        critical_errors=[{"code": "invented", "label": "Invented account action"}]
    )
    guideline = Guideline.objects.create(
        gold_set=one_pair,
        version=1,
        text="t",
        digest="d",
        created_at=START,
        criteria=[{"code": "facts", "label": "Facts"}],
    )
    hearing = bench.hearing()
    for person in people[:2]:
        change(
            person,
            critical={"first": ["invented", "other"]},
            criteria={"facts": "second"},
            guideline=guideline,
            confidence=2,
        )
    here = Order(hearing.order)
    for row in Label.objects.filter(revision=2):
        shown = by_outcome(hearing)[Outcome(row.outcome)]
        first = SlotChoice.FIRST if row.order == here.value else SlotChoice.SECOND
        assert [(flag.slot, flag.label) for flag in shown.flags] == [
            (first, "Invented account action"),
            (first, "other"),
        ]
        assert [(c.label, c.choice) for c in shown.criteria] == [
            ("Facts", first.swapped)
        ]
        assert (shown.confidence, shown.guideline_version) == (2, 1)


def test_strength_and_reason_are_shown(
    one_pair: GoldSet, bench: Bench, people: list[User]
) -> None:
    change(people[0], strength=2)
    change(
        people[2], choice="abstain", outcome="abstain", abstain_reason="lacks_evidence"
    )
    found = by_outcome(bench.hearing())
    assert found[B].strength == 2
    assert found[A].abstain_reason == "lacks evidence"


def test_no_labels_before_the_first_ruling(one_pair: GoldSet, bench: Bench) -> None:
    GoldSet.objects.update(blind_first_ruling=True)
    hearing = bench.hearing()
    assert labels_for(hearing) == ()
    assert len(labels_for(bench.first(hearing, SlotChoice.TIE))) == 3
