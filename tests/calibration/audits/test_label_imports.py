"""Where labels came from: each of no round by an import, which names its files."""

from __future__ import annotations

import hashlib
import json
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps

from annotation.models import Label, LabelImport
from calibration.domain.audit.layout import (
    MANIFEST,
    SCHEMA,
    WITHOUT_IMPORTS,
    table_file,
)
from tests.calibration.audits.tools import (
    forged,
    rows_of,
    said,
    with_manifest,
    with_rows,
)

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_only]
FILE = table_file("label_imports")


def test_an_import_names_its_files_by_their_digests(early) -> None:
    (row,) = rows_of(early, "label_imports")
    lines = [
        {"case_id": f"case-{n:02d}", "reviewer": "outsider", "outcome": "candidate"}
        for n in range(0, 12, 3)
    ]
    content = "\n".join(json.dumps(each) for each in lines).encode()
    digest = hashlib.sha256(content).hexdigest()
    assert row["files"] == [{"name": "labels.jsonl", "sha256": digest}]
    assert (row["added"], row["known"]) == (4, 0)
    outside = [each for each in rows_of(early, "labels") if each["round"] is None]
    assert {each["created_at"] for each in outside} == {row["imported_at"]}


def test_labels_without_their_import_are_named(early) -> None:
    (problem,) = said(with_rows(early, "label_imports", []))
    assert problem.startswith(f"{FILE}: 4 labels of audited came from outside at ")
    assert problem.endswith(", by no import")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"added": 3}, " added 3 labels; 4 are there"),
        ({"added": "4"}, "its added is no number"),
        ({"imported_at": "2025-06-01T00:00:00.000000+00:00"}, " by no import"),
        ({"gold_set": "another"}, "a gold set"),
        ({"files": [{"name": "x"}]}, "a file of it has no name and digest"),
        ({"files": [{"name": "x", "sha256": "0"}]}, "has no name and digest"),
    ],
)
def test_a_forged_import_is_named(early, change: dict[str, Any], expected) -> None:
    problems = said(forged(early, "label_imports", lambda row: row.update(change)))
    assert any(expected in p for p in problems if p.startswith(FILE)), problems


def test_a_label_said_to_be_imported_then_is_missed(early) -> None:
    """Or one more of them: as many as were added have to be there."""
    labels = rows_of(early, "labels")
    place = next(n for n, row in enumerate(labels) if row["round"] is None)
    problems = said(with_rows(early, "labels", labels[:place] + labels[place + 1 :]))
    assert any(p.endswith(" added 4 labels; 3 are there") for p in problems)


def test_a_bundle_from_before_imports_is_read(early) -> None:
    left = {name: each for name, each in early.items() if name != FILE}
    older = left[MANIFEST].replace(SCHEMA.encode(), WITHOUT_IMPORTS.encode())
    assert said(with_manifest(left | {MANIFEST: older})) == []
    assert f"{MANIFEST}: it does not list {FILE}" in said(with_manifest(left))


def test_labels_from_before_imports_were_noted_get_one(site) -> None:
    at = Label.objects.filter(seat__isnull=True).latest("pk").created_at
    lone = Label.objects.create(
        pair=site.gold_set.pairs.earliest("pk"), external_reviewer="early",
        outcome="tie", created_at=at.replace(year=2024),
    )  # fmt: skip
    step = import_module("annotation.migrations.0019_say_which_files_labels_came_from")
    for _ in range(2):
        step.note_earlier_imports(apps, None)
    made = LabelImport.objects.get(imported_at=lone.created_at)
    assert (made.added, made.files, made.actor) == (1, [], step.UNKNOWN)
    assert LabelImport.objects.filter(imported_at=at).count() == 1
