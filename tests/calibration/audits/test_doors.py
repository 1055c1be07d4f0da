"""Bundles, notes and the activity log: who may have them, and what it costs them."""

from __future__ import annotations

import io
import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotation.models import Exposure, ExposureKind, Round
from annotation.services.held_out import LooksSpent
from annotation.services.seals import Sealed
from calibration.models import AuditExport, Look
from calibration.services.activity import ActivityFilter, activity, told
from calibration.services.activity_sources import SOURCES
from calibration.services.audits.exporting import export_audit, notes_document
from calibration.services.audits.scopes import Wanted
from config.errors import Conflict, InvalidInput, NotFound
from tests.calibration.audits.tools import check, rows_of, unpacked
from tests.calibration.audits.world import COMMAND, NAME

pytestmark = pytest.mark.django_db
PAGES = ("/audit/", "/activity/", "/api/v1/audit/bundles/", "/api/v1/activity/")
NOTES = f"/api/v1/gold-sets/{NAME}/exports/notes"


def taken(**wanted: Any) -> bytes:
    wish = Wanted(**(wanted or {"gold_set": NAME}))
    found = export_audit(wanted=wish, viewer=COMMAND, now=timezone.now())
    return b"".join(found.download().pieces)


def test_the_same_data_give_the_same_bytes(site) -> None:
    assert taken() == taken()
    assert AuditExport.objects.count() == 2
    assert len(set(AuditExport.objects.values_list("manifest_digest", flat=True))) == 1


def test_a_bundle_is_logged_with_its_digest_and_is_one_look(site) -> None:
    before = Look.objects.count()
    digest = check(taken()).manifest_digest
    taken()
    assert Look.objects.count() == before + 1
    look = Look.objects.latest("pk")
    assert (look.what, look.actor, look.reason) == ("audit bundle", "tester", "audit")
    export = AuditExport.objects.latest("pk")
    assert export.manifest_digest == digest
    assert export.scope == {"kind": "gold_set", "gold_sets": [NAME]}
    assert (export.actor, export.door, export.exported_by) == (
        "tester",
        "command",
        None,
    )
    assert export.rows > 200


def test_past_the_budget_a_bundle_needs_a_reason(site) -> None:
    site.gold_set.look_budget = Look.objects.count()
    site.gold_set.save()
    nameless = type(COMMAND)(user=None, door="command", actor="another")
    with pytest.raises(LooksSpent):
        export_audit(wanted=Wanted(gold_set=NAME), viewer=nameless, now=timezone.now())
    assert not AuditExport.objects.exists()


def test_who_takes_a_bundle_has_seen_its_pairs(site, client_of) -> None:
    client = client_of(site.people["lea"])
    reply = client.post("/audit/", {"what": "bundle", "gold_set": NAME, "reason": "x"})
    bundle = b"".join(reply.streaming_content)
    found = check(bundle)
    assert found.findings.problems == []
    assert reply["X-Evenhand-Manifest"] == found.manifest_digest
    assert "audited.zip" in reply["Content-Disposition"]
    seen = Exposure.objects.filter(user=site.people["lea"])
    for kind in ("labels", "systems", "verdicts"):
        assert seen.filter(kind=ExposureKind(kind)).count() == 12
    assert Look.objects.latest("pk").looked_by == site.people["lea"]


def test_while_people_label_nothing_is_taken(site) -> None:
    Round.objects.update(closed_at=None)
    with pytest.raises(Conflict) as refused:
        taken()
    assert refused.value.code == "rounds_open"
    with pytest.raises(Conflict):
        notes_document(
            gold_set=site.gold_set, form="html", viewer=COMMAND, now=timezone.now()
        )
    assert not AuditExport.objects.exists()


def test_sealed_results_are_not_taken(site) -> None:
    from annotation.models import LookPlan

    LookPlan.objects.create(
        gold_set=site.gold_set, sequence=1, mode="sealed", budget=1,
        planned_at=timezone.now(),
    )  # fmt: skip
    for take in (taken, lambda: taken(since=AGES, to=timezone.now())):
        with pytest.raises(Sealed):
            take()


