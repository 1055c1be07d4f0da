"""A reviewer's place in a round: found, and locked for the time of one request.

In plain SQL, since a reviewer waits for it (see `config.db.plain`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from django.db import connection
from django.db.models import Exists

from annotation.models import Assignment, Exposure, GoldSet, Round, RoundMember, Seat
from annotation.services.guidelines import Known
from config.db.plain import Statement, columns, read, run_together, width
from config.errors import Conflict, NotFound

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from config.accounts.models import User
    from config.errors import DomainError

REMOVED, UNKNOWN = "member_removed", "assignment_unknown"

PLACE = """
SELECT {member} FROM annotation_roundmember m
WHERE m.reviewer_id = %(me)s AND m.removed_at IS NULL AND m.round_id = {round} {lock}
"""
GIVEN_ROUND = "%(round)s"
THEIR_ROUND = """(
  SELECT a.round_id FROM annotation_assignment a
  WHERE a.token = %(token)s AND a.reviewer_id = %(me)s)"""
ROUND = """
SELECT {round}, {gold_set} FROM annotation_round r
JOIN annotation_goldset g ON g.id = r.gold_set_id WHERE r.id = %(round)s
"""
# All that a label needs to know, in one row: what is in already, whether its author saw
# results, and by which version of the guideline they work (see `guideline_for`).
# "+ 0" keeps PostgreSQL from going through all seats this person ever had, which it
# may think are few; those of the pair are.
MINE = """
SELECT {assignment}, {seat}, {round}, {gold_set},
  EXISTS (SELECT 1 FROM annotation_exposure e
          WHERE e.user_id = a.reviewer_id AND e.pair_id = a.pair_id),
  EXISTS (SELECT 1 FROM annotation_seat m
          WHERE m.pair_id = a.pair_id AND m.round_id = a.round_id
            AND m.reviewer_id + 0 = a.reviewer_id AND m.available_at IS NULL),
  EXISTS (SELECT 1 FROM annotation_seat m
          WHERE m.pair_id = a.pair_id AND m.round_id <> a.round_id
            AND m.reviewer_id + 0 = a.reviewer_id AND m.available_at IS NULL
            AND m.retest_of_id IS NULL),
  EXISTS (SELECT 1 FROM annotation_skip k
          WHERE k.round_id = a.round_id AND k.reviewer_id = a.reviewer_id
            AND k.pair_id = a.pair_id),
  EXISTS (SELECT 1 FROM annotation_draft d WHERE d.assignment_id = a.id),
  (SELECT MAX(v.version) FROM annotation_guideline v WHERE v.gold_set_id = g.id),
  EXISTS (SELECT 1 FROM annotation_guidelineseen n
          WHERE n.guideline_id = l.id AND n.user_id = a.reviewer_id),
  l.id, l.version, l.criteria
FROM annotation_assignment a
JOIN annotation_seat s ON s.id = a.seat_id
JOIN annotation_round r ON r.id = a.round_id
JOIN annotation_goldset g ON g.id = r.gold_set_id
LEFT JOIN annotation_guideline l ON l.id = (
  SELECT v.id FROM annotation_guideline v
  LEFT JOIN annotation_guidelineseen n
    ON n.guideline_id = v.id AND n.user_id = %(me)s
  WHERE v.gold_set_id = g.id
  ORDER BY CASE WHEN n.id IS NULL THEN 1 ELSE 0 END, v.version DESC LIMIT 1)
WHERE a.token = %(token)s AND a.reviewer_id = %(me)s
"""


def round_for(*, round_id: int, reviewer: User) -> Round:
    """Return a round this person belongs to; others do not learn that it exists."""
    return member_of(round_id=round_id, reviewer=reviewer).round


def member_of(*, round_id: int, reviewer: User) -> RoundMember:
    """Return this person's place in a round, with the round."""
    members = RoundMember.objects.active().select_related("round__gold_set")
    member = members.filter(round_id=round_id, reviewer=reviewer).first()
    if member is None:
        raise _no_such_round(round_id, reviewer)
    return member


def past_member_of(*, round_id: int, reviewer: User) -> RoundMember:
    """As `member_of`, also for who was removed: what they gave stays theirs to read."""
    members = RoundMember.objects.select_related("round__gold_set")
    member = members.filter(round_id=round_id, reviewer=reviewer).first()
    if member is None:
        raise _no_such_round(round_id, reviewer)
    return member


def _no_such_round(round_id: int, reviewer: User) -> DomainError:
    if _was_removed(reviewer, round_id=round_id):
        return _removed()
    return NotFound("round_unknown", "There is no such round for you.")


def _was_removed(reviewer: User, **where: object) -> bool:
    return RoundMember.objects.filter(
        reviewer=reviewer, removed_at__isnull=False, **where
    ).exists()


def _removed() -> Conflict:
    return Conflict(
        REMOVED,
        "You were taken out of this round, so it takes nothing more from you. The "
        "labels you gave stay and count; what you had written is kept under My labels.",
    )


