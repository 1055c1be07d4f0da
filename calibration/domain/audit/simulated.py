"""Which judges were known to be simulated when a result was made."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from calibration.domain.audit.material import JudgeRow, Material, maybe, moment

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

ALWAYS = datetime.min.replace(tzinfo=UTC)


def simulated_since(row: Mapping[str, Any], material: Material) -> datetime | None:
    """Since when a judge is known to be simulated; old bundles go by its provider."""
    if "simulated_since" in row:
        known = maybe(row, "simulated_since", str)
        return moment(row, "simulated_since") if known else None
    return ALWAYS if material.providers.get(maybe(row, "provider", str) or "") else None


def any_simulated(judges: Iterable[JudgeRow], at: datetime) -> bool:
    """Whether one of these judges was known to be simulated by then."""
    return any(one.simulated is not None and one.simulated <= at for one in judges)
