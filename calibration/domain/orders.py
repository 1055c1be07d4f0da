"""The nearest weak order to a judge's answers: exact total order violation (TOV).

A judgment matrix ``y`` holds what was said with system i shown first and j second: 1 if
i is better, 0 for a tie, -1 if j is better, ``MISSING`` where nothing usable was said.
Source: arXiv 2512.16041, equations 2 and 3 (METHODS 3.10).
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from scipy.sparse import sparray

MISSING = -2
LARGEST_DP = 12
_CHUNK_CELLS = 1 << 22

Matrices = npt.NDArray[np.int8]
Counts = npt.NDArray[np.int64]


def conflicts(y: Matrices) -> tuple[Counts, Counts]:
    """Count contradicted pairs and complete pairs of each question.

    ``y`` is (questions, n, n). A pair is contradicted when its two orders do not mirror
    each other (y_ij != -y_ji); pairs with a missing entry are in neither count. IPI is
    the first divided by the second.
    """
    above, below = np.triu_indices(y.shape[1], 1)
    forth, back = y[:, above, below], y[:, below, above]
    complete = (forth != MISSING) & (back != MISSING)
    return ((forth != -back) & complete).sum(1), complete.sum(1)


def order_violations(y: Matrices) -> Counts:
    """Find the TOV of each question: the fewest ordered entries to change.

    ``y`` is (questions, n, n); the minimum is over all weak orders (ties allowed), and
    missing entries cost nothing. Dynamic programme over subsets up to n = 12, an
    integer programme above.
    """
    if y.shape[1] > LARGEST_DP:
        return np.array([_by_integer_programme(one) for one in y], np.int64)
    size = max(1, _CHUNK_CELLS >> y.shape[1])
    parts = [_by_subsets(y[at : at + size]) for at in range(0, len(y), size)]
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)


def _costs(y: Matrices) -> tuple[Counts, Counts]:
    """Give, as (n, n, questions), what i above j and i beside j would contradict."""
    said, mirrored = y, y.transpose(0, 2, 1)
    above = _differs(said, 1) + _differs(mirrored, -1)
    beside = _differs(said, 0) + _differs(mirrored, 0)
    return above.transpose(1, 2, 0), beside.transpose(1, 2, 0)


def _differs(said: Matrices, wanted: int) -> Counts:
    wrong: npt.NDArray[np.bool_] = (said != wanted) & (said != MISSING)
    return wrong.astype(np.int64)


def _by_subsets(y: Matrices) -> Counts:
    """Build the order from the top, one tier at a time.

    f[S + T] = min f[S] + cost of tying T + cost of S above T, over non-empty tiers T
    outside S. The costs of all T come by doubling, so Python runs n 2^n steps.
    """
    n = y.shape[1]
    above, beside = _costs(y)
    tied = _tier_costs(beside)
    best = np.full((1 << n, len(y)), np.iinfo(np.int64).max // 2)
    best[0] = 0
    for top in range((1 << n) - 1):
        members = [i for i in range(n) if top >> i & 1]
        rest = [j for j in range(n) if not top >> j & 1]
        tiers, cross = _tiers_below(above[members].sum(0), rest)
        reached = best[top] + tied[tiers] + cross
        best[tiers | top] = np.minimum(best[tiers | top], reached)
    fewest: Counts = best[-1]
    return fewest


def _tier_costs(beside: Counts) -> Counts:
    """Cost of tying every subset: (2^n, questions), each from a smaller subset."""
    n = beside.shape[0]
    tied = np.zeros((1 << n, beside.shape[2]), np.int64)
    for last in range(n):
        _, added = _tiers_below(beside[last], list(range(last)), keep_empty=True)
        tied[1 << last : 2 << last] = tied[: 1 << last] + added
    return tied


def _tiers_below(
    column: Counts, rest: list[int], *, keep_empty: bool = False
) -> tuple[Counts, Counts]:
    """List the subsets of ``rest`` with the sum of ``column`` over each."""
    subsets = np.zeros(1, np.int64)
    sums = np.zeros((1, column.shape[1]), np.int64)
    for j in rest:
        subsets = np.concatenate([subsets, subsets | 1 << j])
        sums = np.concatenate([sums, sums + column[j]])
    start = 0 if keep_empty else 1
    return subsets[start:], sums[start:]


def _by_integer_programme(y: Matrices) -> int:
    """Solve one question with HiGHS.

    x_ij = 1 when i is above or beside j; complete (x_ij + x_ji >= 1) and transitive
    (x_ij + x_jk - x_ik <= 1). Every entry's disagreement is linear in x: strictly above
    is 1 - x_ji, beside is x_ij + x_ji - 1.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp  # noqa: PLC0415 - heavy

    n = len(y)
    said = (y != MISSING) & ~np.eye(n, dtype=bool)
    tie = (said & (y == 0)).astype(float)
    cost = ((y == 1) & said).T.astype(float) + ((y == -1) & said) - tie - tie.T
    rows, upper = _order_constraints(n)
    solved = milp(
        cost.ravel(),
        integrality=np.ones(n * n, np.int64),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(rows, -np.inf, upper),
    )
    if not solved.success:
        msg = f"no nearest order found: {solved.message}"
        raise ArithmeticError(msg)
    return round(float(solved.fun) + 2 * float(tie.sum()))


def _order_constraints(
    n: int,
) -> tuple[sparray, npt.NDArray[np.float64]]:
    from scipy.sparse import csr_array  # noqa: PLC0415 - heavy

    entries: list[tuple[int, int, float]] = []
    upper: list[float] = []

    def add(*terms: tuple[int, int, float], at_most: float) -> None:
        entries.extend((len(upper), i * n + j, c) for i, j, c in terms)
        upper.append(at_most)

    for i, j in permutations(range(n), 2):
        if i < j:
            add((i, j, -1.0), (j, i, -1.0), at_most=-1.0)
    for i, j, k in permutations(range(n), 3):
        add((i, j, 1.0), (j, k, 1.0), (i, k, -1.0), at_most=1.0)
    row, column, value = zip(*entries, strict=True)
    matrix = csr_array((value, (row, column)), shape=(len(upper), n * n))
    return matrix, np.array(upper)
