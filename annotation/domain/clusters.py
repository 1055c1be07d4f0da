"""Cases that belong together: several pairs of one prompt are not independent."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

ROUNDING = 1e-9


class ClusterCount(NamedTuple):
    """How many of a cluster's cases are hits. A hit may be a fraction of a case."""

    hits: float
    cases: float


def cluster_counts(
    hits: Iterable[float], clusters: Iterable[Hashable]
) -> tuple[ClusterCount, ...]:
    """Sum the hits (0 or 1, or a share) of each cluster, in order of appearance.

    Raises ``ValueError`` when the two are not equally long.
    """
    sums: dict[Hashable, list[float]] = {}
    for hit, cluster in zip(hits, clusters, strict=True):
        entry = sums.setdefault(cluster, [0, 0])
        entry[0] += hit
        entry[1] += 1
    return tuple(ClusterCount(*entry) for entry in sums.values())


def clustered_se(clusters: Sequence[ClusterCount | tuple[float, float]]) -> float:
    """Linearised (ratio) standard error of hits/cases with the factor C/(C-1).

    Source: METHODS 3.5. Raises ``ValueError`` with fewer than two clusters or a
    cluster without cases.
    """
    if len(clusters) < 2:  # noqa: PLR2004 - the factor C/(C-1) needs two
        raise ValueError("a clustered standard error needs two clusters")
    if not all(cases > 0 and 0 <= hits <= cases for hits, cases in clusters):
        raise ValueError("each cluster needs cases, and no more hits than cases")
    total = sum(cases for _, cases in clusters)
    rate = sum(hits for hits, _ in clusters) / total
    squares = sum((hits - rate * cases) ** 2 for hits, cases in clusters)
    return sqrt(len(clusters) / (len(clusters) - 1) * squares) / total


def design_effect(clusters: Sequence[ClusterCount | tuple[float, float]]) -> float:
    """How many times the variance of the rate exceeds that of independent cases.

    At least 1, and 1 by definition when every case stands alone. For rates of 0 and 1,
    and with one cluster, the data cannot tell how alike the cases of a cluster are.
    Each then counts as one case, and the effect is the mean number of cases in one.
    """
    total = sum(cases for _, cases in clusters)
    hits = sum(hits for hits, _ in clusters)
    if all(cases == 1 for _, cases in clusters):
        return 1.0
    if len(clusters) == 1 or hits in (0, total):
        return floored(total / len(clusters))
    independent = hits / total * (1 - hits / total) / total
    return floored(clustered_se(clusters) ** 2 / independent)


def floored(effect: float) -> float:
    """Give a design effect of at least 1; rounding noise above 1 is no clustering."""
    return effect if effect > 1 + ROUNDING else 1.0
