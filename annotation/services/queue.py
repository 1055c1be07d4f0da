"""The queue: what a reviewer gets next, and how far the round is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Count, Exists, Min, OuterRef, Q

from annotation.domain.outcomes import Order
from annotation.models import (
    Assignment,
    Exposure,
    Label,
    Pair,
    Round,
    RoundMember,
    Seat,
    Skip,
)
from annotation.services.claims import Claimant, claim_seat
from config.errors import Conflict, NotFound

if TYPE_CHECKING:
    import random

    from config.accounts.models import User


@dataclass(frozen=True, slots=True)
class NothingNow:
    """Every seat left is reserved by somebody; ``until`` is when one may come free."""

    until: datetime


@dataclass(frozen=True, slots=True)
class AllDone:
    """Nothing of this round is left for this reviewer."""


Next = Assignment | NothingNow | AllDone


@dataclass(frozen=True, slots=True)
class Progress:
    """Three honest numbers for a reviewer, and the total they stand against."""

    mine: int
    waiting: int
    reserved: int
    labelled: int
    seats: int


def round_for(*, round_id: int, reviewer: User) -> Round:
    """Return a round this person belongs to; others do not learn that it exists."""
    member = RoundMember.objects.filter(round_id=round_id, reviewer=reviewer)
    found = (
        Round.objects.select_related("gold_set")
        .filter(Exists(member), pk=round_id)
        .first()
    )
    if found is None:
        raise NotFound("round_unknown", "There is no such round for you.")
    return found


@transaction.atomic
def next_assignment(
    *, round_id: int, reviewer: User, now: datetime, rng: random.Random
) -> Next:
    """Give the reviewer's held pair again, or claim another one.

    Numbered because of the races: (1) a reservation that is still theirs is renewed,
    expired or not, as nobody else has taken it; (2) otherwise one statement claims a
    seat; (3) only then the earlier assignment is ended, so that a crash in between
    loses nothing.
    """
    round_ = round_for(round_id=round_id, reviewer=reviewer)
    if not round_.is_open:
        raise Conflict("round_closed", "This round is closed.")
    until = now + timedelta(minutes=round_.reservation_minutes)
    held = _held(round_, reviewer)
    if held is not None:
        Seat.objects.filter(pk=held.seat_id).update(available_at=until)
        return held
    claimant = Claimant(
        round_id=round_.pk,
        passes=round_.labels_per_pair,
        reviewer_id=reviewer.pk,
        last_case_id=_last_case(round_, reviewer),
        preferred=_preferred_order(round_, reviewer, rng),
    )
    claimed = claim_seat(claimant, now=now, until=until, rng=rng)
    if claimed is None:
        return _nothing_left(round_, reviewer, now)
    seat = Seat.objects.get(pk=claimed.seat_id)
    end_open_assignment(round_id=round_.pk, reviewer=reviewer, now=now)
    return Assignment.objects.create(
        round=round_,
        seat=seat,
        pair_id=seat.pair_id,
        reviewer=reviewer,
        order=seat.order,
        claimed_at=now,
        same_case_again=claimed.same_case_again,
    )


def _held(round_: Round, reviewer: User) -> Assignment | None:
    """The open assignment whose seat is still this reviewer's and unlabelled."""
    return (
        Assignment.objects.filter(
            round=round_,
            reviewer=reviewer,
            ended_at__isnull=True,
            seat__reviewer=reviewer,
            seat__available_at__isnull=False,
        )
        .order_by("-claimed_at")
        .first()
    )


def end_open_assignment(*, round_id: int, reviewer: User, now: datetime) -> None:
    """Close whatever this reviewer still had on the screen in this round."""
    Assignment.objects.filter(
        round_id=round_id, reviewer=reviewer, ended_at__isnull=True
    ).update(ended_at=now)


def _last_case(round_: Round, reviewer: User) -> int | None:
    return (
        Assignment.objects.filter(round=round_, reviewer=reviewer)
        .order_by("-claimed_at", "-pk")
        .values_list("pair__case_id", flat=True)
        .first()
    )


