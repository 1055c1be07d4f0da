"""Contradictions among the verdicts of one case: IPI, TOV and what is left over."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from annotation.domain.estimates import Estimate, Undefined
from calibration.domain.columns import ABSTAIN, TIE
from calibration.domain.means import all_or_nothing, mean_part, sums_of
from calibration.domain.orders import MISSING, Matrices, conflicts, order_violations
from calibration.domain.position_results import CoherenceBlock
from calibration.domain.rates import NO_CASES, mean_share

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from annotation.domain.estimates import Figure
    from calibration.domain.columns import Codes
    from calibration.domain.rates import Rates
    from calibration.domain.samples import Sample

    Floats = npt.NDArray[np.float64]

MOST_SYSTEMS = 20
_TOO_MANY = f"over {MOST_SYSTEMS} systems a case"
_FOR_FIRST = np.array([1, -1, 0, MISSING, MISSING], np.int8)
_FOR_SECOND = np.array([-1, 1, 0, MISSING, MISSING], np.int8)


@dataclass(frozen=True, slots=True, eq=False)
class _Cases:
    """Complete cases: one entry each, repeats averaged."""

    case: Codes
    systems: Codes
    conflicts: Floats
    violations: Floats

    @property
    def pairs(self) -> Codes:
        """How many pairs of systems each case has."""
        return self.systems * (self.systems - 1) // 2


def coherence(sample: Sample, rates: Rates, rng: np.random.Generator) -> CoherenceBlock:
    """Mean IPI, TOV, excess and TOV share over the complete cases of ``sample``.

    A case is complete when all pairs of its systems are there, with a baseline,
    candidate or tie in both orders. With repeats each repeat is scored and the complete
    ones are averaged. Intervals are a bootstrap over cases, drawn from ``rng``.
    """
    return coherence_of(sample, rates, _repeats(sample), rng)


def coherence_of(
    sample: Sample,
    rates: Rates,
    outcomes: Iterable[tuple[Codes, Codes]],
    rng: np.random.Generator,
) -> CoherenceBlock:
    """The same of given outcomes of all rows, in both orders, repeat by repeat."""
    total = int(sample.columns.case.max(initial=-1)) + 1  # numbered without gaps
    sizes = systems_per_case(sample)
    if len(sizes) and sizes.max() > MOST_SYSTEMS:
        unknown = Undefined(_TOO_MANY, None, 0)
        return CoherenceBlock(0, total, unknown, unknown, unknown, unknown)
    cases = _complete_cases(sample, sizes, outcomes)
    figures = _figures(cases, _clusters(sample, cases), rates.level, rng)
    return CoherenceBlock(len(cases.case), total - len(cases.case), *figures)


def _figures(
    cases: _Cases, clusters: Codes, level: float, rng: np.random.Generator
) -> tuple[Figure, ...]:
    """IPI, TOV, excess and TOV share; see :class:`CoherenceBlock`.

    A rate, as all are where each case has two systems, keeps Wilson's interval.
    """
    if not len(cases.case):
        return (Undefined(NO_CASES, None, 0),) * 4
    pairs, n = cases.pairs, len(cases.case)
    entries = np.where(pairs == 1, 1, 2 * pairs)  # of two, one can always stay
    excess = cases.violations - cases.conflicts
    most = float(entries.max())
    kinds = (
        (cases.conflicts / pairs, 1.0, int(pairs.sum())),
        (cases.violations, most, int(entries.sum())),
        (excess, most if pairs.max() > 1 else 0.0, int(entries.sum())),
        (cases.violations / (2 * pairs), 1.0 if most > 1 else 0.5, int(entries.sum())),
    )
    drawn = None
    figures = []
    for part, (values, largest, units) in enumerate(kinds):
        figure = _plain(values, largest, clusters, level, units)
        if pairs.max() > 1 or not all_or_nothing(values / (largest or 1)):
            drawn = drawn or sums_of(
                [*(kind[0] for kind in kinds), np.ones(n)], clusters, rng, level
            )
            figure = drawn.interval(figure, mean_part(part, len(kinds)))
        figures.append(figure)
    return tuple(figures)


def _plain(
    values: Floats, largest: float, clusters: Codes, level: float, units: int
) -> Figure:
    """Mean value a case, as a share of what is possible, with its limits.

    The linearised interval for ``units`` judgments; where all cases are alike nothing
    is known of the spread, and each counts once. None where only 0 is possible.
    """
    if not largest:
        return Estimate(0.0, None, len(values), None, None, None, None)
    if not np.ptp(values) > 0:
        units = len(values)
    scaled = mean_share(values / largest, clusters, level, units=units)
    if isinstance(scaled, Undefined) or scaled.low is None or scaled.high is None:
        return scaled
    value = float(values.mean())
    low, high = scaled.low * largest, scaled.high * largest
    return replace(scaled, value=value, low=min(low, value), high=max(high, value))


def systems_per_case(sample: Sample) -> Codes:
    """How many systems each case compares."""
    sizes: Codes = presence(sample).sum(0)
    return sizes


def presence(sample: Sample) -> npt.NDArray[np.bool_]:
    """Which systems each case compares: (systems, cases), which sums fast."""
    columns = sample.columns
    cases = int(columns.case.max()) + 1 if len(columns.case) else 0
    there = np.zeros((len(sample.systems), cases), bool)
    there[columns.baseline, columns.case] = True
    there[columns.candidate, columns.case] = True
    return there


def _clusters(sample: Sample, cases: _Cases) -> Codes:
    of_case = np.zeros(int(sample.columns.case.max(initial=0)) + 1, np.int64)
    of_case[sample.columns.case] = sample.columns.cluster
    return of_case[cases.case]


def _complete_cases(
    sample: Sample, sizes: Codes, outcomes: Iterable[tuple[Codes, Codes]]
) -> _Cases:
    """Score every complete repeat of every case, then average within cases."""
    scores = [_scores(*part) for part in complete_matrices(sample, sizes, outcomes)]
    case, systems, clashes, violations = (
        np.concatenate([np.zeros(0, np.int64), *(s[i] for s in scores)])
        for i in range(4)
    )
    found, place, times = np.unique(case, return_inverse=True, return_counts=True)
    order = np.zeros(len(found), np.int64)
    order[place] = systems
    return _Cases(
        case=found,
        systems=order,
        conflicts=np.bincount(place, clashes, len(found)) / times,
        violations=np.bincount(place, violations, len(found)) / times,
    )


def _scores(case: Codes, y: Matrices) -> tuple[Codes, Codes, Codes, Codes]:
    systems = np.full(len(case), y.shape[1])
    return case, systems, conflicts(y)[0], order_violations(y)


def complete_matrices(
    sample: Sample, sizes: Codes, outcomes: Iterable[tuple[Codes, Codes]]
) -> Iterator[tuple[Codes, Matrices]]:
    """Give complete judgment matrices, one number of systems and repeat at a time."""
    columns = sample.columns
    rank = presence(sample).cumsum(0) - 1
    upper = rank[columns.baseline, columns.case]
    lower = rank[columns.candidate, columns.case]
    for there, back in outcomes:
        for size in np.flatnonzero(np.bincount(sizes[sizes > 1])):
            rows = np.flatnonzero(sizes[columns.case] == size)
            found, place = np.unique(columns.case[rows], return_inverse=True)
            y = np.full((len(found), size, size), MISSING, np.int8)
            y[place, upper[rows], lower[rows]] = _FOR_FIRST[there[rows]]
            y[place, lower[rows], upper[rows]] = _FOR_SECOND[back[rows]]
            usable = (there[rows] <= TIE) & (back[rows] <= TIE)
            judged = np.bincount(place[usable], minlength=len(found))
            full = judged == size * (size - 1) // 2
            yield found[full], y[full]


def _repeats(sample: Sample) -> Iterator[tuple[Codes, Codes]]:
    """Give the outcome of each row in both orders, repeat by repeat.

    Where no call was repeated the order outcomes are the calls. A row without calls
    stands with its order outcomes in the first repeat.
    """
    columns, calls = sample.columns, sample.columns.calls
    numbers = np.unique(calls.repeat)
    if len(numbers) < 2:  # noqa: PLR2004 - nothing was repeated
        yield columns.baseline_first, columns.candidate_first
        return
    silent = np.bincount(calls.row, minlength=len(sample)) == 0
    for number in numbers:
        outcomes = np.full((2, len(sample)), ABSTAIN)  # neither here counts as missing
        now = calls.repeat == number
        outcomes[calls.order[now], calls.row[now]] = calls.outcome[now]
        if number == numbers[0]:
            outcomes[0, silent] = columns.baseline_first[silent]
            outcomes[1, silent] = columns.candidate_first[silent]
        yield outcomes[0], outcomes[1]
