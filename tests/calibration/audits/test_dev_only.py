"""A bundle of dev pairs alone: an auditor checks a sealed set, and the seal holds."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, transaction
from django.utils import timezone

from annotation.domain.digests import canonical_json
from annotation.models import Case, Exposure, LookPlan, Pair
from annotation.services.gold_sets import SetPlan
from annotation.services.importing import import_pairs
from annotation.services.intake import Source
from annotation.services.seals import Sealed
from calibration.domain.audit.layout import MANIFEST, TABLES
from calibration.models import AuditExport, Look
from calibration.services.audits.dev_rows import KEEP
from calibration.services.audits.exporting import export_audit
from calibration.services.audits.scopes import Wanted
from config.db import guards
from config.errors import InvalidInput, NotFound
from tests.calibration.audits.tools import (
    Files,
    check,
    forged,
    rows_of,
    said,
    unpacked,
    with_manifest,
    with_rows,
)
from tests.calibration.audits.world import BEGAN, COMMAND, NAME, case

if TYPE_CHECKING:
    from annotation.models import GoldSet

pytestmark = pytest.mark.django_db
HELD_OUT = ("case-00", "case-01", "case-06", "case-07")
DEV_REPORTS = 5


def taken(name: str = NAME, **wish: Any) -> bytes:
    wanted = Wanted(gold_set=name, dev_only=True, **wish)
    found = export_audit(wanted=wanted, viewer=COMMAND, now=timezone.now())
    return b"".join(found.download().pieces)


@pytest.fixture
def sealed(site) -> GoldSet:
    """The site's set as if it had been sealed before anybody looked."""
    with transaction.atomic(), guards.lifted(connection, Look._meta.db_table):
        Look.objects.all().delete()
    LookPlan.objects.create(
        gold_set=site.gold_set, sequence=1, mode="sealed", budget=1,
        limits={"agreement": 0.5}, planned_at=timezone.now(),
    )  # fmt: skip
    found: GoldSet = site.gold_set
    return found


@pytest.fixture
def dev(sealed) -> Files:
    return unpacked(taken())


def test_of_a_sealed_set_the_dev_pairs_are_checked(sealed, dev) -> None:
    with pytest.raises(Sealed):
        export_audit(wanted=Wanted(gold_set=NAME), viewer=COMMAND, now=timezone.now())
    found = check(dev)
    assert found.findings.problems == []
    assert found.findings.counts["reports"] == DEV_REPORTS
    assert [one.split(":")[0] for one in found.findings.untold] == [
        "whatever rests on held-out pairs"
    ]
    assert len(found.manifest.left_out) == 4
    assert len(rows_of(dev, "cases")) == 8


def test_nothing_of_held_out_pairs_is_in_it(dev) -> None:
    everything = b"\n".join(dev.values())
    held_out = Case.objects.filter(split="held_out")
    assert {*held_out.values_list("external_id", flat=True)} == {*HELD_OUT}
    for found in held_out:
        assert found.external_id.encode() not in everything
        assert found.digest.encode() not in everything
    for pair in Pair.objects.filter(case__split="held_out"):
        assert pair.digest.encode() not in everything
        for ruling in pair.adjudications.all():
            assert ruling.note.encode() not in everything
            assert ruling.digest.encode() not in everything
    dev_pairs = {*Pair.objects.filter(case__split="dev").values_list("pk", flat=True)}
    for table in ("labels", "adjudications", "gold_items", "exposures", "findings"):
        assert {row["pair"] for row in rows_of(dev, table)} <= dev_pairs
    assert {row["pair"] for row in rows_of(dev, "labels")} == dev_pairs
    assert {row["pair"] for row in rows_of(dev, "calls")} == {*dev_pairs, None}
    for table in ("splits", "policies", "waivers", "decisions"):
        assert rows_of(dev, table) == []
    reports = [name for name in dev if name.startswith("reports/")]
    assert len(reports) == DEV_REPORTS
    for name in reports:
        assert {*json.loads(dev[name])} == {
            "schema", "rules", "bootstrap", "families", "dev",
        }  # fmt: skip


