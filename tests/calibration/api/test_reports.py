"""Reports and runs over the API."""

from __future__ import annotations

import json

import pytest
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema
from rest_framework.authtoken.models import Token

from calibration.models import Look
from tests.calibration.world import make_world

pytestmark = pytest.mark.django_db
DOORS = ["/api/v1/reports/", "/api/v1/reports/{report}/", "/api/v1/runs/{run}/"]


def url_of(door, world):
    return door.format(report=world.report().pk, run=world.run.pk)


def look(client, url, reason="audit"):
    return client.post(url, {"look_reason": reason}, content_type="application/json")


class TestWhoMayCome:
    @pytest.mark.parametrize("door", DOORS)
    def test_leads_and_auditors(self, world, lead_client, auditor_client, door):
        for client in (lead_client, auditor_client):
            if door == DOORS[1]:
                assert look(client, url_of(door, world)).status_code == 200
            assert client.get(url_of(door, world)).status_code == 200

    @pytest.mark.parametrize("door", DOORS)
    def test_nobody_else(self, world, client, client_of, door, reviewer, adjudicator):
        url = url_of(door, world)
        for user in (reviewer, adjudicator):
            assert look(client_of(user), url).status_code in (403, 405)
            reply = client_of(user).get(url)
            assert reply.status_code == 403
            assert reply.json()["code"] == "permission_denied"
        assert client.get(url).status_code in (401, 403)
        assert not Look.objects.exists()

    @pytest.mark.parametrize("door", DOORS)
    def test_nothing_is_written(self, world, lead_client, door):
        for method in ("put", "patch", "delete"):
            reply = getattr(lead_client, method)(url_of(door, world))
            assert reply.status_code == 405

    def test_a_token_is_as_good_as_a_session(self, world, client, auditor):
        token = Token.objects.create(user=auditor)
        reply = client.get(DOORS[0], headers={"authorization": f"Token {token.key}"})
        assert reply.status_code == 200


class TestReport:
    def test_it_is_the_stored_report_with_its_looks(self, world, lead_client, lead):
        report = world.report()
        url = f"/api/v1/reports/{report.pk}/"
        needed = lead_client.get(url)
        assert (needed.status_code, needed.json()["code"]) == (409, "look_needed")
        assert not Look.objects.exists()
        found = look(lead_client, url).json()
        assert lead_client.get(url).json() == found
        looks = found.pop("looks")
        assert (looks["n"], looks["budget"], looks["this"]) == (1, 10, 1)
        assert not any(looks[key] for key in ("over_budget", "sealed", "words"))
        assert found.pop("disagreements")["held_out"]["n"] == 2
        assert found.pop("digest") == report.digest
        assert found == json.loads(report.payload)
        logged = Look.objects.get()
        assert (logged.looked_by, logged.door) == (lead, "api")

    def test_past_the_budget_a_reason_is_asked_for(self, lead_client):
        url = f"/api/v1/reports/{make_world(look_budget=0).report().pk}/"
        refused = lead_client.get(url)
        assert (refused.status_code, refused.json()["code"]) == (409, "looks_spent")
        assert refused.json()["detail"] == {"n": 0, "budget": 0}
        assert look(lead_client, url).status_code == 200
        assert Look.objects.get().reason == "audit"

    def test_a_report_that_is_not_there(self, lead_client):
        reply = lead_client.get("/api/v1/reports/9/")
        assert (reply.status_code, reply.json()["code"]) == (404, "report_unknown")


class TestList:
    def test_it_pages_newest_first_and_is_no_look(self, world, lead_client):
        first, second = world.report(), world.run_again("other").report()
        page = lead_client.get("/api/v1/reports/", {"page_size": 1}).json()
        assert [row["id"] for row in page["results"]] == [second.pk]
        rest = lead_client.get(page["next"]).json()
        assert [row["id"] for row in rest["results"]] == [first.pk]
        assert rest["results"][0]["dev_agreement"]["numerator"] == 2
        assert "splits" not in rest["results"][0]
        assert not Look.objects.exists()

    def test_it_narrows_to_a_set_or_a_judge(self, world, lead_client):
        world.report()
        other = world.run_again("other").report()
        make_world(name="elsewhere").report()
        query = {"gold_set": world.gold_set.name, "judge": "other"}
        found = lead_client.get("/api/v1/reports/", query).json()["results"]
        assert [row["id"] for row in found] == [other.pk]

    def test_a_name_that_cannot_be_one(self, lead_client):
        reply = lead_client.get("/api/v1/reports/", {"judge": "no such"})
        assert reply.status_code == 400


class TestRun:
    def test_calls_invalid_reasons_and_no_outcome(self, world, lead_client):
        report = world.report()
        found = lead_client.get(f"/api/v1/runs/{world.run.pk}/").json()
        assert (found["calls"], found["done"], found["status"]) == (14, 14, "done")
        assert found["invalid"] == [{"reason": "unparsed", "calls": 1}]
        assert found["served_models"] == [
            {"model": "sim-1", "fingerprint": "", "calls": 14}
        ]
        assert found["reports"] == [report.pk]
        assert not {"outcomes", "verdicts", "splits"} & set(found)

    def test_a_run_that_is_not_there(self, lead_client):
        assert lead_client.get("/api/v1/runs/9/").json()["code"] == "run_unknown"


def test_the_schema_is_valid_and_names_them(capsys):
    schema = SchemaGenerator().get_schema(public=True)
    validate_schema(schema)
    assert {door.format(report="{report_id}", run="{run_id}") for door in DOORS} <= set(
        schema["paths"]
    )
    errors = capsys.readouterr().err
    assert "calibration" not in errors
