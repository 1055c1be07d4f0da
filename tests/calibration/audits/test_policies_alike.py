"""A policy forged alike: in its row, in the evidence, and in the decision made of it.

Nothing in a bundle contradicts limits that somebody froze: what can be forged so is on
the list of what only the manifest's digest tells, and a policy's own digest tells it
too, where it was written down when it was frozen.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from annotation.domain.digests import canonical_json, digest_of
from calibration.domain.audit.layout import decision_file, evidence_file
from calibration.domain.audit.uncovered import ALIKE, FIELDS
from calibration.domain.deciding import decide
from calibration.services.audits.exporting import export_audit
from calibration.services.audits.scopes import Wanted
from tests.calibration.audits.forging import at as value_at
from tests.calibration.audits.forging import (
    changed,
    changes_of,
    documents_signed,
    named,
    paths,
    tables_of,
)
from tests.calibration.audits.releasing import release
from tests.calibration.audits.tools import Files, check, said, unpacked
from tests.calibration.audits.world import COMMAND

if TYPE_CHECKING:
    Row = dict[str, Any]

pytestmark = pytest.mark.django_db
OWNED = ("abstains", "critical", "policy")


@pytest.fixture(scope="module")
def decided(site, django_db_blocker) -> Files:
    with django_db_blocker.unblock():
        wanted = Wanted(decision=release(site).pk)
        found = export_audit(wanted=wanted, viewer=COMMAND, now=timezone.now())
        return unpacked(b"".join(found.download().pieces))


def alike(files: Files, row: Row) -> Files:
    """Put a policy into the bundle as if it had decided."""
    row = row | {"digest": digest_of(row["document"])}
    tables = tables_of(files) | {"policies": [row]}
    (one,) = tables["decisions"]
    name = evidence_file(one["decision"])
    evidence = json.loads(files[name])
    frozen_at = row["frozen_at"].replace(".000000", "")
    evidence["policy"] |= {
        "document": row["document"],
        "digest": row["digest"],
        "name": row["name"],
        "label": row["document"]["policyLabel"],
        "version": row["version"],
        "frozen_at": frozen_at,
    }
    evidence["owners"] |= dict.fromkeys(OWNED, row["frozen_by"])
    payload = decide(json.loads(canonical_json(evidence)))
    one["result"] = payload["result"]
    made = {
        name: canonical_json(evidence),
        decision_file(one["decision"]): canonical_json(payload),
    }
    return documents_signed(files | made, tables)


def test_what_is_honest_stays_as_it_is(decided) -> None:
    (row,) = tables_of(decided)["policies"]
    assert alike(decided, row) == decided


def test_every_field_forged_alike_is_named_or_listed(decided) -> None:
    (row,) = tables_of(decided)["policies"]
    passed = set()
    for path in paths(row):
        for other in changes_of(value_at(row, path), str(path[-1])):
            try:
                files = alike(decided, changed(row, path, other))
            except (ValueError, TypeError, KeyError):
                continue  # no such decision could be made
            if files != decided and not said(files):
                passed.add(named(path).split(".")[0])
    assert passed == {*ALIKE["policies"], *FIELDS["policies"]}


def test_a_limit_that_was_moved_alike_passes_and_is_told_by_the_digest(decided) -> None:
    (row,) = tables_of(decided)["policies"]
    limits = row["document"] | {"maximumSwapFlipRate": 0.0001}
    assert limits != row["document"]
    moved = alike(decided, row | {"document": limits})
    assert said(moved) == []
    assert digest_of(limits) != row["digest"]
    (problem,) = said(moved, check(decided).manifest_digest)
    assert problem.startswith("manifest.json: its digest is ")


def test_forged_in_its_row_alone_it_is_named(decided) -> None:
    (row,) = tables_of(decided)["policies"]
    limits = row["document"] | {"maximumSwapFlipRate": 0.0001}
    other = row | {"document": limits, "digest": digest_of(limits)}
    tables = tables_of(decided) | {"policies": [other]}
    assert any("policy" in one for one in said(documents_signed(decided, tables)))
