"""What was written and did not count: kept from the moment it was lost, with why."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from annotation.domain.answers import Answer
from annotation.domain.outcomes import SlotChoice
from annotation.models import Assignment, Draft, Label, RoundMember, Seat
from annotation.services.drafting import Reservation, save_draft
from annotation.services.history import reopen
from annotation.services.queue import AllDone, own_assignment, skip
from annotation.services.round_members import add_members, remove_member
from annotation.services.rounds import close_round
from annotation.services.turns import take_turn
from annotation.services.unsent import unsent_draft, unsent_drafts, why_unsent
from config.errors import Conflict
from tests.annotation.factory import Desk, make_round, make_set

if TYPE_CHECKING:
    from config.accounts.models import User
    from tests.annotation.factory import Clock

SAID: dict[str, Any] = {
    "choice": "first", "strength": None, "note": "half a thought", "confidence": None,
    "abstain_reason": "", "critical": {}, "criteria": {},
}  # fmt: skip


def keep(desk: Desk, assignment: Assignment, **said: Any) -> Reservation:
    kept = save_draft(
        token=str(assignment.token),
        reviewer=desk.reviewer,
        content=SAID | said,
        active_seconds=0,
        now=desk.clock.now,
    )
    return kept.reservation


def listed(desk: Desk) -> list[tuple[str, str]]:
    """Notes and reasons of what did not count."""
    drafts = unsent_drafts(round_id=desk.round.pk, reviewer=desk.reviewer)
    return [(one.content["note"], why_unsent(one).value) for one in drafts]


def refused(desk: Desk, assignment: Assignment, **rest: Any) -> str:
    with pytest.raises(Conflict) as refusal:
        desk.submit(assignment, **rest)
    return refusal.value.code


def leave(desk: Desk) -> None:
    remove_member(round_=desk.round, reviewer=desk.reviewer, now=desk.clock.now)


def give_back(desk: Desk, assignment: Assignment) -> None:
    token = str(assignment.token)
    skip(token=token, reviewer=desk.reviewer, now=desk.clock.now)


def test_no_label_is_taken_after_a_skip_and_its_text_is_kept(desk: Desk) -> None:
    held = desk.claim()
    give_back(desk, held)

    assert refused(desk, held, note="late") == "pair_skipped"
    with pytest.raises(Conflict):
        take_turn(
            token=str(held.token), reviewer=desk.reviewer, now=desk.clock.now,
            answer=Answer(SlotChoice.FIRST), rng=desk.rng,
        )  # fmt: skip
    assert keep(desk, held) is Reservation.GIVEN_BACK
    assert listed(desk) == [("half a thought", "given_back")]
    assert not Label.objects.exists()
    assert RoundMember.objects.get(reviewer=desk.reviewer).labels == 0
    assert Seat.objects.get(pk=held.seat_id).reviewer_id is None


def test_others_still_label_what_one_gave_back(desk: Desk, other_desk: Desk) -> None:
    held = desk.claim()
    give_back(desk, held)
    while isinstance(found := other_desk.next(), Assignment):
        other_desk.submit(found)
    assert Label.objects.filter(pair=held.pair_id).count() == 1


def test_a_lost_pair_is_listed_before_another_one_is_asked_for(
    reviewer: User, other_reviewer: User, clock: Clock
) -> None:
    round_ = make_round(make_set(cases=1), reviewer, other_reviewer)
    desk, other = Desk(round_, reviewer, clock), Desk(round_, other_reviewer, clock)
    held = desk.claim()
    keep(desk, held)
    assert listed(desk) == []
    clock.pass_minutes(31)
    assert listed(desk) == []  # nobody has it: it is theirs again as they go on
    taken = other.claim()
    assert taken.seat_id == held.seat_id
    assert listed(desk) == [("half a thought", "taken")]
    other.submit(taken)
    assert listed(desk) == [("half a thought", "taken")]
    assert desk.next() == AllDone()
    assert listed(desk) == [("half a thought", "taken")]


def test_what_a_closed_round_did_not_take_is_listed(desk: Desk, clock: Clock) -> None:
    first = desk.claim()
    desk.submit(first)
    clock.pass_minutes(1)
    keep(desk, first, note="on second thought")
    keep(desk, desk.claim())
    assert listed(desk) == []
    close_round(round_=desk.round, by=None, now=clock.now)
    assert sorted(listed(desk)) == [
        ("half a thought", "closed"),
        ("on second thought", "closed"),
    ]


def test_a_draft_is_no_loss_once_its_pair_was_answered(
    reviewer: User, clock: Clock
) -> None:
    """The pair was lost and came again with its draft: what was said then counts."""
    desk = Desk(make_round(make_set(cases=1), reviewer), reviewer, clock)
    lost = desk.claim()
    keep(desk, lost)
    Seat.objects.filter(pk=lost.seat_id).update(reviewer=None, available_at=clock.now)
    clock.pass_minutes(1)
    again = desk.claim()
    assert again.pk != lost.pk
    desk.submit(again)
    assert Draft.objects.count() == 0
    assert listed(desk) == []
    close_round(round_=desk.round, by=None, now=clock.now)
    assert listed(desk) == []


def test_a_repeat_that_was_given_back_keeps_its_text(
    reviewer: User, clock: Clock
) -> None:
    """The first label of the pair is not an answer to its repeat."""
    round_ = make_round(make_set(cases=1), reviewer, retest_share=1)
    desk = Desk(round_, reviewer, clock)
    desk.submit(desk.claim())
    again = desk.claim()
    give_back(desk, again)
    assert keep(desk, again) is Reservation.GIVEN_BACK
    assert listed(desk) == [("half a thought", "given_back")]


def test_who_is_taken_out_is_told_and_loses_no_text(desk: Desk, clock: Clock) -> None:
    done = desk.claim()
    desk.submit(done)
    held = desk.claim()
    keep(desk, held, note="before")
    leave(desk)
    clock.pass_minutes(1)

    assert keep(desk, held, note="after") is Reservation.REMOVED
    assert refused(desk, held) == "member_removed"
    assert refused(desk, done, note="a change") == "member_removed"
    token, who = str(held.token), desk.reviewer
    for act in (own_assignment, reopen):
        with pytest.raises(Conflict) as refusal:
            act(token=token, reviewer=who)
        assert refusal.value.code == "member_removed"
        assert "taken out of this round" in refusal.value.message
    with pytest.raises(Conflict):
        give_back(desk, held)
    with pytest.raises(Conflict):
        desk.next()
    assert listed(desk) == [("after", "removed")]
    found = unsent_draft(token=token, reviewer=who)
    assert found is not None
    assert found.content["note"] == "after"


def test_it_goes_on_where_somebody_comes_back(desk: Desk, clock: Clock) -> None:
    held = desk.claim()
    keep(desk, held)
    leave(desk)
    assert listed(desk) == [("half a thought", "removed")]
    add_members(round_=desk.round, reviewers=[desk.reviewer], now=clock.now)
    assert listed(desk) == [("half a thought", "taken")]
    assert keep(desk, held) is Reservation.WANTED
    clock.now += timedelta(seconds=1)
    assert desk.submit(held, note="whole").revision == 1
    assert listed(desk) == []