def _preferred_order(round_: Round, reviewer: User, rng: random.Random) -> Order:
    """The order this reviewer has labelled less; a fair coin where they are even."""
    counts = Seat.objects.filter(
        round=round_, reviewer=reviewer, available_at__isnull=True
    ).aggregate(
        baseline=Count("pk", filter=Q(order=Order.BASELINE_FIRST.value)),
        candidate=Count("pk", filter=Q(order=Order.CANDIDATE_FIRST.value)),
    )
    if counts["baseline"] == counts["candidate"]:
        return rng.choice((Order.BASELINE_FIRST, Order.CANDIDATE_FIRST))
    fewer = counts["baseline"] < counts["candidate"]
    return Order.BASELINE_FIRST if fewer else Order.CANDIDATE_FIRST


def _open_to(round_: Round, reviewer: User) -> Q:
    """Seats this reviewer could still be given, reserved by others or not."""
    mine = Seat.objects.filter(
        round=round_, reviewer=reviewer, pair_id=OuterRef("pair_id")
    )
    skipped = Skip.objects.filter(
        round=round_, reviewer=reviewer, pair_id=OuterRef("pair_id")
    )
    seen = Exposure.objects.filter(user=reviewer, pair_id=OuterRef("pair_id"))
    return (
        Q(available_at__isnull=False) & ~Exists(mine) & ~Exists(skipped) & ~Exists(seen)
    )


def _nothing_left(round_: Round, reviewer: User, now: datetime) -> Next:
    """Tell "all done" from "all reserved by others at this moment"."""
    soonest = Seat.objects.filter(_open_to(round_, reviewer), round=round_).aggregate(
        at=Min("available_at")
    )["at"]
    if soonest is None:
        end_open_assignment(round_id=round_.pk, reviewer=reviewer, now=now)
        return AllDone()
    return NothingNow(until=max(soonest, now))


@transaction.atomic
def skip(*, token: str, reviewer: User, now: datetime) -> None:
    """Give a pair back: free for others, not offered to this reviewer again."""
    assignment = assignment_for(token=token, reviewer=reviewer)
    given_back = Seat.objects.filter(
        pk=assignment.seat_id, reviewer=reviewer, available_at__isnull=False
    ).update(reviewer=None, available_at=now)
    if (
        not given_back
        and Label.objects.filter(seat_id=assignment.seat_id, reviewer=reviewer).exists()
    ):
        raise Conflict("already_labelled", "You have labelled this pair already.")
    Skip.objects.bulk_create(
        [
            Skip(
                round_id=assignment.round_id,
                reviewer=reviewer,
                pair_id=assignment.pair_id,
                skipped_at=now,
            )
        ],
        ignore_conflicts=True,
    )
    end_open_assignment(round_id=assignment.round_id, reviewer=reviewer, now=now)


def assignment_for(*, token: str, reviewer: User) -> Assignment:
    """Return this reviewer's own assignment; any other token does not exist."""
    found = (
        Assignment.objects.select_related("round__gold_set", "seat")
        .filter(token=token, reviewer=reviewer)
        .first()
    )
    if found is None:
        raise NotFound("assignment_unknown", "There is no such pair in your queue.")
    found.reviewer = reviewer  # the very object, with its roles read already
    return found


def progress(*, round_: Round, reviewer: User, now: datetime) -> Progress:
    """Count the round's seats as one reviewer may know them."""
    counts = Seat.objects.filter(round=round_).aggregate(
        seats=Count("pk"),
        labelled=Count("pk", filter=Q(available_at__isnull=True)),
        mine=Count("pk", filter=Q(available_at__isnull=True, reviewer=reviewer)),
        reserved=Count("pk", filter=Q(available_at__gt=now) & ~Q(reviewer=reviewer)),
    )
    waiting = Seat.objects.filter(
        _open_to(round_, reviewer), round=round_, available_at__lte=now
    ).aggregate(pairs=Count("pair_id", distinct=True))["pairs"]
    return Progress(waiting=waiting, **counts)


def shown_pair(assignment: Assignment) -> Pair:
    """The pair of an assignment with everything the page needs, in one query."""
    return Pair.objects.with_texts().get(pk=assignment.pair_id)
