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

from django.db.models import Count, Q

from annotation.domain.consensus import (
    Consensus,
    ConsensusRule,
    Open,
    OpenReason,
    consensus,
)
from annotation.domain.hearings import secret_ranks
from annotation.domain.outcomes import Outcome
from annotation.models import GoldSet, Label, Round, Seat
from config.db.plain import Statement, run_together

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
    ranked: dict[int, tuple[Candidate, ...]] = field(default_factory=dict)

    def ranked_for(self, adjudicator_id: int) -> tuple[Candidate, ...]:
        """The disputes in the order in which this person is to rule."""
        ranked = self.ranked.get(adjudicator_id)
        if ranked is None:
            ranked = tuple(sorted(self._ranks(adjudicator_id)))
            if len(self.ranked) >= MOST_RANKED:
                self.ranked.clear()
            self.ranked[adjudicator_id] = ranked
        return ranked

    def _ranks(self, adjudicator_id: int) -> Iterator[Candidate]:
        ranks = {
            seed: secret_ranks(seed, "queue", adjudicator_id)
            for seed in {row.seed for row in self.found}
        }
        for row in self.found:
            rank = ranks[row.seed](row.pair_id)
            yield Candidate(
                again=False,
                agreement=row.agreement,
                rank=rank,
                pair_id=row.pair_id,
                head="",
                held_until=None,
            )


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
    dearer question which labels count is asked only where there are revisions, or more
    labels than the set wants.
    """
    by_set = {rule.gold_set_id: rule for rule in rules}
    [differing] = run_together([Statement(DIFFERING)])
    rows = [row for row in differing if row[0] in by_set]
    twice = _labelled_twice()
    revised = [
        pair
        for gold_set_id, pair, last, *counts in rows
        if last > 1 or pair in twice or sum(counts) > by_set[gold_set_id].wanted
    ]
    current = {row["pair"]: _counts(row) for row in current_counts(revised)}
    for gold_set_id, pair_id, _, *counts in rows:
        rule = by_set[gold_set_id]
        now = current.get(pair_id, counts)
        found = _consensus(rule.rule, rule.wanted, *now)
        if isinstance(found, Open) and found.reason is OpenReason.DISPUTED:
            yield Dispute(pair_id, rule.seed, agreement_of(found))


# Pairs whose labels, old revisions included, are not all the same; with counts. Their
# sets are looked up last, for these few alone.
DIFFERING = f"""
SELECT p.gold_set_id, d.* FROM (
  SELECT l.pair_id, MAX(l.revision),
    {", ".join(f"COUNT(*) FILTER (WHERE l.outcome = '{o.value}')" for o in Outcome)}
  FROM annotation_label l
  WHERE NOT EXISTS (SELECT 1 FROM annotation_seat s
                    WHERE s.id = l.seat_id AND s.retest_of_id IS NOT NULL)
  GROUP BY l.pair_id HAVING MIN(l.outcome) <> MAX(l.outcome)
) d JOIN annotation_pair p ON p.id = d.pair_id
"""  # noqa: S608 - names of our own


# Pairs that one person labelled in more than one round: only the newest counts.
TWICE = """
SELECT DISTINCT s.pair_id FROM annotation_seat s
WHERE s.available_at IS NULL AND s.retest_of_id IS NULL
GROUP BY s.pair_id, s.reviewer_id HAVING COUNT(*) > 1
"""


def _labelled_twice() -> set[int]:
    """Read only where a set has had several rounds."""
    several = Round.objects.order_by().values("gold_set").annotate(n=Count("pk"))
    if not several.filter(n__gt=1).exists():
        return set()
    [rows] = run_together([Statement(TWICE)])
    return {pair_id for (pair_id,) in rows}


def current_counts(pair_ids: list[int]) -> Iterable[dict[str, Any]]:
    """How often each outcome is said now, a row a pair."""
    labels = Label.objects.votes().filter(pair__in=pair_ids)
    rows: Any = labels.order_by().values("pair").annotate(**_COUNTS)
    return cast("Iterable[dict[str, Any]]", rows)


_COUNTS: dict[str, Any] = {
    outcome.value: Count("pk", filter=Q(outcome=outcome.value)) for outcome in Outcome
}


def settled_by(rule: str, wanted: int, counts: dict[str, Any]) -> Consensus:
    """What a rule makes of so many labels of each outcome."""
    return _consensus(rule, wanted, *_counts(counts))


def _counts(row: dict[str, Any]) -> list[int]:
    return [row[outcome.value] for outcome in Outcome]


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