AGES = datetime(2020, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "wanted",
    [
        {"decision": 9999},
        {"gold_set": "none-such"},
        {"since": AGES.replace(year=2001), "to": AGES.replace(year=2002)},
    ],
)
def test_what_is_not_there_is_said_so(site, wanted) -> None:
    with pytest.raises(NotFound):
        taken(**wanted)


@pytest.mark.parametrize(
    "wanted",
    [
        {"gold_set": NAME, "decision": 1},
        {"since": AGES},
        {"since": AGES, "to": AGES},
        {"gold_set": "", "decision": None, "since": None, "to": None},
    ],
)
def test_a_scope_is_exactly_one_thing(site, wanted) -> None:
    with pytest.raises(InvalidInput):
        taken(**wanted)


@pytest.mark.parametrize(("lone", "other"), [("--from", "--to"), ("--to", "--from")])
def test_half_a_period_says_what_else_it_needs(lone, other) -> None:
    with pytest.raises(CommandError, match=f"{lone} alone is no period.*{other} DAY"):
        call_command("export_audit", lone, "2026-01-31")


def test_a_period_holds_its_runs_and_is_verified(site) -> None:
    files = taken(since=AGES.replace(year=2026), to=timezone.now())
    found = check(files)
    assert found.findings.problems == []
    assert found.manifest.scope["kind"] == "period"
    assert len(rows_of(unpacked(files), "reports")) == 5


def test_secrets_stay_where_they_are(site) -> None:
    from judging.models import Provider

    Provider.objects.update(
        headers={"X-Team": "canaryone"}, query={"key": "canarytwo"},
        secret_headers={"X-Key": "NAME_OF_IT"},
    )  # fmt: skip
    bundle = b"".join(unpacked(taken()).values())
    assert b"canary" not in bundle
    for round_ in Round.objects.all():
        assert round_.seed.encode() not in bundle
    assert site.gold_set.seed.encode() not in bundle


def test_notes_say_what_each_ruling_replaced(site) -> None:
    found = notes_document(
        gold_set=site.gold_set, form="html", viewer=COMMAND, now=timezone.now()
    )
    text = b"".join(found.pieces).decode()
    notes = re.findall(r"<blockquote>(.*?)</blockquote>", text)
    assert notes[:3] == ["=because 0", "=because 1", "=because 2"]
    assert notes[3] == "On second thoughts: another."
    last = text.split("<article>")[-1]
    assert "<dt>Replaced</dt><dd>candidate</dd>" in last
    assert "<dt>Judge</dt><dd>after judge results</dd>" in last
    csv = notes_document(
        gold_set=site.gold_set, form="csv", viewer=COMMAND, now=timezone.now()
    )
    rows = b"".join(csv.pieces).decode().splitlines()
    assert len(rows) == 5
    assert ",'=because 0," in rows[1], "no spreadsheet may run it"


@pytest.mark.parametrize("path", [*PAGES, NOTES])
def test_readers_alone_are_let_in(
    site, path, lead_client, auditor_client, reviewer_client, adjudicator_client
) -> None:
    for client in (lead_client, auditor_client):
        reply = client.get(path)
        if path == NOTES:  # with held-out rulings, which are a look
            assert reply.json()["code"] == "look_needed"
            asked = {"look_reason": "an audit"}
            reply = client.post(path, asked, content_type="application/json")
        assert reply.status_code == 200
        _ = b"".join(reply) if reply.streaming else reply.content
    for client in (reviewer_client, adjudicator_client):
        assert client.get(path).status_code == 403


def test_posting_takes_a_reader_too(site, reviewer_client, auditor_client) -> None:
    body = {"gold_set": NAME, "look_reason": "yearly"}
    for path in ("/audit/", "/api/v1/audit/bundles/"):
        assert reviewer_client.post(path, {**body, "what": "bundle"}).status_code == 403
    assert not AuditExport.objects.exists()
    reply = auditor_client.post(
        "/api/v1/audit/bundles/", body, content_type="application/json"
    )
    found = check(b"".join(reply.streaming_content))
    assert found.findings.problems == []
    (row,) = auditor_client.get("/api/v1/audit/bundles/").json()["results"]
    assert row["manifest_digest"] == reply["X-Evenhand-Manifest"]
    told = (row["exported_by"], row["door"], row["reason"])
    assert told == ("auditor", "api", "yearly")


