"""The Bradley-Terry model with ties of Davidson (1970), many data sets at a time.

A system i has strength a_i = exp(s_i). Of two that are compared,

    P(i is preferred) = a_i / (a_i + a_j + v sqrt(a_i a_j)),
    P(tie)            = v sqrt(a_i a_j) / (a_i + a_j + v sqrt(a_i a_j)),

so that exp(s_i - s_j) are the odds of i where one of the two is preferred, whatever v.
The likelihood is concave in the s and log v; its maximum is found by Newton's method,
with the s adding up to 0. Without ties v is 0 and the model is Bradley and Terry's own.

The strengths that are shown come from a library (:mod:`calibration.domain.strengths`),
which takes one set at a time: this is for the resamples, and for standard errors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

MOST_STEPS = 60
LONGEST_STEP = 2.0
CLOSE = 1e-8
NEAR = 1e-4
DUST = 1e-7  # in strengths: no nearer do fits come to their maximum
LARGEST = 15.0  # odds of 3 million to 1: the maximum lies at infinity


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Strengths (sets, systems), the tie parameter v, and which of them exist.

    Where a set does not determine its strengths ``found`` is False and they are NaN.
    """

    strengths: Floats
    ties: Floats
    found: Mask


def fit(wins: Floats, ties: Floats) -> Fit:
    """Fit each of many sets: ``wins[s, i, j]`` times i over j, ``ties`` symmetric.

    Raises ``ValueError`` for counts that are negative, not finite or of other shapes.
    """
    _check(wins, ties)
    sets, systems = wins.shape[:2]
    total = wins + wins.transpose(0, 2, 1) + ties
    tied = ties.sum((1, 2)) > 0
    possible = connected(wins + ties) & (wins.sum((1, 2)) > 0)
    strengths = np.zeros((sets, systems))
    log_v = np.where(tied, 0.0, -np.inf)
    done = ~possible
    for _ in range(MOST_STEPS):
        going = np.flatnonzero(~done)
        if not len(going):
            break
        data = (wins[going], ties[going], total[going], tied[going])
        step, slope = _newton(strengths[going], log_v[going], *data)
        strengths[going] += step[:, :-1]
        log_v[going] += step[:, -1]
        scale = 1 + total[going].sum((1, 2))
        level = np.abs(slope).max(1) <= CLOSE * scale
        # On the way to infinity slopes vanish, and steps do not.
        near = np.abs(step).max(1) <= NEAR
        done[going] = (level & near) | _gone(strengths[going], log_v[going])
    found = possible & done & ~_gone(strengths, log_v)
    strengths[~found] = np.nan
    return Fit(strengths, np.where(found, np.exp(log_v), np.nan), found)


def _gone(strengths: Floats, log_v: Floats) -> Mask:
    """Sets that have run off to infinity, before the steps lose their meaning."""
    far: Mask = np.ptp(strengths, 1) > LARGEST
    return far | (log_v > LARGEST)


def connected(reaches: Floats) -> Mask:
    """Whether every system reaches every other by wins or ties: else none is best.

    If some of them never lose to the others, no finite strengths are most likely.
    """
    systems = reaches.shape[1]
    paths: Mask = np.asarray(reaches > 0, np.bool_) | np.eye(systems, dtype=np.bool_)
    for _ in range(max(1, int(np.ceil(np.log2(max(2, systems)))))):
        steps = paths.astype(np.float32)
        paths = (steps @ steps).astype(np.bool_)
    whole: Mask = np.all(paths, axis=(1, 2))
    return whole


def _check(wins: Floats, ties: Floats) -> None:
    if wins.ndim != 3 or wins.shape != ties.shape or wins.shape[1] != wins.shape[2]:  # noqa: PLR2004 - sets of square tables
        raise ValueError("wins and ties must be sets of square tables")
    for counts in (wins, ties):
        if not np.isfinite(counts).all() or (counts < 0).any():
            raise ValueError("counts must be 0 or more")
        if np.diagonal(counts, axis1=1, axis2=2).any():
            raise ValueError("no system is compared with itself")
    if (ties != ties.transpose(0, 2, 1)).any():
        raise ValueError("ties must be symmetric")


