"""Watching a judge for as long as one likes, at one error rate for all looks together.

A fixed-sample test that is repeated daily finds drift sooner or later where there is
none. What is computed here stays valid whenever one looks and however often: the
chance that an e-value ever reaches 20 without drift is at most 1 in 20 (Ville 1939),
and the chance that a confidence sequence ever misses the truth is at most 1 - level
(METHODS 3.14).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, fsum, isfinite, log, log1p
from typing import TYPE_CHECKING

from scipy.optimize import brentq
from scipy.special import betaincc, betaln

from annotation.domain.estimates import Estimate, Undefined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from annotation.domain.estimates import Figure

ALARM_AT = 20.0
ALPHA = 1 / ALARM_AT
_PRIOR = 0.5  # of the beta mixture, both sides (Krichevsky and Trofimov)
_LOG_PRIOR = float(betaln(_PRIOR, _PRIOR))
_LARGEST = 700.0  # what exp still takes


@dataclass(frozen=True, slots=True)
class Counted:
    """Changes against one reference: groups that got worse, and better."""

    worse: int
    better: int


@dataclass(frozen=True, slots=True)
class Monitor:
    """The evidence for drift to the worse, over all references so far.

    ``evidence`` is the e-value: it is expected to stay at 1 or below without drift, and
    ``alarm`` says whether it is 20 or more now.
    """

    evidence: float
    worse: int
    better: int
    references: int
    alarm: bool
    level: float = 1 - ALPHA


def watch(cycles: Sequence[Counted], *, two_sided: bool = False) -> Monitor:
    """Multiply the evidence of each reference; each began with a fresh run.

    Given all that came before, the verdicts of a fresh reference and of what follows
    it are exchangeable where nothing drifts, so that the product is an e-value again.
    """
    total = fsum(
        log_evidence(one.worse, one.better, two_sided=two_sided) for one in cycles
    )
    return Monitor(
        evidence=exp(min(total, _LARGEST)),
        worse=sum(one.worse for one in cycles),
        better=sum(one.better for one in cycles),
        references=len(cycles),
        alarm=total >= log(ALARM_AT),
    )


def evidence(worse: int, better: int, *, two_sided: bool = False) -> float:
    """The e-value that changes for the worse outnumber those for the better.

    The likelihood ratio of a share p of the worse, mixed over p by Beta(1/2, 1/2) on
    p > 1/2 (one-sided) or on all p, against p = 1/2.
    """
    total = log_evidence(worse, better, two_sided=two_sided)
    return exp(min(total, _LARGEST))


def log_evidence(worse: int, better: int, *, two_sided: bool = False) -> float:
    """The logarithm of :func:`evidence`, for large counts."""
    if min(worse, better) < 0:
        raise ValueError("counts cannot be negative")
    a, b = worse + _PRIOR, better + _PRIOR
    mixed = float(betaln(a, b)) - _LOG_PRIOR + (worse + better) * log(2)
    if two_sided:
        return mixed
    part = 2 * float(betaincc(a, b, 0.5))
    return mixed + log(part) if part > 0 else -_LARGEST


def alpha_of(number: int, alpha: float = ALPHA) -> float:
    """The error rate of the ``number``-th in an endless row of tests.

    alpha/(k(k+1)) adds up to alpha, so all of them together keep it.
    """
    if number < 1:
        raise ValueError("tests are counted from 1")
    return alpha / (number * (number + 1))


def confidence_sequence(hits: float, n: float, level: float = 0.95) -> Figure:
    """A rate with limits that hold at all times at once, ``hits`` of ``n`` so far.

    Where the beta mixture against a rate p has not reached 1/(1 - level), p is inside.
    Hits may be shares of a unit between 0 and 1: the mixture of p^x (1-p)^(n-x) is
    convex in each unit's share, so the limits only become wider than they need be.
    """
    if not 0 < level < 1:
        raise ValueError("a level lies between 0 and 1")
    if not 0 <= hits <= n or not isfinite(n):
        msg = f"{hits} of {n} is no rate"
        raise ValueError(msg)
    if n == 0:
        return Undefined("0 cases", None, 0)
    value, misses = hits / n, n - hits
    mixed = float(betaln(hits + _PRIOR, misses + _PRIOR)) - _LOG_PRIOR
    bound = -log1p(-level) - mixed  # kept while hits ln p + misses ln(1-p) is above

    def gap(p: float) -> float:
        under = (hits * log(p) if hits else 0.0) + (misses * log1p(-p) if misses else 0)
        return under + bound

    tiny = 1e-12
    low = 0.0 if hits == 0 or gap(tiny) >= 0 else float(brentq(gap, tiny, value))
    most = 1 - tiny
    high = 1.0 if misses == 0 or gap(most) >= 0 else float(brentq(gap, value, most))
    whole = float(hits).is_integer()
    return Estimate(
        value=value,
        numerator=int(hits) if whole else None,
        denominator=round(n),
        low=min(low, value),
        high=max(high, value),
        level=level,
        method="confidence sequence, beta mixture",
    )
