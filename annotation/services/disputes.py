"""Which pairs the labels leave in dispute, found once for as long as that can't change.

Labels are only added while a round is open, and its pairs are not ruled on until it is
closed. So for all other pairs the disputes follow from a few things that are quickly
read: which rounds are closed and when, how many outside labels there are, and each
set's rule. While these stay the same, so do the disputes. They are read anew for each
request; what was found for them is kept in the process, the last time only.
"""

from __future__ import annotations

from dataclasses import dataclass, field
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
from annotation.models import GoldSet, Label, Round, Seat

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

ADJUDICATED = (
    ConsensusRule.MAJORITY_ELSE_ADJUDICATE.value,
    ConsensusRule.UNANIMOUS_ELSE_ADJUDICATE.value,
)
MOST_RANKED = 32


class RuleOf(NamedTuple):
    """How a set settles its pairs, and its secret."""

    gold_set_id: int
    rule: str
    wanted: int
    seed: str


class Settled(NamedTuple):
    """A closed round. The seed tells it from a round of another database."""

    round_id: int
    seed: str
    closed_at: datetime


class Basis(NamedTuple):
    """All that the disputes follow from."""

    rules: tuple[RuleOf, ...]
    closed: tuple[Settled, ...]
    outside: int


class Ranked(NamedTuple):
    """A disputed pair's place for one adjudicator: lowest agreement first."""

    agreement: float
    rank: str
    pair_id: int


class Dispute(NamedTuple):
    """A pair whose labels its set's rule leaves in dispute."""

    pair_id: int
    seed: str
    agreement: float


@dataclass(frozen=True, slots=True)
class Survey:
    """The disputes on one basis, and their order for those who asked."""

    basis: Basis
    found: tuple[Dispute, ...]
    ranked: dict[int, tuple[Ranked, ...]] = field(default_factory=dict)

    def ranked_for(self, adjudicator_id: int) -> tuple[Ranked, ...]:
        """The disputes in the order in which this person is to rule."""
        ranked = self.ranked.get(adjudicator_id)
        if ranked is None:
            ranked = tuple(sorted(self._ranks(adjudicator_id)))
            if len(self.ranked) >= MOST_RANKED:
                self.ranked.clear()
            self.ranked[adjudicator_id] = ranked
        return ranked

    def _ranks(self, adjudicator_id: int) -> Iterator[Ranked]:
        for row in self.found:
            rank = secret_rank(row.seed, "queue", adjudicator_id, row.pair_id)
            yield Ranked(row.agreement, rank, row.pair_id)


_last: list[Survey] = []


def survey() -> Survey:
    """The disputes as they are now, ruled on or not.

    For pairs of open rounds it may say what was so a while ago; these wait anyway. What
    it rests on is read before the labels are, so that a change in between is noticed by
    the next request at the latest.
    """
    basis = _basis()
    for last in _last:
        if last.basis == basis:
            return last
    found = Survey(basis, tuple(_disputed(basis.rules)))
    _last[:] = [found]
    return found


def _basis() -> Basis:
    sets: Any = GoldSet.objects.filter(consensus_rule__in=ADJUDICATED).order_by("pk")
    rounds: Any = Round.objects.filter(closed_at__isnull=False).order_by("pk")
    return Basis(
        rules=tuple(
            RuleOf(*row)
            for row in sets.values_list(
                "pk", "consensus_rule", "labels_per_pair", "seed"
            )
        ),
        closed=tuple(
            Settled(*row) for row in rounds.values_list("pk", "seed", "closed_at")
        ),
        outside=Label.objects.filter(seat__isnull=True).count(),
    )


def pairs_in_open_rounds() -> set[int]:
    """Pairs that somebody may label now."""
    found: set[int] = set()
    for row in Round.objects.filter(closed_at__isnull=True).values_list("pk", "seed"):
        found |= _pairs_of_round(*row)
    return found


@lru_cache(maxsize=16)
def _pairs_of_round(round_id: int, seed: str) -> frozenset[int]:  # noqa: ARG001 - see Settled
    """The pairs of a round, which never change once it is open."""
    seats = Seat.objects.filter(round=round_id).order_by()
    return frozenset(seats.values_list("pair_id", flat=True).distinct())


def _disputed(rules: Iterable[RuleOf]) -> Iterator[Dispute]:
    """Pairs whose labels the set's rule leaves in dispute.

    One pass over all labels finds the few pairs where not all ever said the same; the
    dearer question which labels are current is asked only where there are revisions.
    """
    by_set = {rule.gold_set_id: rule for rule in rules}
    rows = [row for row in _differing() if row["pair__gold_set"] in by_set]
    revised = [row["pair"] for row in rows if row["last"] > 1]
    current = {row["pair"]: row for row in current_counts(revised)}
    for row in rows:
        rule = by_set[row["pair__gold_set"]]
        counts = current.get(row["pair"], row)
        found = settled_by(rule.rule, rule.wanted, counts)
        if isinstance(found, Open) and found.reason is OpenReason.DISPUTED:
            yield Dispute(row["pair"], rule.seed, agreement_of(found))


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


def current_counts(pair_ids: list[int]) -> Iterable[dict[str, Any]]:
    """How often each outcome is said now, a row a pair."""
    labels = Label.objects.current().counted().filter(pair__in=pair_ids)
    rows: Any = labels.order_by().values("pair").annotate(**_COUNTS)
    return cast("Iterable[dict[str, Any]]", rows)


_COUNTS: dict[str, Any] = {
    outcome.value: Count("pk", filter=Q(outcome=outcome.value)) for outcome in Outcome
}


def settled_by(rule: str, wanted: int, counts: dict[str, Any]) -> Consensus:
    """What a rule makes of so many labels of each outcome."""
    return _consensus(rule, wanted, *(counts[outcome.value] for outcome in Outcome))


@lru_cache(maxsize=4096)
def _consensus(rule: str, wanted: int, *counts: int) -> Consensus:
    outcomes = [
        outcome
        for outcome, times in zip(Outcome, counts, strict=True)
        for _ in range(times)
    ]
    return consensus(outcomes, ConsensusRule(rule), wanted)


def agreement_of(found: Consensus) -> float:
    """The share of agreeing pairs of labels; 1 where nothing disagrees."""
    agreement = found.agreement if isinstance(found, Open) else None
    return 1.0 if agreement is None else agreement
