"""The claim: one SQL statement, the same on both databases but for SKIP LOCKED.

Two people can never get one seat: the statement picks and takes it in one step, and
unique constraints on the seats refuse what the rules forbid even if it were wrong.
All SQL of the queue that the ORM can't say is in this module.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import connection

from annotation.domain.outcomes import Order
from config.db.plain import Statement, run_together

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from annotation.services.supply import Supply

CLAIM = """
UPDATE annotation_seat SET reviewer_id = %(me)s, available_at = %(until)s
WHERE id = {pick} RETURNING id, pair_id, case_id, "order"
"""
# Nothing that this person has, gave back, or knows results of.
UNTOUCHED = """
    NOT EXISTS (SELECT 1 FROM annotation_skip k WHERE k.round_id = s.round_id
                AND k.reviewer_id = %(me)s AND k.pair_id = s.pair_id {one_by_one})
    AND NOT EXISTS (SELECT 1 FROM annotation_exposure e
                    WHERE e.user_id = %(me)s AND e.pair_id = s.pair_id {one_by_one})
"""
# Nothing that they labelled, in whatever round: one person has one vote on a pair.
# "+ 0" keeps the database from going through all seats this person ever had.
ELSEWHERE = """
    NOT EXISTS (SELECT 1 FROM annotation_seat x WHERE x.pair_id = s.pair_id
                AND x.reviewer_id + 0 = %(me)s AND x.available_at IS NULL
                AND x.retest_of_id IS NULL {one_by_one})
"""
# The usual claim takes the first seat it meets, so each is checked as it is met. Else
# PostgreSQL, which knows of a round only what was so when it was last counted, may go
# through all that this person ever had to join them, and a claim would take the longer
# the more they did.
ONE_BY_ONE = "LIMIT 1 OFFSET 0"
# Seats in the pass and order asked for, from a random rank on: every reviewer walks the
# pairs in a different order, so that two claims at once hardly ever want the same row.
SEAT = """(
  SELECT s.id FROM annotation_seat s
  WHERE s.round_id = %(round)s AND s.pass_no = %(pass_no)s AND s."order" = %(order)s
    AND {ranks} AND s.available_at <= %(now)s {other_case}
    AND NOT EXISTS (SELECT 1 FROM annotation_seat m WHERE m.round_id = s.round_id
                    AND m.reviewer_id = %(me)s AND m.pair_id = s.pair_id
                    AND m.retest_of_id IS NULL {one_by_one})
    AND {elsewhere} AND {untouched}
  ORDER BY s.rank LIMIT 1 {lock})
"""
RETEST = """(
  SELECT s.id FROM annotation_seat s JOIN annotation_seat o ON o.id = s.retest_of_id
  WHERE s.round_id = %(round)s AND s.pass_no = 0 AND s.available_at <= %(now)s
    AND o.reviewer_id = %(me)s AND {due} {other_case} AND {untouched}
  ORDER BY s.due_after, s.id LIMIT 1 {lock})
"""
DUE = "s.due_after <= %(labels)s"
OTHER_CASE = "AND s.case_id <> %(last_case)s"
# A round spreads the ranks of its seats over 0 to TOP_RANK, so that a random number of
# the same range starts the search at any seat alike.
TOP_RANK = 2**62
# Who labelled nearly all of a large part would walk over all of that in vain. So a few
# ranks are tried first, and the rest only once it is known to hold something.
FEW = "s.rank BETWEEN %(start)s AND %(stop)s"
FEW_SEATS = 500
# Repeats stand in a pass of their own, which no ordinary claim looks at.
RETEST_PASS = 0

Part = tuple[int, Order]


@dataclass(frozen=True, slots=True)
class Claimant:
    """Who claims, where, what they saw last, and what still holds something for them.

    ``parts`` are passes and orders in the sequence in which they are searched;
    ``pairs`` is how many the round has, 0 where that is not known.
    """

    round_id: int
    reviewer_id: int
    last_case_id: int | None
    labels: int
    retests: bool
    parts: tuple[Part, ...]
    pairs: int = 0


@dataclass(frozen=True, slots=True)
class Claimed:
    """A seat that is now reserved for the claimant."""

    seat_id: int
    pair_id: int
    case_id: int
    order: Order
    same_case_again: bool


@dataclass(frozen=True, slots=True)
class _Try:
    """One statement and what is peculiar to it; ``few``: it can't walk far."""

    pick: str
    other_case: bool
    part: Part | None = None
    few: bool = False


