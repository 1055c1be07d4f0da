"""What the queue gives next, and what it never does."""

from __future__ import annotations

import random
from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from annotation.domain.outcomes import Order, SlotChoice
from annotation.models import Assignment, ExposureKind, Label, Pair, Seat, Skip
from annotation.services.exposures import record_exposures
from annotation.services.progress import progress
from annotation.services.queue import AllDone, NothingNow, next_assignment, skip
from annotation.services.rounds import close_round
from config.errors import Conflict, NotFound
from tests.annotation.factory import Clock, Desk, make_round, make_set

if TYPE_CHECKING:
    from collections.abc import Callable

    from annotation.models import GoldSet, Round
    from config.accounts.models import User


def test_a_reviewer_gets_each_pair_once_and_then_is_done(desk: Desk) -> None:
    labels = desk.label_all()

    assert len({label.pair_id for label in labels}) == len(labels) == 6
    assert desk.next() == AllDone()


def test_two_reviewers_fill_every_seat_once(desk: Desk, other_desk: Desk) -> None:
    desk.label_all()
    other_desk.label_all()

    assert Label.objects.count() == 12
    assert not Seat.objects.filter(available_at__isnull=False).exists()
    assert (desk.next(), other_desk.next()) == (AllDone(), AllDone())


def test_a_pair_with_all_its_labels_is_offered_to_nobody_else(
    gold_set: GoldSet, reviewer: User, other_reviewer: User, clock: Clock
) -> None:
    round_ = make_round(gold_set, reviewer, other_reviewer, labels_per_pair=1)
    Desk(round_, reviewer, clock).label_all()

    assert Desk(round_, other_reviewer, clock).next() == AllDone()
    assert Label.objects.count() == 6


def test_asking_again_brings_the_same_pair_and_renews_it(
    desk: Desk, clock: Clock
) -> None:
    first = desk.claim()
    clock.pass_minutes(20)
    again = desk.claim()

    assert again.token == first.token
    seat = Seat.objects.get(pk=first.seat_id)
    assert seat.available_at == clock.now + timedelta(minutes=30)
    assert Assignment.objects.count() == 1


def test_an_expired_pair_nobody_took_is_still_there(desk: Desk, clock: Clock) -> None:
    first = desk.claim()
    clock.pass_minutes(24 * 60)

    assert desk.claim().token == first.token


def test_an_expired_pair_goes_to_somebody_else(
    reviewer: User, other_reviewer: User, clock: Clock
) -> None:
    round_ = make_round(make_set(cases=1), reviewer, other_reviewer)
    desk, other = Desk(round_, reviewer, clock), Desk(round_, other_reviewer, clock)
    lost = desk.claim()
    assert other.next() == NothingNow(until=clock.now + timedelta(minutes=30))
    clock.pass_minutes(31)
    taken = other.claim()

    assert taken.seat_id == lost.seat_id
    assert taken.token != lost.token
    assert isinstance(desk.next(), NothingNow)
    other.submit(taken)
    assert desk.next() == AllDone()


@pytest.mark.parametrize("seed", range(8))
def test_left_and_right_stay_within_one_while_both_orders_are_open(
    seed: int, reviewer: User, other_reviewer: User, clock: Clock
) -> None:
    """Every single step of a reviewer's work, with a colleague taking seats."""
    round_ = make_round(make_set(cases=20), reviewer, other_reviewer, labels_per_pair=2)
    desk = Desk(round_, reviewer, clock, random.Random(seed))
    other = Desk(round_, other_reviewer, clock, random.Random(seed + 100))
    balance = 0
    while isinstance(found := desk.next(), Assignment):
        desk.submit(found)
        clock.pass_minutes(1)
        balance += 1 if found.order == Order.BASELINE_FIRST else -1
        if _orders_open_to(round_, reviewer) == {o.value for o in Order}:
            assert abs(balance) <= 1
        if isinstance(taken := other.next(), Assignment):
            other.submit(taken)
    assert Label.objects.filter(reviewer=reviewer).count() == 20


def _orders_open_to(round_: Round, reviewer: User) -> set[str]:
    own = Seat.objects.filter(round=round_, reviewer=reviewer).values("pair_id")
    left = Seat.objects.filter(round=round_, available_at__isnull=False)
    return set(left.exclude(pair_id__in=own).values_list("order", flat=True))


@pytest.mark.parametrize("seed", range(5))
def test_pairs_of_one_case_are_apart_unless_nothing_else_is_left(
    seed: int, reviewer: User, clock: Clock
) -> None:
    round_ = make_round(make_set(cases=4, systems=("a1", "b2", "c3")), reviewer)
    desk = Desk(round_, reviewer, clock, random.Random(seed))
    desk.label_all()
    shown = list(Assignment.objects.select_related("pair").order_by("claimed_at"))

    assert len(shown) == 12
    for before, after in pairwise(shown):
        same = before.pair.case_id == after.pair.case_id
        assert after.same_case_again == same
        if same:  # then every pair that came later is of this case too
            rest = shown[shown.index(after) :]
            assert {row.pair.case_id for row in rest} == {after.pair.case_id}
    assert not shown[0].same_case_again


def test_the_only_case_left_is_shown_again_and_marked(
    reviewer: User, clock: Clock
) -> None:
    round_ = make_round(make_set(cases=1, systems=("a1", "b2", "c3")), reviewer)
    Desk(round_, reviewer, clock).label_all()

    marks = Assignment.objects.order_by("claimed_at").values_list("same_case_again")
    assert list(marks) == [(False,), (True,), (True,)]


