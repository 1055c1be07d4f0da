"""How far a round is, as one of its reviewers may know it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import connection
from django.db.models import Count, Exists, OuterRef, Q

from annotation.models import Exposure, Round, RoundMember, Seat, Skip
from config.db.plain import Statement, run_together
from config.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from config.accounts.models import User

# Counting what waits for one person reads every open seat. Above this many seats the
# number is counted once in a while, and goes down by their own labels in between.
COUNTED_EACH_TIME = 4_000
COUNTED_EVERY = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class Progress:
    """Three honest numbers for a reviewer, and the total they stand against.

    ``mine`` are the labels they gave, ``waiting`` the pairs that they could be given
    now, ``reserved`` the seats that others hold now; ``labelled`` of ``seats`` labels
    are in. In a large round ``waiting`` may be a minute old.
    """

    mine: int
    waiting: int
    reserved: int
    labelled: int
    seats: int


def progress(*, round_: Round, reviewer: User, now: datetime) -> Progress:
    """Count the round as one reviewer may know it."""
    member = RoundMember.objects.active().filter(round=round_, reviewer=reviewer)
    found = member.select_related("round").first()
    if found is None:
        raise NotFound("round_unknown", "There is no such round for you.")
    return progress_of(found, now=now)


def progress_of(
    member: RoundMember, *, now: datetime, nothing_left: bool = False
) -> Progress:
    """As `progress`, for a row that was read already.

    ``nothing_left``: it is known that nothing waits for them, so that is not counted.
    """
    seats = seats_of(member.round)
    labelled, reserved = _in_the_round(member, now)
    unasked = nothing_left or not member.round.is_open
    return Progress(
        mine=member.labels,
        waiting=0 if unasked else _waiting(member, seats, now),
        reserved=reserved,
        labelled=labelled,
        seats=seats,
    )


def may_go_on(found: Progress, *, round_: Round, reviewer: User) -> bool:
    """Whether there is a pair for them to label now: waiting, or held by them."""
    if found.waiting:
        return True
    mine = Seat.objects.filter(round=round_, reviewer=reviewer)
    return mine.filter(available_at__isnull=False).exists()


def seats_of(round_: Round) -> int:
    """All labels that a round wants, planned repeats included."""
    planned = round_.selection.get("seats")
    if planned is None:  # a round from before this was noted
        return Seat.objects.filter(round=round_).count()
    return int(planned) + int(round_.selection.get("retests", 0))


IN_THE_ROUND = """
SELECT (SELECT SUM(m.baseline_first + m.candidate_first) FROM annotation_roundmember m
        WHERE m.round_id = %(round)s),
       (SELECT COUNT(*) FROM annotation_seat s
        WHERE s.round_id = %(round)s AND s.reviewer_id IS NOT NULL
          AND s.reviewer_id <> %(me)s AND s.available_at > %(now)s)
"""


def _in_the_round(member: RoundMember, now: datetime) -> tuple[int, int]:
    if member.in_the_round is not None:
        return member.in_the_round
    [[row]] = run_together([counting(member, now)])
    return read_counts(row)


def counting(member: RoundMember, now: datetime) -> Statement:
    """Labels given by all, and seats reserved by others, for `read_counts`."""
    values = {
        "round": member.round_id,
        "me": member.reviewer_id,
        "now": connection.ops.adapt_datetimefield_value(now),
    }
    return Statement(IN_THE_ROUND, values, planned=True)


def read_counts(row: Sequence[Any]) -> tuple[int, int]:
    """Both as numbers; of sums a database may make something else."""
    labelled, reserved = row
    return int(labelled), int(reserved)


def _waiting(member: RoundMember, seats: int, now: datetime) -> int:
    stale = member.waiting_at is None or now - member.waiting_at >= COUNTED_EVERY
    if seats > COUNTED_EACH_TIME and not stale:
        return member.waiting
    waiting = _count_waiting(member, now)
    if seats > COUNTED_EACH_TIME:
        member.waiting, member.waiting_at = waiting, now
        member.save(update_fields=["waiting", "waiting_at"])
    return waiting


def _count_waiting(member: RoundMember, now: datetime) -> int:
    free = Seat.objects.filter(
        open_to(member.round_id, member.reviewer_id),
        round_id=member.round_id,
        available_at__lte=now,
    )
    pairs = free.aggregate(pairs=Count("pair_id", distinct=True))["pairs"]
    return int(pairs) + _open_retests(member)


def _open_retests(member: RoundMember) -> int:
    """Planned repeats count like any other pair: nobody is told which they are."""
    if not member.round.retest_share:
        return 0
    skipped = Skip.objects.filter(
        round=member.round_id, reviewer=member.reviewer_id, pair_id=OuterRef("pair_id")
    )
    return Seat.objects.filter(
        ~Exists(skipped),
        round=member.round_id,
        retest_of__reviewer=member.reviewer_id,
        available_at__isnull=False,
        reviewer__isnull=True,
    ).count()


def open_to(round_id: int, reviewer_id: int) -> Q:
    """Seats this reviewer could still be given, reserved by others or not."""
    pair = OuterRef("pair_id")
    mine = Seat.objects.filter(
        round=round_id, reviewer=reviewer_id, pair_id=pair, retest_of__isnull=True
    )
    # Of any round: nobody labels a pair twice, but for planned repeats.
    labelled = Seat.objects.labelled_by(reviewer_id).filter(pair_id=pair)
    skipped = Skip.objects.filter(round=round_id, reviewer=reviewer_id, pair_id=pair)
    seen = Exposure.objects.of(reviewer_id, "pair_id")
    return Q(
        ~Exists(mine),
        ~Exists(labelled),
        ~Exists(skipped),
        ~Exists(seen),
        available_at__isnull=False,
        retest_of__isnull=True,
    )
