"""What a decision rests on that other sets tell, which need not be in the bundle.

How many held-out pairs had texts whose results were open elsewhere, and how many looks
were planned at them, follows from every set with the same texts. Of these a bundle has
those that something in it rests on: they tell how many pairs it were at least.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotation.domain.outcomes import Split
from calibration.domain.audit.documents import document
from calibration.domain.audit.layout import evidence_file
from calibration.domain.audit.material import BadRow, get, moment
from calibration.domain.audit.people import texts_digest_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from calibration.domain.audit.beside_people import Seen
    from calibration.domain.audit.findings import Findings
    from calibration.domain.audit.material import Material, PairRow

    Row = Mapping[str, Any]

BAD = (BadRow, KeyError, TypeError, ValueError, AttributeError)


def check_elsewhere(
    material: Material, seen: Seen, files: dict[str, bytes], found: Findings
) -> None:
    """Compare what decisions say of other sets with those that are here."""
    for _, row in material.decisions:
        try:
            _check(row, material, seen, files, found)
        except BAD:
            continue  # Named where the decision is made again.


def _check(
    row: Row, material: Material, seen: Seen, files: dict[str, bytes], found: Findings
) -> None:
    name = evidence_file(get(row, "decision", int))
    told = document(files[name])["calibration"]
    if told is None:
        return
    said = told.get("open_elsewhere")
    held = _held_out(row, material)
    if said is not None and not 0 <= int(said) <= len(held):
        what = f"calibration.open_elsewhere is {said}, of {len(held)} held-out pairs"
        found.add(name, None, what)
        return
    texts = _open(material, seen, moment(row, "decided_at"))
    least = sum(texts_digest_of(pair) in texts for pair in held)
    if said is not None and int(said) < least:
        what = f"calibration.open_elsewhere is {said}; in sets of this bundle alone"
        found.add(name, None, f"{what} the texts of {least} were open")
    found.take(
        f"of decision {row['decision']}, calibration.open_elsewhere ({said}) and "
        "calibration.looks as the evidence has them: they count in all sets of the "
        f"site, of which this bundle holds {len(material.sets)}"
    )


def _held_out(row: Row, material: Material) -> list[PairRow]:
    """The held-out pairs of the gold that a decision's report is on."""
    (version,) = (
        each["version"]
        for _, each in material.reports
        if each["report"] == row["report"]
    )
    items = material.items[version]
    return [item.pair for item in items if item.split is Split.HELD_OUT]


def _open(material: Material, seen: Seen, decided: datetime) -> frozenset[str]:
    """Texts in sets that were judged by then, where nothing holds them out.

    Sets whose splits were assigned since are left out: what they had then is not told.
    """
    sets = {
        name
        for name, row in seen.rows["gold_sets"].items()
        if row["judged_at"] is not None and moment(row, "judged_at") <= decided
    }
    sets -= {
        name
        for name, row in seen.rows["splits"].items()
        if moment(row, "assigned_at") > decided
    }
    cases = seen.rows["cases"]
    return frozenset(
        texts_digest_of(pair)
        for pair in material.pairs.values()
        if (own := pair.case.gold_set) in sets
        and cases[own, pair.case.case_id]["split"] != Split.HELD_OUT.value
    )