def no_such_pair() -> NotFound:
    """Also what is said of a pair that is somebody else's."""
    return NotFound(UNKNOWN, "There is no such pair of yours.")


def no_such_pair_for(token: str, reviewer: User) -> DomainError:
    """The same, or that its reviewer lost it, or was taken out of the round."""
    theirs = Assignment.objects.filter(token=token, reviewer=reviewer)
    if _was_removed(reviewer, round__in=theirs.values("round")):
        return _removed()
    if theirs.exists():
        return NotFound(
            UNKNOWN,
            "This pair is not before you any more: you gave it back, your reservation "
            "of it was lost, its round was closed, or you have seen results of it.",
        )
    return no_such_pair()


def locked_member(*, round_id: int, reviewer: User) -> RoundMember:
    """Return this person's place in a round, holding back their other requests.

    The round is read by a statement of its own, after the lock was given: closing a
    round waits for these locks, so whoever gets one late sees the round closed.
    """
    values = {"me": reviewer.pk, "round": round_id}
    then = ROUND.format(round=columns(Round, "r"), gold_set=columns(GoldSet, "g"))
    members, rounds = run_together(
        [_lock(GIVEN_ROUND, values), Statement(then, values, planned=True)]
    )
    if not members:
        raise _no_such_round(round_id, reviewer)
    member = read(RoundMember, members[0])
    member.reviewer = reviewer  # the very object, with its roles read already
    member.round, _ = _round_of(iter(rounds[0]))
    return member


def _lock(which: str, values: Mapping[str, object]) -> Statement:
    lock = "FOR UPDATE" if connection.vendor == "postgresql" else ""
    member = columns(RoundMember, "m")
    sql = PLACE.format(member=member, round=which, lock=lock)
    return Statement(sql, values, planned=True)


def _round_of(row: Iterator[object]) -> tuple[Round, Iterator[object]]:
    """A round with its gold set, from the next values of a row; and what is left."""
    round_ = read(Round, _some(row, width(Round)))
    round_.gold_set = read(GoldSet, _some(row, width(GoldSet)))
    return round_, row


def _some(row: Iterator[object], count: int) -> list[object]:
    return list(islice(row, count))


@dataclass(frozen=True, slots=True)
class Before:
    """What was so of an assignment's pair before this request.

    ``labelled``: its reviewer has labelled the pair in this round, be it as a planned
    repeat or as the first time; ``elsewhere``: in another round; ``exposed``: they have
    seen results of it; ``skipped``: they gave it back; ``drafted``: there is a draft
    of their answer; ``known``: the guideline they work by.
    """

    labelled: bool
    elsewhere: bool
    exposed: bool
    skipped: bool
    drafted: bool
    known: Known


def locked_assignment(
    *, token: str, reviewer: User
) -> tuple[RoundMember, Assignment, Before]:
    """Return this reviewer's own assignment; any other token does not exist.

    Their place in its round stays locked until the transaction ends, so that two
    requests of one person come one after the other. All else is read after the lock was
    given, as in `locked_member`.
    """
    key = Assignment._meta.get_field("token").get_db_prep_value(token, connection)
    values = {"token": key, "me": reviewer.pk}
    mine = Statement(_mine(), values, planned=True)
    members, rows = run_together([_lock(THEIR_ROUND, values), mine])
    if not members:
        raise no_such_pair_for(token, reviewer)
    member, row = read(RoundMember, members[0]), iter(rows[0])
    found = read(Assignment, _some(row, width(Assignment)))
    found.seat = read(Seat, _some(row, width(Seat)))
    member.round, row = _round_of(row)
    found.round = member.round
    found.reviewer = member.reviewer = reviewer
    return member, found, _before(member.round.gold_set_id, list(row))


def _mine() -> str:
    return MINE.format(
        assignment=columns(Assignment, "a"),
        seat=columns(Seat, "s"),
        round=columns(Round, "r"),
        gold_set=columns(GoldSet, "g"),
    )


def _before(gold_set_id: int, row: list[Any]) -> Before:
    exposed, labelled, elsewhere, skipped, drafted, newest, seen, *known_by = row
    pk, version, criteria = known_by
    known = Known(gold_set_id)
    if pk is not None:
        known = Known(
            gold_set_id, pk, version, bool(seen), newest, json.loads(criteria)
        )
    return Before(
        labelled=bool(labelled),
        elsewhere=bool(elsewhere),
        exposed=bool(exposed),
        skipped=bool(skipped),
        drafted=bool(drafted),
        known=known,
    )


def own_assignment(*, token: str, reviewer: User) -> Assignment:
    """Return this reviewer's own assignment to look at; any other does not exist.

    Who was removed from the round, or saw results of the pair, looks no more.
    """
    mine = Assignment.objects.filter(
        ~Exists(Exposure.objects.of(reviewer.pk, "pair_id")),
        token=token,
        reviewer=reviewer,
        round__members__reviewer=reviewer,
        round__members__removed_at__isnull=True,
    )
    found = mine.select_related("round").first()
    if found is None:
        raise no_such_pair_for(token, reviewer)
    found.reviewer = reviewer
    return found