def spreads(one: Fit, wins: Floats, ties: Floats, units: csr_array) -> Floats:
    """Standard errors of the differences of one fitted set's strengths.

    Robust against what pairs of a unit have in common: ``units`` counts, for each unit
    that is drawn, its wins and then its ties (each from both sides), flat. The sandwich
    of Liang and Zeger (1986), times n/(n - 1) for n units.
    """
    size, n = wins.shape[0], units.shape[0]
    tied = ties.any()
    preferred, tie = _chances(one.strengths, np.log(one.ties) if tied else _NO_TIES)
    points = preferred + tie / 2
    total = wins + wins.T + ties
    bread = np.linalg.inv(
        _information(preferred, tie, points, total[None], np.array([tied]))[0]
    )
    scores = np.asarray(units @ _scores(points[0], tie[0], bool(tied)))
    spread = bread @ (scores.T @ scores) @ bread * (n / max(1, n - 1))
    own = np.diag(spread)[:size]
    both = own[:, None] + own[None, :] - 2 * spread[:size, :size]
    # The fit stops this near: below, there is no spread, and what is left is dust.
    found: Floats = np.sqrt(np.where(both > DUST**2, both, 0.0))
    return found


_NO_TIES = np.array([-np.inf])


def _scores(points: Floats, tie: Floats, tied: bool) -> Floats:  # noqa: FBT001 - a row of a table
    """What one win, and one side of a tie, adds to the slope of each parameter."""
    size = len(points)
    found = np.zeros((2, size, size, size + 1))
    i, j = np.nonzero(~np.eye(size, dtype=bool))
    for kind, gain in enumerate((1 - points, (0.5 - points) / 2)):
        found[kind, i, j, i] = gain[i, j]
        found[kind, i, j, j] = -gain[i, j]
    found[0, i, j, -1] = -tie[i, j] * tied
    found[1, i, j, -1] = (1 - tie[i, j]) / 2 * tied
    return found.reshape(2 * size * size, size + 1)


def _chances(s: Floats, log_v: Floats) -> tuple[Floats, Floats]:
    """The chances that i is preferred over j, and of a tie."""
    gap = s[:, :, None] - s[:, None, :]
    # Divided by sqrt(a_i a_j): exp(gap/2) for i, exp(-gap/2) for j, v for a tie.
    mine, theirs = np.exp(gap / 2), np.exp(-gap / 2)
    v = np.exp(log_v)[:, None, None]
    whole = mine + theirs + v
    return mine / whole, v / whole


def _newton(
    s: Floats, log_v: Floats, wins: Floats, ties: Floats, total: Floats, tied: Mask
) -> tuple[Floats, Floats]:
    """One step, and the slope that it starts from; the last column is log v's."""
    preferred, tie = _chances(s, log_v)
    points = preferred + tie / 2
    slope = np.concatenate(
        [
            (wins + ties / 2 - total * points).sum(2),
            ((ties - total * tie).sum((1, 2)) / 2)[:, None],
        ],
        axis=1,
    )
    slope[:, -1] *= tied
    step = np.linalg.solve(
        _information(preferred, tie, points, total, tied), slope[:, :, None]
    )[:, :, 0]
    longest = np.abs(step).max(1, keepdims=True)
    return step * np.minimum(1, LONGEST_STEP / np.maximum(longest, 1e-300)), slope


def _information(
    preferred: Floats, tie: Floats, points: Floats, total: Floats, tied: Mask
) -> Floats:
    """Minus the second derivatives, with the sum of strengths pinned."""
    sets, systems = total.shape[:2]
    spread = total * (preferred + tie / 4 - points**2)
    found = np.zeros((sets, systems + 1, systems + 1))
    found[:, :systems, :systems] = 1.0 / systems - spread
    place = np.arange(systems)
    found[:, place, place] = 1.0 / systems + spread.sum(2)
    with_v = (total * (tie / 2 - points * tie)).sum(2) * tied[:, None]
    found[:, :systems, -1] = found[:, -1, :systems] = with_v
    own = (total * tie * (1 - tie)).sum((1, 2)) / 2
    found[:, -1, -1] = np.where(tied, own, 1.0)
    return found
