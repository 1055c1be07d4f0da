"""Every field of every table forged, every row dropped, doubled and moved.

The forger signs again whatever he can. What passes all the same is on the list of what
is not covered without the manifest's digest, and that list holds nothing else.
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from annotation.domain.outcomes import Order
from calibration.domain.audit.layout import TABLES, table_file
from calibration.domain.audit.tables import (
    EXPOSURES,
    FINDINGS,
    KEYS,
    PURPOSES,
    STATUSES,
)
from calibration.domain.audit.uncovered import ALIKE, FIELDS, ROWS, uncovered
from calibration.domain.audit.verifying import BESIDE, verify
from calibration.models import Finding
from judging.models import RunPurpose, RunStatus
from tests.calibration.audits.everything import build_everything, bundle_of_everything
from tests.calibration.audits.forging import (
    at,
    changed,
    changes_of,
    named,
    paths,
    rebuilt,
    signed,
    tables_of,
)
from tests.calibration.audits.tools import Files, packed, said, unpacked
from tests.judging.factory import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django.plugin import DjangoDbBlocker

# Noticed or not by what a secret draw happened to put first.
SOMETIMES = {
    ("gold_sets", "labels_per_pair"),
    ("reviewers", "draw"),
    ("findings", "pair"),
    ("labels", "strength"),
    ("splits", "reassigned"),  # not where all splits were drawn anew
    # Only where nothing rests on the row, as on those that are tried here.
    ("gold_sets", "consensus_rule"), ("gold_sets", "simulated"),
    ("gold_sets", "held_out_seen_at"), ("cases", "case"), ("cases", "split"),
    ("rounds", "disclosed_at"), ("label_imports", "label_import"),
    ("labels", "label"), ("labels", "abstain_reason"),
    ("labels", "round"), ("labels", "guideline"), ("adjudications", "adjudication"),
    ("gold_versions", "actor"), ("exposures", "exposure"), ("exposures", "user"),
    ("exposures", "pair"), ("exposures", "kind"), ("judges", "frozen_by"),
    ("judges", "actor"), ("runs", "batches"), ("runs", "actor"), ("looks", "what"),
    ("looks", "subject"), ("looks", "door"), ("sentinels", "pointwise_judge"),
    ("sentinels", "production"), ("sentinel_points", "point"),
    ("looks", "config_digest"),  # only of a look at no whole report
}  # fmt: skip
# Of these the last row is forged as well as the first, in every field, and null is
# tried; of the others a few fields of the last row are, which keeps this short.
ALL_WAYS = (
    "gold_sets", "guidelines", "cases", "responses", "pairs", "rounds", "reviewers",
    "labels", "adjudications",
)  # fmt: skip

TURNED = {"first": "second", "second": "first"}

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_only]


@pytest.fixture(scope="module")
def everything(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[Files]:
    with django_db_blocker.unblock():
        try:
            build_everything()
            yield unpacked(bundle_of_everything())
        finally:
            call_command("flush", verbosity=0, interactive=False)


@pytest.fixture(scope="module")
def tables(everything) -> dict[str, list[dict[str, Any]]]:
    return tables_of(everything)


def good(files: Files) -> bool:
    found = verify(io.BytesIO(packed(files)), now=timezone.now()).findings
    return found.good and not found.other_rules


def forged_at(everything, tables, table, place: int, row: dict[str, Any]) -> Files:
    rows = tables[table]
    made = tables | {table: [*rows[:place], row, *rows[place + 1 :]]}
    try:
        return signed(everything, tables, made)
    except (ValueError, KeyError, TypeError, AttributeError):
        return rebuilt(everything, made)  # what can't be signed: taken as it is


def passes(everything, tables, table, place: int, path) -> bool:
    """Whether any other value of a field is not noticed."""
    row = tables[table][place]
    value = at(row, path)
    others = changes_of(value, str(path[-1]))
    null = [] if value is None or table not in ALL_WAYS else [None]
    for other in (*others, *null):
        made = changed(row, path, other)
        files = forged_at(everything, tables, table, place, made)
        if tables_of(files) != tables and good(files):
            return True
    return False


def places(table: str, rows: list[dict[str, Any]]) -> list[int]:
    """The first and the last: what rests on one of them may rest on no other."""
    return sorted({0, len(rows) - 1}) if table in ALL_WAYS else [0]


def test_what_is_honest_passes(everything, tables) -> None:
    assert all(tables[table] for table in TABLES)
    assert good(everything)
    assert good(signed(everything, tables, tables))
    assert {*KEYS} == {*BESIDE} == {*TABLES}


@pytest.mark.parametrize("table", TABLES)
def test_every_field_is_covered_or_listed(everything, tables, table) -> None:
    listed = FIELDS.get(table, ())
    passed, tried = set(), set()
    rows = tables[table]
    for place, path in (
        (n, path) for n in places(table, rows) for path in paths(rows[n])
    ):
        name = named(path)
        tried.add(name)
        # What is said of the whole follows from what is said of its parts.
        skipped = name in {each.split(".")[0] for each in listed if "." in each}
        inside = any(name.startswith(f"{each}.") for each in listed)
        if skipped or inside or name in passed:
            continue
        if passes(everything, tables, table, place, path):
            passed.add(name)
    assert passed <= {*listed}
    missing = {*listed} - passed
    assert missing <= {name for own, name in SOMETIMES if own == table}
    assert {*listed} <= tried


@pytest.mark.parametrize("table", TABLES)
def test_an_edited_row_of_any_table_is_named_with_its_place(everything, table) -> None:
    """Nothing signed again: one byte of what stands behind the chain."""
    name = table_file(table)
    lines = everything[name].splitlines(keepends=True)
    place = len(lines) // 2
    edited = bytearray(lines[place])
    edited[-4] ^= 1
    lines[place] = bytes(edited)
    problems = said(everything | {name: b"".join(lines)})
    assert any(p.startswith(f"{name} row {place + 1}: ") for p in problems), problems


@pytest.mark.parametrize("table", [each for each in TABLES if each not in ALL_WAYS])
def test_the_last_row_of_any_table_is_forged_too(everything, tables, table) -> None:
    """A few fields of it, signed again: those of the others are tried all ways."""
    listed = {each.split(".")[0] for each in FIELDS.get(table, ())}
    place = len(tables[table]) - 1
    fields = [(key,) for key in tables[table][place] if key not in listed]
    tried = {fields[0], fields[len(fields) // 2], fields[-1]}
    assert [
        path for path in tried if passes(everything, tables, table, place, path)
    ] == []


def test_what_a_label_chose_or_its_order_alone_is_named(everything, tables) -> None:
    """Both turned together leave the outcome as it was: they are listed as such."""
    place = next(n for n, row in enumerate(tables["labels"]) if row["choice"] in TURNED)
    row = tables["labels"][place]
    order = next(each.value for each in Order if each != row["order"])
    for half in ({"choice": TURNED[row["choice"]]}, {"order": order}):
        files = forged_at(everything, tables, "labels", place, row | half)
        assert not good(files)
    assert ALIKE["labels"] == ("choice", "order")


@pytest.mark.parametrize("table", TABLES)
def test_every_row_is_missed_or_listed(everything, tables, table) -> None:
    rows = tables[table]
    for place in {0, len(rows) // 2, len(rows) - 1}:
        made = tables | {table: rows[:place] + rows[place + 1 :]}
        try:
            files = signed(everything, tables, made)
        except (ValueError, KeyError, TypeError):
            files = rebuilt(everything, made)
        assert not good(files) or table in ROWS, place


@pytest.mark.parametrize("table", TABLES)
def test_a_doubled_row_is_named(everything, tables, table) -> None:
    rows = tables[table]
    for place in {0, len(rows) - 1}:
        made = tables | {table: rows[: place + 1] + rows[place:]}
        assert not good(rebuilt(everything, made)), place


@pytest.mark.parametrize("table", TABLES)
def test_rows_that_changed_places_are_named(everything, tables, table) -> None:
    rows = tables[table]
    if len(rows) == 1:
        pytest.skip("one row")
    for place in {0, len(rows) - 2}:
        swapped = [rows[place + 1], rows[place]]
        made = tables | {table: rows[:place] + swapped + rows[place + 2 :]}
        assert not good(rebuilt(everything, made)), place


def test_the_list_is_in_the_docs() -> None:
    """By table, as in the list; and the command says how long it is."""
    text = (ROOT / "docs/files.md").read_text()
    told = text.split("### What only the digest tells", 1)[1].split("\n## ")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", told, re.MULTILINE))
    found = {table: re.findall(r"`([\w.]+)`", cells) for table, cells in rows.items()}
    tables = (each for each in TABLES if FIELDS.get(each) or ALIKE.get(each))
    assert found == {
        each: [*FIELDS.get(each, ()), *ALIKE.get(each, ())] for each in tables
    }
    assert all(f"`{name}`" in told for name in ROWS)
    assert f"{sum(map(len, found.values()))} fields" in uncovered()


def test_the_words_are_those_of_the_models() -> None:
    from annotation.models import ExposureKind

    assert sorted(STATUSES) == sorted(RunStatus.values)
    assert sorted(PURPOSES) == sorted(RunPurpose.values)
    assert sorted(EXPOSURES) == sorted(ExposureKind.values)
    assert sorted(FINDINGS) == sorted(Finding.values)
