"""Reports as files over the API."""

from __future__ import annotations

import csv
from io import StringIO

import pytest

from calibration.models import Look
from tests.calibration.world import DEV_ONLY, make_world

pytestmark = pytest.mark.django_db
FORMS = ["csv", "html"]


def url_of(world, form):
    return f"/api/v1/reports/{world.report().pk}/{form}"


def look(client, url, reason="audit"):
    return client.post(url, {"look_reason": reason}, content_type="application/json")


@pytest.mark.parametrize("form", FORMS)
class TestWhoMayCome:
    def test_leads_and_auditors(self, world, lead_client, auditor_client, form):
        for client in (lead_client, auditor_client):
            needed = client.get(url_of(world, form))
            assert (needed.status_code, needed.json()["code"]) == (409, "look_needed")
            given = look(client, url_of(world, form))
            assert given.status_code == 200
            assert client.get(url_of(world, form)).content == given.content

    def test_nobody_else(self, world, client, client_of, reviewer, adjudicator, form):
        for user in (reviewer, adjudicator):
            assert client_of(user).get(url_of(world, form)).status_code == 403
            assert look(client_of(user), url_of(world, form)).status_code == 403
        assert client.get(url_of(world, form)).status_code in (401, 403)
        assert not Look.objects.exists()

    def test_it_is_the_file_that_the_page_gives(self, world, lead_client, form):
        given = look(lead_client, url_of(world, form))
        page = lead_client.get(f"/reports/{world.report().pk}.{form}")
        assert given.content == page.content
        for header in ("Content-Type", "Content-Disposition"):
            assert given[header] == page[header]
        assert given["Cache-Control"] == "no-store"

    def test_held_out_figures_are_a_look(self, world, lead_client, lead, form):
        lead_client.get(url_of(world, form))
        assert not Look.objects.exists()
        look(lead_client, url_of(world, form))
        logged = Look.objects.get()
        assert (logged.looked_by, logged.door) == (lead, "api")
        assert logged.reason == "audit"

    def test_dev_alone_is_none(self, lead_client, form):
        assert lead_client.get(url_of(make_world(DEV_ONLY), form)).status_code == 200
        assert not Look.objects.exists()

    def test_past_the_budget_a_reason_is_asked_for(self, lead_client, form):
        url = url_of(make_world(look_budget=0), form)
        refused = lead_client.get(url)
        assert (refused.status_code, refused.json()["code"]) == (409, "looks_spent")
        assert look(lead_client, url).status_code == 200

    def test_asking_for_the_head_is_refused_and_no_look(self, world, lead_client, form):
        assert lead_client.head(url_of(world, form)).status_code == 405
        assert not Look.objects.exists()

    def test_there_is_no_such_report(self, lead_client, form):
        assert lead_client.get(f"/api/v1/reports/999/{form}").status_code == 404


def test_the_table_holds_the_figures(world, lead_client):
    text = look(lead_client, url_of(world, "csv")).content.decode()
    rows = {
        (row["split"], row["slice"], row["figure"]): row
        for row in csv.DictReader(StringIO(text))
    }
    found = rows["dev", "", "exact_agreement"]
    assert (found["numerator"], found["denominator"]) == ("2", "3")
