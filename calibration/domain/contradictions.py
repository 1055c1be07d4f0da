"""Which cases a judge contradicts itself on, and by which pairs and cycles."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from calibration.domain.coherence import (
    complete_matrices,
    presence,
    systems_per_case,
)
from calibration.domain.orders import conflicts, order_violations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calibration.domain.orders import Matrices
    from calibration.domain.samples import Sample

MOST_SYSTEMS = 12  # more are too many triples to read


@dataclass(frozen=True, slots=True)
class Said:
    """Two systems of a case, and what each order said of them.

    1 is for ``first``, -1 for ``second`` and 0 a tie; ``there`` has ``first`` in the
    first slot.
    """

    first: str
    second: str
    there: int
    back: int

    @property
    def steady(self) -> bool:
        """Whether both orders said the same."""
        return self.there == self.back


@dataclass(frozen=True, slots=True)
class Contradiction:
    """One case whose verdicts fit no ranking, ties allowed.

    ``tov`` of its ordered judgments must change for one; ``unsteady`` pairs force one
    change each, and ``excess`` are beyond these. ``cycles`` are the smallest groups of
    systems that need more changes than their unsteady pairs force: what was said of
    every two of them.
    """

    case: str
    pairs: tuple[str, ...]
    tov: int
    excess: int
    unsteady: tuple[Said, ...]
    cycles: tuple[tuple[Said, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Case:
    """A case before it is looked into."""

    number: int
    name: str
    y: Matrices
    tov: int
    excess: int


def contradictions(
    sample: Sample, most: int | None = None
) -> tuple[tuple[Contradiction, ...], int]:
    """The complete cases with a TOV above 0, worst first, and how many there are.

    At most ``most`` of them are given. An order's outcome is the one after repeats.
    Cases of more than 12 systems are left out.
    """
    found = sorted(_cases(sample), key=lambda one: (-one.tov, -one.excess, one.name))
    shown = found[:most]
    rows: dict[int, list[int]] = {one.number: [] for one in shown}
    for index, case in enumerate(sample.columns.case.tolist()):
        if case in rows:
            rows[case].append(index)
    there = presence(sample)
    return tuple(
        _of_case(
            one,
            tuple(sample.rows[index].pair for index in rows[one.number]),
            [sample.systems[i] for i in np.flatnonzero(there[:, one.number])],
        )
        for one in shown
    ), len(found)


def _cases(sample: Sample) -> Iterator[_Case]:
    columns, sizes = sample.columns, systems_per_case(sample)
    if len(sizes) and sizes.max() > MOST_SYSTEMS:
        return
    outcomes = [(columns.baseline_first, columns.candidate_first)]
    names = dict(zip(columns.case.tolist(), sample.rows, strict=True))
    for cases, y in complete_matrices(sample, sizes, outcomes):
        wrong, (forced, _) = order_violations(y), conflicts(y)
        for place in np.flatnonzero(wrong):
            number, tov = int(cases[place]), int(wrong[place])
            excess = tov - int(forced[place])
            yield _Case(number, names[number].case, y[place], tov, excess)


def _of_case(one: _Case, pairs: tuple[str, ...], names: list[str]) -> Contradiction:
    said = {
        (i, j): Said(names[i], names[j], int(one.y[i, j]), -int(one.y[j, i]))
        for i, j in combinations(range(len(names)), 2)
    }
    cycles = tuple(
        tuple(said[two] for two in combinations(group, 2))
        for group in (_smallest(one.y) if one.excess else [])
    )
    unsteady = tuple(each for each in said.values() if not each.steady)
    return Contradiction(one.name, pairs, one.tov, one.excess, unsteady, cycles)


def _smallest(y: Matrices) -> list[tuple[int, ...]]:
    """The smallest groups of systems that no ranking fits, flips allowed for."""
    n = y.shape[0]
    for size in range(3, n + 1):
        groups = list(combinations(range(n), size))
        parts = np.array([y[np.ix_(group, group)] for group in groups], np.int8)
        forced, _ = conflicts(parts)
        wrong = np.flatnonzero(order_violations(parts) > forced)
        if len(wrong):
            return [groups[place] for place in wrong]
    return []
