"""Checking a bundle with nothing but the bundle.

First what lies there: the frame of the zip, the digest of every file, the chain of
every table. Then what rows say of themselves and of each other: digests of texts and
judges, requests, readings of raw replies. At last everything that was counted is
counted again: gold from labels and rulings, verdicts from replies, reports from both.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any

from annotation.domain.digests import canonical_json
from annotation.domain.strict_json import BrokenJson, decode, flaws
from calibration.domain.audit import checking, decided, judged, people, watched
from calibration.domain.audit.beside_judges import JUDGES
from calibration.domain.audit.beside_people import PEOPLE, Seen
from calibration.domain.audit.beside_sentinels import SENTINELS
from calibration.domain.audit.chains import ChainReader
from calibration.domain.audit.containers import Damaged, opened
from calibration.domain.audit.elsewhere import check_elsewhere
from calibration.domain.audit.findings import Findings, Unreadable
from calibration.domain.audit.frames import check_frame
from calibration.domain.audit.golds import check_gold, check_rulings
from calibration.domain.audit.layout import (
    MANIFEST,
    NOTES,
    TABLES,
    NoManifest,
    manifest_from,
    table_file,
)
from calibration.domain.audit.manifests import Entries, Found, check_said
from calibration.domain.audit.material import BadRow, Material
from calibration.domain.audit.tables import check_row
from calibration.domain.audit.whole import check_imports, check_whole

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from calibration.domain.audit.containers import Container
    from calibration.domain.audit.layout import Entry, Manifest

    Taker = Callable[[dict[str, Any], int, Material], list[str] | None]

BUNDLE = "bundle"
NOT_DEV = (
    "whatever rests on held-out pairs: the bundle holds dev pairs alone, so that "
    "digests of gold, all other figures, looks and decisions can't be worked out"
)
LONGEST_MANIFEST = 64 * 1024**2
TAKERS: dict[str, Taker] = {
    table: getattr(module, table)
    for module in (people, judged, checking, decided, watched)
    for table in TABLES
    if hasattr(module, table)
}
BESIDE = {**PEOPLE, **JUDGES, **SENTINELS}
BAD = (BadRow, KeyError, TypeError, ValueError, AttributeError, ArithmeticError)


@dataclass(slots=True)
class Verified:
    """What a bundle was found to be."""

    manifest: Manifest
    manifest_digest: str
    findings: Findings = field(default_factory=Findings)


def verify(
    file: IO[bytes], *, expect: str = "", now: datetime | None = None
) -> Verified:
    """Check a bundle; raises :class:`Unreadable` for what is none.

    ``expect`` is the manifest's digest as it was handed on by another way. By ``now``
    everything in it must have happened.
    """
    container = opened(file)
    manifest, digest, raw = _manifest(container)
    found = Verified(manifest, digest)
    findings, material = found.findings, Material(dev_only=manifest.dev_only)
    if material.dev_only:
        findings.leave(NOT_DEV)
    seen = Seen(now)
    if expect and expect.strip().lower() != digest:
        what = f"its digest is {digest}, not {expect.strip()}"
        findings.add(MANIFEST, None, f"{what}: it was edited, or is of another export")
    if raw != manifest.encoded():
        findings.add(MANIFEST, None, "it is not written as export_audit writes it")
    check_frame(file, container, BUNDLE, findings)
    entries = _listed(container, manifest, findings)
    compared, listed = Entries(findings), frozenset(entries)
    for table in manifest.tables:
        entry = entries.pop(table_file(table), None)
        if entry is not None:
            _table(container, table, entry, material, seen, compared)
    others = {name: _file(container, e, compared) for name, e in entries.items()}
    try:
        check_said(manifest, tuple(seen.rows["gold_sets"]), material, findings)
        check_rulings(material, manifest, findings)
        check_gold(material, findings)
        check_whole(material, seen, findings)
        if table_file("label_imports") in listed:
            check_imports(material, seen, findings)
        check_elsewhere(material, seen, others, findings)
    except BAD as error:
        findings.add(
            BUNDLE, None, f"it can't be worked out as a whole: {_words(error)}"
        )
    checking.check_results(material, others, findings)
    compared.settle(material)
    return found


def _manifest(container: Container) -> tuple[Manifest, str, bytes]:
    info = container.entries.get(MANIFEST)
    if info is None:
        raise Unreadable(f"there is no {MANIFEST} in it")
    if info.file_size > LONGEST_MANIFEST:
        raise Unreadable(f"its {MANIFEST} is too long")
    try:
        raw = container.whole(MANIFEST)
        manifest = manifest_from(_clean(decode(raw.decode())))
    except (Damaged, BrokenJson, NoManifest, ValueError) as error:
        raise Unreadable(f"its {MANIFEST} can't be read: {_words(error)}") from error
    return manifest, hashlib.sha256(raw).hexdigest(), raw


def _clean(value: object) -> object:
    for path, reason in flaws(value):
        raise NoManifest(f"{path or 'it'} {reason}")
    return value


def _listed(
    container: Container, manifest: Manifest, findings: Findings
) -> dict[str, Entry]:
    """Name files that are missing, not listed or listed twice; give the others."""
    found: dict[str, Entry] = {}
    for entry in manifest.files:
        if entry.name in found:
            findings.add(MANIFEST, None, f"it lists {entry.name!a} twice")
        elif entry.name not in container.entries:
            findings.add(entry.name[:200], None, "it is listed and not there")
        else:
            found[entry.name] = entry
    for name in container.entries.keys() - found.keys() - {MANIFEST}:
        findings.add(name, None, "it is there and not listed")
    for name in (*map(table_file, manifest.tables), *NOTES):
        if name not in found and name in {e.name for e in manifest.files}:
            continue  # named above
        if name not in found:
            findings.add(MANIFEST, None, f"it does not list {name}")
    _check_order(container, manifest, findings)
    return found


def _check_order(container: Container, manifest: Manifest, findings: Findings) -> None:
    """Files stand in the zip as the manifest lists them, tables first, itself last."""
    listed = [entry.name for entry in manifest.files]
    stand = [name for name in container.entries if name in {*listed, MANIFEST}]
    tables = [table_file(table) for table in manifest.tables]
    places = [info.header_offset for info in container.entries.values()]
    expected = [*(name for name in listed if name in container.entries), MANIFEST]
    if stand != expected or places != sorted(places):
        findings.add(BUNDLE, None, "its files are not in the order of its manifest")
    if [name for name in listed if name in tables] != [
        t for t in tables if t in listed
    ]:
        findings.add(MANIFEST, None, "it does not list the tables in their order")


def _table(
    container: Container,
    table: str,
    entry: Entry,
    material: Material,
    seen: Seen,
    compared: Entries,
) -> None:
    """Read a table line by line: its chain, its rows, and at the end its digest."""
    chain, digest, size = ChainReader(table), hashlib.sha256(), 0
    findings, chained = compared.findings, True
    try:
        for line in container.lines(entry.name):
            digest.update(line)
            size += len(line)
            chained &= _line(line, chain, table, material, seen, findings)
    except Damaged as error:
        findings.add(entry.name, None, str(error))
        return
    findings.counts["rows"] += chain.rows
    compared.table(
        entry, Found(size, digest.hexdigest(), chain.rows, chain.head, chained)
    )


def _line(
    line: bytes,
    chain: ChainReader,
    table: str,
    material: Material,
    seen: Seen,
    findings: Findings,
) -> bool:
    """Take one line; tell whether it follows the one before."""
    name, follows = table_file(table), False
    try:
        body, follows = chain.body(line)
        if not follows:
            what = "it was changed, or does not follow the row before it"
            findings.add(name, chain.rows, what)
        row = _row(body)
        taker = TAKERS.get(table)
        for what in (taker and taker(row, chain.rows, material)) or ():
            findings.leave(what)
        check_row(table, row, seen.last, seen.now)
        BESIDE[table](row, seen)
    except BAD as error:
        findings.add(name, chain.rows, _words(error))
    return follows


def _row(body: bytes) -> dict[str, Any]:
    """Decode a row strictly: one object of canonical JSON, UTF-8, no NaN."""
    try:
        row = decode(body.decode())
    except UnicodeDecodeError as error:
        raise BadRow("it is not UTF-8") from error
    except BrokenJson as error:
        raise BadRow(f"it is no JSON: {error.reason}") from error
    for path, reason in flaws(row):
        raise BadRow(f"{path or 'it'} {reason}")
    if not isinstance(row, dict):
        raise BadRow("it is no object")
    if canonical_json(row) != body:
        raise BadRow("it is not written as canonical JSON")
    return row


def _file(container: Container, entry: Entry, compared: Entries) -> bytes:
    """Read a file that is no table."""
    pieces, digest, size = [], hashlib.sha256(), 0
    try:
        for piece in container.pieces(entry.name):
            pieces.append(piece)
            digest.update(piece)
            size += len(piece)
    except Damaged as error:
        compared.findings.add(entry.name, None, str(error))
        return b""
    compared.document(entry, Found(size, digest.hexdigest()))
    return b"".join(pieces)


def _words(error: Exception) -> str:
    """An error as one line."""
    if isinstance(error, KeyError):
        return f"it lacks {error}"
    text = " ".join(str(error).split())[:300]
    return text or type(error).__name__
