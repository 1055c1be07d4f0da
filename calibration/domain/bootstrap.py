"""Bootstrap intervals from table cells, at a cost that does not grow with the pairs.

Drawing N pairs with replacement gives cell counts Multinomial(N, counts/N), and every
statistic here depends on counts alone: so this is the case bootstrap, exactly. Pairs of
one cluster are drawn together, as one unit with the table of its pairs; units with the
same table are drawn as one kind (METHODS 3.5 and 5).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr, ndtri

from annotation.domain.estimates import Estimate, Undefined
from calibration.domain.columns import all_alone
from calibration.domain.kinds import closed, kinds_of

if TYPE_CHECKING:
    from annotation.domain.estimates import Figure
    from calibration.domain.cells import Floats, Statistic
    from calibration.domain.columns import Codes
    from calibration.domain.samples import Sample

RESAMPLES = 10_000
NEAR = 1e-12  # values that only floats tell apart
FEWEST = 20
MOST_CLUSTERS = 2_000
MOST_UNDEFINED = 0.05
FEW_CASES = "fewer than 20 cases"
FEW_CLUSTERS = "fewer than 20 clusters"
MANY_CLUSTERS = "over 2,000 clusters"
TOO_OFTEN_UNDEFINED = "undefined in over 5 % of resamples"
BCA = "bca bootstrap"
PERCENTILE = "percentile bootstrap, clustered"
_SIDE = 5
_CELLS = _SIDE * _SIDE
_CHUNK = 1 << 21


@dataclass(frozen=True, slots=True, eq=False)
class Resamples:
    """The tables of one sample's resamples, shared by all of its statistics.

    ``units`` are the tables of the distinct kinds of unit (kinds, 5, 5) and ``times``
    how often each occurs. ``drawn`` holds one table a resample, and is empty where
    there are too many clusters to draw: figures then keep their linearised interval.
    Sums of any other parts may take the place of tables (:mod:`.means`).
    """

    units: Floats
    times: Codes
    drawn: Floats
    clustered: bool
    level: float

    @classmethod
    def of(
        cls,
        sample: Sample,
        rng: np.random.Generator,
        level: float = 0.95,
        count: int = RESAMPLES,
    ) -> Resamples:
        """Draw ``count`` resamples of a sample; ``level`` is two-sided."""
        cells = sample.columns.gold * _SIDE + sample.columns.verdict
        clusters = sample.columns.cluster
        clustered = not all_alone(clusters)
        units, times = (_by_cluster if clustered else _by_cell)(cells, clusters)
        total = int(times.sum())
        wanted = 0 if clustered and total > MOST_CLUSTERS else count
        drawn = draw(units, times, rng, wanted if total else 0)
        shape = (-1, _SIDE, _SIDE)
        return cls(units.reshape(shape), times, drawn.reshape(shape), clustered, level)

    @property
    def table(self) -> Floats:
        """The table of the sample itself."""
        found: Floats = np.tensordot(self.times.astype(np.float64), self.units, 1)
        return found

    def interval(self, figure: Figure, statistic: Statistic) -> Figure:
        """Give a figure the bootstrap interval of ``statistic``.

        BCa, or percentile over clusters. None below 20 cases or clusters, or where more
        than 5 % of the resamples are undefined; ``method`` then says so. Where all
        resamples agree the figure keeps the interval it came with, since one of no
        width would claim certainty.
        """
        if isinstance(figure, Undefined):
            return figure
        n = figure.denominator
        cases = n if self.clustered else min(n, int(self.times.sum()))
        if reason := _too_few(cases, (self,)):
            return _without(figure, reason)
        if not len(self.drawn):
            return figure
        values = statistic(self.drawn)
        left = [_left_out(self, statistic)]
        return _bounded(figure, _Draws(values, left, self.level, self.clustered))


def difference(
    first: tuple[Figure, Resamples],
    second: tuple[Figure, Resamples],
    statistic: Statistic,
) -> Figure:
    """First less second of two independent samples, BCa (percentile if clustered).

    The resamples are paired by number, which independence allows. None under the
    conditions of :meth:`Resamples.interval`, and no interval where nothing varies.
    """
    (one, mine), (other, theirs) = first, second
    if isinstance(one, Undefined):
        return Undefined(one.reason, None, 0)
    if isinstance(other, Undefined):
        return Undefined(other.reason, None, 0)
    n = one.denominator + other.denominator
    gap = Estimate(one.value - other.value, None, n, None, None, None, None)
    least = min(one.denominator, other.denominator)
    if reason := _too_few(least, (mine, theirs)):
        return _without(gap, reason)
    if not (len(mine.drawn) and len(theirs.drawn)):
        return _without(gap, MANY_CLUSTERS)
    values = statistic(mine.drawn) - statistic(theirs.drawn)
    left = [_left_out(mine, statistic), _left_out(theirs, statistic, sign=-1.0)]
    clustered = mine.clustered or theirs.clustered
    return _bounded(gap, _Draws(values, left, mine.level, clustered))


@dataclass(frozen=True, slots=True, eq=False)
class _Draws:
    """What an interval is made from."""

    values: Floats
    left_out: list[tuple[Floats, Floats]]
    level: float
    clustered: bool


def _by_cell(cells: Codes, _clusters: Codes) -> tuple[Floats, Codes]:
    counts = np.bincount(cells, minlength=_CELLS)
    kinds = np.flatnonzero(counts)
    times = counts[kinds]
    units = np.zeros((len(kinds), _CELLS))
    units[np.arange(len(kinds)), kinds] = 1
    return units, times.astype(np.int64)


def _by_cluster(cells: Codes, clusters: Codes) -> tuple[Floats, Codes]:
    place = closed(clusters)
    flat = np.bincount(place * _CELLS + cells, minlength=_CELLS * (place.max() + 1))
    table = flat.reshape(-1, _CELLS).astype(np.int64)
    first, times = kinds_of(table)
    return table[first].astype(np.float64), times


def draw(units: Floats, times: Codes, rng: np.random.Generator, count: int) -> Floats:
    """Draw ``count`` sums of as many units as there are, by kinds of unit.

    In chunks, so that many kinds of cluster do not fill the memory.
    """
    total = int(times.sum())
    step = max(1, _CHUNK // max(1, len(times)))
    parts = [
        rng.multinomial(total, times / total, min(step, count - at)) @ units
        for at in range(0, count, step)
    ]
    return np.concatenate(parts) if parts else np.zeros((0, units.shape[1]))


def _too_few(cases: int, samples: tuple[Resamples, ...]) -> str:
    if cases < FEWEST:
        return FEW_CASES
    few = any(one.clustered and one.times.sum() < FEWEST for one in samples)
    return FEW_CLUSTERS if few else ""


def _without(figure: Estimate, reason: str) -> Estimate:
    return replace(figure, low=None, high=None, level=None, method=reason)


def _left_out(
    sample: Resamples, statistic: Statistic, sign: float = 1.0
) -> tuple[Floats, Floats]:
    """Jackknife: the statistic without one unit of each kind, and how often."""
    values = sign * statistic(sample.table - sample.units)
    defined = np.isfinite(values)
    return values[defined], sample.times[defined].astype(np.float64)


def _bounded(figure: Estimate, draws: _Draws) -> Estimate:
    defined = draws.values[np.isfinite(draws.values)]
    dropped = len(draws.values) - len(defined)
    if dropped > len(draws.values) * MOST_UNDEFINED:
        return _without(figure, TOO_OFTEN_UNDEFINED)
    tails = np.array([(1 - draws.level) / 2, (1 + draws.level) / 2])
    if not draws.clustered:
        tails = _corrected(tails, defined, figure.value, draws.left_out)
    low, high = np.quantile(defined, tails) if np.isfinite(tails).all() else (0.0, 0.0)
    if not high - low > NEAR:
        return figure
    name = PERCENTILE if draws.clustered else BCA
    return replace(
        figure,
        low=float(low),
        high=float(high),
        level=draws.level,
        method=f"{name}, {dropped} undefined" if dropped else name,
        design_effect=1.0,
    )


def _corrected(
    tails: Floats, values: Floats, value: float, left_out: list[tuple[Floats, Floats]]
) -> Floats:
    """Correct the tails for bias and acceleration. Source: Efron (1987), JASA 82:171.

    Ties with the value count half. NaN where every resample lies on one side.
    """
    below = np.mean(values < value - NEAR) + np.mean(np.abs(values - value) <= NEAR) / 2
    bias = ndtri(below)
    if not np.isfinite(bias):
        return np.full(2, np.nan)
    shifted = bias + ndtri(tails)
    found: Floats = ndtr(bias + shifted / (1 - _acceleration(left_out) * shifted))
    return found


def _acceleration(left_out: list[tuple[Floats, Floats]]) -> float:
    """Skewness of the influence of single units, over all samples involved."""
    cubes = squares = 0.0
    for values, times in left_out:
        if len(values):
            gaps = np.average(values, weights=times) - values
            cubes += float((times * gaps**3).sum())
            squares += float((times * gaps**2).sum())
    return cubes / (6 * squares**1.5) if squares > 0 else 0.0
