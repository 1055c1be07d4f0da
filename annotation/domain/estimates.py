"""How every number leaves a domain package: an estimate, or undefined with a reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its interval.

    ``numerator`` and ``denominator`` are counts of cases (``None`` for figures that are
    no simple share, such as kappa, whose ``denominator`` is then the number of cases
    used). ``low`` and ``high`` are in the unit of ``value``; ``level`` is the two-sided
    confidence level; ``method`` names the interval method. ``design_effect`` is 1 when
    every case stands alone (METHODS 3.5).
    """

    value: float
    numerator: int | None
    denominator: int
    low: float | None
    high: float | None
    level: float | None
    method: str | None
    design_effect: float = 1.0


@dataclass(frozen=True, slots=True)
class Undefined:
    """A number that does not exist for these data. Never shown as 0 or 100 %."""

    reason: str
    numerator: int | None = None
    denominator: int | None = None


Figure = Estimate | Undefined
