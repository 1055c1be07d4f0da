"""Planned repeats: swapped, spaced, to the same person, counting to no pair."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from annotation.domain.outcomes import Order, SlotChoice
from annotation.models import Assignment, ExposureKind, Label, RoundMember, Seat
from annotation.services.exposures import record_exposures
from annotation.services.progress import progress
from annotation.services.queue import AllDone, skip
from annotation.services.retests import SPACING
from annotation.services.round_members import remove_member
from annotation.services.round_reports import round_progress
from config.errors import Conflict
from tests.annotation.factory import Clock, Desk, make_round, make_set

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from annotation.models import Round
    from config.accounts.models import User


def repeats(round_: Round) -> list[Label]:
    rows = Label.objects.filter(seat__round=round_, seat__retest_of__isnull=False)
    return list(rows.select_related("seat__retest_of").order_by("pk"))


@pytest.mark.parametrize("seed", range(4))
def test_pairs_come_back_swapped_to_who_labelled_them_spaced_apart(
    seed: int, reviewer: User, other_reviewer: User, clock: Clock
) -> None:
    round_ = make_round(
        make_set(cases=30),
        reviewer,
        other_reviewer,
        labels_per_pair=2,
        retest_share=0.4,
    )
    desks = [
        Desk(round_, user, clock, random.Random(seed + user.pk))
        for user in (reviewer, other_reviewer)
    ]
    given: dict[int, list[Label]] = {desk.reviewer.pk: [] for desk in desks}
    working = list(desks)
    while working:
        for desk in list(working):
            found = desk.next()
            if isinstance(found, Assignment):
                given[desk.reviewer.pk].append(desk.submit(found))
                clock.pass_minutes(0.1)
            else:
                assert found == AllDone()
                working.remove(desk)

    again = repeats(round_)
    assert len(again) == 12
    for labels in given.values():
        seats = [label.seat_id for label in labels]
        mine = [label for label in again if label.seat_id in seats]
        others = [label for label in labels if label not in mine]
        for label in mine:
            assert label.seat is not None
            first = next(x for x in labels if x.seat_id == label.seat.retest_of_id)
            assert (first.pair_id, first.reviewer_id) == (
                label.pair_id,
                label.reviewer_id,
            )
            assert Order(first.order).opposite == label.order
            apart = labels.index(label) - labels.index(first)
            only_repeats_left = labels.index(label) > labels.index(others[-1])
            assert apart > SPACING or only_repeats_left
    assert Label.objects.counted().count() == 60


def shares(round_: Round, people: Sequence[User]) -> list[int]:
    whose = Counter(label.reviewer_id for label in repeats(round_))
    return [whose[user.pk] for user in people]


def test_one_after_the_other_they_get_as_many_repeats_each(
    reviewer: User, other_reviewer: User, clock: Clock
) -> None:
    """Whoever comes first to all pairs does not take all of them back."""
    people = (reviewer, other_reviewer)
    round_ = make_round(
        make_set(cases=30), *people, labels_per_pair=2, retest_share=0.2
    )
    for user in people:
        assert len(Desk(round_, user, clock).label_all()) == 33
    assert shares(round_, people) == [3, 3]


@pytest.mark.parametrize("seed", range(3))
def test_by_turns_they_get_about_as_many_repeats_each(
    seed: int,
    make_user: Callable[..., User],
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("annotation.services.rounds.new_seed", lambda: f"seed {seed}")
    people = [make_user(f"person {n}") for n in range(3)]
    round_ = make_round(
        make_set(cases=30), *people, labels_per_pair=2, retest_share=0.5
    )
    rng = random.Random(seed)
    desks = [Desk(round_, user, clock, rng) for user in people]
    while desks:
        desk = rng.choice(desks)
        found = desk.next()
        if isinstance(found, Assignment):
            desk.submit(found)
            clock.pass_minutes(0.1)
        else:
            desks.remove(desk)
    assert sum(shares(round_, people)) == 15
    # A pair goes to one of its own two people, so that luck keeps some unevenness:
    # of 120 such rounds the most uneven was 3, 5 and 7.
    assert all(abs(share - 5) <= 3 for share in shares(round_, people))
    # Each pair comes back once, and to one of those who labelled it.
    assert len({label.pair_id for label in repeats(round_)}) == 15


def test_who_works_alone_gets_them_all(reviewer: User, clock: Clock) -> None:
    round_ = make_round(
        make_set(cases=10), reviewer, labels_per_pair=3, retest_share=0.4
    )
    Desk(round_, reviewer, clock).label_all()
    assert len(repeats(round_)) == 4


def test_a_repeat_counts_to_no_pair_and_is_never_somebody_elses(
    reviewer: User, other_reviewer: User, clock: Clock
) -> None:
    round_ = make_round(
        make_set(cases=3), reviewer, other_reviewer, labels_per_pair=1, retest_share=1
    )
    desk, other = Desk(round_, reviewer, clock), Desk(round_, other_reviewer, clock)
    for _ in range(3):
        desk.submit(desk.claim(), SlotChoice.FIRST)
    assert other.next() == AllDone()
    assert len(desk.label_all(SlotChoice.SECOND)) == 3

    assert Label.objects.counted().count() == 3
    assert {label.revision for label in Label.objects.all()} == {1}
    # The same side in the other order is the same system: the person was steady.
    for label in repeats(round_):
        first = Label.objects.get(seat=label.seat.retest_of)  # type: ignore[union-attr]  # repeats have seats
        assert first.outcome == label.outcome
    assert desk.next() == AllDone()


def test_the_numbers_do_not_tell_which_pairs_are_repeats(
    reviewer: User, clock: Clock
) -> None:
    round_ = make_round(make_set(cases=12), reviewer, retest_share=0.5)
    desk = Desk(round_, reviewer, clock)
    seen = []
    while isinstance(found := desk.next(), Assignment):
        desk.submit(found)
        clock.pass_minutes(1)
        now = progress(round_=round_, reviewer=reviewer, now=clock.now)
        seen.append((now.mine, now.labelled, now.seats))
    assert seen == [(n, n, 18) for n in range(1, 19)]
    member = RoundMember.objects.get()
    assert (member.labels, member.retests) == (18, 6)


def test_a_repeat_survives_a_lost_reservation_and_ends_with_a_skip(
    reviewer: User, other_reviewer: User, clock: Clock
) -> None:
    round_ = make_round(make_set(cases=1), reviewer, other_reviewer, retest_share=1)
    desk, other = Desk(round_, reviewer, clock), Desk(round_, other_reviewer, clock)
    desk.submit(desk.claim())
    held = desk.claim()
    clock.pass_minutes(100)
    assert other.next() == AllDone()
    assert desk.claim().token == held.token
    skip(token=str(held.token), reviewer=reviewer, now=clock.now)

    assert desk.next() == AllDone()
    with pytest.raises(Conflict) as refusal:
        desk.submit(held, SlotChoice.TIE)
    assert refusal.value.code == "pair_skipped"
    first = Label.objects.get()
    assert first.assignment is not None
    changed = desk.submit(first.assignment, SlotChoice.TIE)
    assert (changed.revision, changed.seat_id) == (2, first.seat_id)


def test_the_first_label_can_be_revised_after_the_repeat(
    reviewer: User, clock: Clock
) -> None:
    round_ = make_round(make_set(cases=1), reviewer, retest_share=1)
    desk = Desk(round_, reviewer, clock)
    first = desk.claim()
    desk.submit(first)
    again = desk.claim()
    desk.submit(again)
    revised = desk.submit(first, SlotChoice.ABSTAIN)

    assert (revised.seat_id, revised.revision) == (first.seat_id, 2)
    assert Seat.objects.count() == 2


def repeats_now(round_: Round, clock: Clock) -> dict[str, int]:
    found = round_progress(round_=round_, now=clock.now).retests
    names = ("seats", "labelled", "reserved", "skipped", "lost", "waiting")
    return {name: getattr(found, name) for name in names}


def test_a_lead_is_told_which_repeats_will_never_come(
    reviewer: User, other_reviewer: User, clock: Clock
) -> None:
    """Each is for one person: what they gave back waits for nobody."""
    round_ = make_round(
        make_set(cases=6), reviewer, other_reviewer, labels_per_pair=2, retest_share=1
    )
    for user in (reviewer, other_reviewer):
        desk = Desk(round_, user, clock)
        for _ in range(6):
            desk.submit(desk.claim())
    assert repeats_now(round_, clock) == {
        "seats": 6, "labelled": 0, "reserved": 0, "skipped": 0, "lost": 0, "waiting": 6,
    }  # fmt: skip
    desk = Desk(round_, reviewer, clock)
    skip(token=str(desk.claim().token), reviewer=reviewer, now=clock.now)
    desk.submit(desk.claim())
    desk.claim()
    assert repeats_now(round_, clock) == {
        "seats": 6, "labelled": 1, "reserved": 1, "skipped": 1, "lost": 0, "waiting": 3,
    }  # fmt: skip
    known = Seat.objects.filter(retest_of__reviewer=other_reviewer).order_by("pk")
    record_exposures(
        user=other_reviewer,
        pair_ids=[seat.pair_id for seat in known[:2]],
        kind=ExposureKind.VERDICTS,
        now=clock.now,
    )
    assert repeats_now(round_, clock) == {
        "seats": 6, "labelled": 1, "reserved": 1, "skipped": 1, "lost": 2, "waiting": 1,
    }  # fmt: skip
    remove_member(round_=round_, reviewer=other_reviewer, now=clock.now)
    assert repeats_now(round_, clock)["lost"] == 3
    # A reservation that ran out is none: the repeat waits for its reviewer again.
    clock.pass_minutes(100)
    assert repeats_now(round_, clock) == {
        "seats": 6, "labelled": 1, "reserved": 0, "skipped": 1, "lost": 3, "waiting": 1,
    }  # fmt: skip
