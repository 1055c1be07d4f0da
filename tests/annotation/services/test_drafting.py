"""Drafts: kept whatever happens, and with them the reservation."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from annotation.models import Draft, Seat
from annotation.services.drafting import (
    Kept,
    Reservation,
    draft_of,
    save_draft,
)
from annotation.services.rounds import close_round
from annotation.services.unsent import unsent_drafts
from config.errors import NotFound
from tests.annotation.factory import Clock, Desk, make_round, make_set

if TYPE_CHECKING:
    from annotation.models import Assignment
    from config.accounts.models import User

SAID: dict[str, Any] = {
    "choice": "first", "strength": None, "note": "half a thought", "confidence": None,
    "abstain_reason": "", "critical": {}, "criteria": {},
}  # fmt: skip


def keep(desk: Desk, assignment: Assignment, **said: Any) -> Kept:
    return save_draft(
        token=str(assignment.token),
        reviewer=desk.reviewer,
        content=SAID | said,
        active_seconds=3.0,
        now=desk.clock.now,
    )


def until(assignment: Assignment) -> Any:
    return Seat.objects.get(pk=assignment.seat_id).available_at


def test_a_draft_is_kept_and_replaced(desk: Desk) -> None:
    assignment = desk.claim()
    keep(desk, assignment)
    keep(desk, assignment, note="a whole one")

    draft = Draft.objects.get()
    assert draft.content["note"] == "a whole one"
    assert draft.active_seconds == 3.0
    assert draft_of(desk.claim()) == draft


def test_a_draft_without_seconds_takes_none_away(desk: Desk) -> None:
    assignment = desk.claim()
    for seconds in (30.0, 0.0):
        save_draft(
            token=str(assignment.token), reviewer=desk.reviewer,
            content={"note": f"after {seconds}"}, active_seconds=seconds,
            now=desk.clock.now,
        )  # fmt: skip
    draft = Draft.objects.get()
    assert (draft.active_seconds, draft.content["note"]) == (30.0, "after 0.0")


def test_work_renews_the_reservation_at_most_once_a_minute(
    desk: Desk, clock: Clock
) -> None:
    assignment = desk.claim()
    first = until(assignment)
    clock.pass_minutes(0.5)
    assert keep(desk, assignment).until == first == until(assignment)
    clock.pass_minutes(1)
    assert keep(desk, assignment).until == clock.now + timedelta(minutes=30)
    assert until(assignment) == clock.now + timedelta(minutes=30)


def test_a_reservation_that_ran_out_and_is_free_just_goes_on(
    desk: Desk, clock: Clock
) -> None:
    assignment = desk.claim()
    clock.pass_minutes(300)
    kept = keep(desk, assignment)
    assert kept.reservation is Reservation.HELD
    assert until(assignment) == clock.now + timedelta(minutes=30)


def test_what_others_took_is_told_and_the_text_stays(
    reviewer: User, other_reviewer: User, clock: Clock
) -> None:
    round_ = make_round(make_set(cases=1), reviewer, other_reviewer)
    desk, other = Desk(round_, reviewer, clock), Desk(round_, other_reviewer, clock)
    lost = desk.claim()
    clock.pass_minutes(31)
    taken = other.claim()
    for _ in range(2):  # while the other holds the pair, and once it is labelled
        assert keep(desk, lost).reservation is Reservation.TAKEN
        other.submit(taken)
    desk.next()

    [draft] = unsent_drafts(round_id=round_.pk, reviewer=reviewer)
    assert draft.content == SAID


def test_a_lost_seat_of_a_pair_that_still_wants_labels_is_no_loss(
    desk: Desk, other_desk: Desk, clock: Clock
) -> None:
    lost = desk.claim()
    Seat.objects.filter(pk=lost.seat_id).update(
        reviewer=other_desk.reviewer, available_at=clock.now + timedelta(minutes=9)
    )
    assert keep(desk, lost).reservation is Reservation.WANTED


def test_a_late_draft_of_what_was_answered_is_not_kept(desk: Desk) -> None:
    assignment = desk.claim()
    desk.submit(assignment, note="half a thought")
    kept = keep(desk, assignment)
    assert (kept.reservation, Draft.objects.count()) == (Reservation.LABELLED, 0)
    keep(desk, assignment, note="on second thought")
    assert Draft.objects.count() == 1
    assert not unsent_drafts(round_id=desk.round.pk, reviewer=desk.reviewer)


def test_a_closed_round_still_keeps_the_text(desk: Desk, clock: Clock) -> None:
    assignment = desk.claim()
    close_round(round_=desk.round, by=None, now=clock.now)
    assert keep(desk, assignment).reservation is Reservation.CLOSED
    assert Draft.objects.get().content == SAID


def test_nobody_writes_drafts_of_others(desk: Desk, other_desk: Desk) -> None:
    assignment = desk.claim()
    with pytest.raises(NotFound):
        keep(other_desk, assignment)
    assert not Draft.objects.exists()
