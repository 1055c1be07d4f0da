"""Comparing reports, findings and notes with what follows from the rows."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from annotation.domain.digests import canonical_json
from calibration.domain.audit.decided import check_decisions
from calibration.domain.audit.dev_reports import check_dev_report
from calibration.domain.audit.documents import canonical, compare, document, lasting
from calibration.domain.audit.draws import check_draws
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
from calibration.domain.audit.sentinels_again import check_sentinels
from calibration.domain.rules import REPORT_RULES, other_rules, rules_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calibration.domain.audit.findings import Findings

    Row = Mapping[str, Any]

__all__ = ["check_results", "exposures", "findings", "looks", "reports"]
REPORTS, RUNS = table_file("reports"), table_file("runs")
# What a report of other rules has to agree in all the same.
LASTING = (
    "gold.set", "gold.version", "gold.digest", "gold.rule", "gold.pairs",
    "gold.left_open", "gold.systems", "judge.name", "judge.version", "judge.digest",
    "run.id", "run.calls", "run.purpose", "splits.dev.n", "splits.held_out.n",
    "splits.all.n", "splits.dev.no_gold", "splits.held_out.no_gold",
    "splits.dev.confusion", "splits.held_out.confusion", "splits.all.confusion",
)  # fmt: skip
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
    try:
        check_draws(material, found)
    except BAD as error:
        found.add(RUNS, None, f"a panel can't be drawn again: {error}")
    names = {NOTES_HTML, NOTES_CSV}
    for row, report in material.reports:
        try:
            check = check_dev_report if material.dev_only else _check_report
            names.add(check(report, material, files, found))
        except BAD as error:
            what = f"it can't be computed again: {str(error) or type(error).__name__}"
            found.add(REPORTS, row, " ".join(what.split())[:400])
    names |= check_decisions(material, files, found)
    check_sentinels(material, found)
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
    stored = document(payload)
    if payload != canonical_json(stored):
        found.add(name, None, "it is not written as canonical JSON")
    rules = rules_of(stored)
    again = report_again(
        material,
        material.runs[report["run"]],
        material.versions[report["version"]],
        moment(report, "created_at"),
        get(stored["bootstrap"], "seed", int) if rules == REPORT_RULES else 0,
        # A lead may name them at any time: a report says which it took.
        tuple(map(str, stored["gold"].get("families", ()))),
    )
    if rules != REPORT_RULES:
        found.not_ours(other_rules(name, rules, REPORT_RULES))
        for one in lasting(stored, canonical(again), LASTING):
            found.add(name, None, str(one))
        return name
    found.counts["reports"] += 1
    compare(name, stored, again, found)
    return name


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
