"""What waits for an adjudicator: disputed pairs, and those sent to be ruled on again.

A pair that is being labelled is not ruled on meanwhile: it waits until every round that
holds it is closed. A pair that an adjudicator has before them stays with them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from django.db.models import Count, F, Max, Min, Q

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
    GoldSet,
    Hearing,
    Label,
    RulingHold,
    RulingRequest,
    Seat,
)
from annotation.services.ruling_holds import holds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from django.db.models import QuerySet

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
    hearings = Hearing.objects.filter(adjudicator=adjudicator)
    given_back = set(
        hearings.exclude(given_back_at=None).values_list("pair_id", "after")
    )
    before = _pairs(Adjudication.objects.filter(adjudicator=adjudicator))
    barred = _barred(adjudicator, now)
    found = {row.pair_id: row for row in (*_disputed(), *_requested())}
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
        if row.pair_id not in barred and (row.pair_id, row.head) not in given_back
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


def _disputed() -> Iterator[_OpenPair]:
    """Pairs without a ruling whose labels the set's rule leaves in dispute.

    One pass over all labels finds the few pairs where not all ever said the same; the
    dearer question which labels are current is asked only where there are revisions.
    """
    sets = GoldSet.objects.filter(consensus_rule__in=ADJUDICATED).in_bulk()
    ruled = _pairs(Adjudication.objects.all())
    rows = [row for row in _differing() if row["pair"] not in ruled]
    revised = [row["pair"] for row in rows if row["last"] > 1]
    current = {row["pair"]: row for row in _current_counts(revised)}
    for row in rows:
        gold_set = sets.get(row["pair__gold_set"])
        counts = current.get(row["pair"], row)
        found = gold_set and _consensus(
            gold_set.consensus_rule,
            gold_set.labels_per_pair,
            *(counts[outcome.value] for outcome in Outcome),
        )
        if isinstance(found, Open) and found.reason is OpenReason.DISPUTED:
            seed = gold_set.seed if gold_set else ""
            yield _OpenPair(row["pair"], seed, _agreement(found), "")


def _requested() -> Iterator[_OpenPair]:
    """Pairs sent to be ruled on again: corrections and controls alike."""
    requests = RulingRequest.objects.filter(closed_at__isnull=True)
    pairs = dict(requests.values_list("pair", "pair__gold_set__seed"))
    agreements = {
        row["pair"]: _agreement(
            _consensus(
                ConsensusRule.UNANIMOUS_ELSE_ADJUDICATE.value,
                1,
                *(row[outcome.value] for outcome in Outcome),
            )
        )
        for row in _current_counts(list(pairs))
    }
    heads = dict(
        Adjudication.objects.filter(pair__in=list(pairs))
        .order_by("sequence")
        .values_list("pair", "digest")
    )
    for pair_id, seed in pairs.items():
        agreement = agreements.get(pair_id, 1.0)
        yield _OpenPair(pair_id, seed, agreement, heads.get(pair_id, ""))


def _differing() -> Iterable[dict[str, Any]]:
    """Pairs whose labels, old revisions included, are not all the same; with counts."""
    repeats = Seat.objects.filter(retest_of__isnull=False)
    rows: Any = (
        Label.objects.exclude(seat__in=repeats)
        .order_by()
        .values("pair", "pair__gold_set")
        .annotate(
            low=Min("outcome"), high=Max("outcome"), last=Max("revision"), **_COUNTS
        )
        .exclude(low=F("high"))
    )
    return cast("Iterable[dict[str, Any]]", rows)


def _current_counts(pair_ids: list[int]) -> Iterable[dict[str, Any]]:
    """How often each outcome is said now, a row a pair."""
    labels = Label.objects.current().counted().filter(pair__in=pair_ids)
    rows: Any = labels.order_by().values("pair").annotate(**_COUNTS)
    return cast("Iterable[dict[str, Any]]", rows)


_COUNTS: dict[str, Any] = {
    outcome.value: Count("pk", filter=Q(outcome=outcome.value)) for outcome in Outcome
}


def _barred(adjudicator: User, now: datetime) -> set[int]:
    """Pairs this person may not rule on, and pairs that somebody labels now.

    A round that was opened just when they took a pair does not take it away.
    """
    mine = holds(now=now).filter(adjudicator=adjudicator)
    open_seats = Seat.objects.filter(round__closed_at__isnull=True)
    return (
        _pairs(Label.objects.filter(reviewer=adjudicator))
        | _pairs(Exposure.objects.filter(user=adjudicator, kind__in=BARRING))
        | _pairs(RulingRequest.objects.filter(requested_by=adjudicator))
        | (_pairs(open_seats) - _pairs(mine))
    )


def _pairs(rows: QuerySet[Any]) -> set[int]:
    return set(rows.order_by().values_list("pair_id", flat=True).distinct())


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
