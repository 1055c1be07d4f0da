"""Judges that differ in one field, lined up: page and API."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from annotation.domain.outcomes import Order, Outcome, choice_for
from calibration.models import Look
from tests.calibration.reviews import looked
from tests.calibration.sealed import seal
from tests.calibration.views.test_comparisons import asked, sent
from tests.calibration.views.test_reports import words
from tests.calibration.world import Told, World, answer, make_world

if TYPE_CHECKING:
    from judging.models import Run

pytestmark = pytest.mark.django_db
TOLD = [Told("dev", "C", "C", "C")] * 12 + [Told("held_out", "B", "B", "B")] * 2
DOORS = ("/gold-sets/{set}/ablations/", "/api/v1/gold-sets/{set}/ablations")


def says(world: World, name: str, temperature: int, wrong: int) -> Run:
    """A judge of a temperature that calls the first ``wrong`` dev pairs baseline."""
    run = asked(world, name, temperature)
    pairs = world.gold_set.pairs.order_by("case__external_id")
    for place, pair in enumerate(pairs):
        outcome = Outcome.BASELINE if place < wrong else Outcome.CANDIDATE
        for order in Order:
            answer(run, pair, order, choice_for(outcome, order).value)
    return run


@pytest.fixture
def world(db: None) -> World:
    found = make_world(TOLD)
    says(found, "cool", 0, 0)
    says(found, "hot", 1, 10)
    return found


def url(door: str, world: World) -> str:
    return door.format(set=world.gold_set.name)


@pytest.mark.parametrize("door", DOORS)
class TestWhoMayCome:
    @pytest.mark.parametrize("role", ["lead", "auditor"])
    def test_leads_and_auditors(self, world, client_of, door, role, request):
        user = request.getfixturevalue(role)
        assert client_of(user).get(url(door, world)).status_code == 200

    @pytest.mark.parametrize("role", ["reviewer", "adjudicator", "outsider"])
    def test_nobody_else(self, world, client_of, door, role, request):
        user = request.getfixturevalue(role)
        assert client_of(user).get(url(door, world)).status_code == 403
        assert not Look.objects.exists()

    def test_there_is_no_such_set(self, lead_client, door):
        assert lead_client.get(door.format(set="nothing")).status_code == 404


class TestApi:
    def test_the_field_its_values_and_what_they_do(self, world, lead_client):
        found = lead_client.get(url(DOORS[1], world)).json()
        (group,) = found["groups"]
        assert (found["split"], group["field"]) == ("open", "params.temperature")
        assert [(v["judge"], v["value"]) for v in group["values"]] == [
            ("cool v1", 0),
            ("hot v1", 1),
        ]
        rows = {row["judge"]: row for row in group["judges"]}
        assert group["pairs"] == 12
        assert rows["hot v1"]["exact_agreement"]["numerator"] == 2
        (versus,) = group["versus"]
        assert (versus["first_only"], versus["second_only"]) == (10, 0)
        assert versus["separable"]
        assert not Look.objects.exists()

    def test_held_out_is_a_look_at_each_judge_shown(self, world, lead_client):
        door = url(DOORS[1], world) + "?split=held_out"
        needed = lead_client.get(door)
        assert (needed.status_code, needed.json()["code"]) == (409, "look_needed")
        assert not Look.objects.exists()
        reply = sent(lead_client, door)
        (group,) = reply.json()["groups"]
        assert group["pairs"] == 2
        assert Look.objects.count() == 2
        assert lead_client.get(door).json() == reply.json()

    def test_past_the_budget_it_is_refused_and_nothing_logged(self, lead_client):
        world = make_world(TOLD, look_budget=0)
        says(world, "cool", 0, 0)
        says(world, "hot", 1, 10)
        reply = lead_client.get(url(DOORS[1], world), {"split": "held_out"})
        assert (reply.status_code, reply.json()["code"]) == (409, "looks_spent")
        assert not Look.objects.exists()

    def test_other_pairs_are_no_reason_to_fail(self, lead_client):
        world = make_world(TOLD)
        says(world, "cool", 0, 0)
        asked(world, "idle", 1)  # finished without a pair of this gold
        (group,) = lead_client.get(url(DOORS[1], world)).json()["groups"]
        assert (group["pairs"], group["judges"]) == (0, [])
        page = lead_client.get(url(DOORS[0], world))
        assert "nothing can be said" in words(page)


class TestPage:
    def test_it_names_the_field_and_says_what_it_does(self, world, lead_client):
        text = words(lead_client.get(url(DOORS[0], world)))
        assert "temperature" in text
        assert "A difference in agreement is shown for 1 of 1 twos." in text
        assert "0 less 1: +83.3 points" in text
        assert "100.0 % 12 of 12" in text

    def test_past_the_budget_it_says_so(self, lead_client):
        world = make_world(TOLD, look_budget=0)
        says(world, "cool", 0, 0)
        says(world, "hot", 1, 10)
        reply = lead_client.get(url(DOORS[0], world), {"split": "held_out"})
        assert "All 0 looks" in words(reply)

    def test_held_out_is_asked_for_first(self, world, lead_client):
        door = url(DOORS[0], world) + "?split=held_out"
        asking = words(lead_client.get(door))
        assert "is 2 looks: 0 of 10 are used, and these would add 2" in asking
        assert "McNemar" not in asking
        assert lead_client.post(door, {"reason": ""}).status_code == 400
        assert not Look.objects.exists()
        text = words(looked(lead_client, door))
        assert "2 cases; 95 % -65.8 to 65.8, Tango); exact McNemar" in text
        assert words(lead_client.get(door)) == text
        assert Look.objects.count() == 2

    def test_without_such_judges_it_says_what_to_do(self, lead_client):
        world = make_world(TOLD)
        text = words(lead_client.get(url(DOORS[0], world)))
        assert "differ in one field alone" in text


@pytest.mark.parametrize("door", DOORS)
def test_sealed_pairs_are_refused(world, lead_client, door):
    seal(world.gold_set)
    reply = lead_client.get(url(door, world), {"split": "held_out"})
    assert reply.status_code in {403, 409}
    assert not Look.objects.exists()
