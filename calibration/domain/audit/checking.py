"""Comparing reports, findings and notes with what follows from the rows."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from annotation.domain.digests import canonical_json
from annotation.domain.strict_json import BrokenJson, decode, flaws
from calibration.domain.audit.comparing import Difference, Missing, differences
from calibration.domain.audit.judged import FINISHED
from calibration.domain.audit.layout import (
    NOTES_CSV,
    NOTES_HTML,
    report_file,
    table_file,
)
from calibration.domain.audit.material import BadRow, Material, get, known, moment
from calibration.domain.audit.notes import TITLE, as_csv, as_html, notes_from
from calibration.domain.audit.people import looks
from calibration.domain.audit.results import report_again

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calibration.domain.audit.findings import Findings

    Row = Mapping[str, Any]

__all__ = ["check_results", "exposures", "findings", "looks", "reports"]
REPORTS, RUNS = table_file("reports"), table_file("runs")
MOST_DIFFERENCES = 3
BAD = (BadRow, KeyError, TypeError, ValueError, AttributeError, ArithmeticError)


def reports(row: Row, number: int, material: Material) -> None:
    """A report; its bytes come later."""
    known(material.runs, row["run"], "a run")
    known(material.versions, row["version"], "a gold version")
    material.reports.append((number, row))


def findings(row: Row, _number: int, material: Material) -> None:
    """What somebody found a disagreement to be."""
    known(material.runs, row["run"], "a run")
    known(material.pairs, row["pair"], "a pair")


def exposures(row: Row, _number: int, material: Material) -> None:
    """Who saw what about a pair."""
    known(material.pairs, row["pair"], "a pair")
    moment(row, "seen_at")


def check_results(material: Material, files: dict[str, bytes], found: Findings) -> None:
    """Count the calls of every run, and work out reports and notes again."""
    for run in material.runs.values():
        if run.status in FINISHED and run.seen != run.calls:
            what = f"run {run.number} has {run.calls} calls; {run.seen} are there"
            found.add(RUNS, run.row, what)
        found.counts["calls"] += run.seen
    names = {NOTES_HTML, NOTES_CSV}
    for row, report in material.reports:
        try:
            names.add(_check_report(report, material, files, found))
        except BAD as error:
            what = f"it can't be computed again: {str(error) or type(error).__name__}"
            found.add(REPORTS, row, " ".join(what.split())[:400])
    _check_notes(material, files, found)
    for name in files.keys() - names:
        found.add(name, None, "it belongs to no row of a table")


def _check_report(
    report: Row,
    material: Material,
    files: dict[str, bytes],
    found: Findings,
) -> str:
    """Compare a report with what follows from the rows; give its file."""
    name = report_file(get(report, "report", int))
    payload = files.get(name)
    if payload is None:
        raise BadRow(f"{name} is not there")
    if hashlib.sha256(payload).hexdigest() != report["digest"]:
        found.add(name, None, "it does not fit the digest in its row")
    stored = _document(payload)
    if payload != canonical_json(stored):
        found.add(name, None, "it is not written as canonical JSON")
    again = report_again(
        material,
        material.runs[report["run"]],
        material.versions[report["version"]],
        moment(report, "created_at"),
        get(stored["bootstrap"], "seed", int),
        # A lead may name them at any time: a report says which it took.
        tuple(map(str, stored["gold"].get("families", ()))),
    )
    found.counts["reports"] += 1
    compare(name, stored, again, found)
    return name


def _document(payload: bytes) -> Any:
    try:
        value = decode(payload.decode())
    except (UnicodeDecodeError, BrokenJson) as error:
        raise BadRow("its file is no JSON") from error
    for path, reason in flaws(value):
        raise BadRow(f"in its file {path or 'it'} {reason}")
    if not isinstance(value, dict):
        raise BadRow("its file is no object")
    return value


def compare(
    name: str, stored: dict[str, Any], again: dict[str, Any], found: Findings
) -> None:
    """Name the first places where a report is not what follows from the rows."""
    drawn_with = stored.get("bootstrap", {}).get("numpy")
    exact = drawn_with == np.__version__
    if not exact:
        found.leave(
            f"intervals of {name} that were drawn at random: it was made with numpy "
            f"{drawn_with}, this is {np.__version__}"
        )
        again["bootstrap"]["numpy"] = drawn_with
    off = differences(stored, canonical(again), exact=exact)
    for one in [each for each in off if isinstance(each, Difference)][
        :MOST_DIFFERENCES
    ]:
        found.add(name, None, str(one))
    missing = [each.path for each in off if isinstance(each, Missing)]
    if missing:
        found.leave(
            f"{len(missing)} fields that {name} lacks and this version computes, "
            f"{missing[0]} the first: it was made by an earlier version, or cut"
        )


def canonical(value: dict[str, Any]) -> Any:
    """Give a document as it comes back from its canonical JSON."""
    return decode(canonical_json(value).decode())


def _check_notes(material: Material, files: dict[str, bytes], found: Findings) -> None:
    places = {
        number: (pair.case.gold_set, pair.case.case_id, *pair.systems)
        for number, pair in material.pairs.items()
    }
    rulings = [r.raw for rows in material.rulings.values() for r in rows]
    try:
        notes = notes_from(rulings, places)
        expected = {
            NOTES_HTML: b"".join(as_html(notes, TITLE)),
            NOTES_CSV: b"".join(as_csv(notes)),
        }
    except BAD as error:
        found.add(NOTES_HTML, None, f"the notes can't be written again: {error}")
        return
    for name, content in expected.items():
        if name in files and files[name] != content:
            found.add(name, None, "it is not what the rulings come to")
