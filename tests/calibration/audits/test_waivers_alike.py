"""Waivers forged alike: in their row, in the evidence, and in the decision made of it.

Nothing in a bundle contradicts what somebody asked for, so such a forgery is either
named or on the list of what only the manifest's digest tells.
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from annotation.domain.digests import canonical_json
from calibration.domain.audit.layout import decision_file, evidence_file
from calibration.domain.audit.uncovered import ALIKE, ROWS
from calibration.domain.deciding import decide
from calibration.domain.waivers import Standing, state_of
from calibration.services.audits.exporting import export_audit
from calibration.services.audits.scopes import Wanted
from tests.calibration.audits.forging import changes_of, documents_signed, tables_of
from tests.calibration.audits.releasing import release
from tests.calibration.audits.tools import Files, check, said, unpacked
from tests.calibration.audits.world import COMMAND

if TYPE_CHECKING:
    Row = dict[str, Any]

pytestmark = pytest.mark.django_db
AT = ("asked_at", "expires_at", "confirmed_at", "revoked_at")
COPIED = (
    "case_ids", "systems", "impact", "owner", "reason", "asked_by", "confirmed_by",
    "revoked_by", "revoked_because",
)  # fmt: skip


@pytest.fixture(scope="module")
def decision(site, django_db_blocker):
    with django_db_blocker.unblock():
        return release(site)


@pytest.fixture(scope="module")
def decided(decision, django_db_blocker) -> Files:
    with django_db_blocker.unblock():
        wanted = Wanted(decision=decision.pk)
        found = export_audit(wanted=wanted, viewer=COMMAND, now=timezone.now())
        return unpacked(b"".join(found.download().pieces))


def alike(files: Files, rows: list[Row]) -> Files:
    """Put waivers into the bundle as if they had been there when it was decided."""
    tables = tables_of(files) | {"waivers": rows}
    (one,) = tables["decisions"]
    name = evidence_file(one["decision"])
    evidence = json.loads(files[name])
    evidence["waivers"] = [entry(row, one["decided_at"]) for row in rows]
    payload = decide(json.loads(canonical_json(evidence)))
    one["result"] = payload["result"]
    made = {
        name: canonical_json(evidence),
        decision_file(one["decision"]): canonical_json(payload),
    }
    return documents_signed(files | made, tables)


def entry(row: Row, decided_at: str) -> Row:
    times = {name: moment(row[name]) for name in AT}
    standing = Standing(
        asked_by=row["asked_by"],
        expires_at=times["expires_at"],
        confirmed_by=row["confirmed_by"],
        revoked=row["revoked_at"] is not None,
    )
    return {
        "id": row["waiver"],
        **{name: row[name] for name in COPIED},
        **{name: at.isoformat() if at else None for name, at in times.items()},
        "state": state_of(standing, moment(decided_at)).value,
    }


def moment(value: str | None) -> Any:
    return datetime.fromisoformat(value) if value else None


def test_what_is_honest_stays_as_it_is(decided) -> None:
    (row,) = tables_of(decided)["waivers"]
    assert alike(decided, [row]) == decided


def test_every_field_forged_alike_is_named_or_listed(decided) -> None:
    (row,) = tables_of(decided)["waivers"]
    passed = set()
    for name, value in row.items():
        older = (None,) if name == "systems" else ()
        for other in (*changes_of(value, name), *older):
            try:
                files = alike(decided, [row | {name: other}])
            except (ValueError, TypeError):
                continue  # no such decision could be made
            if not said(files):
                passed.add(name)
    assert passed == {*ALIKE["waivers"]}


def test_an_expiry_that_was_moved_alike_passes_and_is_told_by_the_digest(
    decision, decided
) -> None:
    """It had expired before the decision: the forger lets it count."""
    (row,) = tables_of(decided)["waivers"]
    gone = row | {"expires_at": row["asked_at"]}
    expired = alike(decided, [gone])
    evidence = json.loads(expired[evidence_file(decision.pk)])
    assert [one["state"] for one in evidence["waivers"]] == ["expired"]
    honest = check(expired)
    assert honest.findings.problems == []
    moved = alike(expired, [row])
    assert "expires_at" in ALIKE["waivers"]
    assert said(moved) == []
    (problem,) = said(moved, honest.manifest_digest)
    assert problem.startswith("manifest.json: its digest is ")


def test_a_waiver_that_was_added_alike_passes_and_is_told_by_the_digest(
    decided,
) -> None:
    (row,) = tables_of(decided)["waivers"]
    without = alike(decided, [])
    honest = check(without)
    assert honest.findings.problems == []
    added = alike(without, [row])
    assert "waivers" in ROWS
    assert said(added) == []
    (problem,) = said(added, honest.manifest_digest)
    assert problem.startswith("manifest.json: its digest is ")


def test_forged_in_one_place_alone_it_is_named(decision, decided) -> None:
    tables = tables_of(decided)
    (row,) = tables["waivers"]
    later = row | {"expires_at": row["expires_at"].replace("20", "21", 1)}
    assert later != row
    half = documents_signed(decided, tables | {"waivers": [later]})
    name = f"decisions/{decision.pk}.evidence.json"
    assert any(p.startswith(f"{name}: waivers[0].expires_at") for p in said(half))
