"""Which pairs a set had when a release was decided, and which were not judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from calibration.domain.unjudged import SetPair, not_judged

if TYPE_CHECKING:
    from datetime import datetime

    from calibration.domain.audit.material import Material, RunRow

    Document = dict[str, Any]


def not_judged_again(
    material: Material, run: RunRow, judged: list[Document], there: int
) -> Document:
    """Count the pairs that a run left out, of the first ``there`` of its set."""
    own = _own_pairs(material, run, judged)
    drawn = run.drawn["pairs"] if run.drawn is not None else None
    return not_judged(own[:there], judged, drawn)


def _own_pairs(
    material: Material, run: RunRow, judged: list[Document]
) -> list[SetPair]:
    """The pairs of a run's set and systems, in the order in which they came."""
    systems = {tuple(pair["systems"]) for pair in judged}
    return [
        SetPair(pair.number, pair.case.case_id, pair.case.critical, pair.systems)
        for _, pair in sorted(material.pairs.items())
        if pair.case.gold_set == run.gold_set.name
        and (not systems or pair.systems in systems)
    ]


def pairs_then(
    material: Material, run: RunRow, judged: list[Document], decided: datetime
) -> tuple[int, int]:
    """How many pairs the set had at least when it was decided, and has now.

    Rows of a set have no time. But one that was judged, labelled, ruled on or in gold
    by then was there, and so were all before it.
    """
    own = [pair.number for pair in _own_pairs(material, run, judged)]
    known = {int(pair["pair"]) for pair in judged}
    for version in material.versions.values():
        if version.at <= decided:
            known |= {item.pair.number for item in material.items[version.number]}
    for each in material.runs.values():
        if each.created <= decided:
            known |= set(each.readings)
    for said in (material.labels, material.rulings):
        known |= {n for n, rows in said.items() if any(r.at <= decided for r in rows)}
    places = [place for place, number in enumerate(own, start=1) if number in known]
    return max(places, default=0), len(own)
