"""What a report knows of a pair beside gold and verdict, as far as texts tell it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from annotation.domain.outcomes import Outcome
from judging.domain.few_shot import few_shot_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from calibration.domain.samples import Row

__all__ = ["FAMILY", "FORMAT_SLICE", "alone", "few_shot_json", "is_own", "telling"]

FORMAT_SLICE = "response format"
FAMILY = "family"


def is_own(family: object, models: Iterable[str]) -> bool:
    """Whether a model's name, behind a vendor's with a slash, begins with a family."""
    if not isinstance(family, str) or not family.strip():
        return False
    wanted = family.strip().lower()
    return any(name.lower().split("/")[-1].startswith(wanted) for name in models)


def alone(baseline: bool, candidate: bool) -> Outcome | None:  # noqa: FBT001 - a pair of two sides
    """Give the side that alone has something."""
    if baseline == candidate:
        return None
    return Outcome.BASELINE if baseline else Outcome.CANDIDATE


def telling(rows: list[Row]) -> list[Row]:
    """Leave out the slice of forms where all pairs share one: it is the whole set."""
    if len({row.slices.get(FORMAT_SLICE) for row in rows}) > 1:
        return rows
    return [
        replace(row, slices={k: v for k, v in row.slices.items() if k != FORMAT_SLICE})
        for row in rows
    ]
