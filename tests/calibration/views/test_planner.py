"""The planner's page and API, and the round that it opens."""

from __future__ import annotations

import pytest

from annotation.models import Exposure, ExposureKind, Round
from calibration.models import Look
from tests.calibration.views.test_reports import words
from tests.calibration.world import Told, make_world

pytestmark = pytest.mark.django_db
OPEN = (
    Told("dev", "U", "B", "B", {"language": "en"}),
    Told("dev", "U", "B", "C", {"language": "en"}),
    Told("held_out", "U", "B", "C", {"language": "de"}),
    Told("dev", "B", "B", "B", {"language": "en"}),
    Told("dev", "C", "C", "C", {"language": "en"}),
)
DOORS = ("/gold-sets/{}/plan/", "/api/v1/gold-sets/{}/plan")


@pytest.fixture
def world(db):
    return make_world(OPEN)


def page(world, query=""):
    return DOORS[0].format(world.gold_set.name) + query


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("role", ["auditor", "reviewer", "adjudicator", "outsider"])
def test_for_leads_alone(world, client_of, door, role, request, lead):
    user = request.getfixturevalue(role)
    url = door.format(world.gold_set.name)
    assert client_of(user).get(url).status_code == 403
    assert client_of(lead).get(url).status_code == 200


@pytest.mark.parametrize("role", ["auditor", "reviewer", "adjudicator", "outsider"])
def test_only_leads_open_rounds(world, client_of, role, request):
    user = request.getfixturevalue(role)
    reply = client_of(user).post(page(world, "round"), sent())
    assert reply.status_code == 403
    assert not Round.objects.exists()


def sent(**changes: object) -> dict[str, object]:
    cases = ["case-0001", "case-0000"]
    return {"name": "next", "labels_per_pair": 2, "case": cases} | changes


class TestPage:
    def test_it_begins_with_what_is_known_and_suggests(self, world, lead_client):
        text = words(lead_client.get(page(world)))
        assert "the newest gold has 4 pairs, 2 scored" in text
        assert "50.0 % of these are gold baseline" in text
        assert "case-0000" in text
        assert "case-0002" not in text
        assert "flipping" not in text
        assert not Exposure.objects.exists()

    def test_answers_in_words(self, world, lead_client):
        asked = "?half_width=5&rate=50&limit=5&true=2&class_share=40&decisive=100"
        text = words(lead_client.get(page(world, asked)))
        assert "50.0 % to within 5.0 points either way: 381 pairs" in text
        assert "with 260 pairs that count" in text
        assert "find a share of 64.5 % or more" in text

    @pytest.mark.parametrize(
        ("asked", "message"),
        [
            ("?limit=5", "belong together"),
            ("?limit=5&true=9", "a plan needs"),
            ("?half_width=70", "a plan needs"),
            ("?half_width=700", "less than or equal to 100"),
            ("?judge=nobody", "Select a valid choice"),
        ],
    )
    def test_impossible_figures_are_refused_in_words(
        self, world, lead_client, asked, message
    ):
        assert message in words(lead_client.get(page(world, asked)))

    def test_flips_are_noted_as_seen(self, world, lead_client, lead):
        asked = f"?judge={world.run.config.name}"
        text = words(lead_client.get(page(world, asked)))
        assert "case-0001 flipping, thin slice" in text
        seen = Exposure.objects.get()
        assert (seen.user, seen.kind) == (lead, ExposureKind.VERDICTS)
        assert seen.pair.case.external_id == "case-0001"
        assert not Look.objects.exists()

    def test_so_many(self, world, lead_client):
        assert "3 more could be suggested" in words(
            lead_client.get(page(world, "?next=1"))
        )

    def test_a_set_without_gold(self, lead_client):
        world = make_world((), name="bare")
        text = words(lead_client.get(page(world)))
        assert "There is no pair to suggest" in text
        assert "No gold is frozen yet" in text
        assert "Open a round of these pairs" not in text


class TestRound:
    def test_it_holds_these_pairs(self, world, lead_client, lead, reviewer):
        said = sent(reviewers=[reviewer.get_username()])
        reply = lead_client.post(page(world, "round"), said)
        round_ = Round.objects.get()
        assert reply["Location"] == f"/rounds/{round_.pk}/"
        cases = round_.seats.values_list("pair__case__external_id", flat=True)
        assert sorted(cases) == ["case-0000"] * 2 + ["case-0001"] * 2
        assert (round_.opened_by, round_.name) == (lead, "next")
        assert round_.members.get().reviewer == reviewer

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"name": ""}, "This field is required"),
            ({"case": []}, "There is no pair to label"),
            ({"labels_per_pair": 9}, "less than or equal to 5"),
            ({"case": ["nothing"]}, "nothing"),
        ],
    )
    def test_refusals(self, world, lead_client, changes, message):
        reply = lead_client.post(page(world, "round"), sent(**changes))
        assert reply.status_code == 400
        assert message in words(reply)
        assert not Round.objects.exists()


class TestApi:
    def test_it_says_the_same(self, world, lead_client):
        asked = f"?limit=0.05&true=0.02&judge={world.run.config.name}&next=1"
        url = DOORS[1].format(world.gold_set.name)
        found = lead_client.get(url + asked).json()
        assert found["known"]["baseline_share"] == 0.5
        assert found["gate"]["pairs"] == 260
        assert (found["half_width"], found["sign"]) == (None, None)
        assert found["next"] == [
            {
                "case": "case-0001",
                "reasons": ["flipping", "thin_slice"],
                "slices": ["language=en"],
            }
        ]
        assert Exposure.objects.count() == 1

    def test_refusals(self, world, lead_client):
        url = DOORS[1].format(world.gold_set.name)
        assert lead_client.get(url + "?limit=0.1").json()["code"] == "plan_impossible"
        assert lead_client.get(url + "?looks=0").status_code == 400
        missing = lead_client.get(DOORS[1].format("nothing"))
        assert missing.json()["code"] == "gold_set_unknown"
