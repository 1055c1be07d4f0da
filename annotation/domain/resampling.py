"""Case bootstrap for agreement coefficients that have no simple standard error."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from annotation.domain.agreement import krippendorff_alpha
from annotation.domain.estimates import Estimate, Figure

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

FEWEST_CASES = 20
MOST_UNDEFINED = 0.05


def alpha_interval(
    ratings: Sequence[Sequence[Hashable | None]],
    labels: Sequence[Hashable],
    *,
    rng: np.random.Generator,
    level: float = 0.95,
    resamples: int = 2000,
) -> Figure:
    """Krippendorff's alpha with a percentile bootstrap interval over cases.

    Draws multinomial counts of the distinct label patterns, which is exactly the case
    bootstrap (METHODS 5). No interval below 20 cases, when more than 5 % of the
    resamples are undefined, or when all resamples agree (METHODS 3.5).
    """
    figure = krippendorff_alpha(ratings, labels)
    if not isinstance(figure, Estimate) or figure.denominator < FEWEST_CASES:
        return figure
    values = _resampled_alphas(ratings, labels, rng, resamples)
    if len(values) < resamples * (1 - MOST_UNDEFINED):
        return figure
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    if low == high:
        return figure
    method = f"bootstrap, percentile, {resamples}"
    return replace(figure, low=float(low), high=float(high), level=level, method=method)


def _resampled_alphas(
    ratings: Sequence[Sequence[Hashable | None]],
    labels: Sequence[Hashable],
    rng: np.random.Generator,
    resamples: int,
) -> NDArray[np.float64]:
    """Alphas of the resamples, leaving out the undefined ones."""
    patterns, times = _patterns(ratings, labels)
    sizes = patterns.sum(axis=1)
    cases = int(times.sum())
    draws = rng.multinomial(cases, times / cases, size=resamples)
    differing = draws @ ((sizes**2 - (patterns**2).sum(axis=1)) / (sizes - 1))
    totals = draws @ patterns
    n = totals.sum(axis=1)
    possible = n**2 - (totals**2).sum(axis=1)
    defined = possible > 0
    n, differing, possible = n[defined], differing[defined], possible[defined]
    alphas: NDArray[np.float64] = 1 - (n - 1) * differing / possible
    return alphas


def _patterns(
    ratings: Sequence[Sequence[Hashable | None]], labels: Sequence[Hashable]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Distinct label counts of cases with two or more labels, and how often each is."""
    rows = [[label for label in given if label is not None] for given in ratings]
    counted = Counter(
        tuple(given.count(label) for label in labels)
        for given in rows
        if len(given) > 1
    )
    patterns = sorted(counted)
    return (
        np.array(patterns, dtype=np.int64),
        np.array([counted[pattern] for pattern in patterns], dtype=np.int64),
    )
