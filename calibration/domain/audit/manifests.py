"""What a manifest says of its bundle, and whether it or a file is what was edited.

A manifest names each file by its digest, and each table by its rows and the head of its
chain too. Where one of these fits the file and another does not, the file is whole and
the entry is what somebody edited. So it is where a file fits all that rows say of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from calibration.domain.audit.layout import (
    DEV,
    LEFT_OUT_OF_DEV,
    MANIFEST,
    NOTES,
    UNDER_WAY,
    decision_file,
    evidence_file,
    report_file,
    still_under_way,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from calibration.domain.audit.findings import Findings
    from calibration.domain.audit.layout import Entry, Manifest
    from calibration.domain.audit.material import Material

    Row = Mapping[str, Any]

DIFFERS = "its digest is not the one in the manifest"
# What each kind of scope says, beside its kind and its sets.
KINDS: dict[str, frozenset[str]] = {
    "gold_set": frozenset(),
    "decision": frozenset({"decision"}),
    "period": frozenset({"from", "to"}),
}


@dataclass(frozen=True, slots=True)
class Found:
    """What a file was found to be; ``chained`` is a table whose every row follows."""

    size: int
    sha256: str
    rows: int | None = None
    head: str | None = None
    chained: bool = False


@dataclass(slots=True)
class Entries:
    """Holds files against their entries; what may be either is told in the end."""

    findings: Findings
    waiting: list[tuple[Entry, Found]] = field(default_factory=list)

    def table(self, entry: Entry, found: Found) -> None:
        """Compare a table that was read to its end."""
        self.findings.counts["files"] += 1
        same = (found.rows, found.head) == (entry.rows, entry.head)
        if found.chained and (same or found.sha256 == entry.sha256):
            self._edited(entry, found, "what else it says of the file fits it")
            return
        if not same:
            what = f"it has {found.rows} rows; the manifest says {entry.rows}"
            if found.rows == entry.rows:
                what = "its last row is not the head that the manifest names"
            self.findings.add(entry.name, None, what)
        if (found.size, found.sha256) != (entry.size, entry.sha256):
            self.findings.add(entry.name, None, DIFFERS)

    def document(self, entry: Entry, found: Found) -> None:
        """Compare a file that is no table."""
        self.findings.counts["files"] += 1
        if found.sha256 == entry.sha256:
            self._edited(entry, found, "its digest is that of the file")
        else:
            self.waiting.append((entry, found))

    def settle(self, material: Material) -> None:
        """Tell of what differed whether it or its entry was edited.

        Whatever rows tell of a file has been held against it by now.
        """
        bound = _bound(material)
        wrong = {problem.file for problem in self.findings.problems}
        for entry, found in self.waiting:
            if self.findings.more or entry.name in wrong or entry.name not in bound:
                self.findings.add(entry.name, None, DIFFERS)
            else:
                self._edited(entry, found, "the file is what the rows say it is")

    def _edited(self, entry: Entry, found: Found, why: str) -> None:
        for name in ("size", "sha256", "rows", "head"):
            said, is_ = getattr(entry, name), getattr(found, name)
            if said != is_:
                what = f"its entry for {entry.name} was edited: {name} is {said}, and "
                self.findings.add(MANIFEST, None, f"{what}{is_} of the file; {why}")


def _bound(material: Material) -> frozenset[str]:
    """The documents that rows name by digest, or make again byte by byte."""
    reports = () if material.dev_only else (row for _, row in material.reports)
    decided = [row["decision"] for _, row in material.decisions]
    return frozenset(
        (
            *NOTES,
            *(report_file(row["report"]) for row in reports),
            *(
                file(each)
                for each in decided
                for file in (decision_file, evidence_file)
            ),
        )
    )


def check_said(
    manifest: Manifest, sets: tuple[str, ...], material: Material, findings: Findings
) -> None:
    """Hold what a bundle says of its scope against the rows in it."""
    for what in (
        *_scope(manifest.scope, sets, material),
        *_left_out(manifest, material),
    ):
        findings.add(MANIFEST, None, what)


def _scope(
    scope: dict[str, Any], sets: tuple[str, ...], material: Material
) -> Iterator[str]:
    named = scope.get("gold_sets", [])
    if named != list(sets):
        there = f"{list(sets)!r:.200} are there"
        yield f"its scope names the gold sets {named!r:.200}; {there}"
    if not scope and not sets:
        return
    kind = scope.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        yield f"its scope is of the kind {kind!r:.80}, which is none there is"
        return
    allowed = {"kind", "gold_sets", *KINDS[kind]}
    if odd := sorted((allowed ^ scope.keys()) - {"part"}):
        yield f"its scope has too much or too little: {', '.join(odd)!s:.200}"
        return
    if scope.get("part", DEV) != DEV or ("part" in scope and kind != "gold_set"):
        yield f"its scope names the part {scope['part']!r:.80}, which is none there is"
    decisions = [row["decision"] for _, row in material.decisions]
    if kind == "decision" and decisions != [scope["decision"]]:
        yield f"its scope is decision {scope['decision']!r:.80}; {decisions} are there"
    if kind == "period":
        yield from _period(scope, material)


def _period(scope: dict[str, Any], material: Material) -> Iterator[str]:
    """Nothing of a period was done after it, and what was decided was decided in it."""
    try:
        since, to = (datetime.fromisoformat(scope[name]) for name in ("from", "to"))
        empty = since >= to
    except (TypeError, ValueError):
        yield "the period of its scope has no times"
        return
    if empty:
        yield "the period of its scope ends before it begins"
    later = [
        *(each.at for rows in material.labels.values() for each in rows),
        *(each.at for rows in material.rulings.values() for each in rows),
        *(each.at for each in material.versions.values()),
    ]
    if late := [at for at in later if at > to]:
        yield f"its scope ends before {len(late)} labels, rulings or gold versions"
    for _, row in material.decisions:
        if not since <= datetime.fromisoformat(row["decided_at"]) < to:
            yield f"decision {row['decision']} is not of the period of its scope"


def _left_out(manifest: Manifest, material: Material) -> Iterator[str]:
    """Calls of runs that still ran, and all but dev pairs, are out and nothing else."""
    open_runs = {
        still_under_way(run.number, run.status)
        for run in material.runs.values()
        if run.status in UNDER_WAY
    }
    said = {each for each in manifest.left_out if each.startswith("calls of run ")}
    for each in sorted(open_runs - said):
        yield f"its left_out lacks: {each}"
    # Of a dev part, such a run may not be in it at all.
    for each in sorted(said - open_runs) if not manifest.dev_only else ():
        yield f"its left_out says, and the rows do not: {each:.200}"
    dev = {*LEFT_OUT_OF_DEV} & {*manifest.left_out}
    if dev != ({*LEFT_OUT_OF_DEV} if manifest.dev_only else set()):
        yield "its left_out does not fit whether it holds dev pairs alone"