def test_the_page_says_what_is_wrong_with_a_wish(site, auditor_client) -> None:
    for body, expected in (
        ({"what": "bundle"}, "Choose one"),
        ({"what": "html"}, "Choose the gold set whose notes"),
        ({"what": "bundle", "decision": 77}, "There is no decision 77"),
        ({}, "This field is required"),
    ):
        reply = auditor_client.post("/audit/", body)
        assert reply.status_code == 200
        assert expected in reply.content.decode()
    reply = auditor_client.post("/audit/", {"what": "csv", "gold_set": NAME})
    assert b"=because" in b"".join(reply.streaming_content)


def events(**wanted: Any) -> list[str]:
    return [event.kind for event in told(activity(ActivityFilter(**wanted)))]


def test_the_log_tells_who_did_what(site, auditor_client) -> None:
    taken()
    kinds = events()
    assert kinds[0] == "exported"
    assert (kinds.count("ruled"), kinds.count("corrected")) == (3, 1)
    assert kinds.count("froze_gold") == 2
    assert kinds.count("reported") == 5
    assert set(events(person="ada")) == {"ruled", "corrected"}
    assert set(events(person="lea", gold_set=NAME)) == {
        "closed_round", "froze_gold", "reported", "wrote_guideline",
    }  # fmt: skip
    assert events(kinds=("corrected",), since=AGES.replace(year=2026)) == ["corrected"]
    assert events(kinds=("corrected",), to=AGES.replace(year=2025)) == []
    assert events(gold_set="none-such") == []
    text = auditor_client.get("/activity/?kind=corrected").content.decode()
    assert "a pair that is not named here" in text
    assert "rubric_gap" not in text
    assert "1 event, newest first" in text
    page = auditor_client.get("/api/v1/activity/?page_size=2&page=2").json()
    assert (len(page["results"]), page["count"]) == (2, len(kinds))
    assert page["results"][0]["kind"] == kinds[2]


def test_every_kind_of_event_can_be_told(site, auditor_client) -> None:
    for kind in SOURCES:
        assert auditor_client.get(f"/activity/?kind={kind}").status_code == 200
        assert auditor_client.get(f"/api/v1/activity/?kind={kind}").status_code == 200
    assert auditor_client.get("/activity/?kind=nonsense&since=x").status_code == 200
    assert auditor_client.get("/api/v1/activity/?kind=nonsense").status_code == 400


def run(*arguments: str) -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    call_command(*arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_from_command_to_command(site, tmp_path) -> None:
    bundle, found = tmp_path / "a.zip", tmp_path / "found.json"
    digest = run("export_audit", NAME, "--output", str(bundle))[0].strip()
    assert AuditExport.objects.latest("pk").manifest_digest == digest
    said = run("verify_audit", str(bundle), "--expect", digest, "--json", str(found))[0]
    assert said.endswith("verified\n")
    result = json.loads(found.read_text())
    assert (result["result"], result["problems"]) == ("verified", [])
    assert result["counts"]["reports"] == 5
    with pytest.raises(SystemExit) as ended:
        run("verify_audit", str(bundle), "--expect", "f" * 64)
    assert ended.value.code == 20
    notes = tmp_path / "notes.csv"
    run("export_audit", NAME, "--notes", "csv", "--output", str(notes))
    assert len(notes.read_text().splitlines()) == 5
    with pytest.raises(CommandError):
        run("export_audit", NAME, "--output", str(tmp_path / "no" / "folder.zip"))


def test_a_period_by_command(site, tmp_path) -> None:
    bundle = tmp_path / "a.zip"
    run(
        "export_audit", "--from", "2025-03-01", "--to", "2025-12-31",
        "--output", str(bundle),
    )  # fmt: skip
    found = check(bundle.read_bytes())
    assert found.findings.problems == []
    assert found.manifest.scope["to"].startswith("2026-01-01")
