"""Agreement of reviewers with each other, and of the judge with them (METHODS 3.7)."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from annotation.domain.agreement import (
    NO_OVERLAP,
    ONE_LABEL,
    alpha_of,
    with_half_width,
    without_interval,
)
from annotation.domain.estimates import Undefined
from calibration.domain.cells import ratio
from calibration.domain.columns import ABSTAIN
from calibration.domain.kinds import closed, kinds_of
from calibration.domain.means import all_or_nothing, mean_part, sums_of
from calibration.domain.rates import mean_share, share
from calibration.domain.results import HumanBlock

if TYPE_CHECKING:
    from annotation.domain.estimates import Figure
    from calibration.domain.columns import Codes
    from calibration.domain.rates import Rates
    from calibration.domain.samples import Sample

    Floats = npt.NDArray[np.float64]

_SAME, _MATCHED, _PAIRS, _DIFFERING = range(4)  # where a sum stands; labels follow


def humans(sample: Sample, rates: Rates, rng: np.random.Generator) -> HumanBlock:
    """Compute the block over pairs with two or more labels, which ``rng`` resamples."""
    several = sample.columns.label_counts.sum(1) > 1
    counts = sample.columns.label_counts[several]
    clusters, level = rates.clusters[several], rates.level
    if not len(counts):
        nothing = Undefined(NO_OVERLAP, None, 0)
        return HumanBlock(0, 0, nothing, nothing, nothing, nothing)
    sizes = counts.sum(1)
    same = (counts * (counts - 1)).sum(1) / (sizes * (sizes - 1))
    matched = _matched(counts, sample.columns.verdict[several]) / sizes
    ones = np.ones(len(counts))
    parts = [same, matched, ones, _differing(counts), *counts.T]
    drawn = sums_of(parts, clusters, rng, level)

    def mean(part: int) -> Figure:
        plain = mean_share(parts[part], clusters, level)
        if all_or_nothing(parts[part]):  # a rate
            return plain
        return drawn.interval(plain, mean_part(part, _PAIRS))

    return HumanBlock(
        pairs=len(counts),
        labels=int(sizes.sum()),
        unanimous=share(counts.max(1) == sizes, clusters, level),
        pairwise_agreement=mean(_SAME),
        alpha=drawn.interval(_alpha(counts, clusters, level), _alpha_of_sums),
        judge_agreement=mean(_MATCHED),
    )


def _matched(counts: Codes, verdicts: Codes) -> Codes:
    """How many of a pair's labels the verdict equals; none for an invalid one."""
    own = counts[np.arange(len(counts)), np.minimum(verdicts, ABSTAIN)]
    return np.where(verdicts <= ABSTAIN, own, 0)


def _differing(counts: Codes) -> Floats:
    """What each pair adds to the disagreement that alpha sees."""
    sizes = counts.sum(1)
    found: Floats = (sizes**2 - (counts**2).sum(1)) / (sizes - 1)
    return found


def _alpha_of_sums(sums: Floats) -> Floats:
    """Krippendorff's alpha of many resamples at once."""
    totals = sums[..., _DIFFERING + 1 :]
    n = totals.sum(-1)
    possible = n**2 - (totals**2).sum(-1)
    return 1 - ratio((n - 1) * sums[..., _DIFFERING], possible)


def _alpha(counts: Codes, clusters: Codes, level: float) -> Figure:
    """Krippendorff's alpha with a jackknife interval over clusters.

    It stands where there is no bootstrap to be had. No interval where leaving out a
    cluster makes alpha undefined or changes nothing.
    """
    first, times = kinds_of(counts)
    rows = zip(map(tuple, counts[first].tolist()), times.tolist(), strict=True)
    value = alpha_of(list(rows))
    if value is None:
        return Undefined(ONE_LABEL, None, len(counts))
    se, groups = _jackknife(counts, clusters)
    if not se > 0:
        return without_interval(value, len(counts))
    half = float(stdtrit(groups - 1, (1 + level) / 2)) * se
    return with_half_width(value, half, len(counts), level, "jackknife, t")


def _jackknife(counts: Codes, clusters: Codes) -> tuple[float, int]:
    """Leave out one cluster at a time: standard error of alpha, 0 for none."""
    differing = _differing(counts)
    place = closed(clusters)
    groups = int(place.max()) + 1
    left = differing.sum() - np.bincount(place, differing)
    totals = np.stack(
        [column.sum() - np.bincount(place, column) for column in counts.T], axis=1
    )
    n = totals.sum(1)
    possible = n**2 - (totals**2).sum(1)
    if groups < 2 or (possible <= 0).any():  # noqa: PLR2004 - nothing to leave out
        return 0.0, groups
    alphas = 1 - (n - 1) * left / possible
    spread = float(((alphas - alphas.mean()) ** 2).sum())
    se = sqrt((groups - 1) / groups * spread)
    return (se if se > 1e-12 else 0.0), groups  # noqa: PLR2004 - float dust
