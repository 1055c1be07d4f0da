"""The strengths of several systems, fitted by a library: scikit-learn.

Given how often two systems are compared, Davidson's model of their wins and ties is
log-linear (Fienberg and Larntz 1976): counts of Poisson with a level for each two, the
winner's strength, half of both strengths for a tie, and the logarithm of the tie
parameter. `PoissonRegressor` without a penalty fits that to the maximum.

Libraries made for it were tried. Choix has no ties; evalica 0.4 has them (`newman`),
and stops once scores stand still for one step: 2 wins, 1 loss and 3 ties give odds of
1.96 instead of 2. None has standard errors or fits many sets at once. Those, and the
thousands of resamples behind an interval, come from our own Newton steps on the same
likelihood (:mod:`calibration.domain.bradley_terry`), which also tell whether there is a
maximum; tests hold them to this fit, to statsmodels and to evalica.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from calibration.domain.bradley_terry import Fit, fit

if TYPE_CHECKING:
    Floats = npt.NDArray[np.float64]

TOLERANCE = 1e-12
MOST_STEPS = 200
MOST_BY_LIBRARY = 20  # systems: a level for each two makes more of them take minutes


def fit_one(wins: Floats, ties: Floats) -> Fit:
    """Fit one set: ``wins[i, j]`` times i over j, ``ties`` symmetric.

    Not found where some systems never lose to the others, or nothing was decided.
    Raises ``ValueError`` for counts that are negative, not finite or of other shapes.
    """
    own = fit(wins[None], ties[None])
    if not own.found[0] or len(wins) > MOST_BY_LIBRARY:
        return own
    # It takes seconds to come: not at the start.
    from sklearn.linear_model import PoissonRegressor  # noqa: PLC0415 - as said
    from threadpoolctl import threadpool_limits  # noqa: PLC0415 - as said

    size, tied = len(wins), bool(ties.any())
    design, counts = _log_linear(wins, ties, tied=tied)
    model = PoissonRegressor(
        alpha=0.0,
        fit_intercept=False,
        solver="newton-cholesky",
        tol=TOLERANCE,
        max_iter=MOST_STEPS,
    )
    with threadpool_limits(1):  # of matrices this small, more threads only wait
        model.fit(design, counts)
    found: Floats = np.asarray(model.coef_, np.float64)
    strengths = np.append(found[: size - 1], 0.0)
    v = float(np.exp(found[size - 1])) if tied else 0.0
    return Fit((strengths - strengths.mean())[None], np.array([v]), own.found)


def _log_linear(
    wins: Floats, ties: Floats, *, tied: bool
) -> tuple[Floats, npt.NDArray[np.float64]]:
    """Rows i over j, j over i and tied, of all that were compared; the last is at 0.

    Columns are strengths, the tie parameter where there are ties, and levels.
    """
    i, j = np.nonzero(np.triu(wins + wins.T + ties))
    size, pairs = len(wins), len(i)
    kinds = 3 if tied else 2
    design = np.zeros((kinds, pairs, size + tied + pairs))
    place = np.arange(pairs)
    design[0, place, i] = design[1, place, j] = 1.0
    if tied:
        design[2, place, i] = design[2, place, j] = 0.5
        design[2, :, size] = 1.0
    design[:, place, size + tied + place] = 1.0
    counts = np.stack([wins[i, j], wins[j, i], ties[i, j]][:kinds])
    flat = design.reshape(kinds * pairs, -1)
    return np.delete(flat, size - 1, axis=1), counts.ravel()
