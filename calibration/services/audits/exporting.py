"""Handing out an audit bundle: the look and the exposures first, the log row last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Max

from annotation.domain.digests import digest_of
from annotation.domain.outcomes import Split
from annotation.models import Adjudication, ExposureKind, Label, Pair
from annotation.services.disclosure import refuse_open_rounds, refuse_unsaid
from annotation.services.exposures import record_exposures_of
from annotation.services.seals import refuse_sealed
from calibration.domain.audit.layout import (
    NOTES_CSV,
    NOTES_HTML,
    TABLES,
    Manifest,
    decision_file,
    dev_report_file,
    evidence_file,
    report_file,
    ruling_head,
)
from calibration.domain.audit.notes import TITLE, as_csv, as_html, notes_from
from calibration.models import AuditExport, Decision, Report
from calibration.services.audits import (
    decision_rows,
    judge_rows,
    people_rows,
    result_rows,
    sentinel_rows,
)
from calibration.services.audits.dev_rows import (
    dev_pairs,
    dev_part,
    dev_report,
    dev_rows,
    dev_ruling_head,
)
from calibration.services.audits.scopes import Scope, scope_of
from calibration.services.audits.writing import BundleWriter, Pieces
from calibration.services.exports import Download
from calibration.services.looks import disclose_export

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from datetime import datetime

    from annotation.models import GoldSet
    from annotation.services.held_out import Viewer
    from calibration.domain.audit.notes import Note
    from calibration.services.audits.scopes import Wanted

    Rows = Iterator[dict[str, Any]]

ZIP = "application/zip"
TABLE_ROWS: dict[str, Callable[[Scope], Rows]] = {
    name: getattr(module, name)
    for module in (
        people_rows,
        judge_rows,
        result_rows,
        decision_rows,
        sentinel_rows,
    )
    for name in TABLES
    if hasattr(module, name)
}


@dataclass(frozen=True, slots=True)
class Bundle:
    """A finished bundle: its log row, its name, and the file to read it from."""

    export: AuditExport
    filename: str
    file: IO[bytes]

    def download(self) -> Download:
        """Give it piece by piece, once."""
        return Download(self.filename, ZIP, Pieces(self.file))


def export_audit(
    *,
    wanted: Wanted,
    viewer: Viewer,
    now: datetime,
    disclosing: Collection[int] | None = None,
) -> Bundle:
    """Make the bundle of a scope, and log that it was taken.

    It holds labels, rulings and verdicts: refused while people still label in the sets
    or their held-out results are sealed, a look at these where they are open, and
    exposure of the pairs to who takes it (DESIGN rules 6 and 15). What is logged before
    does not change with a second export, so that its bytes don't either. Dev pairs
    alone are no look, and leave a sealed set too. ``disclosing`` is as of exports.
    """
    scope = scope_of(wanted, now=now)
    if scope.dev_only:
        _let_dev_out(scope, viewer, now, disclosing)
    else:
        _let_out(scope.gold_sets, scope.said, viewer, now, disclosing)
        # This look may be the first that the set notes: what is written is read after.
        scope = scope_of(wanted, now=now)
    writer = BundleWriter()
    try:
        digest = _write_dev(writer, scope) if scope.dev_only else _write(writer, scope)
    except BaseException:
        writer.abandon()
        raise
    export = AuditExport.objects.create(
        scope=scope.said,
        left_out=list(scope.left_out()),
        manifest_digest=digest,
        size=writer.file.tell(),
        rows=writer.rows,
        exported_at=now,
        exported_by=viewer.user,
        actor=viewer.actor,
        door=viewer.door,
        reason=viewer.reason.strip(),
    )
    return Bundle(export, f"evenhand-audit-{scope.name}.zip", writer.file)


def _write(writer: BundleWriter, scope: Scope) -> str:
    """Write everything; give the digest of the manifest."""
    for table in TABLES:
        writer.table(table, TABLE_ROWS[table](scope))
    _documents(writer, scope)
    manifest = Manifest(
        scope=scope.said,
        left_out=scope.left_out(),
        files=tuple(writer.entries),
        heads={s.name: _ruling_head(s, scope) for s in scope.gold_sets},
    )
    return writer.close(manifest)


def _write_dev(writer: BundleWriter, scope: Scope) -> str:
    """Write what is dev; of each table only what it says may go along."""
    part = dev_part(scope)
    for table in TABLES:
        writer.table(table, dev_rows(table, TABLE_ROWS[table](scope), part))
    for report in part.reports:
        writer.document(dev_report_file(report), [dev_report(report)])
    _write_notes(writer, scope, part.pairs)
    manifest = Manifest(
        scope=scope.said,
        left_out=scope.left_out(),
        files=tuple(writer.entries),
        heads={s.name: dev_ruling_head(s, part, scope.until) for s in scope.gold_sets},
    )
    return writer.close(manifest)


def notes_document(
    *,
    gold_set: GoldSet,
    form: str,
    viewer: Viewer,
    now: datetime,
    disclosing: Collection[int] | None = None,
) -> Download:
    """Give the notes of all rulings of a set as ``html`` or ``csv``.

    They tell labels and gold: whoever takes them out is held to what a bundle is.
    """
    # Of this set alone: what its decisions rest on in others is no ruling of its own.
    scope = Scope(
        said={}, name="", gold_sets=(gold_set,), runs=(), reports=(), until=now
    )
    _let_out(scope.gold_sets, {"notes": gold_set.name}, viewer, now, disclosing)
    title = f"{TITLE}: {gold_set.name}"
    name = f"{gold_set.name}-adjudication-notes"
    notes = _notes(scope)
    if form == "csv":
        return Download(f"{name}.csv", "text/csv; charset=utf-8", as_csv(notes))
    html = as_html(notes, title)
    return Download(f"{name}.html", "text/html; charset=utf-8", html)


@transaction.atomic
def _let_out(
    gold_sets: tuple[GoldSet, ...],
    said: dict[str, Any],
    viewer: Viewer,
    now: datetime,
    disclosing: Collection[int] | None,
) -> None:
    """Refuse what must not be seen now, or was not said; log who sees the rest."""
    for gold_set in gold_sets:
        refuse_open_rounds(gold_set.pk, to="export an audit bundle")
        refuse_sealed(Pair.objects.filter(gold_set=gold_set))
    if disclosing is not None:
        every = Pair.objects.filter(gold_set__in=[each.pk for each in gold_sets])
        refuse_unsaid(every, disclosing=disclosing)
    for gold_set in gold_sets:
        pairs = Pair.objects.filter(gold_set=gold_set)
        if pairs.filter(case__split=Split.HELD_OUT.value).exists():
            disclose_export(
                gold_set=gold_set,
                what="adjudication notes" if "notes" in said else "audit bundle",
                state=_state(gold_set, said),
                viewer=viewer,
                now=now,
            )
        kinds = [ExposureKind.LABELS, ExposureKind.SYSTEMS]
        if "notes" not in said:
            kinds.append(ExposureKind.VERDICTS)
        record_exposures_of(user=viewer.user, pairs=pairs, kinds=kinds, now=now)


@transaction.atomic
def _let_dev_out(
    scope: Scope, viewer: Viewer, now: datetime, disclosing: Collection[int] | None
) -> None:
    """Refuse while people label; who takes it has seen the dev pairs."""
    for gold_set in scope.gold_sets:
        refuse_open_rounds(gold_set.pk, to="export an audit bundle")
        found = dev_pairs(gold_set)
        if disclosing is not None:
            refuse_unsaid(found, disclosing=disclosing)
        record_exposures_of(
            user=viewer.user,
            pairs=Pair.objects.filter(pk__in=found),
            kinds=[ExposureKind.LABELS, ExposureKind.SYSTEMS, ExposureKind.VERDICTS],
            now=now,
        )


def _state(gold_set: GoldSet, said: dict[str, Any]) -> str:
    """Rows are only ever added: the newest of each tell what a bundle holds."""
    newest = [
        rows.aggregate(newest=Max("pk"))["newest"]
        for rows in (
            Label.objects.of_set(gold_set.pk),
            Adjudication.objects.filter(pair__gold_set=gold_set),
            gold_set.versions.all(),
            gold_set.runs.all(),
            Report.objects.filter(gold_version__gold_set=gold_set),
            Decision.objects.filter(run__gold_set=gold_set),
        )
    ]
    return digest_of(["audit", gold_set.pk, "notes" in said, newest])


def _documents(writer: BundleWriter, scope: Scope) -> None:
    """Write the reports as their bytes, and the notes to be read."""
    for pk in scope.reports:
        payload = Report.objects.values_list("payload", flat=True).get(pk=pk)
        writer.document(report_file(pk), [payload.encode()])
    for pk in scope.decisions:
        rows = Decision.objects.values_list("evidence", "payload")
        evidence, payload = rows.get(pk=pk)
        writer.document(evidence_file(pk), [evidence.encode()])
        writer.document(decision_file(pk), [payload.encode()])
    _write_notes(writer, scope)


def _write_notes(
    writer: BundleWriter, scope: Scope, pairs: frozenset[int] | None = None
) -> None:
    notes = _notes(scope, pairs)
    writer.document(NOTES_HTML, as_html(notes, TITLE))
    writer.document(NOTES_CSV, as_csv(notes))


def _notes(scope: Scope, pairs: frozenset[int] | None = None) -> list[Note]:
    ruled = Pair.objects.filter(
        gold_set__in=scope.set_ids, adjudications__sequence=1
    ).with_names()
    names = {gold_set.pk: gold_set.name for gold_set in scope.gold_sets}
    places = {
        pair.pk: (
            names[pair.gold_set_id],
            pair.case.external_id,
            pair.baseline.system.name,
            pair.candidate.system.name,
        )
        for pair in ruled
    }
    rulings = people_rows.adjudications(scope)
    kept = (row for row in rulings if pairs is None or row["pair"] in pairs)
    return notes_from(kept, places)


def _ruling_head(gold_set: GoldSet, scope: Scope) -> str:
    rulings = Adjudication.objects.filter(
        pair__gold_set=gold_set, created_at__lte=scope.until
    )
    rows = rulings.order_by("sequence").values_list("pair__digest", "digest")
    return ruling_head(dict(rows))
