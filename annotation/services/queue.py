"""The queue: what a reviewer gets next, and giving a pair back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef

from annotation.models import (
    Assignment,
    Exposure,
    Label,
    RoundMember,
    Seat,
    Skip,
)
from annotation.services.carried_drafts import carry, earlier_draft
from annotation.services.claims import Claimant, Claimed, Search
from annotation.services.places import (
    locked_assignment,
    locked_member,
    member_of,
    no_such_pair,
    own_assignment,
    round_for,
)
from annotation.services.progress import counting, read_counts
from annotation.services.shown_pairs import note_texts, shown_pair, texts_of
from annotation.services.supply import Supply, parts_for
from config.db.plain import Statement, insertion, run_together
from config.errors import Conflict

if TYPE_CHECKING:
    import random

    from django.db.models import QuerySet

    from config.accounts.models import User


__all__ = [
    "COUNTS", "ROUND_CLOSED", "AllDone", "Closed", "Next", "NothingNow", "claim_for",
    "end", "held_by", "member_of", "next_assignment", "next_or_closed", "no_such_pair",
    "own_assignment", "round_for", "search_for", "shown_pair", "skip", "take_claimed",
]  # fmt: skip

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
    member = locked_member(round_id=round_id, reviewer=reviewer)
    if not member.round.is_open:
        raise Conflict(ROUND_CLOSED, "This round is closed.")
    held = held_by(member, now)
    return claim_for(member, now=now, rng=rng) if held is None else held


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


def claim_for(member: RoundMember, *, now: datetime, rng: random.Random) -> Next:
    """Claim a seat for a locked member who holds none, in the caller's transaction."""
    search = search_for(member, now=now, rng=rng)
    return take_claimed(member, search, search.run(), now=now)


def search_for(member: RoundMember, *, now: datetime, rng: random.Random) -> Search:
    """The search for a seat for a locked member who holds none."""
    round_ = member.round
    who = Claimant(
        round_id=round_.pk,
        reviewer_id=member.reviewer_id,
        last_case_id=member.last_case_id,
        labels=member.labels,
        retests=round_.retest_share > 0,
        parts=parts_for(member, rng),
        pairs=int(round_.selection.get("pairs", 0)),
    )
    until = now + timedelta(minutes=round_.reservation_minutes)
    return Search(who, Supply(member), now=now, until=until, rng=rng)


def take_claimed(
    member: RoundMember, search: Search, claimed: Claimed | None, *, now: datetime
) -> Next:
    """Assign what a search claimed, or say why there is nothing."""
    if claimed is not None:
        return _assign(member, claimed, now)
    run_together([_ending(member, now), _saving(member)])
    if search.soonest is None:
        return AllDone()
    return NothingNow(until=max(search.soonest, now))


COUNTS = ("baseline_first", "candidate_first", "retests")


def _assign(member: RoundMember, claimed: Claimed, now: datetime) -> Assignment:
    """Store the assignment, and read in the same message what its reply shows."""
    member.last_case_id = claimed.case_id
    member.waiting = max(0, member.waiting - 1)
    assignment = Assignment(
        round=member.round,
        seat_id=claimed.seat_id,
        pair_id=claimed.pair_id,
        reviewer=member.reviewer,
        order=claimed.order.value,
        claimed_at=now,
        same_case_again=claimed.same_case_again,
    )
    _, _, [[assignment.pk]], earlier, [counts], [texts] = run_together(
        [
            _ending(member, now),
            _saving(member),
            insertion(assignment),
            earlier_draft(assignment),
            counting(member, now),
            texts_of(claimed.pair_id),
        ]
    )
    member.in_the_round = read_counts(counts)
    note_texts(assignment, texts)
    carry(assignment, earlier)
    return assignment


END_OPEN_ONES = """
UPDATE annotation_assignment SET ended_at = %s
WHERE round_id = %s AND reviewer_id = %s AND ended_at IS NULL
"""
SAVE_MEMBER = """
UPDATE annotation_roundmember SET baseline_first = %s, candidate_first = %s,
  retests = %s, exhausted = %s, waiting = %s, last_case_id = %s WHERE id = %s
"""


def _ending(member: RoundMember, now: datetime) -> Statement:
    ended = connection.ops.adapt_datetimefield_value(now)
    values = [ended, member.round_id, member.reviewer_id]
    return Statement(END_OPEN_ONES, values, planned=True)


def _saving(member: RoundMember) -> Statement:
    counts = [getattr(member, name) for name in COUNTS]
    rest = [member.exhausted, member.waiting, member.last_case_id, member.pk]
    return Statement(SAVE_MEMBER, [*counts, *rest], planned=True)


def held_by(member: RoundMember, now: datetime) -> Assignment | None:
    """Renew and return the reservation that is still this reviewer's, if any.

    Whoever saw results of the pair meanwhile is not blind any more and loses it, and so
    does who labelled it in another round.
    """
    me = member.reviewer_id
    held = (
        Assignment.objects.filter(
            round=member.round_id,
            reviewer=me,
            ended_at__isnull=True,
            seat__reviewer=me,
            seat__available_at__isnull=False,
        )
        .annotate(
            exposed=Exists(Exposure.objects.of(me, "pair_id")),
            elsewhere=Exists(_labelled_elsewhere(member)),
            repeats=F("seat__retest_of"),
        )
        .first()
    )
    if held is None:
        return None
    own = Seat.objects.filter(pk=held.seat_id, reviewer=me, available_at__isnull=False)
    if held.exposed or (held.elsewhere and held.repeats is None):
        own.update(reviewer=None, available_at=now)
        return None
    until = now + timedelta(minutes=member.round.reservation_minutes)
    held.round, held.reviewer = member.round, member.reviewer
    # Nothing was renewed: somebody else has taken the expired seat just now.
    return held if own.update(available_at=until) else None


def _labelled_elsewhere(member: RoundMember) -> QuerySet[Seat]:
    seats = Seat.objects.labelled_by(member.reviewer_id).exclude(round=member.round_id)
    return seats.filter(pair=OuterRef("pair"))


@transaction.atomic
def skip(*, token: str, reviewer: User, now: datetime) -> Assignment:
    """Give a pair back: free for others, not offered to this reviewer again."""
    _, assignment, _ = locked_assignment(token=token, reviewer=reviewer)
    if not assignment.round.is_open:
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


def end(assignment: Assignment, now: datetime) -> None:
    """Note that an assignment is over; the time of its first end is kept."""
    Assignment.objects.filter(pk=assignment.pk, ended_at__isnull=True).update(
        ended_at=now
    )
