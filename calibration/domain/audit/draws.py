"""Drawing the panel of a release run once more: nobody chose its pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from calibration.domain.audit.layout import table_file
from calibration.domain.swap_panel import draw_panel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calibration.domain.audit.findings import Findings
    from calibration.domain.audit.material import Material, PairRow, RunRow


def check_draws(material: Material, found: Findings) -> None:
    """Compare the pairs that each run judged with those that its seed draws."""
    for run in material.runs.values():
        if run.drawn is None:
            continue
        expected = _drawn(material, run, run.drawn)
        if {*expected} != {*run.readings} or run.drawn["drawn"] != len(expected):
            what = (
                f"run {run.number} judged {len(run.readings)} pairs; its seed draws "
                f"{len(expected)}, and not the same"
            )
            found.add(table_file("runs"), run.row, what)


def _drawn(material: Material, run: RunRow, drawn: Mapping[str, Any]) -> set[int]:
    """Draw from the pairs that there were, in the set's own order."""
    pairs = _in_order(material, run)[: drawn["pairs"]]
    strata = {
        place: tuple(str(pair.case.slices.get(key, "")) for key in drawn["slices"])
        for place, pair in enumerate(pairs)
        if not pair.case.critical
    }
    places = {place for place, pair in enumerate(pairs) if pair.case.critical}
    places |= set(draw_panel(strata, share=drawn["share"], seed=drawn["seed"]))
    return {pairs[place].number for place in places}


def _in_order(material: Material, run: RunRow) -> list[PairRow]:
    name, systems = run.gold_set.name, run.gold_set.systems
    places = {key: place for place, key in enumerate(material.cases)}

    def place(pair: PairRow) -> tuple[int, int, int]:
        one, other = (systems.index(system) for system in pair.systems)
        return places[name, pair.case.case_id], one, other

    own = (pair for pair in material.pairs.values() if pair.case.gold_set == name)
    return sorted(own, key=place)
