"""Rates over a sample: plain k of n, with an interval that knows about clusters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from annotation.domain.clusters import floored
from annotation.domain.estimates import Estimate, Undefined
from annotation.domain.intervals import wilson
from calibration.domain.columns import all_alone

if TYPE_CHECKING:
    from annotation.domain.estimates import Figure
    from calibration.domain.columns import Codes, Mask
    from calibration.domain.samples import Sample

    Floats = npt.NDArray[np.float64]

NO_CASES = "0 cases"


@dataclass(frozen=True, slots=True, eq=False)
class Rates:
    """Computes shares of one sample's rows at one confidence level.

    The value is plain k of n. Where clusters hold several of the cases, the Wilson
    interval is taken on k/d of n/d with the design effect d (Korn and Graubard 1998,
    METHODS 3.5).
    """

    clusters: Codes
    level: float
    alone: bool = False

    @classmethod
    def of(cls, sample: Sample, level: float) -> Rates:
        """Prepare the rates of ``sample``; ``level`` is two-sided."""
        clusters = sample.columns.cluster
        return cls(clusters, level, all_alone(clusters))

    def share(self, hits: Mask, among: Mask) -> Figure:
        """Share of the rows in ``among`` that are in ``hits``."""
        if not self.alone:
            return share(hits[among], self.clusters[among], self.level)
        # Each row is its own cluster, so every design effect is 1: count and be done.
        count, n = np.count_nonzero(hits & among), np.count_nonzero(among)
        return _of_counts(int(count), int(n), self.level, 1.0)


def share(hits: Mask, clusters: Codes, level: float) -> Figure:
    """Share of true ``hits``, with ``clusters`` naming the cluster of each."""
    if not len(hits):
        return Undefined(NO_CASES, 0, 0)
    effect = design_effect(hits.astype(float), clusters)
    return _of_counts(int(np.count_nonzero(hits)), len(hits), level, effect)


def _of_counts(count: int, n: int, level: float, effect: float) -> Figure:
    if not n:
        return Undefined(NO_CASES, 0, 0)
    interval = wilson(count, n, level, effect)
    return Estimate(
        value=count / n,
        numerator=count,
        denominator=n,
        low=interval.low,
        high=interval.high,
        level=level,
        method=interval.method,
        design_effect=effect,
    )


def mean_share(
    shares: Floats, clusters: Codes, level: float, *, units: int | None = None
) -> Figure:
    """Mean of ``shares`` between 0 and 1, one a case, with a Wilson interval.

    ``units`` is how many single judgments the shares are made of (default: one each).
    The interval takes them as one proportion, clustered: its design effect is the
    variance of the mean between clusters over that of independent units, at least 1.
    """
    if not len(shares):
        return Undefined(NO_CASES, None, 0)
    size, value = units or len(shares), min(float(shares.mean()), 1.0)
    effect = _effect(shares, clusters, size)
    interval = wilson(value * size, size, level, effect)
    low, high = min(interval.low, value), max(interval.high, value)
    method = interval.method
    return Estimate(value, None, len(shares), low, high, level, method, effect)


def design_effect(values: Floats, clusters: Codes) -> float:
    """Numpy form of ``annotation.domain.clusters.design_effect``, for large samples."""
    return _effect(values, clusters, len(values))


def _effect(values: Floats, clusters: Codes, units: int) -> float:
    if not len(values):
        return 1.0
    rate = float(values.mean())
    sizes, sums = cluster_sums(values, clusters)
    if len(sizes) == units:
        return 1.0
    if len(sizes) == 1 or rate <= 0 or rate >= 1:
        # Nothing tells how alike a cluster's cases are: each cluster counts as one.
        return floored(units / len(sizes))
    spread = float(((sums - rate * sizes) ** 2).sum()) / len(values) ** 2
    variance = len(sizes) / (len(sizes) - 1) * spread
    return floored(variance / (rate * (1 - rate) / units))


def cluster_sums(values: Floats, clusters: Codes) -> tuple[Codes, Floats]:
    """Size and sum of ``values`` of every cluster that occurs."""
    sizes: Codes = np.bincount(clusters).astype(np.int64)
    sums: Floats = np.bincount(clusters, weights=values).astype(np.float64)
    present = sizes > 0
    return sizes[present], sums[present]
