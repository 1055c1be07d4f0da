"""Systems in a ranking: page, API and command."""

from __future__ import annotations

import json

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Case
from calibration.models import Look
from tests.annotation.factory import make_set
from tests.calibration.views.test_reports import words
from tests.calibration.world import Told, World, make_world

pytestmark = pytest.mark.django_db
DOORS = ("/runs/{run}/ranking/", "/api/v1/runs/{run}/ranking")
JSON = "application/json"
LETTERS = "C" * 18 + "B" * 4 + "T" * 3
DEV = [
    Told("dev", "B" if i < 12 else "C", said, said) for i, said in enumerate(LETTERS)
]
HELD = [Told("held_out", "B", "B", "B") for _ in range(5)]


@pytest.fixture
def ranked(db) -> World:
    return make_world(
        [*DEV, *HELD, Told("dev", "T", "I", "C"), Told("dev", "T", "B", "C")]
    )


def door(world: World, number: int, query: str = "") -> str:
    return DOORS[number].format(run=world.run.pk) + query


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("role", ["lead", "auditor"])
def test_leads_and_auditors_may_come(ranked, client_of, number, role, request):
    reply = client_of(request.getfixturevalue(role)).get(door(ranked, number))
    assert reply.status_code == 200


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("role", ["reviewer", "adjudicator", "outsider"])
def test_nobody_else_may(ranked, client_of, number, role, request):
    client = client_of(request.getfixturevalue(role))
    for query in ("", "?part=held_out"):
        assert client.get(door(ranked, number, query)).status_code == 403
    assert not Look.objects.exists()


@pytest.mark.parametrize("number", [0, 1])
def test_strangers_may_not(ranked, client, number):
    assert client.get(door(ranked, number)).status_code in (302, 401, 403)


def test_the_page_answers_first_and_is_no_look(ranked, lead_client):
    text = words(lead_client.get(door(ranked, 0)))
    assert "v13 comes first." in text
    assert "26 pairs of 26 cases or groups with an outcome; 1 abstained" in text
    assert "5 other pairs of the run are not in this part." in text
    assert "These systems can&#x27;t be told apart." in text  # by gold
    assert "IPI: pairs whose orders disagree" in text
    assert not Look.objects.exists()


def test_the_api_gives_counts_intervals_and_coherence(ranked, lead_client):
    found = lead_client.get(door(ranked, 1)).json()
    first, second = found["judged"]["systems"]
    assert (first["system"], first["wins"], first["losses"], first["ties"]) == (
        "v13", 18, 4, 4,
    )  # fmt: skip
    assert (second["system"], second["best"], second["worst"]) == ("v12", 2, 2)
    assert first["strength"]["low"] > 0
    assert found["judged"]["versus"][0]["separable"] is True
    assert found["judged"]["left_out"] == 1
    assert found["by_gold"]["groups"] == [["v13", "v12"]]
    assert found["coherence"]["ipi"]["denominator"] == 26
    assert found["coherence"]["incomplete"] == 1
    assert found["bootstrap"]["resamples"] == 2000
    assert lead_client.get(door(ranked, 1)).json() == found


class TestHeldOut:
    PART = "?part=held_out"

    def test_following_a_link_takes_no_look(self, ranked, lead_client):
        page = lead_client.get(door(ranked, 0, self.PART))
        assert page.status_code == 409
        assert "Why do you look?" in words(page)
        assert "v13 5" not in words(page)
        refused = lead_client.get(door(ranked, 1, self.PART))
        assert (refused.status_code, refused.json()["code"]) == (409, "look_needed")
        assert not Look.objects.exists()
        assert not ranked.run.reports.exists()

    def test_the_page_asks_for_one_and_then_shows(self, ranked, lead_client):
        path = door(ranked, 0, self.PART)
        assert lead_client.post(path, {"reason": " "}).status_code == 409
        assert not Look.objects.exists()
        reply = lead_client.post(path, {"reason": "a release"})
        assert reply["Location"] == path
        assert Look.objects.get().reason == "a release"
        text = words(lead_client.get(path))
        assert "No ranking: fewer than 20 cases with an outcome: v12 5, v13 5." in text
        assert Look.objects.count() == 1

    def test_the_api_asks_for_one(self, ranked, lead_client):
        path = door(ranked, 1, self.PART)
        assert lead_client.post(path, {}, content_type=JSON).status_code == 400
        found = lead_client.post(path, {"look_reason": "why"}, content_type=JSON)
        assert found.json()["pairs"] == 5
        assert Look.objects.get().reason == "why"
        assert lead_client.get(path).json() == found.json()

    def test_the_open_part_needs_none(self, ranked, lead_client):
        reply = lead_client.post(door(ranked, 0), {"reason": "x"})
        assert reply.status_code == 302
        assert not Look.objects.exists()

    @pytest.mark.parametrize("role", ["reviewer", "adjudicator", "outsider"])
    def test_nobody_else_asks(self, ranked, client_of, role, request):
        client = client_of(request.getfixturevalue(role))
        for number, body in enumerate(({"reason": "x"}, {"look_reason": "x"})):
            path = door(ranked, number, self.PART)
            assert client.post(path, body, content_type=JSON).status_code == 403
        assert not Look.objects.exists()


def test_pairs_that_another_set_holds_out_are_in_no_open_part(ranked, lead_client):
    other = make_set(3, name="other")
    Case.objects.filter(gold_set=other).update(split="held_out")
    found = lead_client.get(door(ranked, 1)).json()
    assert found["pairs"] == 27 - 3


def test_runs_and_parts_that_there_are_not(ranked, lead_client):
    assert lead_client.get("/runs/99999/ranking/").status_code == 404
    assert lead_client.get("/api/v1/runs/99999/ranking").status_code == 404
    wrong = lead_client.get(door(ranked, 1, "?part=all"))
    assert wrong.status_code == 400


class TestCommand:
    def test_text(self, ranked, capsys):
        call_command("rank_systems", str(ranked.run.pk))
        said = capsys.readouterr().out
        assert "1 v13: " in said
        assert "won 18, lost 4, tied 4" in said
        assert "Not separable: v13, v12" in said
        assert "IPI of the judge: 3.8 % (26 cases" in said

    def test_json_is_the_api_s(self, ranked, lead_client, capsys):
        call_command("rank_systems", str(ranked.run.pk), "--json")
        found = json.loads(capsys.readouterr().out)
        assert found == lead_client.get(door(ranked, 1)).json()

    def test_a_look_is_logged_and_refusals_are_said(self, ranked, capsys):
        call_command("rank_systems", str(ranked.run.pk), "--part=held_out")
        assert Look.objects.get().door == "command"
        with pytest.raises(CommandError, match="no run 99999"):
            call_command("rank_systems", "99999")
