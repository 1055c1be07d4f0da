"""Drawing the splits of a set once more, where a seed drew all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotation.domain.split_strata import stratum, together
from annotation.domain.splits import SplitItem, assign_splits
from annotation.domain.texts import plain_text, text_from_json
from calibration.domain.audit.layout import table_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calibration.domain.audit.findings import Findings
    from calibration.domain.audit.material import Material

    Row = Mapping[str, Any]


def check_drawn(
    name: str, splits: Mapping[str, str], last: Row, material: Material, found: Findings
) -> None:
    """Compare the splits of a set with those that its newest assignment draws.

    Only where every case was drawn, and not by its outcome: which case had a split
    before, and what labels then came to, a bundle does not tell.
    """
    drawn = last["reassigned"] or last["moved"] == len(splits)
    if last["by_class"] or not drawn:
        return
    found.counts["splits drawn"] += 1
    if _drawn(name, last, material) != splits:
        what = f"the splits of {name} are not those that its seed draws"
        found.add(table_file("splits"), None, what)


def _drawn(name: str, last: Row, material: Material) -> dict[str, str]:
    cases = [case for case in material.cases.values() if case.gold_set == name]
    prompts = (plain_text(text_from_json(case.prompt)) for case in cases)
    groups, _ = together(
        [case.case_id for case in cases],
        [case.group or None for case in cases],
        [None] * len(cases),
        prompts if last["join_near_duplicates"] else None,
    )
    items = [
        SplitItem(case.case_id, stratum(case.slices, last["slices"]), group)
        for case, group in zip(cases, groups, strict=True)
    ]
    plan = assign_splits(items, last["seed"], last["held_out_share"])
    return {str(case): split.value for case, split in plan.assigned.items()}
