"""What waits for an adjudicator: disputed pairs, and those sent to be ruled on again.

A pair that is being labelled is not ruled on meanwhile: it waits until every round that
holds it is closed. A pair that an adjudicator has before them stays with them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from annotation.domain.consensus import ConsensusRule
from annotation.domain.hearings import secret_rank
from annotation.models import (
    Adjudication,
    Exposure,
    ExposureKind,
    Hearing,
    Label,
    RulingHold,
    RulingRequest,
)
from annotation.services.disputes import (
    Candidate,
    agreement_of,
    current_counts,
    pairs_in_open_rounds,
    settled_by,
    survey,
)
from annotation.services.ruling_holds import holds

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from django.db.models import QuerySet

    from config.accounts.models import User

# Whoever saw these is no judge of the pair. What was seen in order to rule is no bar.
BARRING = (ExposureKind.LABELS, ExposureKind.SYSTEMS, ExposureKind.VERDICTS)


@dataclass(frozen=True, slots=True)
class Waiting:
    """How an adjudicator's queue stands: pairs free for them, with others, done."""

    free: int
    with_others: int
    mine: int


def queue_of(*, adjudicator: User, now: datetime) -> list[Candidate]:
    """Every pair that this person may rule on, in the order in which to rule.

    Left out are pairs that they labelled, whose labels, systems or verdicts they saw
    (other than in order to rule), whose correction they prompted, and that they gave
    back. Nothing in the order depends on why a pair waits.
    """
    held = {
        row.pair_id: row.held_until
        for row in RulingHold.objects.filter(held_until__gt=now).exclude(
            adjudicator=adjudicator
        )
    }
    hearings = Hearing.objects.filter(adjudicator=adjudicator)
    given_back = set(
        hearings.exclude(given_back_at=None).values_list("pair_id", "after")
    )
    before = _pairs(Adjudication.objects.filter(adjudicator=adjudicator))
    barred = _barred(adjudicator, now)
    unruled = _unruled(adjudicator, barred | {p for p, head in given_back if not head})
    again = [
        row
        for row in _again(adjudicator, before)
        if row.pair_id not in barred and (row.pair_id, row.head) not in given_back
    ]
    # Those unruled are in order already.
    queue = sorted([*unruled, *again]) if again else unruled
    if not held:
        return queue
    return [
        row._replace(held_until=held[row.pair_id]) if row.pair_id in held else row
        for row in queue
    ]


def _unruled(adjudicator: User, barred: set[int]) -> list[Candidate]:
    """Disputed pairs that nobody ruled on, nor asked to be ruled on again, in order."""
    requested = RulingRequest.objects.filter(closed_at__isnull=True)
    out = barred | _pairs(Adjudication.objects.all()) | _pairs(requested)
    ranked = survey().ranked_for(adjudicator.pk)
    return [row for row in ranked if row.pair_id not in out]


def _again(adjudicator: User, before: set[int]) -> Iterator[Candidate]:
    for pair_id, row in _requested().items():
        yield Candidate(
            again=pair_id in before,
            agreement=row.agreement,
            rank=secret_rank(row.seed, "queue", adjudicator.pk, pair_id),
            pair_id=pair_id,
            head=row.head,
            held_until=None,
        )


def waiting(*, adjudicator: User, now: datetime) -> Waiting:
    """Count what waits for this person, and what they have ruled on."""
    return count(queue_of(adjudicator=adjudicator, now=now), adjudicator)


def count(queue: list[Candidate], adjudicator: User) -> Waiting:
    """Count a queue that was read already."""
    held = sum(candidate.held_until is not None for candidate in queue)
    mine = Adjudication.objects.filter(adjudicator=adjudicator).count()
    return Waiting(free=len(queue) - held, with_others=held, mine=mine)


class _Requested(NamedTuple):
    seed: str
    agreement: float
    head: str


def _requested() -> dict[int, _Requested]:
    """Pairs sent to be ruled on again: corrections and controls alike."""
    requests = RulingRequest.objects.filter(closed_at__isnull=True)
    pairs = dict(requests.values_list("pair", "pair__gold_set__seed"))
    rule = ConsensusRule.UNANIMOUS_ELSE_ADJUDICATE.value
    agreements = {
        row["pair"]: agreement_of(settled_by(rule, 1, row))
        for row in current_counts(list(pairs))
    }
    heads = dict(
        Adjudication.objects.filter(pair__in=list(pairs))
        .order_by("sequence")
        .values_list("pair", "digest")
    )
    return {
        pair_id: _Requested(seed, agreements.get(pair_id, 1.0), heads.get(pair_id, ""))
        for pair_id, seed in pairs.items()
    }


def _barred(adjudicator: User, now: datetime) -> set[int]:
    """Pairs this person may not rule on, and pairs that somebody labels now.

    A round that was opened just when they took a pair does not take it away.
    """
    mine = holds(now=now).filter(adjudicator=adjudicator)
    return (
        _pairs(Label.objects.filter(reviewer=adjudicator))
        | _pairs(Exposure.objects.filter(user=adjudicator, kind__in=BARRING))
        | _pairs(RulingRequest.objects.filter(requested_by=adjudicator))
        | (pairs_in_open_rounds() - _pairs(mine))
    )


def _pairs(rows: QuerySet[Any]) -> set[int]:
    return set(rows.order_by().values_list("pair_id", flat=True).distinct())
