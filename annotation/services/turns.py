"""One turn of a reviewer: an answer is stored and the next pair comes, in one step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotation.services.labelling import one_label_a_pair, store_label
from annotation.services.queue import (
    COUNTS,
    Closed,
    Next,
    claim_for,
    held_by,
    no_such_pair,
)

if TYPE_CHECKING:
    import random
    from datetime import datetime

    from annotation.domain.answers import Answer
    from annotation.models import Label, RoundMember
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
    """
    with one_label_a_pair():
        given = store_label(
            token=token, reviewer=reviewer, answer=answer, now=now, revision=revision
        )
        if round_id not in (None, given.member.round_id):
            raise no_such_pair()
        member = given.member
        if not member.round.is_open:
            return Turn(given.label, Closed(), member, given.known)
        held = None if given.holds_none else held_by(member, now)
        if held is None:
            found: Next = claim_for(member, now=now, rng=rng)
        else:
            member.save(update_fields=COUNTS)
            found = held
        return Turn(given.label, found, member, given.known)
