"""The queue: what a reviewer gets next, and giving a pair back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Count, Exists, Min, Q

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
from annotation.services.claims import Claimant, Claimed, claim_seat, still_open
from annotation.services.progress import open_to
from config.errors import Conflict, NotFound

if TYPE_CHECKING:
    import random

    from django.db.models import QuerySet

    from config.accounts.models import User


ROUND_CLOSED = "round_closed"


@dataclass(frozen=True, slots=True)
class NothingNow:
    """Every seat left is reserved by somebody; ``until`` is when one may come free."""

    until: datetime


@dataclass(frozen=True, slots=True)
class AllDone:
    """Nothing of this round is left for this reviewer."""


@dataclass(frozen=True, slots=True)
class Closed:
    """The round takes no labels any more."""


Next = Assignment | NothingNow | AllDone


def round_for(*, round_id: int, reviewer: User) -> Round:
    """Return a round this person belongs to; others do not learn that it exists."""
    members = RoundMember.objects.select_related("round__gold_set")
    return _round_of(members, round_id, reviewer)


def _round_of_one_request(round_id: int, reviewer: User) -> Round:
    """As above, holding back this person's other requests until this one is over."""
    members = RoundMember.objects.select_for_update(of=("self",))
    return _round_of(members.select_related("round__gold_set"), round_id, reviewer)


def _round_of(members: QuerySet[RoundMember], round_id: int, reviewer: User) -> Round:
    member = members.filter(round_id=round_id, reviewer=reviewer).first()
    if member is None:
        raise NotFound("round_unknown", "There is no such round for you.")
    return member.round


@transaction.atomic
def next_assignment(
    *, round_id: int, reviewer: User, now: datetime, rng: random.Random
) -> Next:
    """Give the reviewer's held pair again, or claim another one.

    Numbered because of the races: (1) the requests of one person (two tabs, a double
    click) wait for each other; (2) a reservation that is still theirs is renewed,
    expired or not, as nobody else has taken it; (3) otherwise one statement claims a
    seat; (4) only then the earlier assignment is ended, all in one transaction, so that
    a crash in between loses nothing.
    """
    round_ = _round_of_one_request(round_id, reviewer)
    if not round_.is_open:
        raise Conflict(ROUND_CLOSED, "This round is closed.")
    until = now + timedelta(minutes=round_.reservation_minutes)
    held = _held(round_, reviewer, now=now, until=until)
    if held is not None:
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
    return _assign(round_, reviewer, claimed, now)


def next_or_closed(
    *, round_id: int, reviewer: User, now: datetime, rng: random.Random
) -> Next | Closed:
    """As `next_assignment`, for replies that must not fail since a label was stored."""
    try:
        return next_assignment(round_id=round_id, reviewer=reviewer, now=now, rng=rng)
    except Conflict as refusal:
        if refusal.code != ROUND_CLOSED:
            raise
        return Closed()


def _assign(
    round_: Round, reviewer: User, claimed: Claimed, now: datetime
) -> Assignment:
    seat = Seat.objects.get(pk=claimed.seat_id)
    Assignment.objects.filter(
        round=round_, reviewer=reviewer, ended_at__isnull=True
    ).update(ended_at=now)
    return Assignment.objects.create(
        round=round_,
        seat=seat,
        pair_id=seat.pair_id,
        reviewer=reviewer,
        order=seat.order,
        claimed_at=now,
        same_case_again=claimed.same_case_again,
    )


def _held(
    round_: Round, reviewer: User, *, now: datetime, until: datetime
) -> Assignment | None:
    """Renew and return the reservation that is still this reviewer's, if any.

    Whoever saw results of the pair meanwhile is not blind any more and loses it.
    """
    held = (
        Assignment.objects.filter(
            round=round_,
            reviewer=reviewer,
            ended_at__isnull=True,
            seat__reviewer=reviewer,
            seat__available_at__isnull=False,
        )
        .annotate(exposed=Exists(Exposure.objects.of(reviewer.pk, "pair_id")))
        .first()
    )
    if held is None:
        return None
    own = Seat.objects.filter(
        pk=held.seat_id, reviewer=reviewer, available_at__isnull=False
    )
    if held.exposed:
        own.update(reviewer=None, available_at=now)
        return None
    # Nothing was renewed: somebody else has taken the expired seat just now.
    return held if own.update(available_at=until) else None


