"""Taking labels: once, mapped, revised, late, refused."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from annotation.domain.outcomes import Order, SlotChoice
from annotation.models import Assignment, ExposureKind, GoldSet, Guideline, Label, Seat
from annotation.services.exposures import record_exposures
from annotation.services.labelling import LONGEST_NOTE, Answer, submit_label
from annotation.services.rounds import close_round
from config.accounts.roles import READERS, Role
from config.errors import Conflict, InvalidInput, NotAllowed, NotFound
from tests.annotation.factory import START, Clock, Desk, make_round, make_set

if TYPE_CHECKING:
    from collections.abc import Callable

    from annotation.models import Round
    from config.accounts.models import User

MEANING = {
    (Order.BASELINE_FIRST, SlotChoice.FIRST): "baseline",
    (Order.BASELINE_FIRST, SlotChoice.SECOND): "candidate",
    (Order.CANDIDATE_FIRST, SlotChoice.FIRST): "candidate",
    (Order.CANDIDATE_FIRST, SlotChoice.SECOND): "baseline",
}


@pytest.mark.parametrize("choice", list(SlotChoice))
def test_a_choice_of_a_slot_becomes_an_outcome_through_the_order_shown(
    choice: SlotChoice, desk: Desk
) -> None:
    labels = desk.label_all(choice)

    assert {label.order for label in labels} == {o.value for o in Order}
    for label in labels:
        expected = MEANING.get((Order(label.order), choice), choice.value)
        assert label.outcome == expected
        assert label.assignment is not None
        assert label.order == label.assignment.order


def test_the_label_keeps_what_was_said_and_under_which_guideline(
    desk: Desk, gold_set: GoldSet
) -> None:
    for version in (1, 2):
        Guideline.objects.create(
            gold_set=gold_set,
            version=version,
            text=f"Version {version}",
            digest=str(version),
            created_at=START,
        )
    GoldSet.objects.filter(pk=gold_set.pk).update(strength_wanted=True)
    note = "  Tone 🙂\nand “quotes”,\tkept "
    label = desk.submit(desk.claim(), strength=2, note=note, elapsed_seconds=12.5)
    label.refresh_from_db()

    assert (label.strength, label.note, label.elapsed_seconds) == (2, note, 12.5)
    assert label.guideline is not None
    assert label.guideline.version == 2
    assert label.extra == {}


def test_the_same_answer_sent_twice_is_one_label(desk: Desk) -> None:
    assignment = desk.claim()
    first = desk.submit(assignment, note="x")
    again = desk.submit(assignment, note="x")

    assert (again.pk, again.revision) == (first.pk, 1)
    assert Label.objects.count() == 1


def test_a_repeated_answer_is_taken_as_stored_even_when_the_round_has_closed(
    desk: Desk, round_: Round, clock: Clock
) -> None:
    """The first reply was lost on its way, and the browser tries again."""
    assignment = desk.claim()
    stored = desk.submit(assignment)
    close_round(round_=round_, by=None, now=clock.now)

    assert desk.submit(assignment).pk == stored.pk
    with pytest.raises(Conflict) as refusal:
        desk.submit(assignment, SlotChoice.TIE)
    assert refusal.value.code == "round_closed"


@pytest.mark.parametrize(
    "change",
    [
        {"choice": SlotChoice.TIE},
        {"choice": SlotChoice.FIRST, "note": "why"},
        {"choice": SlotChoice.FIRST, "strength": 1},
    ],
)
def test_a_changed_answer_is_a_new_revision_beside_the_old_one(
    change: dict[str, Any], desk: Desk, gold_set: GoldSet
) -> None:
    GoldSet.objects.filter(pk=gold_set.pk).update(strength_wanted=True)
    assignment = desk.claim()
    desk.submit(assignment)
    desk.submit(assignment, **change)

    assert list(Label.objects.order_by("pk").values_list("revision", flat=True)) == [
        1,
        2,
    ]
    [current] = Label.objects.current()
    assert current.choice == change["choice"].value
    assert current.revision == 2


def test_changing_an_earlier_answer_leaves_the_present_pair_alone(desk: Desk) -> None:
    first = desk.claim()
    desk.submit(first)
    second = desk.claim()
    desk.submit(first, SlotChoice.TIE)

    assert desk.claim().token == second.token


def test_a_late_answer_is_taken_while_the_pair_still_needs_one(
    desk: Desk, clock: Clock
) -> None:
    assignment = desk.claim()
    clock.pass_minutes(600)
    label = desk.submit(assignment)

    assert label.seat_id == assignment.seat_id
    assert desk.claim().pair_id != assignment.pair_id


def test_a_late_answer_takes_another_seat_and_keeps_the_order_that_was_shown(
    desk: Desk, other_desk: Desk, clock: Clock
) -> None:
    lost = desk.claim()
    clock.pass_minutes(31)
    Seat.objects.filter(pk=lost.seat_id).update(
        reviewer=other_desk.reviewer, available_at=clock.now + timedelta(minutes=9)
    )
    label = desk.submit(lost)

    assert label.seat_id not in (None, lost.seat_id)
    assert label.order == lost.order
    assert label.pair_id == lost.pair_id


def test_a_late_answer_is_refused_when_the_pair_has_all_its_labels(
    reviewer: User, other_reviewer: User, clock: Clock
) -> None:
    round_ = make_round(make_set(cases=1), reviewer, other_reviewer)
    desk, other = Desk(round_, reviewer, clock), Desk(round_, other_reviewer, clock)
    lost = desk.claim()
    clock.pass_minutes(31)
    taken = other.claim()
    for _ in range(2):  # while the other holds the pair, and after they labelled it
        with pytest.raises(Conflict) as refusal:
            desk.submit(lost)
        assert refusal.value.code == "pair_complete"
        other.submit(taken)
    assert Label.objects.get().reviewer_id == other_reviewer.pk


def test_a_late_answer_does_not_cost_the_pair_on_the_screen(
    desk: Desk, other_desk: Desk, clock: Clock
) -> None:
    """Two tabs: the old one is answered while the new one shows another pair."""
    lost = desk.claim()
    Seat.objects.filter(pk=lost.seat_id).update(reviewer=other_desk.reviewer)
    present = desk.claim()
    assert present.token != lost.token
    desk.submit(lost)

    assert desk.claim().token == present.token
    desk.submit(present)
    assert Label.objects.filter(reviewer=desk.reviewer).count() == 2


def test_a_second_showing_in_the_other_order_is_not_taken_for_a_repeat(
    desk: Desk, clock: Clock
) -> None:
    """Left in one order and left in the other are opposite outcomes."""
    first = desk.claim()
    desk.submit(first)
    second = Assignment.objects.create(
        round=first.round,
        seat=first.seat,
        pair_id=first.pair_id,
        reviewer=desk.reviewer,
        order=Order(first.order).opposite.value,
        claimed_at=clock.now,
    )
    revised = desk.submit(second)

    assert revised.revision == 2
    [current] = Label.objects.current()
    assert current.outcome == MEANING[Order(second.order), SlotChoice.FIRST]


def test_a_token_of_somebody_else_does_not_exist(desk: Desk, other_desk: Desk) -> None:
    mine = desk.claim()
    other_desk.claim()

    with pytest.raises(NotFound):
        other_desk.submit(mine)
    assert Label.objects.count() == 0


def test_who_saw_results_meanwhile_cannot_label_or_revise(
    desk: Desk, clock: Clock
) -> None:
    labelled = desk.claim()
    desk.submit(labelled)
    held = desk.claim()
    record_exposures(
        user=desk.reviewer,
        pair_ids=[labelled.pair_id, held.pair_id],
        kind=ExposureKind.SYSTEMS,
        now=clock.now,
    )

    for assignment in (labelled, held):
        with pytest.raises(NotAllowed) as refusal:
            desk.submit(assignment, SlotChoice.TIE)
        assert refusal.value.code == "pair_exposed"
    assert Label.objects.count() == 1


@pytest.mark.parametrize(
    ("answer", "field"),
    [
        (Answer(SlotChoice.TIE, strength=1), "strength"),
        (Answer(SlotChoice.ABSTAIN, strength=2), "strength"),
        (Answer(SlotChoice.FIRST, strength=3), "strength"),
        (Answer(SlotChoice.FIRST, strength=0), "strength"),
        (Answer(SlotChoice.FIRST, note="a\x00b"), "note"),
        (Answer(SlotChoice.FIRST, note="a\ud800b"), "note"),
        (Answer(SlotChoice.FIRST, note="n" * (LONGEST_NOTE + 1)), "note"),
    ],
)
def test_an_answer_that_makes_no_sense_is_refused_by_field(
    answer: Answer, field: str, desk: Desk, gold_set: GoldSet
) -> None:
    GoldSet.objects.filter(pk=gold_set.pk).update(strength_wanted=True)
    assignment = desk.claim()
    with pytest.raises(InvalidInput) as refusal:
        submit_label(
            token=str(assignment.token),
            reviewer=desk.reviewer,
            answer=answer,
            now=desk.clock.now,
        )
    assert refusal.value.message.startswith(f"{field}: ")
    assert Label.objects.count() == 0


@pytest.mark.parametrize("role", READERS)
def test_a_label_of_who_reads_all_is_marked_as_not_blind(
    role: Role, make_user: Callable[..., Any], gold_set: GoldSet, clock: Clock
) -> None:
    both = make_user("both", role, Role.REVIEWER)
    desk = Desk(make_round(gold_set, both), both, clock)

    assert desk.submit(desk.claim()).extra == {"not_blind": True}
