"""Several systems in one ranking, with what it leaves open."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import expit, ndtr

from annotation.domain.estimates import Estimate, Undefined
from annotation.domain.intervals import holm
from calibration.domain.bradley_terry import DUST, spreads
from calibration.domain.ranking_tables import Table, draw, tabulate

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from annotation.domain.estimates import Figure
    from calibration.domain.bradley_terry import Fit
    from calibration.domain.columns import Codes
    from calibration.domain.samples import Sample

    Floats = npt.NDArray[np.float64]

RESAMPLES = 2_000
FEWEST = 20  # cases of each system
MOST_UNDEFINED = 0.05
MOST_SYSTEMS = 50
ALPHA = 0.05
METHOD = "percentile bootstrap over cases"


@dataclass(frozen=True, slots=True)
class RankedSystem:
    """One system; counts are of its pairs with a baseline, candidate or tie outcome.

    ``strength`` is on the scale of log-odds, 0 for the average of these systems.
    ``preferred`` is the chance that it is preferred over such an average system where
    one of the two is. Ranks ``best`` to ``worst`` are left open by the comparisons.
    """

    system: str
    pairs: int
    cases: int
    wins: int
    losses: int
    ties: int
    strength: Figure
    preferred: Figure
    best: int | None
    worst: int | None


@dataclass(frozen=True, slots=True)
class RankedTwo:
    """Two systems, the stronger first; ``difference`` is of their strengths.

    ``adjusted`` is the p value that the difference is 0, after Holm over all twos.
    """

    first: str
    second: str
    difference: Figure
    adjusted: float | None
    separable: bool


@dataclass(frozen=True, slots=True)
class Ranking:
    """Systems from the strongest on.

    ``groups`` are systems that stand together and that nothing here tells apart;
    ``undefined`` says why there is no ranking, and then systems are in the set's order.
    ``left_out`` pairs have no outcome: abstain, invalid, or no gold.
    """

    systems: tuple[RankedSystem, ...]
    versus: tuple[RankedTwo, ...]
    groups: tuple[tuple[str, ...], ...]
    pairs: int
    cases: int
    left_out: int
    tie_parameter: float | None
    resamples: int
    dropped: int
    undefined: str | None = None


def rank(
    sample: Sample,
    outcomes: Codes,
    rng: np.random.Generator,
    *,
    level: float = 0.95,
    count: int = RESAMPLES,
) -> Ranking:
    """Rank the systems of a sample by ``outcomes``, one code for each of its rows.

    That is the judge's verdicts or gold. Intervals come from drawing cases (groups of
    cases where there are such) with replacement. Without at least 20 cases of each
    system there are counts alone.
    """
    table = tabulate(sample, outcomes)
    reason = _too_few(table)
    found = None if reason else table.fit
    if found is not None and not found.found[0]:
        reason = "some systems never lose to the others, or nothing was decided"
    if reason or found is None:
        return _unranked(table, reason)
    draws = draw(table, rng, count)
    return _ranked(table, found, draws, level)


def _too_few(table: Table) -> str:
    if table.size > MOST_SYSTEMS:
        return f"over {MOST_SYSTEMS} systems"
    few = [
        f"{name} {cases}"
        for name, cases in zip(table.systems, table.cases.tolist(), strict=True)
        if cases < FEWEST
    ]
    return f"fewer than {FEWEST} cases with an outcome: {', '.join(few)}" if few else ""


def _ranked(table: Table, found: Fit, draws: Fit, level: float) -> Ranking:
    strengths = found.strengths[0]
    order = np.argsort(-strengths, kind="stable").tolist()
    drawn = draws.strengths[draws.found]
    dropped = int((~draws.found).sum())
    enough = dropped <= MOST_UNDEFINED * len(draws.found)
    bounds = _Bounds(drawn if enough else drawn[:0], level)
    versus = _versus(table, found, order, bounds)
    apart = {(one.first, one.second) for one in versus if one.separable}
    names = [table.systems[i] for i in order]
    return Ranking(
        systems=tuple(
            _system(table, i, strengths, bounds, _ranks(names, table.systems[i], apart))
            for i in order
        ),
        versus=versus,
        groups=_groups(names, apart),
        pairs=table.total,
        cases=table.drawn_from,
        left_out=table.left_out,
        tie_parameter=float(found.ties[0]),
        resamples=len(draws.found),
        dropped=dropped,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Bounds:
    """Resampled strengths; none where too many resamples had none."""

    drawn: Floats
    level: float

    def of(self, value: float, drawn: Floats, n: int) -> Figure:
        """A value with the percentiles of what was drawn."""
        if not len(drawn):
            return Estimate(value, None, n, None, None, None, _NO_INTERVAL)
        tail = (1 - self.level) / 2
        low, high = np.quantile(drawn, [tail, 1 - tail])
        if high - low <= DUST:
            return Estimate(value, None, n, None, None, None, _ALL_ALIKE)
        low, high = min(float(low), value), max(float(high), value)
        return Estimate(value, None, n, low, high, self.level, METHOD)


_NO_INTERVAL = "undefined in over 5 % of resamples"
_ALL_ALIKE = "all resamples agree"


def _system(
    table: Table,
    place: int,
    strengths: Floats,
    bounds: _Bounds,
    ranks: tuple[int, int],
) -> RankedSystem:
    """Against the mean of the others and itself, whose strength is 0."""
    value, cases = float(strengths[place]), int(table.cases[place])
    drawn = bounds.drawn[:, place]
    return RankedSystem(
        **_counts(table, place),
        strength=bounds.of(value, drawn, cases),
        preferred=bounds.of(float(expit(value)), expit(drawn), cases),
        best=ranks[0] if len(drawn) else None,
        worst=ranks[1] if len(drawn) else None,
    )


def _counts(table: Table, place: int) -> dict[str, Any]:
    return {
        "system": table.systems[place],
        "pairs": int(table.pairs[place]),
        "cases": int(table.cases[place]),
        "wins": int(table.wins[place].sum()),
        "losses": int(table.wins[:, place].sum()),
        "ties": int(table.ties[place].sum()),
    }


def _versus(
    table: Table, found: Fit, order: Sequence[int], bounds: _Bounds
) -> tuple[RankedTwo, ...]:
    """Every two: the difference over its robust standard error, by Holm."""
    strengths = found.strengths[0]
    errors = spreads(found, table.wins, table.ties, table.units)
    twos = list(combinations(order, 2))
    gaps = [float(strengths[i] - strengths[j]) for i, j in twos]
    adjusted: Sequence[float | None] = [None] * len(twos)
    if len(bounds.drawn):
        adjusted = holm(
            [
                _p(gap, float(errors[i, j]))
                for gap, (i, j) in zip(gaps, twos, strict=True)
            ]
        )
    return tuple(
        RankedTwo(
            first=table.systems[i],
            second=table.systems[j],
            difference=bounds.of(
                gap, bounds.drawn[:, i] - bounds.drawn[:, j], table.drawn_from
            ),
            adjusted=p,
            separable=p is not None and p <= ALPHA,
        )
        for (i, j), gap, p in zip(twos, gaps, adjusted, strict=True)
    )


def _p(gap: float, error: float) -> float:
    return float(2 * ndtr(-abs(gap) / error)) if error > 0 else 1.0


def _ranks(
    names: Sequence[str], system: str, apart: set[tuple[str, str]]
) -> tuple[int, int]:
    """The ranks that remain, given which systems are told from it."""
    better = sum((name, system) in apart for name in names)
    worse = sum((system, name) in apart for name in names)
    return 1 + better, len(names) - worse


def _groups(
    names: Sequence[str], apart: set[tuple[str, str]]
) -> tuple[tuple[str, ...], ...]:
    """The longest runs of the ranking in which no two are told apart."""
    runs: list[tuple[int, int]] = []
    for start in range(len(names)):
        end = start
        while end + 1 < len(names) and not any(
            (names[i], names[end + 1]) in apart for i in range(start, end + 1)
        ):
            end += 1
        if end > start and not any(end <= other for _, other in runs):
            runs.append((start, end))
    return tuple(tuple(names[start : end + 1]) for start, end in runs)


def _unranked(table: Table, reason: str) -> Ranking:
    nothing = Undefined(reason, None, None)
    return Ranking(
        systems=tuple(
            RankedSystem(
                **_counts(table, place),
                strength=nothing,
                preferred=nothing,
                best=None,
                worst=None,
            )
            for place in range(table.size)
        ),
        versus=(),
        groups=(),
        pairs=table.total,
        cases=table.drawn_from,
        left_out=table.left_out,
        tie_parameter=None,
        resamples=0,
        dropped=0,
        undefined=reason,
    )
