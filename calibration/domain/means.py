"""Bootstrap intervals of means over pairs or cases, of which no table tells.

Statistics here depend on sums over cases alone. So cases that add the same to every sum
are drawn as one kind, and the cost does not grow with their number (METHODS 3.5 and 5).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from annotation.domain.estimates import Estimate, Undefined
from calibration.domain.bootstrap import MOST_CLUSTERS, RESAMPLES, Resamples, draw
from calibration.domain.cells import ratio
from calibration.domain.kinds import closed, kinds_of
from calibration.domain.rates import cluster_sums, mean_share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from annotation.domain.estimates import Figure
    from calibration.domain.cells import Floats, Statistic
    from calibration.domain.columns import Codes

NO_CASES = "0 cases"
_DIGITS = 12  # thirds that were reached on different ways are one kind


def sums_of(
    parts: Sequence[Floats],
    clusters: Codes,
    rng: np.random.Generator,
    level: float = 0.95,
    most_clusters: int | None = MOST_CLUSTERS,
) -> Resamples:
    """Draw resamples of the sums of ``parts``, each of which has a value a case.

    ``clusters`` names the cluster of each case; whole ones are drawn. A statistic gets
    sums as (..., parts). Nothing is drawn for more than ``most_clusters`` clusters.
    """
    values = _table(parts)
    place = closed(clusters)
    groups = int(place.max(initial=-1)) + 1
    clustered = groups < len(values)
    if clustered:
        values = _table([cluster_sums(part, place)[1] for part in values.T])
    units, times = _kinds(values)
    many = clustered and most_clusters is not None and groups > most_clusters
    drawn = draw(units, times, rng, 0 if many or not groups else RESAMPLES)
    return Resamples(units, times, drawn, clustered, level)


def mean_part(part: int, of: int) -> Statistic:
    """The statistic: one sum divided by another, which counts what is averaged over."""
    return lambda sums: ratio(sums[..., part], sums[..., of])


def mean_with_interval(
    values: Floats, clusters: Codes, rng: np.random.Generator, level: float
) -> Figure:
    """Mean of shares between 0 and 1, one a case, BCa or percentile over clusters.

    Where each is 0 or 1 the mean is a plain rate, and its interval Wilson's, since no
    rate is bootstrapped; so too where all are the same, and above 2,000 clusters.
    """
    plain = mean_share(values, clusters, level)
    if isinstance(plain, Undefined) or all_or_nothing(values):
        return plain
    sums = sums_of([values, np.ones(len(values))], clusters, rng, level)
    return sums.interval(plain, mean_part(0, 1))


def all_or_nothing(values: Floats) -> bool:
    """Whether each value is 0 or 1, so that the mean is a rate."""
    return bool(((values == 0) | (values == 1)).all())


def bootstrap_mean(
    values: Floats, clusters: Codes, rng: np.random.Generator, level: float
) -> Figure:
    """Mean of any one value a pair, BCa over pairs or percentile over clusters.

    Without an interval under the conditions of :meth:`Resamples.interval`, and where
    all values are the same.
    """
    if not len(values):
        return Undefined(NO_CASES, None, 0)
    figure = Estimate(float(values.mean()), None, len(values), None, None, None, None)
    ones = np.ones(len(values))
    sums = sums_of([values, ones], clusters, rng, level, most_clusters=None)
    return sums.interval(figure, mean_part(0, 1))


def _table(parts: Sequence[Floats]) -> Floats:
    """Columns side by side, rounded so that equal sums are the same number."""
    found = np.stack(parts, axis=1).astype(np.float64)
    return np.asarray(found.round(_DIGITS), np.float64)


def _kinds(values: Floats) -> tuple[Floats, Codes]:
    """Distinct rows in order, and how often each occurs."""
    first, times = kinds_of(values)
    return values[first], times
