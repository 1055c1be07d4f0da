"""What the pairs, labels and verdicts files hold, once read."""

from __future__ import annotations

import struct
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from annotation.domain.outcomes import Order, Outcome, Split
    from annotation.domain.texts import Text

    SystemPair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class CaseRecord:
    """One line of a pairs file: a case with one response of every system."""

    line: int
    case_id: str
    prompt: Text
    responses: Mapping[str, Text]
    context: Text | None
    reference: Text | None
    slices: Mapping[str, str]
    critical: bool
    group: str | None
    split: Split | None
    designed: Mapping[SystemPair, Outcome]
    response_meta: Mapping[str, Mapping[str, object]]
    extra: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class LabelRecord:
    """One line of a labels file: a reviewer's outcome on one pair."""

    line: int
    case_id: str
    reviewer: str
    outcome: Outcome
    systems: SystemPair
    note: str
    strength: int | None
    extra: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class VerdictRecord:
    """One line of a verdicts file: a judge's reply to one pair in one order.

    ``raw`` is the reply's text and may be empty; ``choice`` is what somebody else read
    from it (a slot choice, or ``invalid``). At least one of the two is given.
    """

    line: int
    case_id: str
    systems: SystemPair
    order: Order
    repeat: int
    raw: str | None
    choice: str | None
    extra: Mapping[str, object]


def differing(one: Any, two: Any) -> tuple[str, ...]:
    """Name the fields, other than the line, in which two records differ."""
    names = [field.name for field in fields(one) if field.name != "line"]
    return tuple(n for n in names if getattr(one, n) != getattr(two, n))


_MARK = struct.calcsize("q")
_CASE_FIELDS = tuple(f.name for f in fields(CaseRecord) if f.name != "line")


def fingerprint(record: CaseRecord) -> bytes:
    """Mark each field of a case but its line, so that it need not be kept to compare.

    Two fields with the same mark are equal but for a chance of 2^-64; marks hold within
    one process.
    """
    marks = [_mark(getattr(record, name)) for name in _CASE_FIELDS]
    return struct.pack(f"{len(marks)}q", *marks)


def differing_marks(one: bytes, two: bytes) -> tuple[str, ...]:
    """Name the fields in which two fingerprinted cases differ."""
    return tuple(
        name
        for place, name in enumerate(_CASE_FIELDS)
        if one[place * _MARK : (place + 1) * _MARK]
        != two[place * _MARK : (place + 1) * _MARK]
    )


def _mark(value: object) -> int:
    """Equal values have one mark, dicts whatever the order of their keys."""
    if isinstance(value, dict):
        return hash(frozenset((key, _mark(inner)) for key, inner in value.items()))
    if isinstance(value, list | tuple):
        return hash(tuple(_mark(inner) for inner in value))
    return hash(value)
