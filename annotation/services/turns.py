"""One turn of a reviewer: an answer is stored and the next pair comes, in one step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotation.services.labelling import Given, one_label_a_pair, store_label
from annotation.services.queue import (
    COUNTS,
    Closed,
    Next,
    claim_for,
    held_by,
    no_such_pair,
    search_for,
    take_claimed,
)
from annotation.services.seat_taking import SeatLost

if TYPE_CHECKING:
    import random
    from datetime import datetime

    from annotation.domain.answers import Answer
    from annotation.models import Label, RoundMember
    from annotation.services.claims import Search
    from annotation.services.guidelines import Known
    from config.accounts.models import User


@dataclass(frozen=True, slots=True)
class Turn:
    """What was stored, what comes next, and the reviewer's place in the round.

    ``known`` is the guideline that they work by.
    """

    label: Label
    next: Next | Closed
    member: RoundMember
    known: Known


def take_turn(
    *,
    token: str,
    reviewer: User,
    answer: Answer,
    now: datetime,
    rng: random.Random,
    round_id: int | None = None,
    revision: int | None = None,
) -> Turn:
    """Store a label and claim the next pair of its round, in one transaction.

    One commit for both makes the reply fast. If the claim fails unexpectedly the label
    is not stored either, and the page, which has not been told that it was, keeps the
    answer; sending it again is always safe. A token of another round than ``round_id``
    does not exist. ``revision``: see `store_label`.

    The usual label and the claim go to the database together. Where somebody has taken
    the expired seat in that very moment all of it is undone, and done step by step.
    """
    given = _Sent(token, reviewer, answer, now, round_id, revision)
    try:
        return _take_turn(given, rng, together=True)
    except SeatLost:
        return _take_turn(given, rng, together=False)


@dataclass(frozen=True, slots=True)
class _Sent:
    token: str
    reviewer: User
    answer: Answer
    now: datetime
    round_id: int | None
    revision: int | None


def _take_turn(sent: _Sent, rng: random.Random, *, together: bool) -> Turn:
    def claiming(member: RoundMember) -> Search:
        return search_for(member, now=sent.now, rng=rng)

    with one_label_a_pair():
        given = store_label(
            token=sent.token,
            reviewer=sent.reviewer,
            answer=sent.answer,
            now=sent.now,
            revision=sent.revision,
            claiming=claiming if together else None,
        )
        member = given.member
        if sent.round_id not in (None, member.round_id):
            raise no_such_pair()
        found = _next(given, sent.now, rng)
        return Turn(given.label, found, member, given.known)


def _next(given: Given, now: datetime, rng: random.Random) -> Next | Closed:
    member = given.member
    if given.searched is not None:
        return take_claimed(member, *given.searched, now=now)
    if not member.round.is_open:
        return Closed()
    held = None if given.holds_none else held_by(member, now)
    if held is None:
        return claim_for(member, now=now, rng=rng)
    member.save(update_fields=COUNTS)
    return held
