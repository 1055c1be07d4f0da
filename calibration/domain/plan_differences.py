"""How many gold pairs show a difference: of two judges, and of dev and held-out."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from math import ceil, isfinite, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, bdtrc, bdtrik, gammaln, ndtri, xlog1py, xlogy

from calibration.domain.planning import LEVEL, MOST, POWER, SPARE

ROUNDING = 1e-9
_TAILS = 10.0

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]


def mcnemar_power(n: int, difference: float, discordant: float) -> float:
    """Chance that the exact McNemar test at 5 % finds a difference of two judges.

    Of ``n`` pairs a share of ``discordant`` is judged rightly by one judge alone, and
    ``difference`` is the share that the better one alone has right, less the other's.
    How many pairs are discordant is binomial, and given that many the test is a sign
    test: its power is averaged over them. Source: Duffy (1984), Biometrics 40,
    1005-1015, on Miettinen (1968), Biometrics 24, 339-352.
    """
    _check_judges(difference, discordant)
    if n < 1:
        raise ValueError("a plan needs 1 pair or more")
    return _least_power(range(n, n + 1), difference, discordant)


def judge_pairs(difference: float, discordant: float, power: float = 0.8) -> int | None:
    """Fewest pairs on which the exact McNemar test finds the difference of two judges.

    It must hold for this number and the next 19, as with a gate. Without the exact
    test's caution that is about (u sqrt(D) + v sqrt(D - d^2))^2 / d^2 for a discordant
    share D, a difference d and normal points u and v (Connor 1987, Biometrics 43,
    207-211). None above 200,000. Raises ``ValueError`` unless 0 < difference <=
    discordant <= 1 and 0 < power < 1.
    """
    _check_judges(difference, discordant)
    _check_power(power)

    def holds(n: int) -> bool:
        sizes = range(n, n + SPARE)
        return _least_power(sizes, difference, discordant) >= power - ROUNDING

    found = bisect_left(range(1, MOST), x=True, key=holds) + 1
    return found if found < MOST else None


@dataclass(frozen=True, slots=True)
class TwoParts:
    """Scored pairs that dev and held-out need."""

    dev: int
    held_out: int


def gap_pairs(
    gap: float, dev_rate: float, *, held_out_share: float = 0.5, power: float = 0.8
) -> TwoParts | None:
    """Fewest pairs on which a rate on held-out shows as ``gap`` below that on dev.

    Two independent samples of rates p and q, at 5 % two-sided: dev needs
    (u sqrt((r + 1) m (1 - m)) + v sqrt(r p (1 - p) + q (1 - q)))^2 / (r (p - q)^2)
    pairs and held-out r times as many, where m = (p + r q) / (r + 1). Source: Fleiss,
    Levin and Paik (2003), Statistical Methods for Rates and Proportions, 4.2 and 4.4,
    without continuity correction, which the Newcombe interval of the gap has not
    either. A negative ``gap`` is a rate that is higher on held-out. None above 200,000
    pairs together. Raises ``ValueError`` unless both rates lie in 0..1 and differ, and
    0 < held_out_share < 1, 0 < power < 1.
    """
    _check_gap(gap, dev_rate)
    _check_power(power)
    if not 0 < held_out_share < 1:
        raise ValueError("the held-out share lies above 0 and below 1")
    p, q = dev_rate, min(1.0, max(0.0, dev_rate - gap))
    ratio = held_out_share / (1 - held_out_share)
    mean = (p + ratio * q) / (ratio + 1)
    u, v = float(ndtri((1 + LEVEL) / 2)), float(ndtri(power))
    pooled = sqrt((ratio + 1) * mean * (1 - mean))
    apart = sqrt(ratio * p * (1 - p) + q * (1 - q))
    needed = max(0.0, u * pooled + v * apart) ** 2 / (ratio * (p - q) ** 2)
    if needed * (1 + ratio) > MOST:
        return None
    dev, held_out = (max(1, ceil(x - ROUNDING)) for x in (needed, needed * ratio))
    return TwoParts(dev, held_out)


def _least_power(sizes: range, difference: float, discordant: float) -> float:
    """The power at that of these sizes where it is least."""
    counts = np.arange(
        _around(sizes[0], discordant)[0], _around(sizes[-1], discordant)[1]
    )
    powers = _sign_powers(counts, (discordant + difference) / (2 * discordant))
    return min(float(_chances(n, discordant, counts) @ powers) for n in sizes)


def _around(n: int, share: float) -> tuple[int, int]:
    """First and one past the last count of ``n`` that has a chance worth counting."""
    mean, reach = n * share, _TAILS * (1 + sqrt(n * share * (1 - share)))
    return max(0, int(mean - reach)), min(n, ceil(mean + reach)) + 1


def _chances(n: int, share: float, counts: _Counts) -> _Floats:
    """Binomial chances; none of more than ``n``."""
    some = np.minimum(counts, n)
    ways = gammaln(n + 1) - gammaln(some + 1) - gammaln(n - some + 1)
    logs = ways + xlogy(some, share) + xlog1py(n - some, -share)
    return np.where(counts > n, 0.0, np.exp(logs))


def _sign_powers(sizes: _Counts, share: float) -> _Floats:
    """``planning.sign_power`` of each number of discordant pairs."""
    half = (1 - LEVEL) / 2
    guess = bdtrik(half, np.maximum(sizes, 1).astype(np.float64), 0.5)
    few = np.clip(np.nan_to_num(np.floor(guess), nan=-1).astype(np.int64), -1, sizes)
    few = np.where(_below(few + 1, sizes) <= half, few + 1, few)
    few = np.where(_below(few, sizes) > half, few - 1, few)
    some = few >= 0
    low, size = few[some], sizes[some]
    powers = np.zeros(len(sizes))
    powers[some] = bdtr(low, size, share) + bdtrc(size - low - 1, size, share)
    return powers


def _below(few: _Counts, sizes: _Counts) -> _Floats:
    """Chance of so few heads or fewer; none of fewer than none."""
    return np.where(few < 0, 0.0, bdtr(np.clip(few, 0, sizes), sizes, 0.5))


def _check_judges(difference: float, discordant: float) -> None:
    if not 0 < discordant <= 1:
        raise ValueError(
            "the share of pairs that one judge alone has right lies above 0 and is 1 "
            "(100 %) at most"
        )
    if not 0 < difference <= discordant:
        raise ValueError(
            "two judges differ by more than 0, and by no more than the share of pairs "
            "that one of them alone has right"
        )


def _check_gap(gap: float, dev_rate: float) -> None:
    if not 0 <= dev_rate <= 1:
        raise ValueError("the rate on dev lies between 0 and 1")
    if not (isfinite(gap) and gap and -ROUNDING <= dev_rate - gap <= 1 + ROUNDING):
        raise ValueError(
            "a gap is not 0, and leaves the rate on held-out between 0 and 1"
        )


def _check_power(power: float) -> None:
    if not 0 < power < 1:
        raise ValueError(POWER)
