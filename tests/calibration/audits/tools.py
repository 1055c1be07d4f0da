"""Taking bundles apart and putting them together again, as a forger would."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from typing import TYPE_CHECKING, Any

from annotation.domain.digests import canonical_json
from calibration.domain.audit.chains import ChainWriter
from calibration.domain.audit.layout import MANIFEST, TABLES, table_file
from calibration.domain.audit.verifying import verify
from calibration.services.audits.writing import BundleWriter, Pieces

if TYPE_CHECKING:
    from collections.abc import Callable

    from calibration.domain.audit.verifying import Verified

Files = dict[str, bytes]


def unpacked(bundle: bytes) -> Files:
    with zipfile.ZipFile(io.BytesIO(bundle)) as found:
        return {name: found.read(name) for name in found.namelist()}


def packed(files: Files) -> bytes:
    """Zip files as bundles are zipped, whatever is in them."""
    writer = BundleWriter()
    for name, content in files.items():
        writer.document(name, [content])
    writer._zip.close()
    return b"".join(Pieces(writer.file))


def rows_of(files: Files, table: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in files[table_file(table)].splitlines()]
    return [{k: v for k, v in row.items() if k != "chain"} for row in found]


def with_manifest(files: Files) -> Files:
    """Forge the manifest: every digest, row count and head as the files now are."""
    manifest = json.loads(files[MANIFEST])
    listed = []
    for name, content in files.items():
        if name == MANIFEST:
            continue
        entry: dict[str, Any] = {
            "name": name,
            "size": len(content),
            "sha256": hashlib.sha256(content).hexdigest(),
        }
        if name.endswith(".jsonl"):
            lines = content.splitlines()
            chain = ChainWriter(name.removesuffix(".jsonl"))
            list(chain.lines([]))
            head = json.loads(lines[-1])["chain"] if lines else chain.head
            entry |= {"rows": len(lines), "head": head}
        listed.append(entry)
    return files | {MANIFEST: canonical_json(manifest | {"files": listed})}


def with_rows(files: Files, table: str, rows: list[dict[str, Any]]) -> Files:
    """Forge a table: its rows chained anew, and the manifest after it."""
    assert table in TABLES
    content = b"".join(ChainWriter(table).lines(rows))
    return with_manifest(files | {table_file(table): content})


def forged(
    files: Files, table: str, change: Callable[[dict[str, Any]], object], row: int = 0
) -> Files:
    """Forge one row of a table."""
    rows = rows_of(files, table)
    change(rows[row])
    return with_rows(files, table, rows)


def check(bundle: bytes | Files, expect: str = "") -> Verified:
    data = bundle if isinstance(bundle, bytes) else packed(bundle)
    return verify(io.BytesIO(data), expect=expect)


def said(bundle: bytes | Files, expect: str = "") -> list[str]:
    return [str(problem) for problem in check(bundle, expect).findings.problems]
