"""Contradictions case by case: page and API."""

from __future__ import annotations

import pytest

from annotation.models import Exposure
from calibration.models import Look
from tests.calibration.sealed import seal
from tests.calibration.views.test_reports import words
from tests.calibration.world import Told, make_world

pytestmark = pytest.mark.django_db
TOLD = (
    Told("dev", "C", "B", "C"),  # case-0000: a flip
    Told("dev", "C", "C", "C"),
    Told("held_out", "B", "B", "T"),  # case-0002
)
DOORS = (
    "/reports/{report}/contradictions/",
    "/api/v1/reports/{report}/contradictions/",
)


@pytest.fixture
def report(db):
    return make_world(TOLD).report()


def url(door, report):
    return door.format(report=report.pk)


@pytest.mark.parametrize("door", DOORS)
class TestDoors:
    @pytest.mark.parametrize("role", ["lead", "auditor"])
    def test_leads_and_auditors_may_come(self, report, client_of, door, role, request):
        user = request.getfixturevalue(role)
        assert client_of(user).get(url(door, report)).status_code == 200
        seen = Exposure.objects.filter(user=user).values_list("pair__case__external_id")
        assert set(seen) == {("case-0000",)}

    @pytest.mark.parametrize("role", ["reviewer", "adjudicator", "outsider"])
    def test_nobody_else_may(self, report, client_of, door, role, request):
        user = request.getfixturevalue(role)
        assert client_of(user).get(url(door, report)).status_code == 403
        assert not Exposure.objects.exists()

    def test_held_out_takes_a_look_of_its_own(self, report, lead_client, door):
        there = url(door, report)
        assert lead_client.get(there, {"split": "held_out"}).status_code == 403
        assert not Exposure.objects.exists()
        lead_client.post(f"/reports/{report.pk}/disagreements/open", {"reason": "why"})
        assert Look.objects.count() == 1
        reply = lead_client.get(there, {"split": "held_out"})
        assert reply.status_code == 200
        assert "case-0002" in reply.content.decode()

    def test_sealed_pairs_are_refused(self, report, lead_client, door):
        seal(report.gold_version.gold_set)
        reply = lead_client.get(url(door, report), {"split": "held_out"})
        assert reply.status_code in {403, 409}
        assert "case-0002" not in reply.content.decode()


def test_the_page_says_what_each_order_said(report, lead_client):
    text = words(lead_client.get(url(DOORS[0], report)))
    assert "1 case. Whoever sees" in text
    assert (
        "case-0000 1 0 v12 beats v13 with v12 first, v13 beats v12 with v13 first none"
    ) in text


def test_the_report_leads_there(report, lead_client):
    page = lead_client.get(f"/reports/{report.pk}/").content.decode()
    assert f"/reports/{report.pk}/contradictions/?split=dev" in page


def test_without_any(lead_client):
    found = make_world([Told("dev", "C", "C", "C")]).report()
    text = words(lead_client.get(url(DOORS[0], found)))
    assert "No complete case contradicts itself." in text


def test_the_api(report, lead_client):
    found = lead_client.get(url(DOORS[1], report)).json()
    assert found["total"] == 1
    (case,) = found["cases"]
    said = {"first": "v12", "second": "v13", "there": 1, "back": -1}
    assert (case["case"], case["tov"], case["excess"]) == ("case-0000", 1, 0)
    assert case["unsteady"] == [said]
    assert case["cycles"] == []
    wrong = lead_client.get(url(DOORS[1], report), {"split": "nothing"})
    assert wrong.status_code == 400
