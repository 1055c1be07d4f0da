"""The judge against single reviewers, and on unanimous and split gold (METHODS 3.7)."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import stdtr

from calibration.domain import confusion as tables
from calibration.domain import errors
from calibration.domain.columns import NONE
from calibration.domain.means import mean_with_interval
from calibration.domain.position import flip_rate
from calibration.domain.rates import Rates, cluster_sums, share

if TYPE_CHECKING:
    from annotation.domain.estimates import Figure
    from calibration.domain.cells import Floats
    from calibration.domain.columns import Codes, Mask
    from calibration.domain.samples import Sample

EPSILON = 0.2
ALPHA = 0.05
FEWEST_REVIEWERS = 3
FEWEST_PAIRS = 30
STAND_IN = 0.5
NOT_ENOUGH_REVIEWERS = "fewer than 3 reviewers with 30 shared pairs"


@dataclass(frozen=True, slots=True)
class GoldPart:
    """The judge on the pairs whose labels were all the same, or were not."""

    n: int
    exact_agreement: Figure
    false_candidate_wins: Figure
    false_baseline_wins: Figure
    flip_rate: Figure


@dataclass(frozen=True, slots=True)
class ByConsensus:
    """Unanimous and split gold apart, of pairs with two labels or more."""

    unanimous: GoldPart
    split: GoldPart


@dataclass(frozen=True, slots=True)
class ReviewerRow:
    """One reviewer, by anonymous name.

    ``judge_agreement`` is the share of the reviewer's labels that the verdict equals,
    ``peer_agreement`` the mean share of the other labels of a pair that equal the
    reviewer's. ``advantage`` is how often the judge is at least as close to the others
    as this reviewer is; ``p_value`` and ``adjusted`` are those of the alt-test.
    """

    reviewer: str
    labels: int
    shared: int
    judge_agreement: Figure
    peer_agreement: Figure
    advantage: Figure
    p_value: float | None
    adjusted: float | None


@dataclass(frozen=True, slots=True)
class AltTest:
    """Whether the judge can stand in for a reviewer.

    Source: Calderon et al. (ACL 2025), arXiv 2501.10970. ``won`` of ``reviewers`` are
    shown to be no better than the judge by more than ``epsilon``, at a false discovery
    rate of ``alpha`` (Benjamini and Yekutieli).
    """

    epsilon: float
    alpha: float
    reviewers: int
    won: int
    winning_rate: float | None
    stands_in: bool | None
    undefined: str | None = None


def by_consensus(sample: Sample, level: float) -> ByConsensus:
    """Compute both parts; pairs with fewer than two labels are in neither."""
    counts = sample.columns.label_counts
    several, same = counts.sum(1) > 1, counts.max(1, initial=0) == counts.sum(1)
    return ByConsensus(
        _gold_part(sample.keep(several & same), level),
        _gold_part(sample.keep(several & ~same), level),
    )


def _gold_part(sample: Sample, level: float) -> GoldPart:
    rates = Rates.of(sample, level)
    return GoldPart(
        n=len(sample),
        exact_agreement=tables.exact_agreement(sample, rates),
        false_candidate_wins=errors.false_candidate_wins(sample, rates),
        false_baseline_wins=errors.false_baseline_wins(sample, rates),
        flip_rate=flip_rate(sample, rates),
    )


def single_reviewers(
    sample: Sample, rates: Rates, rng: np.random.Generator
) -> tuple[tuple[ReviewerRow, ...], AltTest]:
    """Set the judge against every reviewer who labelled any of the pairs."""
    said = sample.columns.reviewer_labels
    places = [i for i in range(said.shape[1]) if (said[:, i] != NONE).any()]
    rows = [_Raw.of(sample, rates, place, rng) for place in places]
    tested = [row for row in rows if row.shared >= FEWEST_PAIRS]
    enough = len(tested) >= FEWEST_REVIEWERS
    adjusted = benjamini_yekutieli([row.p_value for row in tested]) if enough else ()
    found = dict(zip((row.name for row in tested), adjusted, strict=False))
    return tuple(row.shown(found.get(row.name)) for row in rows), _alt_test(adjusted)


def benjamini_yekutieli(p_values: list[float]) -> tuple[float, ...]:
    """Adjusted p values that control the false discovery rate under any dependence.

    Source: Benjamini and Yekutieli (2001), Ann. Stat. 29:1165.
    """
    m = len(p_values)
    harmonic = sum(1 / k for k in range(1, m + 1))
    ranked = sorted(range(m), key=p_values.__getitem__, reverse=True)
    adjusted, running = [0.0] * m, 1.0
    for below, place in enumerate(ranked):
        running = min(running, p_values[place] * m * harmonic / (m - below))
        adjusted[place] = running
    return tuple(adjusted)


@dataclass(frozen=True, slots=True, eq=False)
class _Raw:
    """What is known of a reviewer before all are tested together."""

    name: str
    labels: int
    shared: int
    judge_agreement: Figure
    peer_agreement: Figure
    advantage: Figure
    p_value: float

    @classmethod
    def of(
        cls, sample: Sample, rates: Rates, place: int, rng: np.random.Generator
    ) -> _Raw:
        columns = sample.columns
        own = columns.reviewer_labels[:, place]
        others = np.delete(columns.reviewer_labels, place, axis=1)
        mine, there = own != NONE, (others != NONE).sum(1)
        shared = mine & (there > 0)
        size = there[shared]
        judge = _matches(columns.verdict, others, shared) / size
        human = _matches(own, others, shared) / size
        clusters = rates.clusters[shared]
        return cls(
            name=columns.reviewers[place],
            labels=int(mine.sum()),
            shared=int(shared.sum()),
            judge_agreement=rates.share(columns.verdict == own, mine),
            peer_agreement=mean_with_interval(human, clusters, rng, rates.level),
            advantage=share(judge >= human, clusters, rates.level),
            p_value=_p_value((human >= judge) * 1.0 - (judge >= human), clusters),
        )

    def shown(self, adjusted: float | None) -> ReviewerRow:
        return ReviewerRow(
            self.name,
            self.labels,
            self.shared,
            self.judge_agreement,
            self.peer_agreement,
            self.advantage,
            None if adjusted is None else self.p_value,
            adjusted,
        )


def _matches(said: Codes, others: Codes, shared: Mask) -> Floats:
    found: Floats = (others[shared] == said[shared, None]).sum(1).astype(np.float64)
    return found


def _p_value(gaps: Floats, clusters: Codes) -> float:
    """One-sided t test that the reviewer's lead over the judge is below epsilon."""
    sizes, sums = cluster_sums(gaps, clusters)
    groups = len(sizes)
    if groups < 2:  # noqa: PLR2004 - no spread to see
        return 1.0
    lead = float(gaps.mean())
    spread = float(((sums - lead * sizes) ** 2).sum())
    se = sqrt(groups / (groups - 1) * spread) / len(gaps)
    if se == 0:
        return 0.0 if lead < EPSILON else 1.0
    return float(stdtr(groups - 1, (lead - EPSILON) / se))


def _alt_test(adjusted: tuple[float, ...]) -> AltTest:
    if not adjusted:
        return AltTest(EPSILON, ALPHA, 0, 0, None, None, NOT_ENOUGH_REVIEWERS)
    won = sum(p <= ALPHA for p in adjusted)
    rate = won / len(adjusted)
    return AltTest(EPSILON, ALPHA, len(adjusted), won, rate, rate >= STAND_IN)
