"""Rows as files hold them, for the tests of what reads them."""

from __future__ import annotations

import json

from annotation.domain.files import read_rows

AB = ("a", "b")
ABC = ("a", "b", "c")
CASE = {"case_id": "c1", "prompt": "Q?", "responses": {"a": "one", "b": "two"}}
LABEL = {"case_id": "c1", "reviewer": "ann", "outcome": "tie", "systems": ["a", "b"]}
VERDICT = {
    "case_id": "c1",
    "systems": ["a", "b"],
    "order": "baseline_first",
    "repeat": 1,
    "raw": "[[A]]",
}


def rows_of(*rows):
    return read_rows("\n".join(map(json.dumps, rows)).encode(), "x.jsonl")


def changed(row, **changes):
    merged = row | changes
    return {key: value for key, value in merged.items() if value is not ...}


def complaints(parsed):
    assert not parsed.ok
    return list(parsed.messages())
