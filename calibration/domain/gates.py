"""Limits that a judge keeps, or is not shown to keep (METHODS 3.15).

No limit is set on a point estimate: the one-sided Clopper-Pearson bound has to lie on
the right side, at a confidence that allows for the number of looks (METHODS 3.13).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from annotation.domain.intervals import lower_bound, upper_bound

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

ERROR = 0.05


class Side(StrEnum):
    """On which side of the limit a rate has to be."""

    AT_LEAST = "at_least"
    AT_MOST = "at_most"


class GateResult(StrEnum):
    """``not_shown``: the data leave it open. ``too_few``: no record could pass."""

    PASS = "pass"  # noqa: S105 - no password
    FAIL = "fail"
    NOT_SHOWN = "not_shown"
    TOO_FEW = "too_few"


# Name of a limit: where the rate stands in a block of the report, and its good side.
RATES: dict[str, tuple[str, Side]] = {
    "agreement": ("exact_agreement", Side.AT_LEAST),
    "false_candidate_wins": ("false_candidate_wins", Side.AT_MOST),
    "false_baseline_wins": ("false_baseline_wins", Side.AT_MOST),
    "critical_false_candidate_wins": ("critical.false_candidate_wins", Side.AT_MOST),
    "flip_rate": ("position.flip_rate", Side.AT_MOST),
    "invalid_rate": ("invalid_rate", Side.AT_MOST),
}


@dataclass(frozen=True, slots=True)
class Limit:
    """What one rate has to be."""

    name: str
    side: Side
    value: float


@dataclass(frozen=True, slots=True)
class Count:
    """A rate as counts; ``effect`` is the design effect of its clusters."""

    hits: int
    cases: int
    effect: float = 1.0


@dataclass(frozen=True, slots=True)
class Gate:
    """One limit, and what the counts say about it. ``bound`` is None of no case."""

    limit: Limit
    count: Count
    bound: float | None
    confidence: float
    result: GateResult


def limits_of(wanted: Mapping[str, float]) -> tuple[Limit, ...]:
    """Check limits by name; raises ``ValueError`` for unknown or useless ones."""
    found = []
    for name, value in wanted.items():
        if name not in RATES:
            known = ", ".join(RATES)
            msg = f"{name}: no such limit; there are {known}"
            raise ValueError(msg)
        if not 0 < value < 1:
            msg = f"{name}: a limit lies between 0 and 1"
            raise ValueError(msg)
        found.append(Limit(name, RATES[name][1], float(value)))
    return tuple(found)


def confidence_of(looks: int) -> float:
    """One-sided confidence of each gate where ``looks`` were planned."""
    return 1 - ERROR / looks


def gate(limit: Limit, count: Count, confidence: float) -> Gate:
    """Hold counts against a limit at a one-sided confidence."""
    if not count.cases:
        return Gate(limit, count, None, confidence, GateResult.TOO_FEW)
    low = lower_bound(count.hits, count.cases, confidence, count.effect)
    high = upper_bound(count.hits, count.cases, confidence, count.effect)
    if limit.side is Side.AT_LEAST:
        bound, kept, broken = low, low >= limit.value, high < limit.value
        hopeless = lower_bound(count.cases, count.cases, confidence) < limit.value
    else:
        bound, kept, broken = high, high <= limit.value, low > limit.value
        hopeless = upper_bound(0, count.cases, confidence) > limit.value
    result = GateResult.NOT_SHOWN
    if kept:
        result = GateResult.PASS
    elif broken:
        result = GateResult.FAIL
    elif hopeless:
        result = GateResult.TOO_FEW
    return Gate(limit, count, bound, confidence, result)


def all_pass(gates: Iterable[Gate]) -> bool:
    """Whether there is a gate and every one is passed; nothing is averaged."""
    results = [one.result for one in gates]
    return bool(results) and all(result is GateResult.PASS for result in results)
