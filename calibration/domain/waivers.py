"""Waivers: recorded exceptions for named critical cases (DESIGN rule 24).

One lifts only the cases that it names, only for the baseline and the candidate that it
names, and only while it is in force: confirmed by somebody other than who asked for it,
not revoked, not expired. It never hides what it lifts: the condition keeps its value
and names the cases.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    Pairing = tuple[str, ...]

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


class WaiverState(StrEnum):
    """Whether a waiver counts. Only one in force does."""

    IN_FORCE = "in_force"
    UNCONFIRMED = "unconfirmed"
    REVOKED = "revoked"
    EXPIRED = "expired"

    @property
    def words(self) -> str:
        """As it is shown."""
        return self.value.replace("_", " ")


def end_of_day(text: str) -> datetime | None:
    """When a day that is written alone is over, in UTC; None of any other text."""
    if not _DAY.fullmatch(text.strip()):
        return None
    try:
        day = date.fromisoformat(text.strip())
        return datetime.combine(day + timedelta(days=1), time(), tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


@dataclass(frozen=True, slots=True)
class Standing:
    """What has happened to a waiver by now: who asked, who confirmed, who revoked."""

    asked_by: str
    expires_at: datetime
    confirmed_by: str | None = None
    revoked: bool = False


def state_of(standing: Standing, now: datetime) -> WaiverState:
    """Whether a waiver counts now; it has expired at the very moment that it names."""
    if standing.revoked:
        return WaiverState.REVOKED
    if now >= standing.expires_at:
        return WaiverState.EXPIRED
    if not standing.confirmed_by or standing.confirmed_by == standing.asked_by:
        return WaiverState.UNCONFIRMED
    return WaiverState.IN_FORCE


def is_for(
    waiver: Mapping[str, Any], of_set: Sequence[str], compared: Collection[Pairing]
) -> bool:
    """Whether a waiver is for the two systems that a run compares.

    One that names none is older, and counts where its set has no other systems.
    """
    named = waiver["systems"]
    if named is None:
        return len(of_set) == len(("baseline", "candidate"))
    return set(compared) == {tuple(named)}


def lifted_by(
    waivers: Iterable[Mapping[str, Any]],
    of_set: Sequence[str],
    compared: Collection[Pairing],
) -> dict[str, list[str]]:
    """Case id to the ids of the waivers in force that name it and the systems.

    ``waivers`` are those of an evidence document: ``id``, ``case_ids``, ``systems``,
    ``state`` and what was written down with them. ``of_set`` are all systems of the
    set, ``compared`` the baseline and candidate of each pair of the run.
    """
    found: dict[str, list[str]] = {}
    for waiver in waivers:
        in_force = waiver["state"] == WaiverState.IN_FORCE
        if in_force and is_for(waiver, of_set, compared):
            for case in waiver["case_ids"]:
                found.setdefault(case, []).append(str(waiver["id"]))
    return found
