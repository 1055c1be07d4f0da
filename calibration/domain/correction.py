"""Preference corrected for the judge's errors (METHODS 3.12).

A judge that mistakes one outcome for another shifts what it says of unlabelled pairs.
The confusion of its held-out pairs tells by how much, as long as it can tell the gold
outcomes apart at all and makes the same mistakes on the new pairs. Nothing here can
show the latter: only fresh gold could.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import nnls
from scipy.special import ndtri

from annotation.domain.estimates import Estimate, Undefined
from calibration.domain.columns import BASELINE, CANDIDATE, TIE
from calibration.domain.prediction_powered import prediction_powered

if TYPE_CHECKING:
    from collections.abc import Mapping

    from annotation.domain.estimates import Figure
    from calibration.domain.cells import Floats

    _Beside = tuple[
        Figure, Mapping[str, int], tuple[str, ...], Figure, Figure, float | None
    ]

FEWEST_GOLD = 5
REFUSED_BELOW = 0.2
WEAK_BELOW = 0.4
GOLD, VERDICTS = TIE + 1, 5
NAMES = ("baseline", "candidate", "tie", "abstain", "invalid")
NO_TRAFFIC = "0 cases"
ROGAN_GLADEN = "Rogan-Gladen, delta method"
POST_STRATIFIED = "post-stratified"
# Added to each cell for the variance alone, so that a judge without an error in its
# few held-out pairs is not taken to be free of errors.
_SPREAD = 0.5
_SUM_WEIGHT = 1e6  # holds the shares to a sum of one in the least squares
_TOWARDS = np.array([-1.0, 1.0, 0.0])  # net: candidate less baseline


@dataclass(frozen=True, slots=True)
class Correction:
    """What the preference would be without the judge's errors.

    ``net`` is (wins - losses) of all pairs whose true outcome is baseline, candidate or
    tie, from the confusion solved for the gold shares; ``shares`` are those, in the
    order baseline, candidate, tie. ``decisive_share`` follows from them. ``separation``
    is the smallest singular value of the confusion: below 0.2 the judge can't be
    corrected, below 0.4 it is ``weak`` and the interval wide. ``post_stratified`` is
    the mean gold of each verdict, weighed by how often the judge gave it; it takes the
    held-out pairs to be drawn like the new ones, verdict by verdict; ``few_verdicts``
    names the verdicts given of which fewer than 5 held-out pairs tell, with their
    number, and one with none takes the mean of all. ``powered`` is
    PPI++, which takes them to be drawn like the new ones altogether, and ``gold_only``
    their mean gold without any verdict; ``weight`` is that of the verdicts in the
    former, and 0 of a judge that adds nothing.
    """

    net: Figure
    decisive_share: Figure
    shares: tuple[float, float, float] | None
    separation: float | None
    weak: bool
    post_stratified: Figure
    few_verdicts: Mapping[str, int]
    few_gold: tuple[str, ...]
    powered: Figure
    gold_only: Figure
    weight: float | None


def correct(
    confusion: Floats,
    verdicts: Floats,
    *,
    level: float = 0.95,
    gold_effect: float = 1.0,
    effect: float = 1.0,
) -> Correction:
    """Correct the counts of five ``verdicts`` by a 3 by 5 ``confusion`` (gold down).

    Design effects above 1 say how much fewer independent pairs there are. Raises
    ``ValueError`` for tables of another shape, counts below 0 or that are no numbers,
    and effects below 1.
    """
    table, said = _checked(confusion, (GOLD, VERDICTS)), _checked(verdicts, (VERDICTS,))
    if min(gold_effect, effect) < 1 or not np.isfinite([gold_effect, effect]).all():
        raise ValueError("a design effect is at least 1")
    total, gold = said.sum(), table.sum(1)
    few = tuple(NAMES[code] for code, n in enumerate(gold) if n < FEWEST_GOLD)
    post = _post_stratified(table, said, level, gold_effect, effect)
    powered = prediction_powered(
        table, said, level=level, gold_effect=gold_effect, effect=effect
    )
    beside = (post, _few_verdicts(table, said), few, *powered)
    if total == 0:
        return _without(Undefined(NO_TRAFFIC, None, 0), None, beside)
    if few:
        reason = f"not identified: fewer than {FEWEST_GOLD} held-out pairs with gold "
        reason += " or ".join(few)
        return _without(Undefined(reason, None, int(total)), None, beside)
    rates = table / gold[:, None]
    separation = float(np.linalg.svd(rates, compute_uv=False)[-1])
    if separation < REFUSED_BELOW:
        reason = "not identified: on held-out pairs the judge says nearly the same "
        reason += "whatever the gold"
        return _without(Undefined(reason, None, int(total)), separation, beside)
    shares = gold_shares(rates, said / total)
    spread = _spread(table / gold_effect, said / effect, shares)
    return Correction(
        _net(shares, spread, int(total), level),
        _decisive(shares, spread, int(total), level),
        (float(shares[0]), float(shares[1]), float(shares[2])),
        separation,
        separation < WEAK_BELOW,
        *beside,
    )


def gold_shares(rates: Floats, said: Floats) -> Floats:
    """Shares of the gold outcomes that explain the verdict shares best.

    Least squares on the simplex. ``rates`` are the chances of each verdict by gold.
    Source: Rogan and Gladen (1978), Am. J. Epidemiol. 107:71, for three classes.
    """
    ones = np.ones((1, GOLD))
    matrix = np.vstack([rates.T, _SUM_WEIGHT * ones])
    found, _ = nnls(matrix, np.append(said, _SUM_WEIGHT))
    shares: Floats = found / found.sum()
    return shares


def _few_verdicts(table: Floats, said: Floats) -> dict[str, int]:
    seen = table.sum(0)
    few = np.flatnonzero((said > 0) & (seen < FEWEST_GOLD))
    return {NAMES[verdict]: int(seen[verdict]) for verdict in few}


def _checked(counts: Floats, shape: tuple[int, ...]) -> Floats:
    found = np.asarray(counts, np.float64)
    if found.shape != shape or not np.isfinite(found).all() or (found < 0).any():
        msg = f"counts of shape {shape} are wanted, none below 0"
        raise ValueError(msg)
    return found


def _without(
    reason: Undefined, separation: float | None, beside: _Beside
) -> Correction:
    return Correction(reason, reason, None, separation, False, *beside)  # noqa: FBT003 - as named above


def _spread(table: Floats, said: Floats, shares: Floats) -> Floats:
    """Covariance of the shares: from the new verdicts and from the held-out rates.

    Delta method on the least squares with the sum held at one, the residual taken as
    nil.
    """
    smooth, q = table + _SPREAD, said + _SPREAD
    gold, total = smooth.sum(1), q.sum()
    rates, q = smooth / gold[:, None], q / total
    moves = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    inputs = rates.T @ moves
    solve = moves @ np.linalg.pinv(inputs)
    inner = (np.diag(q) - np.outer(q, q)) / total
    for share, row, n in zip(shares, rates, gold, strict=True):
        inner = inner + share**2 * (np.diag(row) - np.outer(row, row)) / n
    found: Floats = solve @ inner @ solve.T
    return found


def _net(shares: Floats, spread: Floats, n: int, level: float) -> Estimate:
    value = float(_TOWARDS @ shares)
    half = _half(float(_TOWARDS @ spread @ _TOWARDS), level)
    low, high = max(-1.0, value - half), min(1.0, value + half)
    return Estimate(value, None, n, low, high, level, ROGAN_GLADEN)


def _decisive(shares: Floats, spread: Floats, n: int, level: float) -> Figure:
    """Candidate over candidate and baseline."""
    lost, won = float(shares[BASELINE]), float(shares[CANDIDATE])
    decided = lost + won
    if decided <= 0:
        return Undefined("no decisive pairs are left after the correction", None, n)
    slope = np.array([-won, lost, 0.0]) / decided**2
    half = _half(float(slope @ spread @ slope), level)
    value = won / decided
    low, high = max(0.0, value - half), min(1.0, value + half)
    return Estimate(value, None, n, low, high, level, ROGAN_GLADEN)


def _half(variance: float, level: float) -> float:
    return float(ndtri((1 + level) / 2)) * sqrt(max(0.0, variance))


def _post_stratified(
    table: Floats, said: Floats, level: float, gold_effect: float, effect: float
) -> Figure:
    """Mean gold of each verdict, weighed by the verdicts given.

    A verdict without a held-out pair takes the mean of all. So each mean counts for its
    own verdict, and for its part of the mean of all: both rest on the same pairs.
    Source: Chen et al. (2026), arXiv 2601.05420.
    """
    total, seen = float(said.sum()), table.sum(0)
    gold, n = float(seen.sum()), round(total)
    if total == 0:
        return Undefined(NO_TRAFFIC, None, 0)
    if gold < FEWEST_GOLD:
        return Undefined("fewer than 5 held-out pairs with gold", None, n)
    pooled = float(_TOWARDS @ table.sum(1)) / gold
    means, variances = np.full(VERDICTS, pooled), np.zeros(VERDICTS)
    own = np.flatnonzero(seen)
    for verdict in own:
        counts = table[:, verdict] / gold_effect
        means[verdict], variances[verdict] = _mean_and_spread(counts)
    q, among = said / total, seen / gold
    without = float(q[seen == 0].sum())
    value = float(q @ means)
    weights = (q + without * among)[own]
    variance = float((weights**2 * variances[own] / seen[own]).sum()) * gold_effect
    variance += without**2 * float(among @ (means - pooled) ** 2) * gold_effect / gold
    variance += max(0.0, float(q @ means**2) - value**2) * effect / total
    half = _half(variance, level)
    low, high = max(-1.0, value - half), min(1.0, value + half)
    return Estimate(value, None, n, low, high, level, POST_STRATIFIED)


def _mean_and_spread(counts: Floats) -> tuple[float, float]:
    """Mean gold (-1, 0, 1) of counts, and its variance with a spread of cells."""
    mean = float(_TOWARDS @ counts / counts.sum())
    smooth = (counts + _SPREAD) / (counts + _SPREAD).sum()
    centre = float(_TOWARDS @ smooth)
    return mean, float(_TOWARDS**2 @ smooth) - centre**2
