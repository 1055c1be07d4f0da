"""Statistics of many tables at once: (..., gold, verdict), 5 by 5, to (...).

The last gold row is "no gold". NaN stands for a statistic that a table does not have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from calibration.domain.columns import BASELINE, CANDIDATE, NO_GOLD, TIE

if TYPE_CHECKING:
    from collections.abc import Callable

    Statistic = Callable[["Floats"], "Floats"]

Floats = npt.NDArray[np.float64]
_DECIDED = TIE + 1


def judge_net(tables: Floats) -> Floats:
    """(wins - losses)/(wins + losses + ties) of the judge's verdicts, gold or not."""
    return _net(tables.sum(-2))


def gold_net(tables: Floats) -> Floats:
    """The same of gold, whatever the judge said."""
    return _net(tables[..., :NO_GOLD, :].sum(-1))


def halved(statistic: Statistic) -> Statistic:
    """Turn a net into (wins + ties/2)/(wins + losses + ties), which is (net + 1)/2."""
    return lambda tables: (statistic(tables) + 1) / 2


def agreement(tables: Floats) -> Floats:
    """Verdict equals gold, of pairs with gold baseline, candidate or tie."""
    right = np.einsum("...ii->...", tables[..., :_DECIDED, :_DECIDED])
    return ratio(right, tables[..., :_DECIDED, :].sum((-1, -2)))


def balanced_accuracy(tables: Floats) -> Floats:
    """Mean recall over the gold classes present."""
    rows = tables[..., :_DECIDED, :].sum(-1)
    right = np.einsum("...ii->...i", tables[..., :_DECIDED, :_DECIDED])
    present = rows > 0
    recalls = np.where(present, ratio(right, rows), 0.0)
    return ratio(recalls.sum(-1), present.sum(-1).astype(np.float64))


def kappa(tables: Floats) -> Floats:
    """Cohen's kappa of the 3 by 3 table of answered pairs."""
    used = tables[..., :_DECIDED, :_DECIDED]
    n = used.sum((-1, -2))
    observed = ratio(np.einsum("...ii->...", used), n)
    chance = ratio((used.sum(-1) * used.sum(-2)).sum(-1), n * n)
    return ratio(observed - chance, 1 - chance)


def mcc(tables: Floats) -> Floats:
    """Matthews correlation of the 3 by 3 table of answered pairs.

    Source: Gorodkin (2004), Comput. Biol. Chem. 28:367, for more than two classes.
    """
    used = tables[..., :_DECIDED, :_DECIDED]
    n = used.sum((-1, -2))
    gold, said = used.sum(-1), used.sum(-2)
    joint = n * np.einsum("...ii->...", used) - (gold * said).sum(-1)
    spread = (n * n - (gold**2).sum(-1)) * (n * n - (said**2).sum(-1))
    return ratio(joint, np.sqrt(spread))


def ac1(tables: Floats) -> Floats:
    """Gwet's AC1 of the 3 by 3 table of answered pairs. Source: Gwet (2008).

    Chance is 1/(q - 1) times the sum of p(1 - p) over the q = 3 mean label shares.
    """
    used = tables[..., :_DECIDED, :_DECIDED]
    n = used.sum((-1, -2))
    observed = ratio(np.einsum("...ii->...", used), n)
    shares = ratio(used.sum(-1) + used.sum(-2), 2 * n[..., None])
    chance = (shares * (1 - shares)).sum(-1) / (_DECIDED - 1)
    return ratio(observed - chance, 1 - chance)


def ratio(top: Floats, bottom: Floats) -> Floats:
    """Divide, giving NaN where the denominator is 0."""
    bottom = np.asarray(bottom, np.float64)
    blank = np.full(np.broadcast(top, bottom).shape, np.nan)
    found: Floats = np.divide(top, bottom, out=blank, where=bottom > 0)
    return found


def _net(counts: Floats) -> Floats:
    gap = counts[..., CANDIDATE] - counts[..., BASELINE]
    return ratio(gap, counts[..., :_DECIDED].sum(-1))
