"""What waits for an adjudicator: disputed pairs, and those sent to be ruled on again.

A pair that is being labelled is not ruled on meanwhile: it waits until every round that
holds it is closed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import Count, Exists, OuterRef, Q

from annotation.domain.consensus import (
    Consensus,
    ConsensusRule,
    Open,
    OpenReason,
    consensus,
)
from annotation.domain.hearings import secret_rank
from annotation.domain.outcomes import Outcome
from annotation.models import (
    Adjudication,
    Exposure,
    ExposureKind,
    Hearing,
    Label,
    RulingHold,
    RulingRequest,
    Seat,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from config.accounts.models import User

# Whoever saw these is no judge of the pair. What was seen in order to rule is no bar.
BARRING = (ExposureKind.LABELS, ExposureKind.SYSTEMS, ExposureKind.VERDICTS)
ADJUDICATED = (
    ConsensusRule.MAJORITY_ELSE_ADJUDICATE.value,
    ConsensusRule.UNANIMOUS_ELSE_ADJUDICATE.value,
)


class Candidate(NamedTuple):
    """A pair that waits; ``held_until`` while another adjudicator has it.

    It sorts by how early it is to be ruled on: pairs this person ruled on before come
    last, then the lowest agreement comes first.
    """

    again: bool
    agreement: float
    rank: str
    pair_id: int
    head: str
    held_until: datetime | None


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
    given_back = set(
        Hearing.objects.filter(
            adjudicator=adjudicator, given_back_at__isnull=False
        ).values_list("pair_id", "after")
    )
    before = set(
        Adjudication.objects.filter(adjudicator=adjudicator).values_list(
            "pair_id", flat=True
        )
    )
    found = {row.pair_id: row for row in _open_pairs(adjudicator)}
    return sorted(
        Candidate(
            again=row.pair_id in before,
            agreement=row.agreement,
            rank=secret_rank(row.seed, "queue", adjudicator.pk, row.pair_id),
            pair_id=row.pair_id,
            head=row.head,
            held_until=held.get(row.pair_id),
        )
        for row in found.values()
        if (row.pair_id, row.head) not in given_back
    )


def waiting(*, adjudicator: User, now: datetime) -> Waiting:
    """Count what waits for this person, and what they have ruled on."""
    return count(queue_of(adjudicator=adjudicator, now=now), adjudicator)


def count(queue: list[Candidate], adjudicator: User) -> Waiting:
    """Count a queue that was read already."""
    held = sum(candidate.held_until is not None for candidate in queue)
    mine = Adjudication.objects.filter(adjudicator=adjudicator).count()
    return Waiting(free=len(queue) - held, with_others=held, mine=mine)


class _OpenPair(NamedTuple):
    pair_id: int
    seed: str
    agreement: float
    head: str


def _open_pairs(adjudicator: User) -> Iterator[_OpenPair]:
    yield from _disputed(adjudicator)
    yield from _requested(adjudicator)


def _disputed(adjudicator: User) -> Iterator[_OpenPair]:
    """Pairs without a ruling whose labels the set's rule leaves in dispute."""
    unruled = Label.objects.counted().filter(
        ~Exists(Adjudication.objects.filter(pair=OuterRef("pair"))),
        pair__gold_set__consensus_rule__in=ADJUDICATED,
    )
    # Nothing is disputed where all ever said the same: a cheap test for most pairs.
    differing = (
        unruled.order_by()
        .values("pair")
        .annotate(kinds=Count("outcome", distinct=True))
        .filter(kinds__gt=1)
        .values("pair")
    )
    rows = _counts(Q(pair__in=differing) & _allowed(adjudicator, "pair"))
    for row in rows:
        found = _consensus(
            row["pair__gold_set__consensus_rule"],
            row["pair__gold_set__labels_per_pair"],
            *(row[outcome.value] for outcome in Outcome),
        )
        if isinstance(found, Open) and found.reason is OpenReason.DISPUTED:
            yield _OpenPair(
                row["pair"], row["pair__gold_set__seed"], _agreement(found), ""
            )


def _requested(adjudicator: User) -> Iterator[_OpenPair]:
    """Pairs sent to be ruled on again: corrections and controls alike."""
    requests = RulingRequest.objects.filter(
        _allowed(adjudicator, "pair"), closed_at__isnull=True
    )
    pairs = requests.values("pair")
    agreements = {
        row["pair"]: _agreement(
            _consensus(
                ConsensusRule.UNANIMOUS_ELSE_ADJUDICATE.value,
                1,
                *(row[outcome.value] for outcome in Outcome),
            )
        )
        for row in _counts(Q(pair__in=pairs))
    }
    heads = dict(
        Adjudication.objects.filter(pair__in=pairs)
        .order_by("sequence")
        .values_list("pair", "digest")
    )
    for pair_id, seed in requests.values_list("pair", "pair__gold_set__seed"):
        agreement = agreements.get(pair_id, 1.0)
        yield _OpenPair(pair_id, seed, agreement, heads.get(pair_id, ""))


def _counts(condition: Q) -> Any:
    """How often each outcome was given, a row a pair."""
    per_outcome: dict[str, Any] = {
        outcome.value: Count("pk", filter=Q(outcome=outcome.value))
        for outcome in Outcome
    }
    return (
        Label.objects.current()
        .counted()
        .filter(condition)
        .order_by()
        .values(
            "pair",
            "pair__gold_set__seed",
            "pair__gold_set__consensus_rule",
            "pair__gold_set__labels_per_pair",
        )
        .annotate(**per_outcome)
    )


def _allowed(adjudicator: User, pair: str) -> Q:
    """That this person may rule on the pair a row names, and nobody labels it now."""
    labelled = Label.objects.filter(pair=OuterRef(pair), reviewer=adjudicator)
    seen = Exposure.objects.of(adjudicator.pk, pair).filter(kind__in=BARRING)
    prompted = RulingRequest.objects.filter(
        pair=OuterRef(pair), requested_by=adjudicator
    )
    in_round = Seat.objects.filter(pair=OuterRef(pair), round__closed_at__isnull=True)
    return (
        ~Q(Exists(labelled)) & ~Q(Exists(seen)) & ~Q(Exists(prompted))
        & ~Q(Exists(in_round))
    )  # fmt: skip


@lru_cache(maxsize=4096)
def _consensus(rule: str, wanted: int, *counts: int) -> Consensus:
    outcomes = [
        outcome
        for outcome, times in zip(Outcome, counts, strict=True)
        for _ in range(times)
    ]
    return consensus(outcomes, ConsensusRule(rule), wanted)


def _agreement(found: Consensus) -> float:
    """The share of agreeing pairs of labels; 1 where nothing disagrees."""
    agreement = found.agreement if isinstance(found, Open) else None
    return 1.0 if agreement is None else agreement
