"""Case bootstrap for agreement coefficients that have no simple standard error."""

from __future__ import annotations

from collections import Counter, defaultdict
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
# Why there is no interval, said in its method's place as in reports.
FEW_CASES = f"fewer than {FEWEST_CASES} cases with two labels"
FEW_PROMPTS = f"fewer than {FEWEST_CASES} prompts with two labels"
TOO_OFTEN_UNDEFINED = "undefined in over 5 % of resamples"
ALL_ALIKE = "all resamples agree"
DUST = 1e-12  # between values that only floats tell apart


def alpha_interval(
    ratings: Sequence[Sequence[Hashable | None]],
    labels: Sequence[Hashable],
    *,
    rng: np.random.Generator,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    resamples: int = 2000,
) -> Figure:
    """Krippendorff's alpha with a percentile bootstrap interval over cases.

    Draws multinomial counts of the distinct label patterns, which is exactly the case
    bootstrap (METHODS 5); with ``clusters`` (the prompt of each row of ``ratings``) it
    draws whole prompts. No interval below 20 cases or prompts, when more than 5 % of
    the resamples are undefined, or when all resamples agree (METHODS 3.5): then the
    method says which of these it is.
    """
    figure = krippendorff_alpha(ratings, labels)
    if not isinstance(figure, Estimate):
        return figure
    units, times = _units(ratings, labels, clusters)
    if times.sum() < FEWEST_CASES:
        few = FEW_CASES if clusters is None else FEW_PROMPTS
        return replace(figure, method=few)
    values = _resampled_alphas(units, times, rng, resamples)
    if len(values) < resamples * (1 - MOST_UNDEFINED):
        return replace(figure, method=TOO_OFTEN_UNDEFINED)
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    if high - low < DUST:
        return replace(figure, method=ALL_ALIKE)
    over = "bootstrap" if clusters is None else "bootstrap over prompts"
    method = f"{over}, percentile, {resamples}"
    return replace(figure, low=float(low), high=float(high), level=level, method=method)


def _resampled_alphas(
    units: NDArray[np.float64],
    times: NDArray[np.int64],
    rng: np.random.Generator,
    resamples: int,
) -> NDArray[np.float64]:
    """Alphas of the resamples, leaving out the undefined ones."""
    count = int(times.sum())
    drawn = rng.multinomial(count, times / count, size=resamples) @ units
    differing, totals = drawn[:, 0], drawn[:, 1:]
    n = totals.sum(axis=1)
    possible = n**2 - (totals**2).sum(axis=1)
    defined = possible > 0
    n, differing, possible = n[defined], differing[defined], possible[defined]
    alphas: NDArray[np.float64] = 1 - (n - 1) * differing / possible
    return alphas


def _units(
    ratings: Sequence[Sequence[Hashable | None]],
    labels: Sequence[Hashable],
    clusters: Sequence[Hashable] | None,
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """What distinct units add to alpha (differing labels, then counts by label).

    A unit is a case with two or more labels, or all such cases of a prompt; the second
    array says how often each distinct one occurs.
    """
    names = range(len(ratings)) if clusters is None else clusters
    sums: defaultdict[Hashable, list[float]] = defaultdict(
        lambda: [0.0] * (1 + len(labels))
    )
    for given, name in zip(ratings, names, strict=True):
        counts = [list(given).count(label) for label in labels]
        size = sum(counts)
        if size > 1:
            same = sum(count * count for count in counts)
            added = [(size * size - same) / (size - 1), *counts]
            sums[name] = [a + b for a, b in zip(sums[name], added, strict=True)]
    counted = Counter(map(tuple, sums.values()))
    units = sorted(counted)
    return (
        np.array(units, dtype=np.float64),
        np.array([counted[unit] for unit in units], dtype=np.int64),
    )
