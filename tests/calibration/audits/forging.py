"""Every change of one value that a forger could make, signed again as far as he can.

A forger has the bundle and no secret: all digests in it are plain, so he works them out
again for what he changed. What he can't do is make the rows contradict nothing.
"""

from __future__ import annotations

import hashlib
import json
from copy import deepcopy
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from annotation.domain.digests import canonical_json, digest_of, text_digest
from annotation.domain.pairs import pair_digest
from annotation.domain.rulings import Ruling, link_digest
from annotation.domain.same_texts import texts_digest
from annotation.domain.texts import text_digest_of, text_from_json, text_length
from calibration.domain.audit.chains import ChainWriter
from calibration.domain.audit.layout import (
    MANIFEST,
    TABLES,
    decision_file,
    evidence_file,
    report_file,
    ruling_head,
    table_file,
)
from tests.calibration.audits.tools import Files, with_manifest

if TYPE_CHECKING:
    from collections.abc import Iterator

    Tables = dict[str, list[dict[str, Any]]]
    Path = tuple[str | int, ...]

YEARS = timedelta(days=3653)


def changes_of(value: Any, name: str = "") -> list[Any]:
    """Other values of the same type that could as well be meant."""
    if value is None or value == "":
        return [WHERE_NULL.get(name, "forged")]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [value + 1 if isinstance(value, int) else (value + 0.25) % 1]
    if isinstance(value, str):
        return _texts_like(value)
    if isinstance(value, list):
        return [[*value, *value[:1]] if value else ["forged"]]
    return [{**value, "forged": 1}]


def _texts_like(value: str) -> list[Any]:
    at = _time(value)
    if at is None:
        return [OTHERS.get(value, _like(value))]
    # Both ways: what happened may not have happened earlier nor later.
    moved = (at - YEARS, at + YEARS)
    return [each.isoformat(timespec="microseconds") for each in moved]


WHERE_NULL: dict[str, Any] = {
    "confidence": 3, "elapsed_seconds": 5.0, "active_seconds": 5.0, "max_calls": 99,
    "max_tokens": 99, "max_cost": "99.000000", "currency": "USD",
    "cached": "1.000000", "batch_share": "0.5000", "strength": 2, "designed": "tie",
    "halted_at": "2026-06-01T00:00:00.000000+00:00",
    "retired_at": "2026-06-01T00:00:00.000000+00:00",
    "simulated_since": "2025-03-03T09:00:00.000000+00:00",
    "revoked_at": "2026-06-01T00:00:00.000000+00:00", "drawn": {"drawn": 1},
}  # fmt: skip

OTHERS = {
    "baseline": "candidate", "candidate": "baseline", "tie": "baseline",
    "abstain": "tie", "dev": "held_out", "held_out": "dev", "first": "second",
    "second": "first", "baseline_first": "candidate_first",
    "candidate_first": "baseline_first", "consensus": "adjudication",
    "adjudication": "consensus", "done": "failed", "open": "sealed",
    "release": "calibration", "calibration": "noise", "ship": "hold",
    "human_review": "ship", "hold": "ship",
    "majority_else_adjudicate": "mode_or_tie", "0.010": "0.011", "0.990": "0.980",
}  # fmt: skip
HEX = set("0123456789abcdef")


def _like(value: str) -> str:
    if len(value) == 64 and set(value) <= HEX:
        return hashlib.sha256(value.encode()).hexdigest()
    return f"{value}x"


def _time(value: str) -> datetime | None:
    if len(value) < 20 or value[10:11] != "T":
        return None
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        return None


def paths(value: Any, at: Path = ()) -> Iterator[Path]:
    """Every place of a row, outer ones first; of lists the first place only.

    An object is what stands in it; an empty one might hold something.
    """
    if at and not (isinstance(value, dict) and value):
        yield at
    if isinstance(value, dict):
        for key in value:
            yield from paths(value[key], (*at, key))
    elif isinstance(value, list) and value:
        yield from paths(value[0], (*at, 0))


def named(path: Path) -> str:
    """The path as the list of fields has it: without places in lists."""
    return ".".join(str(part) for part in path if isinstance(part, str))


def changed(value: Any, path: Path, other: Any) -> Any:
    """A copy in which one place says something else."""
    made = deepcopy(value)
    place = made
    for part in path[:-1]:
        place = place[part]
    place[path[-1]] = other
    return made


def at(value: Any, path: Path) -> Any:
    for part in path:
        value = value[part]
    return value


def tables_of(files: Files) -> Tables:
    return {
        table: [
            {k: v for k, v in json.loads(line).items() if k != "chain"}
            for line in files[table_file(table)].splitlines()
        ]
        for table in TABLES
    }


def rebuilt(files: Files, tables: Tables) -> Files:
    """The files with these tables, chained and listed anew, in the order they had."""
    made = dict(files)
    for table in TABLES:
        made[table_file(table)] = b"".join(ChainWriter(table).lines(tables[table]))
    return with_manifest(made)


