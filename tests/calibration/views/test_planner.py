"""The planner's page and API, and the round that it opens."""

from __future__ import annotations

import pytest

from annotation.models import Exposure, ExposureKind, Round
from calibration.models import Look
from tests.calibration.several import several_world
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

    def test_a_difference_of_judges_and_a_gap(self, world, lead_client):
        asked = "?difference=30&discordant=70&gap=5&dev_rate=85&held_out_share=30"
        text = words(lead_client.get(page(world, asked)))
        assert "is found in 80.0 % of cases with 64 pairs with gold" in text
        assert "1,481 dev pairs and 635 held-out pairs with gold" in text

    @pytest.mark.parametrize(
        ("asked", "message"),
        [
            ("?limit=5", "belong together"),
            ("?difference=5", "one alone has right belong together"),
            ("?gap=5", "The gap to held-out and the rate on dev belong together"),
            (
                "?difference=30&discordant=20",
                "Two judges differ by more than 0, and by",
            ),
            ("?gap=0&dev_rate=80", "A gap is not 0"),
            ("?gap=90&dev_rate=80", "leaves the rate on held-out between 0 and 1"),
            ("?gap=5&dev_rate=80&held_out_share=100", "The held-out share lies above"),
            ("?limit=5&true=9", "The true error rate lies below the limit"),
            ("?half_width=70", "A half-width lies above 0 and below 0.5 (50 %)."),
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
        assert "case-0001 v12 | v13 flipping, thin slice" in text
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


class TestSeveralSystems:
    """Three pairs a case: the judge flips on one of them."""

    @pytest.fixture
    def several(self, db):
        return several_world(["UBB UBC UCC", "UBB UCC BBB"])

    def test_pairs_are_told_apart_and_only_those_shown_are_noted(
        self, several, lead_client
    ):
        asked = f"?judge={several.run.config.name}&next=1"
        text = words(lead_client.get(page(several, asked)))
        assert "case-0000 v12 | v14 flipping, thin slice" in text
        seen = Exposure.objects.get()
        assert seen.pair.candidate.system.name == "v14"
        assert seen.pair.baseline.system.name == "v12"

    def test_the_round_holds_exactly_those(self, several, lead_client):
        asked = f"?judge={several.run.config.name}&next=2"
        reply = lead_client.get(page(several, asked))
        names = reply.context["round_form"].initial["case"]
        assert names == ["case-0000 v12|v14", "case-0000 v12|v13"]
        lead_client.post(page(several, "round"), sent(case=names))
        pairs = Round.objects.get().seats.values_list(
            "pair__baseline__system__name", "pair__candidate__system__name"
        )
        assert set(pairs) == {("v12", "v14"), ("v12", "v13")}

    def test_the_plan_says_cases_and_design_effect(self, several, lead_client):
        text = words(lead_client.get(page(several, "?half_width=5")))
        assert "1,143 pairs with gold of 381 cases (worth 381 that stand" in text
        assert "Design effect 3.00: the worst case" in text
        found = lead_client.get(
            DOORS[1].format(several.gold_set.name), {"half_width": 0.05}
        ).json()
        assert found["half_width"]["pairs"] == 1143
        assert found["clustering"] == {
            "design_effect": 3.0, "source": "worst", "pairs_per_case": 3.0,
            "pairs_per_prompt": 3.0, "correlation": 1.0, "report": None,
            "prompts": None,
        }  # fmt: skip

    def test_what_is_asked_goes_before_the_set(self, several, lead_client):
        asked = "?half_width=5&pairs_per_prompt=2&correlation=0.5"
        text = words(lead_client.get(page(several, asked)))
        assert "572 pairs with gold of 286 cases" in text
        assert "as asked, correlation 0.50; a prompt has 2 pairs" in text


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
                "name": "case-0001",
                "case": "case-0001",
                "systems": ["v12", "v13"],
                "reasons": ["flipping", "thin_slice"],
                "slices": ["language=en"],
            }
        ]
        assert Exposure.objects.count() == 1

    def test_a_difference_of_judges_and_a_gap(self, world, lead_client):
        url = DOORS[1].format(world.gold_set.name)
        asked = "?difference=0.3&discordant=0.7&gap=0.05&dev_rate=0.85"
        found = lead_client.get(url + asked).json()
        assert found["judges"] == {
            "difference": 0.3, "discordant": 0.7, "power": 0.8, "pairs": 64,
            "cases": 64, "independent": 64,
        }  # fmt: skip
        assert (found["gap"]["dev"], found["gap"]["held_out"]) == (906, 906)
        refused = lead_client.get(url + "?difference=0.3")
        assert refused.json()["code"] == "plan_impossible"

    def test_refusals(self, world, lead_client):
        url = DOORS[1].format(world.gold_set.name)
        assert lead_client.get(url + "?limit=0.1").json()["code"] == "plan_impossible"
        assert lead_client.get(url + "?looks=0").status_code == 400
        missing = lead_client.get(DOORS[1].format("nothing"))
        assert missing.json()["code"] == "gold_set_unknown"
