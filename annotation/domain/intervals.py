"""Intervals and exact tests for counts of cases (METHODS 3.5, 3.6).

Levels are two-sided confidence levels unless a function says one-sided. ``x`` of ``n``
may be fractions of a case, since a clustered rate works with effective counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, isfinite, sqrt
from typing import TYPE_CHECKING

from scipy.special import bdtr, betaincinv, ndtri

from annotation.domain.clusters import ClusterCount, design_effect
from annotation.domain.estimates import Estimate, Figure, Undefined

if TYPE_CHECKING:
    from collections.abc import Sequence

EXACT_SIGN_TEST_LIMIT = 500


@dataclass(frozen=True, slots=True)
class Interval:
    """A range for a rate (0 to 1) or a difference of rates (-1 to 1)."""

    low: float
    high: float
    level: float
    method: str


@dataclass(frozen=True, slots=True)
class SignTest:
    """Exact two-sided test that wins and losses are equally likely; ties left out."""

    wins: int
    losses: int
    p_value: float

    @property
    def n(self) -> int:
        """How many decisive cases the test used."""
        return self.wins + self.losses


def wilson(
    x: float, n: float, level: float = 0.95, design_effect: float = 1.0
) -> Interval:
    """Wilson score interval for ``x`` of ``n`` (Wilson 1927).

    With a design effect d the counts are x/d and n/d (Korn and Graubard 1998). Raises
    ``ValueError`` for n <= 0, x outside 0..n, a level outside (0, 1) or d < 1.
    """
    x, n = _effective(x, n, level, design_effect)
    z = _z(level)
    centre = (x + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * sqrt(x * (n - x) / n + z * z / 4)
    low = 0.0 if x == 0 else min(max(0.0, centre - half), x / n)
    high = 1.0 if x == n else max(min(1.0, centre + half), x / n)
    return Interval(low, high, level, _named("wilson", design_effect))


def clopper_pearson(
    x: float, n: float, level: float = 0.95, design_effect: float = 1.0
) -> Interval:
    """Exact two-sided interval for ``x`` of ``n`` (Clopper and Pearson 1934).

    Each side leaves out (1 - level)/2. Errors and design effect as in :func:`wilson`.
    """
    _effective(x, n, level, design_effect)
    side = (1 + level) / 2
    return Interval(
        lower_bound(x, n, side, design_effect),
        upper_bound(x, n, side, design_effect),
        level,
        _named("clopper-pearson", design_effect),
    )


def lower_bound(
    x: float, n: float, level: float = 0.95, design_effect: float = 1.0
) -> float:
    """One-sided Clopper-Pearson lower bound at the one-sided ``level``, for gates."""
    x, n = _effective(x, n, level, design_effect)
    return 0.0 if x <= 0 else float(betaincinv(x, n - x + 1, 1 - level))


def upper_bound(
    x: float, n: float, level: float = 0.95, design_effect: float = 1.0
) -> float:
    """One-sided Clopper-Pearson upper bound at the one-sided ``level``, for gates."""
    x, n = _effective(x, n, level, design_effect)
    return 1.0 if x >= n else float(betaincinv(x + 1, n - x, level))


def newcombe(first: Interval, rate: float, second: Interval, other: float) -> Interval:
    """Interval of ``rate - other`` from the Wilson intervals of two independent rates.

    The square-and-add method 10 of Newcombe (1998), Stat. Med. 17:873. Both intervals
    must have the same level, which is the level of the difference.
    """
    if first.level != second.level:
        raise ValueError("both intervals need the same level")
    gap = rate - other
    low = gap - sqrt((rate - first.low) ** 2 + (second.high - other) ** 2)
    high = gap + sqrt((first.high - rate) ** 2 + (other - second.low) ** 2)
    return Interval(max(-1.0, low), min(1.0, high), first.level, "newcombe")


def newcombe_difference(
    x: int, n: int, other_x: int, other_n: int, level: float = 0.95
) -> Interval:
    """Newcombe interval of x/n - other_x/other_n for two independent groups."""
    first, second = wilson(x, n, level), wilson(other_x, other_n, level)
    return newcombe(first, x / n, second, other_x / other_n)


def sign_test(wins: int, losses: int) -> SignTest | Undefined:
    """Exact two-sided sign test: twice the smaller binomial tail at 1/2, at most 1.

    Undefined when nothing was decisive. Above 500 cases the tail is scipy's ``bdtr``,
    since exact integers take 50 s at 20,000 cases. Raises ``ValueError`` for counts
    below 0.
    """
    if min(wins, losses) < 0:
        raise ValueError("counts cannot be negative")
    n, few = wins + losses, min(wins, losses)
    if n == 0:
        return Undefined("no decisive cases", 0, 0)
    if n <= EXACT_SIGN_TEST_LIMIT:
        tail = sum(comb(n, k) for k in range(few + 1)) / 2**n
    else:
        tail = float(bdtr(few, n, 0.5))
    return SignTest(wins, losses, min(1.0, 2 * tail))


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Holm's step-down adjusted p values, in the order given (Holm 1979).

    Raises ``ValueError`` for a p value outside 0..1 or NaN.
    """
    if not all(0 <= p <= 1 for p in p_values):
        raise ValueError("a p value must lie between 0 and 1")
    adjusted = [0.0] * len(p_values)
    running = 0.0
    ranked = sorted(range(len(p_values)), key=p_values.__getitem__)
    for rank, place in enumerate(ranked):
        running = max(running, (len(p_values) - rank) * p_values[place])
        adjusted[place] = min(1.0, running)
    return tuple(adjusted)


