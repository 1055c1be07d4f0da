"""How a team of reviewers agrees, pair by pair, and how order sways it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING

from annotation.domain.agreement import (
    gwet_ac1,
    percent_agreement,
    unanimous_share,
)
from annotation.domain.clusters import cluster_counts, design_effect
from annotation.domain.estimates import Estimate, Figure, Undefined
from annotation.domain.intervals import wilson
from annotation.domain.kappa import cohen_kappa
from annotation.domain.outcomes import Order, Outcome
from annotation.domain.quality import one_vote_each, share_of
from annotation.domain.resampling import alpha_interval

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    import numpy as np

    from annotation.domain.quality import Rating

LABELS = tuple(Outcome)
NOT_BOTH_ORDERS = "no pair labelled in both orders by different people"
NOT_TWICE = "no pair labelled twice in one order by different people"


@dataclass(frozen=True, slots=True)
class Between:
    """Two reviewers on the pairs that both labelled."""

    one: str
    other: str
    agreement: Figure
    kappa: Figure


@dataclass(frozen=True, slots=True)
class HumanIpi:
    """Intra-pair instability of people (METHODS 3.10, on labels in place of calls).

    A *comparison* is two labels of one pair by different people, neither an abstain:
    one in each order for ``instability``, both in the same order for
    ``same_order_disagreement``. It counts when the outcomes differ. A pair's value is
    the share of its comparisons that count, and the figure is the mean over pairs with
    a comparison, so that a pair counts once however many labels it has. ``flips`` is
    the part of the instability in which the two prefer opposite systems.

    People differ from each other in any order; only what ``instability`` has beyond
    ``same_order_disagreement`` speaks of the order. ``pairs`` have a label with an
    order; ``abstains`` of these labels were left out.
    """

    pairs: int
    abstains: int
    instability: Figure
    flips: Figure
    differing: int
    comparisons: int
    same_order_disagreement: Figure
    same_order_differing: int
    same_order_comparisons: int


@dataclass(frozen=True, slots=True)
class TeamQuality:
    """Agreement of all reviewers together, and of every two of them."""

    pairs: int
    labels: int
    agreement: Figure
    unanimous: Figure
    alpha: Figure
    ac1: Figure
    between: tuple[Between, ...]
    ipi: HumanIpi


def team_quality(
    ratings: Sequence[Rating], *, rng: np.random.Generator, resamples: int = 2000
) -> TeamQuality:
    """Compute the team's figures; planned repeats are left out.

    The label set is fixed: baseline, candidate, tie and abstain (METHODS 3.7). Pairs of
    one prompt are one cluster.
    """
    by_pair = _by_pair(one_vote_each(ratings))
    rows = [[rating.outcome for rating in given] for given in by_pair.values()]
    clusters = [given[0].cluster for given in by_pair.values()]
    alone = len(set(clusters)) == len(clusters)
    return TeamQuality(
        pairs=len(rows),
        labels=sum(map(len, rows)),
        agreement=percent_agreement(rows, LABELS, clusters=clusters),
        unanimous=unanimous_share(rows, LABELS),
        alpha=alpha_interval(
            rows,
            LABELS,
            rng=rng,
            clusters=None if alone else clusters,
            resamples=resamples,
        ),
        ac1=gwet_ac1(rows, LABELS),
        between=_between(by_pair.values()),
        ipi=human_ipi(by_pair),
    )


def _by_pair(ratings: Iterable[Rating]) -> dict[int, list[Rating]]:
    found: defaultdict[int, list[Rating]] = defaultdict(list)
    for rating in ratings:
        found[rating.pair].append(rating)
    return dict(found)


def _between(pairs: Iterable[Sequence[Rating]]) -> tuple[Between, ...]:
    met: defaultdict[tuple[str, str], list[tuple[Rating, Rating]]] = defaultdict(list)
    for given in pairs:
        ordered = sorted(given, key=lambda rating: rating.reviewer)
        for one, other in combinations(ordered, 2):
            met[one.reviewer, other.reviewer].append((one, other))
    return tuple(_of_two(names, met[names]) for names in sorted(met))


def _of_two(names: tuple[str, str], both: Sequence[tuple[Rating, Rating]]) -> Between:
    table = [[0] * len(LABELS) for _ in LABELS]
    for one, other in both:
        table[LABELS.index(one.outcome)][LABELS.index(other.outcome)] += 1
    same = [(one.outcome is other.outcome, one.cluster) for one, other in both]
    return Between(*names, agreement=share_of(same), kappa=cohen_kappa(table))


class _Comparisons:
    """Sums of one kind of comparison over pairs."""

    def __init__(self) -> None:
        self.shares: list[float] = []
        self.flips: list[float] = []
        self.clusters: list[Hashable] = []
        self.differing = self.total = 0

    def add(self, both: Sequence[tuple[Rating, Rating]]) -> None:
        """Take the comparisons of one pair, if it has any."""
        if not both:
            return
        differing = sum(one.outcome is not two.outcome for one, two in both)
        decisive = sum(
            one.outcome.is_decisive and two.outcome.is_decisive
            for one, two in both
            if one.outcome is not two.outcome
        )
        self.shares.append(differing / len(both))
        self.flips.append(decisive / len(both))
        self.clusters.append(both[0][0].cluster)
        self.differing += differing
        self.total += len(both)


def human_ipi(by_pair: Mapping[int, Sequence[Rating]]) -> HumanIpi:
    """Compute :class:`HumanIpi` from each pair's labels without planned repeats."""
    across, within = _Comparisons(), _Comparisons()
    pairs = abstains = 0
    for given in by_pair.values():
        ordered = [rating for rating in given if rating.order is not None]
        usable = [r for r in ordered if r.outcome is not Outcome.ABSTAIN]
        pairs += bool(ordered)
        abstains += len(ordered) - len(usable)
        sides = [[r for r in usable if r.order is order] for order in Order]
        across.add([two for two in product(sides[0], sides[1]) if _different(*two)])
        within.add(
            [
                (one, two)
                for side in sides
                for one, two in combinations(side, 2)
                if _different(one, two)
            ]
        )
    return HumanIpi(
        pairs=pairs,
        abstains=abstains,
        instability=_mean(across.shares, across.clusters, NOT_BOTH_ORDERS),
        flips=_mean(across.flips, across.clusters, NOT_BOTH_ORDERS),
        differing=across.differing,
        comparisons=across.total,
        same_order_disagreement=_mean(within.shares, within.clusters, NOT_TWICE),
        same_order_differing=within.differing,
        same_order_comparisons=within.total,
    )


def _different(one: Rating, other: Rating) -> bool:
    return one.reviewer != other.reviewer


def _mean(shares: Sequence[float], clusters: Sequence[Hashable], reason: str) -> Figure:
    """Mean of shares with Wilson's interval, which is wide enough for them."""
    if not shares:
        return Undefined(reason, None, 0)
    effect = design_effect(cluster_counts(shares, clusters))
    total = min(sum(shares), float(len(shares)))
    interval = wilson(total, len(shares), 0.95, effect)
    return Estimate(
        value=total / len(shares),
        numerator=None,
        denominator=len(shares),
        low=interval.low,
        high=interval.high,
        level=0.95,
        method=interval.method,
        design_effect=effect,
    )