class Search:
    """The search for a seat: statements that are run in turn until one claims any.

    Tried in turn (DESIGN rules 7 and 10): a repeat that is due; another case than the
    last, part by part; the case shown last; and only when nothing else is left, a
    repeat before its time. A part that is searched in vain costs as much as this person
    has labels in it, so what is exhausted is looked up then, and remembered.
    """

    def __init__(
        self,
        who: Claimant,
        supply: Supply,
        *,
        now: datetime,
        until: datetime,
        rng: random.Random,
    ) -> None:
        self._who, self._supply = who, supply
        self._values = _values(who, now, until) | _ranks(who, rng)
        self._tries = (one for one in _tries(who) if self._may_find(one))
        self._now = next(self._tries, None)

    def _may_find(self, attempt: _Try) -> bool:
        return attempt.part is None or self._supply.holds(attempt.part)

    @property
    def soonest(self) -> datetime | None:
        """When the first of what others hold may come free, if all was in vain."""
        return self._supply.soonest

    def statement(self) -> Statement | None:
        """What to run now; None if all was searched in vain."""
        return None if self._now is None else _statement(self._now, self._values)

    def read(self, rows: Sequence[tuple[Any, ...]]) -> Claimed | None:
        """What the statement claimed; nothing, and then the next one is due."""
        attempt = self._now
        assert attempt is not None  # noqa: S101 - its statement was run
        if rows:
            seat, pair, case, order = rows[0]
            again = self._who.last_case_id is not None and not attempt.other_case
            return Claimed(seat, pair, case, Order(order), again)
        if attempt.part is not None:
            self._supply.look()
        self._now = next(self._tries, None)
        return None

    def run(self) -> Claimed | None:
        """Reserve one seat if any is free for this reviewer."""
        while (statement := self.statement()) is not None:
            [rows] = run_together([statement])
            if (found := self.read(rows)) is not None:
                return found
        return None


def _ranks(who: Claimant, rng: random.Random) -> dict[str, int]:
    """Where the search starts, and where the first try of a large part stops."""
    width = TOP_RANK * FEW_SEATS // max(who.pairs // 2, FEW_SEATS)
    start = rng.randrange(TOP_RANK)
    return {"start": start, "stop": start + width}


def _is_large(who: Claimant) -> bool:
    return who.pairs // 2 > 2 * FEW_SEATS


def _tries(who: Claimant) -> Iterator[_Try]:
    apart = (True, False) if who.last_case_id is not None else (False,)
    if who.retests:
        yield _Try(RETEST.replace("{due}", DUE), apart[0])
    for other_case in apart:
        for part in who.parts:
            if _is_large(who):
                yield _Try(SEAT.replace("{ranks}", FEW), other_case, part, few=True)
            yield _Try(_both_sides(), other_case, part)
    if who.retests:
        for other_case in apart:
            yield _Try(RETEST.replace("{due}", "TRUE"), other_case)


def _both_sides() -> str:
    sides = (SEAT.replace("{ranks}", f"s.rank {to} %(start)s") for to in (">=", "<"))
    # COALESCE asks for the second only where the first found nothing.
    return f"COALESCE({', '.join(sides)})"


def _values(who: Claimant, now: datetime, until: datetime) -> dict[str, Any]:
    moment = connection.ops.adapt_datetimefield_value
    return {
        "me": who.reviewer_id,
        "round": who.round_id,
        "labels": who.labels,
        "last_case": who.last_case_id or 0,
        "now": moment(now),
        "until": moment(until),
    }


def _statement(attempt: _Try, values: dict[str, Any]) -> Statement:
    sql = _sql(attempt, connection.vendor)
    if attempt.part is not None:
        values = values | {"pass_no": attempt.part[0], "order": attempt.part[1].value}
    # Planning takes longer than the usual claim itself; but one that may have to walk
    # a whole part is planned for whoever asks.
    return Statement(sql, values, planned=attempt.few)


def _sql(attempt: _Try, vendor: str) -> str:
    one_by_one = ONE_BY_ONE if attempt.few else ""
    pick = attempt.pick.format(
        other_case=OTHER_CASE if attempt.other_case else "",
        untouched=UNTOUCHED.format(one_by_one=one_by_one),
        elsewhere=ELSEWHERE.format(one_by_one=one_by_one),
        one_by_one=one_by_one,
        lock="FOR UPDATE OF s SKIP LOCKED" if vendor == "postgresql" else "",
    )
    return CLAIM.format(pick=pick)
