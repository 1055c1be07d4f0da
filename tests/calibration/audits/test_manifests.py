"""An edited manifest is named as such, and which entry of it; so is what it says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.utils import timezone

from annotation.domain.digests import canonical_json
from calibration.domain.audit.layout import DEV, LEFT_OUT_OF_DEV, MANIFEST
from calibration.services.audits.judge_rows import runs
from calibration.services.audits.scopes import Wanted, scope_of
from judging.models import Run, RunStatus
from tests.calibration.audits.tools import Files, said, with_manifest
from tests.calibration.audits.world import BEGAN, NAME

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_only]
AFTER = "2030-01-01T00:00:00+00:00"


def edited(files: Files, name: str, **values: Any) -> Files:
    """The manifest with one entry that says something else."""
    manifest = json.loads(files[MANIFEST])
    (entry,) = (each for each in manifest["files"] if each["name"] == name)
    assert {key: entry[key] for key in values} != values
    entry.update(values)
    return {**files, MANIFEST: canonical_json(manifest)}


def saying(files: Files, **values: Any) -> list[str]:
    manifest = json.loads(files[MANIFEST]) | values
    return said({**files, MANIFEST: canonical_json(manifest)})


@pytest.mark.parametrize("field", ["size", "sha256", "rows", "head"])
@pytest.mark.parametrize("name", ["labels.jsonl", "splits.jsonl"])
def test_an_edited_entry_of_a_table_is_named(early, name, field) -> None:
    other = "0" * 64 if field in ("sha256", "head") else 99
    (problem,) = said(edited(early, name, **{field: other}))
    expected = f"{MANIFEST}: its entry for {name} was edited: {field} is {other}, and "
    assert problem.startswith(expected)


@pytest.mark.parametrize("field", ["size", "sha256"])
def test_an_edited_entry_of_a_document_is_named(files, field) -> None:
    other = "0" * 64 if field == "sha256" else 99
    names = [n for n in files if n.startswith(("reports/", "notes/"))]
    for name in (names[0], names[-1]):
        (problem,) = said(edited(files, name, **{field: other}))
        start = f"{MANIFEST}: its entry for {name} was edited: {field} is {other}, and "
        assert problem.startswith(start)


def test_an_edited_file_is_not_laid_on_the_manifest(files) -> None:
    for name in ("labels.jsonl", next(n for n in files if n.startswith("reports/"))):
        changed = bytearray(files[name])
        changed[len(changed) // 2] ^= 1
        problems = said({**files, name: bytes(changed)})
        assert f"{name}: its digest is not the one in the manifest" in problems
        assert not any("was edited" in problem for problem in problems)


def test_a_file_and_its_entry_edited_both_are_told_by_the_file(files) -> None:
    """Rows and head of the entry are of other rows: which is true can't be told."""
    both = edited(files, "prices.jsonl", head="0" * 64, sha256="0" * 64)
    problems = said(both)
    assert [p.split(": ")[0] for p in problems] == ["prices.jsonl"] * 2


def test_a_digest_handed_on_tells_of_an_edited_manifest(early) -> None:
    (problem,) = said(early, expect="0" * 64)
    assert problem.endswith("it was edited, or is of another export")


SCOPES: list[tuple[dict[str, Any], str]] = [
    ({"gold_sets": ["another"]}, "its scope names the gold sets ['another']; "),
    ({"gold_sets": []}, "its scope names the gold sets []; "),
    ({"kind": "all"}, "its scope is of the kind 'all', which is none there is"),
    ({"kind": None}, "its scope is of the kind None"),
    ({"kind": "decision"}, "its scope has too much or too little: decision, from, to"),
    ({"more": 1}, "its scope has too much or too little: more"),
    ({"part": "dev"}, "its scope names the part 'dev', which is none there is"),
    ({"to": BEGAN.isoformat()}, "its scope ends before "),
    ({"to": "soon"}, "the period of its scope has no times"),
    ({"to": None}, "the period of its scope has no times"),
    ({"from": "2024-01-01T00:00:00"}, "the period of its scope has no times"),
    ({"from": AFTER}, "the period of its scope ends before it begins"),
]


@pytest.mark.parametrize(("change", "expected"), SCOPES)
def test_an_edited_scope_is_named(early, change, expected) -> None:
    scope = json.loads(early[MANIFEST])["scope"]
    problems = saying(early, scope=scope | change)
    assert any(p.startswith(f"{MANIFEST}: {expected}") for p in problems), problems


def test_a_scope_of_a_decision_that_is_not_there_is_named(early) -> None:
    sets = json.loads(early[MANIFEST])["scope"]["gold_sets"]
    problems = saying(
        early, scope={"kind": "decision", "decision": 7, "gold_sets": sets}
    )
    assert problems == [f"{MANIFEST}: its scope is decision 7; [] are there"]


def test_what_was_left_out_by_its_runs_is_held_against_them(files) -> None:
    (problem,) = saying(files, left_out=["calls of run 99: it is still running"])
    assert "and the rows do not: calls of run 99: it is still running" in problem
    (problem,) = saying(files, left_out=[LEFT_OUT_OF_DEV[0]])
    assert "does not fit whether it holds dev pairs alone" in problem


def test_an_edited_manifest_needs_no_other_digest_to_be_found(early) -> None:
    """Signed again, it is still not what its rows are."""
    scope = {"kind": "gold_set", "part": DEV, "gold_sets": ["nothing"]}
    manifest = json.loads(early[MANIFEST]) | {"scope": scope}
    forged = with_manifest({**early, MANIFEST: canonical_json(manifest)})
    assert any("names the gold sets ['nothing']" in each for each in said(forged))


def test_a_run_that_ends_meanwhile_is_told_as_it_was(site) -> None:
    """Its calls stay out: it must not be said to be done."""
    scope = scope_of(Wanted(gold_set=NAME), now=timezone.now())
    first = scope.runs[0]
    first.status = RunStatus.RUNNING
    assert Run.objects.get(pk=first.pk).status == RunStatus.DONE
    assert next(iter(runs(scope)))["status"] == "running"
    assert first not in scope.finished()
    assert f"calls of run {first.pk}: it is still running" in scope.left_out()