def signed(files: Files, before: Tables, tables: Tables) -> Files:
    """Work out again every digest that fitted before and does not now."""
    tables = deepcopy(tables)
    heads: dict[str, dict[str, str]] = {}
    for each in (_texts, _judges, _rulings, _gold):
        each(before, tables, heads)
    files = dict(files)
    manifest = json.loads(files[MANIFEST])
    if tables["adjudications"] != before["adjudications"]:
        manifest["ruling_heads"] = {
            **manifest["ruling_heads"],
            **{name: ruling_head(digests) for name, digests in heads.items()},
        }
        files[MANIFEST] = canonical_json(manifest)
    return rebuilt(files, tables)


def documents_signed(files: Files, tables: Tables) -> Files:
    """Fit the digests in the rows of reports and decisions to their bytes."""
    tables = deepcopy(tables)
    files = dict(files)
    for row in tables["reports"]:
        row["digest"] = _sha(files[report_file(row["report"])])
    for row in tables["decisions"]:
        name = decision_file(row["decision"])
        row["evidence_digest"] = _sha(files[evidence_file(row["decision"])])
        payload = json.loads(files[name])
        if "evidence_digest" in payload:
            payload["evidence_digest"] = row["evidence_digest"]
        files[name] = canonical_json(payload)
        row["digest"] = _sha(files[name])
    return rebuilt(files, tables)


def _sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _texts(before: Tables, tables: Tables, _: Any) -> None:
    cases, responses = {}, {}
    for row in tables["cases"]:
        cases[row["gold_set"], row["case_id"]] = row
    for row in tables["responses"]:
        responses[row["response"]] = row
        row["sha256"] = text_digest_of(text_from_json(row["text"]))
        row["length"] = text_length(text_from_json(row["text"]))
    for row in tables["guidelines"]:
        row["digest"] = (
            digest_of([row["text"], row["criteria"]])
            if row["criteria"]
            else text_digest(row["text"])
        )
    for row in tables["pairs"]:
        case = cases.get((row["gold_set"], row["case_id"]))
        sides = [responses.get(row[side]) for side in ("baseline", "candidate")]
        if case is None or None in sides:
            continue
        one, other = sides
        assert one is not None
        assert other is not None
        prompt = text_from_json(case["prompt"])
        context, reference = (
            None if case[name] is None else text_from_json(case[name])
            for name in ("context", "reference")
        )
        row["digest"] = pair_digest(
            case_id=case["case_id"], systems=(one["system"], other["system"]),
            responses=(one["sha256"], other["sha256"]),
            prompt=prompt, context=context, reference=reference,
        )  # fmt: skip
        both = [text_from_json(each["text"]) for each in (one, other)]
        row["texts_digest"] = texts_digest(prompt, both)


def _judges(before: Tables, tables: Tables, _: Any) -> None:
    for row in tables["judges"]:
        row["digest"] = digest_of(row["spec"])
    for row in tables["policies"]:
        row["digest"] = digest_of(row["document"])
    for row in tables["sentinel_points"]:
        row["digest"] = digest_of(row["payload"])


def _rulings(before: Tables, tables: Tables, heads: Any) -> None:
    pairs = {row["pair"]: row for row in tables["pairs"]}
    last: dict[Any, str] = {}
    renamed: dict[str, str] = {}
    for row in tables["adjudications"]:
        pair = pairs.get(row["pair"])
        if pair is None:
            continue
        previous = last.get(row["pair"], "")
        ruling = Ruling(
            pair=pair["digest"], outcome=row["outcome"], category=row["category"],
            note=row["note"], author=row["adjudicator"],
            at=datetime.fromisoformat(row["created_at"]),
            guideline=row["guideline"] or "",
        )  # fmt: skip
        digest = link_digest(ruling, previous or None)
        renamed[row["digest"]] = digest
        row["previous_digest"], row["digest"] = previous, digest
        last[row["pair"]] = digest
        heads.setdefault(pair["gold_set"], {})[pair["digest"]] = digest
    for row in tables["gold_items"]:
        row["ruling_digest"] = renamed.get(row["ruling_digest"], row["ruling_digest"])


def _gold(before: Tables, tables: Tables, _: Any) -> None:
    pairs = {row["pair"]: row for row in tables["pairs"]}
    systems = {
        row["gold_set"]: [each["name"] for each in row["systems"]]
        for row in tables["gold_sets"]
    }
    for version in tables["gold_versions"]:
        items = [
            row
            for row in tables["gold_items"]
            if row["version"] == version["version"] and row["pair"] in pairs
        ]
        items.sort(
            key=lambda i: (pairs[i["pair"]]["case_id"], pairs[i["pair"]]["digest"])
        )
        version["digest"] = digest_of(
            {
                "schema": "evenhand.gold/1",
                "set": version["gold_set"],
                "systems": systems.get(version["gold_set"], []),
                "rule": version["rule"],
                "pairs": [
                    {
                        "case": pairs[row["pair"]]["case_id"],
                        "pair": pairs[row["pair"]]["digest"],
                        "split": row["split"],
                        "outcome": row["outcome"] or None,
                        "source": row["source"],
                        "open_reason": row["open_reason"],
                        "labels": row["labels"],
                        "ruling": row["ruling_digest"],
                    }
                    for row in items
                ],
            }
        )
