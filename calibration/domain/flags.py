"""Which slices are worse than the rest, allowing for there being many (METHODS 3.8)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scipy.special import betainc

from annotation.domain.estimates import Undefined
from annotation.domain.intervals import holm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from annotation.domain.estimates import Figure

FEWEST = 20
ALPHA = 0.05
METHOD = "binomial, exact, one-sided; holm"
CLUSTERED = "binomial, exact, one-sided, clustered; holm"


@dataclass(frozen=True, slots=True)
class Flag:
    """Whether one slice's error rate is shown to be above ``limit``.

    ``errors`` of ``n`` pairs were wrong. ``p_value`` is the chance of as many or more
    at the limit, ``adjusted`` the same after Holm over all slices tested; where pairs
    hang together it is that of both counts over the design effect, and the method says
    "clustered". A slice of fewer than 20 is not tested: ``needed`` is how many pairs
    it lacks.
    """

    errors: int
    n: int
    limit: float | None
    p_value: float | None
    adjusted: float | None
    flagged: bool
    needed: int
    method: str


UNTESTED = Flag(0, 0, None, None, None, flagged=False, needed=FEWEST, method=METHOD)


def flags(
    rates: Sequence[Figure], whole: Figure, *, turned: bool = False
) -> tuple[Flag, ...]:
    """Test every rate against that of the whole, Holm over those of 20 or more.

    ``turned`` takes the rates as shares of right verdicts, and tests what they leave.
    """
    limit = None if isinstance(whole, Undefined) else _left(whole.value, turned=turned)
    found = [_flag(rate, limit, turned=turned) for rate in rates]
    tested = [flag.p_value for flag in found if flag.p_value is not None]
    adjusted = iter(holm(tested))
    return tuple(
        flag if flag.p_value is None else _judged(flag, next(adjusted))
        for flag in found
    )


def _flag(rate: Figure, limit: float | None, *, turned: bool) -> Flag:
    n, hits = rate.denominator or 0, rate.numerator or 0
    errors, needed = n - hits if turned else hits, max(0, FEWEST - n)
    p_value, method = None, METHOD
    if limit is not None and not needed and not isinstance(rate, Undefined):
        p_value = binomial_tail(errors, n, limit, rate.design_effect)
        method = METHOD if rate.design_effect == 1 else CLUSTERED
    return Flag(
        errors, n, limit, p_value, None, flagged=False, needed=needed, method=method
    )


def _judged(flag: Flag, adjusted: float) -> Flag:
    return replace(flag, adjusted=adjusted, flagged=adjusted <= ALPHA)


def _left(value: float, *, turned: bool) -> float:
    return 1 - value if turned else value


def binomial_tail(x: int, n: int, rate: float, design_effect: float = 1.0) -> float:
    """Chance of ``x`` or more of ``n`` at a true ``rate``: an incomplete beta.

    With a design effect d the counts are x/d and n/d, as for the intervals.
    """
    if x <= 0:
        return 1.0
    hits, cases = x / design_effect, n / design_effect
    return float(betainc(hits, cases - hits + 1, rate))
