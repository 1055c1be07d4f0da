"""How many gold pairs a question needs, and which to label next (METHODS 3.16)."""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from scipy.special import bdtr, bdtrc

from annotation.domain.intervals import upper_bound, wilson

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

MOST = 200_000
LEVEL = 0.95
CONFIDENCE = 0.9
THIN = 20
SPARE = 20
_STEPS = 60
LIMIT = "a limit lies above 0 and below 1"
POWER = "a power lies above 0 and below 1"
DECISIVE = "a plan needs 1 decisive pair or more"


def half_width_pairs(half_width: float, rate: float = 0.5) -> int:
    """Pairs for a 95 % Wilson interval of at most this half-width at a true rate.

    Independent ones, as in all of this module; ``plan_clusters`` makes pairs of them.

    Raises ``ValueError`` for a half-width outside (0, 0.5) or a rate outside 0..1.
    """
    _check(
        0 < half_width < 0.5,  # noqa: PLR2004 - half of 0..1
        "a half-width lies above 0 and below 0.5 (50 %)",
    )
    _check(0 <= rate <= 1, "a rate lies between 0 and 1")

    def narrow(n: int) -> bool:
        found = wilson(n * rate, n, LEVEL)
        return (found.high - found.low) / 2 <= half_width

    return _first(narrow)


def spotless_pairs(limit: float, level: float = LEVEL) -> int:
    """Pairs without any failure that show a rate below ``limit`` (one-sided)."""
    _check(0 < limit < 1, LIMIT)
    return _first(lambda n: (1 - limit) ** n <= 1 - level)


def failures_allowed(
    n: int, limit: float, level: float = LEVEL, effect: float = 1.0
) -> int | None:
    """Most failures of ``n`` that still show a rate below ``limit``; None for none.

    The one-sided Clopper-Pearson bound is at most the limit exactly where so few
    failures have a chance of at most 1 - level at the limit. With a design effect the
    bound is that of the counts divided by it (Korn and Graubard 1998).
    """
    _check(n > 0 and effect >= 1, "failures are counted of 1 pair or more")
    _check(0 < limit < 1, LIMIT)
    if effect > 1:
        return _allowed_clustered(n, limit, level, effect)
    allowed = -1
    while allowed < n and bdtr(allowed + 1, n, limit) <= 1 - level:
        allowed += 1
    return None if allowed < 0 else allowed


def _allowed_clustered(n: int, limit: float, level: float, effect: float) -> int | None:
    passing = bisect(
        range(n + 1), limit, key=lambda x: upper_bound(x, n, level, effect)
    )
    return passing - 1 if passing else None


def gate_pairs(
    limit: float, true: float, *, power: float = 0.8, looks: int = 1
) -> int | None:
    """Fewest pairs on which an error rate of ``true`` passes ``limit`` with ``power``.

    Power falls a little each time before one more failure is allowed. So it must hold
    for this number and the next 19: a few pairs more than planned do no harm. With K
    looks each is at confidence 1 - 0.05/K (METHODS 3.13). None above 200,000. Raises
    ``ValueError`` unless 0 <= true < limit < 1 and 0 < power < 1.
    """
    _check(0 < limit < 1, LIMIT)
    _check(0 <= true < limit, "the true error rate lies below the limit, from 0 on")
    _check(0 < power < 1, POWER)
    _check(looks > 0, "a plan needs 1 look or more")
    alpha, allowed, short = (1 - LEVEL) / looks, -1, 0
    for n in range(1, MOST):
        while bdtr(allowed + 1, n, limit) <= alpha:
            allowed += 1
        if allowed < 0 or bdtr(allowed, n, true) < power:
            short = n
        elif n - short == SPARE:
            return short + 1
    return None


def sign_power(n: int, share: float) -> float:
    """Chance that the exact two-sided sign test at 5 % finds a true decisive share."""
    _check(n > 0, DECISIVE)
    _check(0 <= share <= 1, "a share lies between 0 and 1")
    few = -1
    while 2 * bdtr(few + 1, n, 0.5) <= 1 - LEVEL:
        few += 1
    if few < 0:
        return 0.0
    return float(bdtr(few, n, share) + bdtrc(n - few - 1, n, share))


