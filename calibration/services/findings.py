"""How many disagreements there are, and what they were found to be."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from annotation.domain.outcomes import Split
from annotation.models import GoldItem
from calibration.models import Disposition, Finding

if TYPE_CHECKING:
    from calibration.models import Report

PARTS = {Split.DEV.value: "dev", Split.HELD_OUT.value: "held_out", "": "unsplit"}


def finding_counts(
    report: Report, splits: dict[str, Any], *, held_out: bool
) -> dict[str, Any]:
    """Counts by part of a report; those of held-out pairs only when they are shown.

    ``splits`` are the stored blocks, of which the numbers of disagreements follow.
    """
    found = _found(report)
    dev, closed, whole = (_differing(splits[k]) for k in ("dev", "held_out", "all"))
    numbers = {"dev": dev, "held_out": closed, "unsplit": whole - dev - closed}
    return {
        part: None
        if part == "held_out" and not held_out
        else {
            "n": numbers[part],
            "reviewed": sum(found[part].values()),
            **{finding.value: found[part][finding.value] for finding in Finding},
        }
        for part in PARTS.values()
    }


def _found(report: Report) -> dict[str, Counter[str]]:
    rows = Disposition.objects.filter(
        run=report.run_id, gold_version=report.gold_version_id
    ).current()
    splits = dict(
        GoldItem.objects.filter(
            version=report.gold_version_id, pair__in=rows.values("pair")
        ).values_list("pair", "split")
    )
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for pair_id, finding in rows.values_list("pair", "finding"):
        found[PARTS[splits[pair_id]]][finding] += 1
    return found


def _differing(block: dict[str, Any]) -> int:
    """Pairs with gold and another verdict."""
    return sum(
        count
        for gold, row in block["confusion"].items()
        for verdict, count in row.items()
        if verdict != gold
    )