def test_every_table_says_what_of_it_goes_along() -> None:
    assert {*KEEP} == {*TABLES}


def test_it_is_no_look_and_shows_dev_pairs_alone(sealed, auditor, auditor_client):
    before = Look.objects.count()
    Exposure.objects.filter(user=auditor).delete()
    reply = auditor_client.post("/audit/", {"what": "dev", "gold_set": NAME})
    assert "audited-dev.zip" in reply["Content-Disposition"]
    assert check(b"".join(reply.streaming_content)).findings.problems == []
    assert Look.objects.count() == before
    seen = Exposure.objects.filter(user=auditor)
    assert {*seen.values_list("pair__case__split", flat=True)} == {"dev"}
    assert {*seen.values_list("kind", flat=True)} == {"labels", "systems", "verdicts"}
    row = AuditExport.objects.latest("pk")
    assert row.scope == {"kind": "gold_set", "part": "dev", "gold_sets": [NAME]}
    assert "dev pairs alone" in auditor_client.get("/audit/").content.decode()


def test_over_the_api(sealed, auditor_client, reviewer_client) -> None:
    path, body = "/api/v1/audit/bundles/", {"gold_set": NAME, "dev_only": True}
    refused = reviewer_client.post(path, body, content_type="application/json")
    assert refused.status_code == 403
    closed = auditor_client.post(
        path, {"gold_set": NAME}, content_type="application/json"
    )
    assert closed.json()["code"] == "held_out_sealed"
    reply = auditor_client.post(path, body, content_type="application/json")
    found = check(b"".join(reply.streaming_content), reply["X-Evenhand-Manifest"])
    assert found.findings.problems == []


def test_the_commands_say_what_is_not_in_it(sealed, tmp_path) -> None:
    bundle, out, err = tmp_path / "dev.zip", io.StringIO(), io.StringIO()
    call_command(
        "export_audit", NAME, "--dev-only", "--output", str(bundle),
        stdout=out, stderr=err,
    )  # fmt: skip
    assert err.getvalue().count("Left out: ") == 4
    told = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("verify_audit", str(bundle), stdout=told)
    assert ended.value.code == 22
    assert "UNTOLD whatever rests on held-out pairs" in told.getvalue()
    assert "LEFT OUT pairs that are not dev" in told.getvalue()
    with pytest.raises(CommandError, match="only one"):
        call_command("export_audit", NAME, "--dev-only", "--notes", "csv")


@pytest.mark.parametrize(
    "wish",
    [
        {"gold_set": "", "decision": 1},
        {"gold_set": "", "since": BEGAN, "to": timezone.now()},
        {"gold_set": ""},
        {"decision": 1},
    ],
)
def test_only_a_set_has_dev_pairs(site, wish) -> None:
    wanted = Wanted(**{"gold_set": NAME, "dev_only": True, **wish})
    with pytest.raises(InvalidInput):
        export_audit(wanted=wanted, viewer=COMMAND, now=timezone.now())


def test_texts_that_are_sealed_elsewhere_stay_there(sealed) -> None:
    """Two dev cases of another set, of which one is held out in the sealed one."""
    rows = [case(number) | {"split": "dev"} for number in (0, 100)]
    lines = "\n".join(map(json.dumps, rows)).encode()
    plan = SetPlan(name="beside", systems=("old", "new"))
    import_pairs(plan=plan, source=Source(lines, "p.jsonl"), by=None, now=BEGAN)
    files = unpacked(taken("beside"))
    assert [row["case_id"] for row in rows_of(files, "cases")] == ["case-100"]
    assert said(files) == []
    Case.objects.filter(gold_set__name="beside", external_id="case-100").update(
        split=""
    )
    with pytest.raises(NotFound):
        taken("beside")


