"""What the checks of a set say before a round opens on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.hygiene import Severity
from annotation.services.hygiene import last_check

if TYPE_CHECKING:
    from annotation.models import GoldSet


def check_facts(gold_set: GoldSet) -> dict[str, object]:
    """What the last run of the checks left to settle, to be kept with a round.

    The checks themselves are not run: that takes a minute on a large set.
    """
    found = last_check(gold_set)
    if found is None:
        return {"unchecked": True}
    facts: dict[str, object] = {}
    blocking = [
        r for r in found.results if r.severity is Severity.SETTLE_FIRST and r.count
    ]
    if blocking:
        facts["checks_to_settle"] = len(blocking)
        facts["findings_to_settle"] = sum(result.count for result in blocking)
    if found.stale:
        facts["checks_stale"] = True
    return facts