def end(assignment: Assignment, now: datetime) -> None:
    """Note that an assignment is over; the time of its first end is kept."""
    Assignment.objects.filter(pk=assignment.pk, ended_at__isnull=True).update(
        ended_at=now
    )


def _last_case(round_: Round, reviewer: User) -> int | None:
    return (
        Assignment.objects.filter(round=round_, reviewer=reviewer)
        .order_by("-claimed_at", "-pk")
        .values_list("pair__case_id", flat=True)
        .first()
    )


def _preferred_order(round_: Round, reviewer: User, rng: random.Random) -> Order:
    """The order this reviewer has labelled less; a fair coin where they are even.

    Labels are counted, not seats: after a lost reservation a label may fill a seat of
    the other order, and what counts is what stood on the screen.
    """
    counts = Label.objects.filter(
        seat__round=round_, seat__reviewer=reviewer, reviewer=reviewer, revision=1
    ).aggregate(
        baseline=Count("pk", filter=Q(order=Order.BASELINE_FIRST.value)),
        candidate=Count("pk", filter=Q(order=Order.CANDIDATE_FIRST.value)),
    )
    if counts["baseline"] == counts["candidate"]:
        return rng.choice((Order.BASELINE_FIRST, Order.CANDIDATE_FIRST))
    fewer = counts["baseline"] < counts["candidate"]
    return Order.BASELINE_FIRST if fewer else Order.CANDIDATE_FIRST


def _nothing_left(round_: Round, reviewer: User, now: datetime) -> Next:
    """Tell "all done" from "all reserved by others at this moment"."""
    soonest = Seat.objects.filter(open_to(round_, reviewer), round=round_).aggregate(
        at=Min("available_at")
    )["at"]
    return AllDone() if soonest is None else NothingNow(until=max(soonest, now))


@transaction.atomic
def skip(*, token: str, reviewer: User, now: datetime) -> Assignment:
    """Give a pair back: free for others, not offered to this reviewer again."""
    assignment = locked_assignment(token=token, reviewer=reviewer)
    if not still_open(assignment.round_id):
        raise Conflict(ROUND_CLOSED, "This round was closed meanwhile.")
    if Label.objects.of_assignment(assignment).exists():
        raise Conflict("already_labelled", "You have labelled this pair already.")
    Seat.objects.filter(
        pk=assignment.seat_id, reviewer=reviewer, available_at__isnull=False
    ).update(reviewer=None, available_at=now)
    mark = Skip(
        round_id=assignment.round_id,
        reviewer=reviewer,
        pair_id=assignment.pair_id,
        skipped_at=now,
    )
    Skip.objects.bulk_create([mark], ignore_conflicts=True)
    end(assignment, now)
    return assignment


def locked_assignment(*, token: str, reviewer: User) -> Assignment:
    """Return this reviewer's own assignment; any other token does not exist.

    Its row stays locked until the transaction ends, so that two requests about one
    assignment come one after the other.
    """
    found = (
        Assignment.objects.select_related("round")
        .select_for_update(of=("self",))
        .filter(token=token, reviewer=reviewer)
        .first()
    )
    if found is None:
        raise NotFound("assignment_unknown", "There is no such pair in your queue.")
    found.reviewer = reviewer  # the very object, with its roles read already
    return found


def shown_pair(assignment: Assignment) -> Pair:
    """The pair of an assignment with everything the page needs, in one query."""
    return Pair.objects.with_texts().get(pk=assignment.pair_id)
