"""What may follow on a request that brought no reply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from judging.domain.verdicts import Invalid


@dataclass(frozen=True, slots=True)
class Again:
    """Send the same request again after so many seconds; first a control, if told."""

    wait: float
    control: bool = False


@dataclass(frozen=True, slots=True)
class Hold:
    """Nothing is sent for so many seconds, then one request to see."""

    wait: float
    reason: str


@dataclass(frozen=True, slots=True)
class GiveUp:
    """This call ends here, as invalid."""

    reading: Invalid


@dataclass(frozen=True, slots=True)
class Stop:
    """No call can be answered at present; the run stops for this reason."""

    reason: str


@dataclass(frozen=True, slots=True)
class Doubt:
    """This call was rejected, and whether that is its answer is told by the others."""

    reading: Invalid


Decision = Again | Hold | GiveUp | Stop | Doubt