def test_of_an_open_set_it_is_no_look_either(site) -> None:
    before = Look.objects.count()
    assert said(taken()) == []
    assert Look.objects.count() == before


def test_what_is_forged_is_named(dev) -> None:
    label = forged(dev, "labels", lambda row: row.update(outcome="abstain"))
    assert said(label)
    name = next(name for name in dev if name.endswith(".dev.json"))
    report = json.loads(dev[name])
    report["dev"]["exact_agreement"]["value"] = 1.0
    changed = with_manifest(dev | {name: canonical_json(report)})
    assert any("dev.exact_agreement.value is 1.0" in one for one in said(changed))
    more = json.loads(dev[name]) | {"held_out": {}}
    told = said(with_manifest(dev | {name: canonical_json(more)}))
    assert any("more than the dev figures" in one for one in told)


def test_a_bundle_that_says_dev_holds_nothing_else(bundle, dev) -> None:
    """A whole one can't pass for one of dev pairs, nor the reverse."""
    whole = unpacked(bundle)
    manifest = json.loads(whole[MANIFEST])
    manifest["scope"]["part"] = "dev"
    told = said(whole | {MANIFEST: canonical_json(manifest)})
    assert sum("not dev, and the bundle says" in one for one in told) == len(HELD_OUT)
    manifest = json.loads(dev[MANIFEST])
    del manifest["scope"]["part"]
    told = said(dev | {MANIFEST: canonical_json(manifest)})
    assert any("its pairs do not fit its digest" in one for one in told)


def test_a_dev_row_that_is_dropped_is_named(dev) -> None:
    for table in ("cases", "calls", "gold_items", "adjudications"):
        rows = rows_of(dev, table)
        assert said(with_rows(dev, table, rows[1:])), table


def test_a_dropped_label_is_named_by_the_gold_that_counts_it(dev) -> None:
    """Where one from outside moves up and says the same, nothing of dev changes."""
    rows = rows_of(dev, "labels")
    named = 0
    for place, row in enumerate(rows):
        left = rows[:place] + rows[place + 1 :]
        before, after = (votes_on(row["pair"], kept) for kept in (rows, left))
        if before != after:
            assert any("of its gold is" in one for one in
                       said(with_rows(dev, "labels", left))), row  # fmt: skip
            named += 1
    assert named > len(rows) / 2


def votes_on(pair: int, rows: list[dict[str, Any]]) -> list[str]:
    """Two labels count: those of the round first, then what came from outside."""
    own = [row for row in rows if row["pair"] == pair]
    first, outside = (
        [row["outcome"] for row in own if bool(row["reviewer"]) is named]
        for named in (True, False)
    )
    return sorted([*first, *outside[: max(0, 2 - len(first))]])


def test_a_set_without_dev_pairs_has_none_to_hand_out(site, auditor_client) -> None:
    rows = [case(number) | {"split": "held_out"} for number in (200, 201)]
    lines = "\n".join(map(json.dumps, rows)).encode()
    plan = SetPlan(name="all-held-out", systems=("old", "new"))
    import_pairs(plan=plan, source=Source(lines, "p.jsonl"), by=None, now=BEGAN)
    before = AuditExport.objects.count()
    words = "all-held-out has no dev pair to hand out."
    body = {"gold_set": "all-held-out", "dev_only": True}
    reply = auditor_client.post(
        "/api/v1/audit/bundles/", body, content_type="application/json"
    )
    assert (reply.status_code, reply.json()["code"]) == (404, "audit_empty")
    assert reply.json()["message"] == words
    page = auditor_client.post("/audit/", {"what": "dev", "gold_set": "all-held-out"})
    assert page.status_code == 200
    assert words in page.content.decode()
    with pytest.raises(CommandError, match=words):
        call_command("export_audit", "all-held-out", "--dev-only", "--output", "-")
    assert AuditExport.objects.count() == before
