"""Where a series of a sentinel stands: what its headline may say, by the evidence.

An alarm first, as it holds however often one looks; then a change that the newest
look shows; then too little evidence to say anything; and only then that nothing is
shown. "Nothing is shown" is never said of verdicts of which many changed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from calibration.domain.alarms import FEWEST_MOVED
from calibration.domain.sentinels import AlarmKind, CheckKind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    Payload = Mapping[str, Any]

FEWEST = 20  # comparisons, as everywhere: below it nothing is said of a rate
MANY = 0.2  # changed, where no rerun tells how many change without drift
ONE_LOOK = 0.05
# What is said first where a series has raised several.
ORDER = (
    AlarmKind.DRIFT,
    AlarmKind.INVALID,
    AlarmKind.AGREEMENT,
    AlarmKind.SHIFT,
    AlarmKind.SERVED_MODEL,
)


class Stands(StrEnum):
    """What the evidence comes to."""

    UNMEASURED = "unmeasured"
    REFERENCE = "reference"
    ALARM = "alarm"
    CHANGED = "changed"
    TOO_LITTLE = "too_little"
    NOTHING_SHOWN = "nothing_shown"


class Sign(StrEnum):
    """What shows a change at one look."""

    WORSE = "worse"
    BETTER = "better"
    SHARES = "shares"
    RATE = "rate"


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a series stands, on the comparison that says so.

    ``changed`` of ``compared`` verdicts or marks differ from ``reference`` (0 for the
    first one); ``left_out`` were invalid either time. ``alarm`` is the one to name.
    """

    stands: Stands
    alarm: AlarmKind | None = None
    signs: tuple[Sign, ...] = ()
    compared: int = 0
    changed: int = 0
    left_out: int = 0
    reference: int = 0


def standing(points: Sequence[Payload], raised: Collection[AlarmKind]) -> Standing:
    """Where a series stands after its points, in order, and the alarms it raised."""
    own = [one for one in points if one["kind"] != CheckKind.FRESH.value]
    compared = list(_comparisons(own))
    shown = next((each for each in compared if each.signs), None)
    best = shown or max(compared, key=lambda each: each.compared, default=None)
    alarm = next((kind for kind in ORDER if kind in raised), None)
    if alarm is not None:
        return _as(best, Stands.ALARM, alarm)
    if best is None:
        return Standing(Stands.REFERENCE if own else Stands.UNMEASURED)
    if shown is not None:
        return _as(shown, Stands.CHANGED)
    return _as(
        best, Stands.NOTHING_SHOWN if best.compared >= FEWEST else Stands.TOO_LITTLE
    )


def _as(
    found: Standing | None, stands: Stands, alarm: AlarmKind | None = None
) -> Standing:
    return replace(found or Standing(stands), stands=stands, alarm=alarm)


def _comparisons(points: Sequence[Payload]) -> Iterator[Standing]:
    """The newest parts beside their reference, and that reference beside the first."""
    if not points:
        return
    newest = points[-1]
    rerun = next((p["rerun"] for p in reversed(points) if p.get("rerun")), None)
    since = newest.get("since_reference")
    if since:
        yield _compared(since, rerun, newest["cycle"])
    for one in reversed(points):
        if one["kind"] == CheckKind.REFERENCE.value:
            if one["against_first"]:
                yield _compared(one["against_first"], rerun, 0)
            return


def _compared(told: Payload, rerun: Payload | None, reference: int) -> Standing:
    rate, counts = told["change_rate"], told.get("counts", told)
    return Standing(
        stands=Stands.CHANGED,
        signs=tuple(_signs(told, rerun)),
        compared=rate.get("denominator") or 0,
        changed=rate.get("numerator") or 0,
        left_out=counts["left_out"],
        reference=reference,
    )


def _signs(told: Payload, rerun: Payload | None) -> Iterator[Sign]:
    test, shares = told["test"], told.get("shares")
    if test["p_value"] is not None and test["p_value"] <= ONE_LOOK:
        down = told.get("worse_groups", told.get("lower_groups", 0))
        up = told.get("better_groups", told.get("higher_groups", 0))
        yield Sign.WORSE if down > up else Sign.BETTER
    if shares and shares["n"] >= FEWEST_MOVED and shares["p_value"] <= ONE_LOOK:
        yield Sign.SHARES
    high = rerun.get("high") if rerun else None
    noise, low = MANY if high is None else high, told["change_rate"].get("low")
    if low is not None and low > noise:
        yield Sign.RATE
