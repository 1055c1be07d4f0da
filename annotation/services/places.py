"""A reviewer's place in a round: found, and locked for the time of one request.

In plain SQL, since a reviewer waits for it: building such queries anew for each label
takes longer than the database takes to answer them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import connection
from django.db.models import Exists

from annotation.models import Assignment, Exposure, GoldSet, Round, RoundMember, Seat
from config.errors import NotFound

if TYPE_CHECKING:
    from config.accounts.models import User

PLACE = """
SELECT m.* FROM annotation_roundmember m
WHERE m.reviewer_id = %(me)s AND m.removed_at IS NULL AND m.round_id = {round} {lock}
"""
GIVEN_ROUND = "%(round)s"
THEIR_ROUND = """(
  SELECT a.round_id FROM annotation_assignment a
  WHERE a.token = %(token)s AND a.reviewer_id = %(me)s)"""
# With what a label needs to know: is there one already, and did its author see results?
MINE = """
SELECT a.*, s.case_id, s.pass_no, s.retest_wanted, s.retest_of_id,
  EXISTS (SELECT 1 FROM annotation_exposure e
          WHERE e.user_id = a.reviewer_id AND e.pair_id = a.pair_id) AS exposed,
  EXISTS (SELECT 1 FROM annotation_seat m
          WHERE m.round_id = a.round_id AND m.reviewer_id = a.reviewer_id
            AND m.pair_id = a.pair_id AND m.available_at IS NULL) AS labelled
FROM annotation_assignment a JOIN annotation_seat s ON s.id = a.seat_id
WHERE a.token = %(token)s AND a.reviewer_id = %(me)s
"""
ROUND = "SELECT r.* FROM annotation_round r WHERE r.id = %s"
GOLD_SET = "SELECT g.* FROM annotation_goldset g WHERE g.id = %s"


def round_for(*, round_id: int, reviewer: User) -> Round:
    """Return a round this person belongs to; others do not learn that it exists."""
    return member_of(round_id=round_id, reviewer=reviewer).round


def member_of(*, round_id: int, reviewer: User) -> RoundMember:
    """Return this person's place in a round, with the round."""
    members = RoundMember.objects.active().select_related("round__gold_set")
    member = members.filter(round_id=round_id, reviewer=reviewer).first()
    if member is None:
        raise _no_such_round()
    return member


def _no_such_round() -> NotFound:
    return NotFound("round_unknown", "There is no such round for you.")


def no_such_pair() -> NotFound:
    """Also what is said of a pair that is somebody else's."""
    return NotFound("assignment_unknown", "There is no such pair in your queue.")


def locked_member(*, round_id: int, reviewer: User) -> RoundMember:
    """Return this person's place in a round, holding back their other requests.

    The round is read after the lock was given, never in the same statement: closing a
    round waits for these locks, so whoever gets one late sees the round closed.
    """
    member = _locked(GIVEN_ROUND, reviewer, round=round_id)
    if member is None:
        raise _no_such_round()
    return member


def _locked(which: str, reviewer: User, **values: object) -> RoundMember | None:
    lock = "FOR UPDATE" if connection.vendor == "postgresql" else ""
    sql = PLACE.format(round=which, lock=lock)
    rows = RoundMember.objects.raw(sql, {"me": reviewer.pk, **values})
    for member in rows:
        member.reviewer = reviewer  # the very object, with its roles read already
        return member
    return None


def round_now(round_id: int) -> Round:
    """The round as it is at this moment, with its gold set."""
    [round_] = Round.objects.raw(ROUND, [round_id])
    [round_.gold_set] = GoldSet.objects.raw(GOLD_SET, [round_.gold_set_id])
    return round_


@dataclass(frozen=True, slots=True)
class Before:
    """What was so of an assignment's pair before this request.

    ``labelled``: its reviewer has labelled the pair in this round, be it as a planned
    repeat or as the first time; ``exposed``: they have seen results of it.
    """

    labelled: bool
    exposed: bool


def locked_assignment(
    *, token: str, reviewer: User
) -> tuple[RoundMember, Assignment, Before]:
    """Return this reviewer's own assignment; any other token does not exist.

    Their place in its round stays locked until the transaction ends, so that two
    requests of one person come one after the other.
    """
    key = Assignment._meta.get_field("token").get_db_prep_value(token, connection)
    member = _locked(THEIR_ROUND, reviewer, token=key)
    if member is None:
        raise no_such_pair()
    values = {"token": key, "me": reviewer.pk}
    [found] = Assignment.objects.raw(MINE, values)
    member.round = round_now(found.round_id)
    found.reviewer, found.round = reviewer, member.round
    read = vars(found)
    found.seat = Seat(
        pk=found.seat_id,
        round_id=found.round_id,
        pair_id=found.pair_id,
        case_id=read["case_id"],
        pass_no=read["pass_no"],
        retest_wanted=bool(read["retest_wanted"]),
        retest_of_id=read["retest_of_id"],
    )
    return member, found, Before(bool(read["labelled"]), bool(read["exposed"]))


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
        raise no_such_pair()
    found.reviewer = reviewer
    return found
