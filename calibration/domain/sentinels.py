"""Cutting a sentinel panel into parts, and which of them is judged next."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime, timedelta

MOST_PARTS = 100
LATE = 1.5  # periods without a finished check make a panel overdue


class AlarmKind(StrEnum):
    """What a sentinel raises an alarm about."""

    DRIFT = "drift"
    SHIFT = "shift"
    AGREEMENT = "agreement"
    INVALID = "invalid"
    SERVED_MODEL = "served_model"
    OVERDUE = "overdue"


class CheckKind(StrEnum):
    """What a sentinel run judges."""

    REFERENCE = "reference"
    PART = "part"
    FRESH = "fresh"


@dataclass(frozen=True, slots=True)
class Step:
    """One check of a series: all pairs as a reference, or the next part.

    A ``cycle`` is a reference and a check of each part against it. Parts count from 1;
    a reference has part 0.
    """

    kind: CheckKind
    cycle: int
    part: int


def cut(clusters: Mapping[str, str], parts: int, seed: int) -> dict[str, int]:
    """Deal pairs to parts 1 to ``parts``, whole groups together, by a seed.

    ``clusters`` gives each pair its group. Groups come in an order drawn from the seed,
    each to the part with the fewest pairs so far. Raises ``ValueError`` for fewer
    groups than parts, as some part would then be empty.
    """
    groups: dict[str, list[str]] = defaultdict(list)
    for pair, group in sorted(clusters.items()):
        groups[group].append(pair)
    if not 1 <= parts <= MOST_PARTS:
        msg = f"parts must be 1 to {MOST_PARTS}"
        raise ValueError(msg)
    if len(groups) < parts:
        msg = f"{len(groups)} groups of pairs can't be cut into {parts} parts"
        raise ValueError(msg)
    sizes = dict.fromkeys(range(1, parts + 1), 0)
    dealt: dict[str, int] = {}
    for group in sorted(groups, key=lambda name: _drawn(seed, name)):
        part = min(sizes, key=lambda number: (sizes[number], number))
        sizes[part] += len(groups[group])
        dealt |= dict.fromkeys(groups[group], part)
    return dealt


def _drawn(seed: int, name: str) -> str:
    return hashlib.sha256(f"{seed}|{name}".encode()).hexdigest()


def next_step(done: Sequence[Step], parts: int) -> Step:
    """What follows the checks that a series has had, in their order.

    A series begins with a reference over all pairs. Each pair counts once against a
    reference, so after its last part there is a new one.
    """
    steps = [one for one in done if one.kind is not CheckKind.FRESH]
    if not steps:
        return Step(CheckKind.REFERENCE, 1, 0)
    last = steps[-1]
    if last.part < parts:
        return Step(CheckKind.PART, last.cycle, last.part + 1)
    return Step(CheckKind.REFERENCE, last.cycle + 1, 0)


def is_due(last: datetime | None, period: timedelta, now: datetime) -> bool:
    """Whether a period has passed since the last check began, if there was one."""
    return last is None or now >= last + period


def is_overdue(since: datetime, period: timedelta, now: datetime) -> bool:
    """Whether no check has ended for one and a half periods."""
    return now > since + LATE * period
