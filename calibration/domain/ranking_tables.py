"""What a ranking is computed from: counts of all pairs, and of each case drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from calibration.domain.bradley_terry import Fit, fit
from calibration.domain.columns import CANDIDATE, TIE
from calibration.domain.strengths import fit_one

if TYPE_CHECKING:
    import numpy.typing as npt

    from calibration.domain.columns import Codes
    from calibration.domain.samples import Sample

    Floats = npt.NDArray[np.float64]

_CHUNK = 100


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Pairs with an outcome: counts of all, and of each unit that is drawn."""

    systems: tuple[str, ...]
    wins: Floats
    ties: Floats
    units: csr_array
    pairs: Codes
    cases: Codes
    left_out: int

    @property
    def size(self) -> int:
        """How many systems."""
        return len(self.systems)

    @property
    def fit(self) -> Fit:
        """The strengths of all pairs together: one set."""
        return fit_one(self.wins, self.ties)

    @property
    def total(self) -> int:
        """How many pairs have an outcome."""
        return int(self.pairs.sum()) // 2

    @property
    def drawn_from(self) -> int:
        """How many cases, or groups of cases, there are to draw."""
        return int(self.units.shape[0])

    def split(self, flat: Floats) -> tuple[Floats, Floats]:
        """Wins and ties of sets that are given as rows."""
        size = self.size
        both = flat.reshape(-1, 2, size, size)
        return both[:, 0], both[:, 1]


def tabulate(sample: Sample, outcomes: Codes) -> Table:
    """Count the rows that have an outcome; their clusters are the units drawn."""
    columns, size = sample.columns, len(sample.systems)
    used = np.flatnonzero(outcomes <= TIE)
    upper, lower = columns.baseline[used], columns.candidate[used]
    said, unit = outcomes[used], columns.cluster[used]
    first = np.where(said == CANDIDATE, lower, upper)
    second = np.where(said == CANDIDATE, upper, lower)
    tied = said == TIE
    cell = tied * size * size + first * size + second
    back = size * size + second * size + first
    _, row = np.unique(unit, return_inverse=True)
    places = np.concatenate([row, row[tied]]), np.concatenate([cell, back[tied]])
    shape = (int(row.max(initial=-1)) + 1, 2 * size * size)
    units = csr_array((np.ones(len(places[0])), places), shape=shape)
    sides = np.concatenate([upper, lower])
    seen = np.unique(np.stack([sides, np.concatenate([row, row])]), axis=1)
    flat = np.asarray(units.sum(axis=0), np.float64).reshape(2, size, size)
    return Table(
        systems=sample.systems,
        wins=flat[0],
        ties=flat[1],
        units=units,
        pairs=np.bincount(sides, minlength=size),
        cases=np.bincount(seen[0], minlength=size),
        left_out=len(sample) - len(used),
    )


def draw(table: Table, rng: np.random.Generator, count: int) -> Fit:
    """Fit resamples of the cases, some at a time."""
    n = table.units.shape[0]
    parts = []
    for at in range(0, count, _CHUNK):
        times = rng.multinomial(n, np.full(n, 1 / n), min(_CHUNK, count - at))
        drawn = np.asarray(times.astype(np.float64) @ table.units)
        parts.append(fit(*table.split(drawn)))
    return Fit(
        np.concatenate([part.strengths for part in parts]),
        np.concatenate([part.ties for part in parts]),
        np.concatenate([part.found for part in parts]),
    )
