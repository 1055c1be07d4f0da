"""Every file of a bundle changed in every way that can be thought of: all is caught."""

from __future__ import annotations

import io
from datetime import UTC, datetime

import pytest
from django.utils import timezone

from calibration.domain.audit.layout import MANIFEST, NOTES, TABLES, table_file
from calibration.domain.audit.verifying import verify
from tests.calibration.audits.tools import (
    check,
    said,
    with_manifest,
)

# A bundle is the same bytes from either database: test_same_everywhere.py.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_only]
# These are tried where every table has rows: test_every_field.py.
EMPTY = {"splits", "look_plans", "findings", "policies", "waivers", "decisions"}
FILLED = [t for t in TABLES if t not in EMPTY and not t.startswith("sentinel")]


def test_an_honest_bundle_is_verified(bundle: bytes) -> None:
    found = check(bundle)
    assert found.findings.problems == []
    assert found.findings.untold == []
    counts = found.findings.counts
    assert counts["reports"] == 5
    assert counts["rulings"] == 4
    assert counts["calls"] == 48 + 24 + 24 + 12 + 24 + 48 + 4
    assert check(bundle, expect=found.manifest_digest).findings.good


def test_another_digest_than_the_expected_is_named(bundle: bytes) -> None:
    problems = said(bundle, expect="0" * 64)
    assert len(problems) == 1
    assert problems[0].startswith(f"{MANIFEST}: its digest is ")


def test_every_filled_table_is_tried(files, early) -> None:
    assert [t for t in TABLES if files[table_file(t)]] == FILLED
    assert said(early) == []


@pytest.fixture
def having(files, early, table):
    """The smaller bundle of the two where it has rows of a table."""
    return early if early[table_file(table)] else files


@pytest.mark.parametrize("table", FILLED)
def test_a_flipped_bit_is_named_with_its_row(having, table) -> None:
    name, files = table_file(table), having
    lines = files[name].splitlines(keepends=True)
    place = len(lines) // 2
    middle = len(lines[place]) // 2
    changed = bytearray(lines[place])
    changed[middle] ^= 1
    lines[place] = bytes(changed)
    edited = {**files, name: b"".join(lines)}
    for version in (edited, with_manifest_or_not(edited)):
        problems = said(version)
        assert any(p.startswith(f"{name} row {place + 1}: ") for p in problems)


def with_manifest_or_not(files):
    """Forge the manifest where the table can still be read."""
    try:
        return with_manifest(files)
    except ValueError:
        return files


@pytest.mark.parametrize("table", FILLED)
def test_a_dropped_row_is_named(having, table) -> None:
    name, files = table_file(table), having
    lines = files[name].splitlines(keepends=True)
    place = len(lines) // 2
    kept = b"".join(lines[:place] + lines[place + 1 :])
    problems = said({**files, name: kept})
    assert any(p.startswith(name) for p in problems)
    problems = said(with_manifest({**files, name: kept}))
    if place < len(lines) - 1:
        assert any(p.startswith(f"{name} row {place + 1}: ") for p in problems)


@pytest.mark.parametrize("table", FILLED)
def test_two_rows_that_changed_places_are_named(having, table) -> None:
    name, files = table_file(table), having
    lines = files[name].splitlines(keepends=True)
    if len(lines) < 2:
        pytest.skip("one row")
    lines[0], lines[1] = lines[1], lines[0]
    problems = said(with_manifest({**files, name: b"".join(lines)}))
    assert any(p.startswith(f"{name} row 1: ") for p in problems)


@pytest.mark.parametrize("table", FILLED)
def test_a_row_twice_is_named(having, table) -> None:
    name, files = table_file(table), having
    lines = files[name].splitlines(keepends=True)
    problems = said(with_manifest({**files, name: b"".join([*lines, lines[-1]])}))
    assert any(p.startswith(f"{name} row {len(lines) + 1}: ") for p in problems)


def other_files(files):
    return [n for n in files if not n.endswith(".jsonl") and n != MANIFEST]


def test_a_flipped_bit_in_any_other_file_is_named(files) -> None:
    assert len(other_files(files)) == len(NOTES) + 5
    for name in other_files(files):
        changed = bytearray(files[name])
        changed[len(changed) // 2] ^= 1
        for edited in ({**files, name: bytes(changed)},):
            assert any(p.startswith(f"{name}: ") for p in said(edited)), name
            problems = said(with_manifest(edited))
            assert any(name in p or "reports.jsonl" in p for p in problems), name


def test_a_file_that_is_missing_or_added_is_named(files) -> None:
    for name in files.keys() - {MANIFEST}:
        less = {n: c for n, c in files.items() if n != name}
        assert any(name in p for p in said(less)), name
        assert any(name in p for p in said(with_manifest(less))), name
    more = {**files, "reports/999.json": b"{}"}
    assert "reports/999.json: it is there and not listed" in said(more)
    problems = said(with_manifest(more))
    assert "reports/999.json: it belongs to no row of a table" in problems


def flips(bundle: bytes, step: int) -> list[int]:
    return list(range(0, len(bundle), step))


def test_any_flipped_byte_of_the_zip_is_noticed(bundle: bytes) -> None:
    """Wherever it is: in a header, in packed bytes, in the list at the end."""
    quiet = []
    for place in [*range(0, 120, 7), *flips(bundle, len(bundle) // 60)]:
        changed = bytearray(bundle)
        changed[place] ^= 0xFF
        try:
            if check(bytes(changed)).findings.good:
                quiet.append(place)
        except ValueError:
            continue  # no bundle any more
    assert quiet == []


def test_bytes_between_before_and_behind_are_noticed(bundle: bytes) -> None:
    assert "bundle: there are bytes behind the files in the zip" in " ".join(
        said(b"junk" + bundle)
    ) or said(b"junk" + bundle)


def test_files_that_stand_in_another_order_are_named(files) -> None:
    backwards = dict(reversed(files.items()))
    expected = "bundle: its files are not in the order of its manifest"
    assert expected in said(backwards)
    relisted = said(with_manifest(backwards))
    assert f"{MANIFEST}: it does not list the tables in their order" in relisted


def test_what_is_still_to_come_is_named(bundle) -> None:
    """Judged by a clock that stands before all of it happened."""
    early = datetime(2024, 1, 1, tzinfo=UTC)
    problems = verify(io.BytesIO(bundle), now=early).findings.problems
    assert problems[0].what == "created_at is still to come"
    assert verify(io.BytesIO(bundle), now=timezone.now()).findings.good
