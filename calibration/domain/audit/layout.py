"""How an audit bundle is laid out: its files, its manifest, and its limits.

A bundle is a zip. Each table is a JSONL file whose lines are chained
(:mod:`calibration.domain.audit.chains`); each report and decision lies beside them as
the bytes that its digest was taken of. ``manifest.json`` names every file with its
size, SHA-256, rows and the head of its chain. Nothing in a bundle depends on when or
where it was made, so the same data give the same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from annotation.domain.digests import canonical_json, digest_of

SCHEMA = "evenhand.audit/4"
# Read as well: they only lack tables, of imports, and the older of sentinels too.
WITHOUT_IMPORTS = "evenhand.audit/3"
WITHOUT_SENTINELS = "evenhand.audit/2"
EARLIER = ("evenhand.audit/1",)
MANIFEST = "manifest.json"

# In this order they are written, and read: each only refers to tables before it.
TABLES = (
    "gold_sets",
    "guidelines",
    "cases",
    "responses",
    "pairs",
    "rounds",
    "reviewers",
    "label_imports",
    "labels",
    "adjudications",
    "splits",
    "gold_versions",
    "gold_items",
    "exposures",
    "look_plans",
    "providers",
    "prices",
    "judges",
    "runs",
    "calls",
    "reports",
    "findings",
    "looks",
    "policies",
    "waivers",
    "decisions",
    "sentinels",
    "sentinel_pairs",
    "sentinel_series",
    "sentinel_checks",
    "sentinel_points",
    "sentinel_alarms",
)
# What names of tables begin with that a bundle of a schema has not.
_LACKING: dict[str, tuple[str, ...]] = {
    SCHEMA: (),
    WITHOUT_IMPORTS: ("label_imports",),
    WITHOUT_SENTINELS: ("label_imports", "sentinel"),
}
NOTES_HTML = "notes/adjudications.html"
NOTES_CSV = "notes/adjudications.csv"
NOTES = (NOTES_HTML, NOTES_CSV)
# The part of a bundle that holds dev pairs alone, as its scope names it, and what its
# reports tell beside their dev figures.
DEV = "dev"
SPLIT_REPORT = ("schema", "rules", "bootstrap")
LEFT_OUT_OF_DEV = (
    "pairs that are not dev or that are sealed: texts, labels, rulings, gold, replies",
    "of reports all but the dev figures, and reports on other dev pairs than these",
    "what rests on all pairs: splits, release runs, policies, waivers, decisions",
    "sentinels with a pair that is not here: their panels, points and alarms",
)
UNDER_WAY = ("pending", "running", "paused")  # statuses of runs that may go on


def still_under_way(run: int, status: str) -> str:
    """Say that the calls of a run are not in it yet."""
    return f"calls of run {run}: it is still {status}"


def table_file(table: str) -> str:
    """Name the file of a table."""
    return f"{table}.jsonl"


def report_file(report: int) -> str:
    """Name the file that holds the bytes of a report."""
    return f"reports/{report}.json"


def dev_report_file(report: int) -> str:
    """Name the file that holds the dev figures of a report."""
    return f"reports/{report}.dev.json"


def decision_file(decision: int) -> str:
    """Name the file that holds the bytes of a decision."""
    return f"decisions/{decision}.json"


def evidence_file(decision: int) -> str:
    """Name the file that holds the bytes of what a decision rests on."""
    return f"decisions/{decision}.evidence.json"


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of a bundle; ``rows`` and ``head`` only of a table."""

    name: str
    size: int
    sha256: str
    rows: int | None = None
    head: str | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a bundle says of itself: what was chosen, what was left out, every file.

    ``heads`` are the ends of the chains of rulings, one for each gold set: a digest
    over the newest ruling of every pair.
    """

    scope: dict[str, Any]
    left_out: tuple[str, ...]
    files: tuple[Entry, ...]
    heads: dict[str, str] = field(default_factory=dict)
    schema: str = SCHEMA

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that it has to list."""
        lacking = _LACKING[self.schema]
        return tuple(name for name in TABLES if not name.startswith(lacking))

    @property
    def dev_only(self) -> bool:
        """Whether it holds dev pairs alone."""
        return self.scope.get("part") == DEV

    def encoded(self) -> bytes:
        """Give the bytes of ``manifest.json``, which its digest is taken of."""
        return canonical_json(
            {
                "schema": self.schema,
                "scope": self.scope,
                "left_out": list(self.left_out),
                "ruling_heads": self.heads,
                "files": [_entry_json(entry) for entry in self.files],
            }
        )


def _entry_json(entry: Entry) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": entry.name,
        "size": entry.size,
        "sha256": entry.sha256,
    }
    if entry.rows is not None:
        found |= {"rows": entry.rows, "head": entry.head}
    return found


class NoManifest(ValueError):
    """What calls itself a manifest is none."""


def manifest_from(value: object) -> Manifest:
    """Read a manifest from its JSON form; raises :class:`NoManifest`."""
    if isinstance(value, dict) and value.get("schema") in EARLIER:
        raise NoManifest(
            f"it is laid out as {value['schema']}, which an earlier version of "
            "Evenhand wrote: that version can verify it"
        )
    schema = value.get("schema") if isinstance(value, dict) else None
    known = isinstance(schema, str) and schema in _LACKING
    if not isinstance(value, dict) or not known:
        raise NoManifest(f"its schema is not {SCHEMA}")
    scope, left_out = value.get("scope"), value.get("left_out")
    heads, files = value.get("ruling_heads"), value.get("files")
    if (
        not isinstance(scope, dict)
        or not isinstance(left_out, list)
        or not isinstance(heads, dict)
        or not isinstance(files, list)
    ):
        raise NoManifest("scope, left_out, ruling_heads or files is missing")
    return Manifest(
        scope=scope,
        left_out=tuple(map(str, left_out)),
        files=tuple(_entry_from(each) for each in files),
        heads={str(key): str(head) for key, head in heads.items()},
        schema=value["schema"],
    )


def _entry_from(value: object) -> Entry:
    if not isinstance(value, dict):
        raise NoManifest("a file of it is no object")
    name, size, sha256 = value.get("name"), value.get("size"), value.get("sha256")
    rows, head = value.get("rows"), value.get("head")
    texts = isinstance(name, str) and isinstance(sha256, str)
    if not texts or not _is_count(size) or not (rows is None or _is_count(rows)):
        raise NoManifest("a file of it lacks name, size or sha256")
    if not (head is None or isinstance(head, str)):
        raise NoManifest("the head of a file is no text")
    return Entry(str(name), int(str(size)), str(sha256), rows, head)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def ruling_head(newest: dict[str, str]) -> str:
    """Give the end of a set's chains: over the newest ruling of every ruled pair.

    ``newest`` is the digest of each ruling by that of its pair.
    """
    return digest_of(sorted(newest.items()))