def smallest_share(n: int, power: float = 0.8) -> float | None:
    """Smallest share above 1/2 that ``n`` decisive pairs find; None if none."""
    _check(n > 0, DECISIVE)
    _check(0 < power < 1, POWER)
    if sign_power(n, 1.0) < power:
        return None
    low, high = 0.5, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if sign_power(n, middle) >= power else (middle, high)
    return high


def share_pairs(share: float, power: float = 0.8) -> int | None:
    """Fewest decisive pairs on which the sign test finds a true decisive ``share``.

    As with a gate the power must hold for this number and the next 19. A share below
    1/2 is found like its complement. None above 200,000; raises ``ValueError`` unless
    0 <= share <= 1, other than 1/2, and 0 < power < 1.
    """
    _check(
        0 <= share <= 1 and share != 0.5,  # noqa: PLR2004 - even
        "a share of wins to find lies between 0 and 1 and is not 0.5 (50 %)",
    )
    _check(0 < power < 1, POWER)
    few, short = -1, 0
    for n in range(1, MOST):
        while 2 * bdtr(few + 1, n, 0.5) <= 1 - LEVEL:
            few += 1
        if few < 0 or bdtr(few, n, share) + bdtrc(n - few - 1, n, share) < power:
            short = n
        elif n - short == SPARE:
            return short + 1
    return None


def drawn_pairs(needed: int, share: float = 1.0) -> int:
    """Pairs to label so that ``needed`` of a class with ``share`` of gold are there.

    The 90 % point of the negative binomial, of independent pairs: a design effect comes
    after it (METHODS 3.16).
    """
    _check(needed > 0, "a plan needs 1 pair or more")
    _check(0 < share <= 1, "the share of a class lies above 0 and is 1 at most")
    return _first(lambda n: bool(bdtrc(needed - 1, n, share) >= CONFIDENCE), needed)


class Reason(StrEnum):
    """Why a pair is worth a label."""

    DISPUTED = "disputed"
    FLIPPING = "flipping"
    THIN_SLICE = "thin_slice"


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a pair: its names, slices, gold, labels, and the judge's flip.

    ``systems`` are (baseline, candidate).
    """

    case: str
    systems: tuple[str, str]
    slices: Mapping[str, str]
    has_gold: bool
    labels: int
    flips: bool


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A pair to label next, with the reasons and the thin slices it is in."""

    case: str
    systems: tuple[str, str]
    reasons: tuple[Reason, ...]
    slices: tuple[str, ...]


def suggestions(pairs: Iterable[Known]) -> tuple[Suggestion, ...]:
    """Rank pairs without gold by how many reasons there are, disputes first.

    Disputed: labelled and without gold. Flipping: the judge's winner changes with the
    order. Thin slice: fewer than 20 pairs of it have gold.
    """
    known = list(pairs)
    counts: dict[tuple[str, str], int] = {}
    for pair in known:
        for item in pair.slices.items():
            counts[item] = counts.get(item, 0) + pair.has_gold
    thin = {item for item, n in counts.items() if n < THIN}
    found = [_suggestion(pair, thin) for pair in known if not pair.has_gold]
    return tuple(sorted((s for s in found if s.reasons), key=_urgency))


def _suggestion(pair: Known, thin: set[tuple[str, str]]) -> Suggestion:
    slices = tuple(f"{k}={v}" for k, v in sorted(pair.slices.items()) if (k, v) in thin)
    told = {
        Reason.DISPUTED: pair.labels > 0,
        Reason.FLIPPING: pair.flips,
        Reason.THIN_SLICE: bool(slices),
    }
    reasons = tuple(reason for reason, true in told.items() if true)
    return Suggestion(pair.case, pair.systems, reasons, slices)


def _urgency(one: Suggestion) -> tuple[int, tuple[int, ...], str, tuple[str, str]]:
    order, pair = list(Reason), (one.case, one.systems)
    return -len(one.reasons), tuple(map(order.index, one.reasons)), *pair


def _first(holds: Callable[[int], bool], start: int = 1) -> int:
    """Smallest n from ``start`` on that holds, where larger ones hold as well."""
    high = max(1, start)
    while not holds(high):
        high *= 2
    low = max(start, high // 2)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return high


def _check(fine: bool, words: str) -> None:  # noqa: FBT001 - reads as a statement
    if not fine:
        raise ValueError(words)