def test_skip_gives_the_pair_to_others_and_not_back_to_me(
    reviewer: User, other_reviewer: User, clock: Clock
) -> None:
    round_ = make_round(make_set(cases=1), reviewer, other_reviewer)
    desk, other = Desk(round_, reviewer, clock), Desk(round_, other_reviewer, clock)
    skipped = desk.claim()
    skip(token=str(skipped.token), reviewer=reviewer, now=clock.now)

    assert desk.next() == AllDone()
    assert other.claim().pair_id == skipped.pair_id
    assert Label.objects.count() == 0


def test_skip_twice_is_one_skip_and_a_labelled_pair_cannot_be_skipped(
    desk: Desk, clock: Clock
) -> None:
    first = desk.claim()
    for _ in range(2):
        skip(token=str(first.token), reviewer=desk.reviewer, now=clock.now)
    assert Skip.objects.count() == 1
    second = desk.claim()
    desk.submit(second, SlotChoice.ABSTAIN)

    with pytest.raises(Conflict) as refusal:
        skip(token=str(second.token), reviewer=desk.reviewer, now=clock.now)
    assert refusal.value.code == "already_labelled"


def test_skip_after_the_reservation_was_lost_leaves_the_other_in_peace(
    reviewer: User, other_reviewer: User, clock: Clock
) -> None:
    round_ = make_round(make_set(cases=1), reviewer, other_reviewer)
    lost = Desk(round_, reviewer, clock).claim()
    clock.pass_minutes(31)
    taken = Desk(round_, other_reviewer, clock).claim()
    skip(token=str(lost.token), reviewer=reviewer, now=clock.now)

    seat = Seat.objects.get(pk=taken.seat_id)
    assert seat.reviewer_id == other_reviewer.pk
    assert seat.available_at == clock.now + timedelta(minutes=30)


def test_an_abstain_is_a_label_and_a_skip_is_none(desk: Desk, clock: Clock) -> None:
    desk.submit(desk.claim(), SlotChoice.ABSTAIN)
    skip(token=str(desk.claim().token), reviewer=desk.reviewer, now=clock.now)

    assert [label.outcome for label in Label.objects.all()] == ["abstain"]


@pytest.mark.parametrize("kind", list(ExposureKind))
def test_who_saw_results_of_a_pair_is_never_given_it(
    kind: ExposureKind, desk: Desk, clock: Clock
) -> None:
    seen = list(Pair.objects.order_by("pk")[:2])
    record_exposures(
        user=desk.reviewer, pair_ids=[p.pk for p in seen], kind=kind, now=clock.now
    )
    labels = desk.label_all()

    assert len(labels) == 4
    assert {label.pair_id for label in labels}.isdisjoint(p.pk for p in seen)
    assert desk.next() == AllDone()


def test_a_held_pair_is_given_back_when_its_results_were_seen(
    desk: Desk, clock: Clock
) -> None:
    held = desk.claim()
    record_exposures(
        user=desk.reviewer,
        pair_ids=[held.pair_id],
        kind=ExposureKind.VERDICTS,
        now=clock.now,
    )

    assert desk.claim().pair_id != held.pair_id
    assert Seat.objects.get(pk=held.seat_id).reviewer_id is None


def test_strangers_to_a_round_do_not_learn_that_it_exists(
    round_: Round, adjudicator: User, clock: Clock
) -> None:
    for round_id in (round_.pk, 10**9):
        with pytest.raises(NotFound) as refusal:
            next_assignment(
                round_id=round_id,
                reviewer=adjudicator,
                now=clock.now,
                rng=random.Random(1),
            )
        assert refusal.value.message == "There is no such round for you."


def test_a_closed_round_gives_nothing(desk: Desk, round_: Round, clock: Clock) -> None:
    held = desk.claim()
    close_round(round_=round_, by=None, now=clock.now)

    with pytest.raises(Conflict) as refusal:
        desk.next()
    assert refusal.value.code == "round_closed"
    with pytest.raises(Conflict) as refusal:
        skip(token=str(held.token), reviewer=desk.reviewer, now=clock.now)
    assert refusal.value.code == "round_closed"


def test_progress_counts_mine_waiting_and_reserved(
    desk: Desk, other_desk: Desk, clock: Clock
) -> None:
    def figures(of: Desk) -> tuple[int, int, int, int, int]:
        found = progress(round_=of.round, reviewer=of.reviewer, now=clock.now)
        return (
            found.mine, found.waiting, found.reserved, found.labelled, found.seats,
        )  # fmt: skip

    assert figures(desk) == (0, 6, 0, 0, 12)
    held = desk.claim()
    assert figures(desk) == (0, 5, 0, 0, 12)
    assert figures(other_desk) == (0, 6, 1, 0, 12)
    desk.submit(held)
    assert figures(desk) == (1, 5, 0, 1, 12)
    skip(token=str(desk.claim().token), reviewer=desk.reviewer, now=clock.now)
    assert figures(desk) == (1, 4, 0, 1, 12)
    other_desk.label_all()
    assert figures(other_desk) == (6, 0, 0, 7, 12)
    clock.pass_minutes(31)
    assert figures(desk)[2] == 0


def test_reviewers_walk_the_pairs_in_different_orders(
    make_user: Callable[..., Any], clock: Clock
) -> None:
    """Otherwise all would fight for one row, and learn the order from each other."""
    users = [make_user(f"r{n}") for n in range(6)]
    round_ = make_round(make_set(cases=40), *users, labels_per_pair=5)
    firsts = {
        Desk(round_, user, clock, random.Random(n)).claim().pair_id
        for n, user in enumerate(users)
    }
    assert len(firsts) >= 4
