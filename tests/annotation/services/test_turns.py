"""A label and the next claim in one step, also when the seat is lost in that moment."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.domain.answers import Answer
from annotation.domain.outcomes import SlotChoice
from annotation.models import Assignment, Label, RoundMember, Seat
from annotation.services import labelling
from annotation.services.places import locked_assignment
from annotation.services.progress import progress, progress_of
from annotation.services.queue import shown_pair
from annotation.services.turns import Turn, take_turn
from config.errors import Conflict
from tests.annotation.factory import Clock, Desk, make_round, make_set

if TYPE_CHECKING:
    from config.accounts.models import User


def turn(desk: Desk, assignment: Assignment) -> Turn:
    return take_turn(
        token=str(assignment.token),
        reviewer=desk.reviewer,
        answer=Answer(choice=SlotChoice.FIRST),
        now=desk.clock.now,
        rng=random.Random(3),
    )


def a_rival(monkeypatch: pytest.MonkeyPatch, rival: User) -> None:
    """Whoever is just about to take the expired seat of the next answer."""

    def and_then_lose(**given: Any) -> Any:
        found = locked_assignment(**given)
        seats = Seat.objects.filter(pk=found[1].seat_id)
        seats.update(reviewer=rival, available_at=None)
        return found

    monkeypatch.setattr(labelling, "locked_assignment", and_then_lose)


def desk_of(reviewer: User, rival: User, clock: Clock, *, labels: int) -> Desk:
    gold_set = make_set(cases=5)
    round_ = make_round(gold_set, reviewer, rival, labels_per_pair=labels)
    return Desk(round_, reviewer, clock)


def test_the_reply_has_what_the_page_shows(
    reviewer: User, other_reviewer: User, clock: Clock
) -> None:
    """Progress and texts are read along with the claim, and are those that are so."""
    desk = desk_of(reviewer, other_reviewer, clock, labels=2)
    Desk(desk.round, other_reviewer, clock).claim()

    found = turn(desk, desk.claim())
    with CaptureQueriesContext(connection) as queries:
        assert isinstance(found.next, Assignment)
        pair = shown_pair(found.next)
        texts = [pair.case.prompt, pair.baseline.text, pair.candidate.text]
        counted = found.member.in_the_round
    assert not queries

    stored = Assignment.objects.get(pk=found.next.pk).pair
    assert texts == [stored.case.prompt, stored.baseline.text, stored.candidate.text]
    assert counted == (1, 1)
    shown = progress_of(found.member, now=clock.now)
    assert shown == progress(round_=desk.round, reviewer=reviewer, now=clock.now)


def test_a_seat_lost_in_that_moment_gives_way_to_another(
    monkeypatch: pytest.MonkeyPatch, reviewer: User, other_reviewer: User, clock: Clock
) -> None:
    desk = desk_of(reviewer, other_reviewer, clock, labels=2)
    first = desk.claim()
    a_rival(monkeypatch, other_reviewer)

    found = turn(desk, first)

    assert found.label.pair_id == first.pair_id
    assert found.label.seat_id != first.seat_id
    assert found.label.order == first.order
    assert isinstance(found.next, Assignment)
    assert found.next.pair_id != first.pair_id
    member = RoundMember.objects.get(reviewer=reviewer)
    assert member.labels == Label.objects.count() == 1
    held = Seat.objects.filter(reviewer=reviewer, available_at__isnull=False)
    assert [seat.pk for seat in held] == [found.next.seat_id]


def test_a_seat_lost_with_no_other_left_is_refused_and_nothing_is_claimed(
    monkeypatch: pytest.MonkeyPatch, reviewer: User, other_reviewer: User, clock: Clock
) -> None:
    desk = desk_of(reviewer, other_reviewer, clock, labels=1)
    first = desk.claim()
    a_rival(monkeypatch, other_reviewer)

    with pytest.raises(Conflict) as refusal:
        turn(desk, first)

    assert refusal.value.code == "pair_complete"
    assert not Label.objects.exists()
    assert Assignment.objects.count() == 1
    assert RoundMember.objects.get(reviewer=reviewer).labels == 0


@pytest.mark.postgres_only
def test_the_usual_turn_is_three_messages(
    reviewer: User, other_reviewer: User, clock: Clock
) -> None:
    """What is known of the pair; label and claim; what follows from the claim."""
    desk = desk_of(reviewer, other_reviewer, clock, labels=2)
    found = turn(desk, desk.claim())  # plans are made once
    with CaptureQueriesContext(connection) as queries:
        assert isinstance(found.next, Assignment)
        turn(desk, found.next)
    asked = [one["sql"] for one in queries if "SAVEPOINT" not in one["sql"]]
    assert len(asked) == 3, asked
