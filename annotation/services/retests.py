"""Planned repeats: the same pair again, swapped, to the same person, spaced apart.

A round chooses its pairs for them when it opens; which of those who label such a pair
gets it again is settled as they label, so that each gets about as many.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.outcomes import Order
from annotation.domain.schedule import seeded
from annotation.models import Label, Pair, RoundMember, Seat
from annotation.services.claims import RETEST_PASS
from annotation.services.progress import open_to

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

SPACING = 10


def plan_retest(seat: Seat, label: Label, *, labels: int, now: datetime) -> Seat | None:
    """Add the repeat of a pair that the round chose for one, if it is settled now.

    Its label never counts. The order is the opposite of what was shown. It is offered
    to its reviewer alone, after ``SPACING`` more labels of theirs, or when they have
    nothing else left. ``labels`` is how many the author of ``label`` gave so far.
    """
    if not seat.retest_wanted or seat.retest_of_id is not None:
        return None
    again = _settled(seat, label)
    if again is None:
        return None
    if again.reviewer_id != label.reviewer_id:
        labels = _member(again).labels
    return Seat.objects.create(
        round_id=seat.round_id,
        pair_id=seat.pair_id,
        case_id=seat.case_id,
        pass_no=RETEST_PASS,
        order=Order(again.order).opposite.value,
        rank=0,
        retest_of_id=again.seat_id,
        due_after=labels + SPACING,
        available_at=now,
    )


def _settled(seat: Seat, label: Label) -> Label | None:
    """The label that is to be given again, as far as this one settles it.

    Each member is to have an equal part of the round's repeats, taken at random from
    the pairs they meet. With the last label of a pair it goes to whom of its people has
    the fewest, of those who are still at work.
    """
    # Two who label one pair at once are told apart here; nothing else waits for this.
    Pair.objects.select_for_update(no_key=True).get(pk=seat.pair_id)
    chosen = Seat.objects.filter(round=seat.round_id, retest_wanted=True)
    planned = Seat.objects.filter(round=seat.round_id, retest_of__isnull=False)
    if planned.filter(pair=seat.pair_id).exists():
        return None
    open_ones = chosen.filter(pair=seat.pair_id, available_at__isnull=False)
    if open_ones.exclude(pk=seat.pk).exists():
        return label if _wants(seat, label, chosen, planned) else None
    found = [label, *_of_others_at_work(seat, label)]
    return min(found, key=lambda one: _count(planned, one))


def _wants(
    seat: Seat, label: Label, chosen: QuerySet[Seat], planned: QuerySet[Seat]
) -> bool:
    """Whether this pair is one of those that make up the member's part."""
    theirs = chosen.filter(reviewer=label.reviewer_id, available_at__isnull=True)
    met = theirs.exclude(pk=seat.pk).values("pair")
    ahead = chosen.exclude(pair__in=planned.values("pair")).exclude(pair__in=met)
    members = RoundMember.objects.active().filter(round=seat.round_id).count()
    part = -(-_pairs(chosen) // max(members, 1))
    luck = seeded(seat.round.seed, f"repeat {seat.pk}").random()
    return luck * _pairs(ahead) < part - _count(planned, label)


def _of_others_at_work(seat: Seat, label: Label) -> list[Label]:
    """The pair's labels in this round by others, who have something left to label."""
    given = Label.objects.current().select_related("reviewer")
    given = given.filter(seat__round=seat.round_id, pair=seat.pair_id)
    others = given.exclude(reviewer=label.reviewer_id).order_by("pk")
    return [one for one in others if _is_at_work(one, seat.round_id)]


def _is_at_work(label: Label, round_id: int) -> bool:
    active = RoundMember.objects.active().filter(round=round_id)
    if (
        label.reviewer_id is None
        or not active.filter(reviewer=label.reviewer_id).exists()
    ):
        return False
    seats = Seat.objects.filter(round=round_id)
    return seats.filter(open_to(round_id, label.reviewer_id)).exists()


def _member(label: Label) -> RoundMember:
    assert label.seat is not None  # noqa: S101 - labels of a round have one
    return RoundMember.objects.get(round=label.seat.round_id, reviewer=label.reviewer)


def _count(planned: QuerySet[Seat], label: Label) -> int:
    return planned.filter(retest_of__reviewer=label.reviewer_id).count()


def _pairs(seats: QuerySet[Seat]) -> int:
    return seats.order_by().values("pair").distinct().count()
