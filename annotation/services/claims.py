"""The claim: one SQL statement, the same on both databases but for SKIP LOCKED.

Two people can never get one seat: the statement picks and takes it in one step, and
unique constraints on the seats refuse what the rules forbid even if it were wrong.
All SQL of the queue that the ORM can't say is in this module.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from django.db import connection

if TYPE_CHECKING:
    import random
    from datetime import datetime

    from annotation.domain.outcomes import Order

# Seats of another case than the last one, in the pass and order asked for, from a
# random rank on: every reviewer walks the pairs in a different order, so that two
# claims at once hardly ever want the same row.
CLAIM = """
UPDATE annotation_seat SET reviewer_id = %(me)s, available_at = %(until)s
WHERE id = (
  SELECT s.id FROM annotation_seat s
  WHERE s.round_id = %(round)s AND s.pass_no = %(pass_no)s AND s."order" = %(order)s
    AND {rank} AND s.available_at <= %(now)s {other_case}
    AND NOT EXISTS (SELECT 1 FROM annotation_seat m WHERE m.round_id = s.round_id
                    AND m.reviewer_id = %(me)s AND m.pair_id = s.pair_id)
    AND NOT EXISTS (SELECT 1 FROM annotation_skip k WHERE k.round_id = s.round_id
                    AND k.reviewer_id = %(me)s AND k.pair_id = s.pair_id)
    AND NOT EXISTS (SELECT 1 FROM annotation_exposure e
                    WHERE e.user_id = %(me)s AND e.pair_id = s.pair_id)
  ORDER BY s.rank LIMIT 1 {lock}
) RETURNING id
"""
RANKS = ("s.rank >= %(start)s", "s.rank < %(start)s")
OTHER_CASE = "AND s.case_id <> %(last_case)s"
# A round spreads the ranks of its seats over 0 to TOP_RANK, so that a random number of
# the same range starts the search at any seat alike.
TOP_RANK = 2**62


@dataclass(frozen=True, slots=True)
class Claimant:
    """Who claims, where, and what they saw last."""

    round_id: int
    passes: int
    reviewer_id: int
    last_case_id: int | None
    preferred: Order


@dataclass(frozen=True, slots=True)
class Claimed:
    """A seat that is now reserved for the claimant."""

    seat_id: int
    same_case_again: bool


def claim_seat(
    who: Claimant, *, now: datetime, until: datetime, rng: random.Random
) -> Claimed | None:
    """Reserve one seat, or return None when no seat is free for this reviewer.

    Tried in turn (DESIGN rules 7 and 10): another case in the preferred order, through
    every pass; another case in the other order; only then the case shown last.
    """
    start = rng.randrange(TOP_RANK)
    cases = (True, False) if who.last_case_id is not None else (False,)
    orders = (who.preferred, who.preferred.opposite)
    for other_case, order, pass_no in product(cases, orders, range(1, who.passes + 1)):
        for rank in RANKS:
            seat_id = _run(
                who,
                _statement(rank, other_case=other_case),
                order,
                pass_no,
                now=now,
                until=until,
                start=start,
            )
            if seat_id is not None:
                again = who.last_case_id is not None and not other_case
                return Claimed(seat_id=seat_id, same_case_again=again)
    return None


def still_open(round_id: int) -> bool:
    """Whether the round takes labels, and goes on to until this transaction ends.

    Closing waits for the labels that are on their way, so that what is counted after
    closing is all there is. SQLite has one writer at a time and needs no lock.
    """
    lock = " FOR SHARE" if connection.vendor == "postgresql" else ""
    sql = f"SELECT closed_at FROM annotation_round WHERE id = %s{lock}"  # noqa: S608 - two constants
    with connection.cursor() as cursor:
        cursor.execute(sql, [round_id])
        row = cursor.fetchone()
    return row is not None and row[0] is None


def _statement(rank: str, *, other_case: bool) -> str:
    lock = "FOR UPDATE OF s SKIP LOCKED" if connection.vendor == "postgresql" else ""
    return CLAIM.format(
        rank=rank, other_case=OTHER_CASE if other_case else "", lock=lock
    )


def _run(
    who: Claimant,
    sql: str,
    order: Order,
    pass_no: int,
    *,
    now: datetime,
    until: datetime,
    start: int,
) -> int | None:
    moment = connection.ops.adapt_datetimefield_value
    parameters = {
        "me": who.reviewer_id,
        "round": who.round_id,
        "pass_no": pass_no,
        "order": order.value,
        "now": moment(now),
        "until": moment(until),
        "start": start,
        "last_case": who.last_case_id or 0,
    }
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        row = cursor.fetchone()
    return None if row is None else int(row[0])