def holm_of_tests(p_values: Sequence[float | None]) -> tuple[float | None, ...]:
    """Holm over all that were to be tested; where nothing was there is no p value."""
    adjusted = holm([1.0 if p is None else p for p in p_values])
    return tuple(
        None if p is None else of_all
        for p, of_all in zip(p_values, adjusted, strict=True)
    )


def share(
    numerator: int,
    denominator: int,
    *,
    hits_by_cluster: Sequence[ClusterCount | tuple[float, float]] | None = None,
    level: float = 0.95,
    reason: str = "0 cases",
) -> Figure:
    """``numerator`` of ``denominator`` cases with its Wilson interval.

    ``hits_by_cluster`` holds (hits, cases) of each prompt, when a prompt can have
    several cases; the interval is then widened by the design effect. Undefined with
    ``reason`` when the denominator is 0. Raises ``ValueError`` when the clusters do
    not add up to the counts.
    """
    if not 0 <= numerator <= denominator:
        msg = f"{numerator} of {denominator} is no share"
        raise ValueError(msg)
    if denominator == 0:
        return Undefined(reason, 0, 0)
    effect = 1.0
    if hits_by_cluster is not None:
        _check_sums(numerator, denominator, hits_by_cluster)
        effect = design_effect(hits_by_cluster)
    interval = wilson(numerator, denominator, level, effect)
    return Estimate(
        value=numerator / denominator,
        numerator=numerator,
        denominator=denominator,
        low=interval.low,
        high=interval.high,
        level=level,
        method=interval.method,
        design_effect=effect,
    )


def _check_sums(
    numerator: int,
    denominator: int,
    clusters: Sequence[ClusterCount | tuple[float, float]],
) -> None:
    sums = (sum(hits for hits, _ in clusters), sum(cases for _, cases in clusters))
    if sums != (numerator, denominator):
        msg = f"clusters add up to {sums}, not {(numerator, denominator)}"
        raise ValueError(msg)


def _effective(
    x: float, n: float, level: float, design_effect: float
) -> tuple[float, float]:
    if not 0 < level < 1:
        raise ValueError("a level lies between 0 and 1")
    if not (isfinite(design_effect) and design_effect >= 1):
        raise ValueError("a design effect is at least 1")
    if not (isfinite(n) and n > 0 and 0 <= x <= n):
        msg = f"{x} of {n} is no share"
        raise ValueError(msg)
    return x / design_effect, n / design_effect


def _z(level: float) -> float:
    return float(ndtri((1 + level) / 2))


def _named(method: str, design_effect: float) -> str:
    return method if design_effect == 1 else f"{method}, clustered"
