"""Net preference by a few pairs with gold and many verdicts: PPI++ (METHODS 3.12).

The gold gives the mean, the verdicts narrow its interval as far as they go along with
gold. It takes the pairs with gold to be drawn like the others: another mix of outcomes
moves it, which the correction by the confusion stands.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import ndtri

from annotation.domain.estimates import Estimate, Undefined

if TYPE_CHECKING:
    from annotation.domain.estimates import Figure
    from calibration.domain.cells import Floats

# With fewer pairs an interval by the normal distribution says too much.
FEWEST = 20
METHOD = "PPI++, optimal weight"
GOLD_METHOD = "gold alone, normal"
# A judge without an error in the gold, and one verdict for all the rest.
NO_SPREAD = "nothing varies"
DUST = 1e-14  # a variance that floats leave of 0
ONE_GOLD = "all held-out gold is the same"
NO_TRAFFIC = "0 cases"
# Of gold baseline, candidate, tie; and of the verdicts, abstain and invalid as no side.
GOLD_VALUES = np.array([-1.0, 1.0, 0.0])
SAID_VALUES = np.array([-1.0, 1.0, 0.0, 0.0, 0.0])


class Powered(NamedTuple):
    """The net preference by both, by gold alone, and the weight of the verdicts.

    A weight of 0 leaves gold alone: then the judge adds nothing.
    """

    net: Figure
    gold_only: Figure
    weight: float | None


def prediction_powered(
    table: Floats,
    said: Floats,
    *,
    level: float = 0.95,
    gold_effect: float = 1.0,
    effect: float = 1.0,
) -> Powered:
    """Estimate from counts: gold down and five verdicts across, and those of the rest.

    theta = mean(Y) + w (mean(F of the rest) - mean(F)) with Y gold and F verdicts as
    -1, 0, 1; w = cov(Y, F) / (var(F) + n/N var(F of the rest)) is the weight with the
    least variance. Design effects divide n and N. Source: Angelopoulos, Duchi and
    Zrnic (2023), arXiv 2311.01453.
    """
    n, total = float(table.sum()), float(said.sum())
    if n < FEWEST:
        return _without(f"fewer than {FEWEST} held-out pairs with gold", round(n))
    mean, spread = _moments(GOLD_VALUES, table.sum(1))
    if spread == 0:
        return _without(ONE_GOLD, round(n))
    few, many = n / gold_effect, total / effect
    alone = _estimate(mean, spread / few, round(n), level, GOLD_METHOD)
    if total == 0:
        return Powered(Undefined(NO_TRAFFIC, None, 0), alone, None)
    guess, guesses = _moments(SAID_VALUES, table.sum(0))
    other, others = _moments(SAID_VALUES, said)
    both = float(GOLD_VALUES @ table @ SAID_VALUES) / n - mean * guess
    shared = both * n / (n - 1)
    noise = guesses + few / many * others
    weight = shared / noise if noise > 0 else 0.0
    rest = spread - 2 * weight * shared + weight**2 * guesses
    variance = rest / few + weight**2 * others / many
    value = mean + weight * (other - guess)
    net = _estimate(value, variance, round(total), level, METHOD)
    return Powered(net, alone, weight)


def _moments(values: Floats, counts: Floats) -> tuple[float, float]:
    """Mean and sample variance of values that occur so often."""
    n = float(counts.sum())
    mean = float(values @ counts) / n
    squares = float((values - mean) ** 2 @ counts)
    return mean, squares / (n - 1) if n > 1 else 0.0


def _estimate(
    value: float, variance: float, n: int, level: float, method: str
) -> Estimate:
    value = min(1.0, max(-1.0, value))
    if variance < DUST:
        return Estimate(value, None, n, None, None, None, NO_SPREAD)
    half = float(ndtri((1 + level) / 2)) * sqrt(variance)
    low, high = max(-1.0, value - half), min(1.0, value + half)
    return Estimate(value, None, n, low, high, level, method)


def _without(reason: str, n: int) -> Powered:
    undefined = Undefined(reason, None, n)
    return Powered(undefined, undefined, None)
