"""A dry run refuses what a start refuses, and no wish is dropped without a word."""

from __future__ import annotations

import pytest

from judging.models import Run, RunStatus, Simulation
from judging.services.editing import retire
from tests.annotation.factory import START, make_set
from tests.judging.answers import split_set
from tests.judging.api.test_judges import send
from tests.judging.factory import ADDRESS, make_judge, make_run

pytestmark = pytest.mark.django_db


def both_refuse(client, wish, code):
    for path in ("/runs/estimate/", "/runs/"):
        status, said = send(client, "post", path, wish)
        assert (status, said["code"]) == (409, code)
    form = {**wish, "judge": "judge:1", "concurrency": "4", "act": "estimate",
            "purpose": "calibration", "reuse": "on", "currency": "USD"}  # fmt: skip
    assert client.post("/runs/new/", form).status_code == 400
    assert not Run.objects.exists()


class TestDryRuns:
    def test_a_retired_judge_is_promised_nothing(self, lead_client):
        retire(config=make_judge(ADDRESS), by=None, now=START)
        wish = {"judge": "judge", "gold_set": split_set().name}
        both_refuse(lead_client, wish, "judge_retired")

    def test_nor_is_one_that_names_a_system_of_the_set(self, lead_client):
        make_judge(ADDRESS, question="Is the answer of helpbot-2 better?")
        gold_set = make_set(1, systems=("helpbot-1", "helpbot-2"))
        wish = {"judge": "judge", "gold_set": gold_set.name}
        both_refuse(lead_client, wish, "judge_names_system")

    def test_nor_is_a_set_without_pairs(self, lead_client):
        make_judge(ADDRESS)
        both_refuse(
            lead_client, {"judge": "judge", "gold_set": make_set(0).name}, "gold_empty"
        )

    def test_nor_is_a_budget_in_money_without_a_price(self, lead_client):
        make_judge(ADDRESS)
        wish = {"judge": "judge", "gold_set": split_set().name, "max_cost": "1"}
        both_refuse(lead_client, wish, "price_unknown")


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ({"reuse": False}, "it copies earlier replies"),
        ({"batches": True}, "it is sent call by call"),
        ({"max_tokens": 6000}, "its budget is another"),
    ],
)
def test_a_complete_run_is_not_given_for_another_that_was_asked_for(
    lead_client, option, words
):
    run = make_run(ADDRESS, gold_set=split_set())
    Run.objects.filter(pk=run.pk).update(status=RunStatus.DONE)
    wish = {"judge": "judge", "gold_set": run.gold_set.name}
    status, said = send(lead_client, "post", "/runs/", {**wish, **option})
    assert (status, said["code"]) == (409, "run_complete")
    assert words in said["message"]
    same = {**wish, "concurrency": 9}
    assert send(lead_client, "post", "/runs/", same)[0] == 200
    anew = {**wish, **option, "again": True}
    assert send(lead_client, "post", "/runs/", anew)[0] == 201


def test_every_reply_about_a_run_says_whether_its_judge_is_simulated(lead_client):
    run = make_run(ADDRESS, gold_set=split_set())
    wish = {"judge": "judge", "gold_set": run.gold_set.name}
    for simulated in (False, True):
        if simulated:
            Simulation.objects.create(config=run.config, noted_at=START)
        for path in (
            f"/runs/{run.pk}/",
            f"/runs/{run.pk}/progress/",
            "/judges/judge/1/",
        ):
            said = send(lead_client, "get", path)[1]
            assert said["simulated"] is simulated
        calls = send(lead_client, "get", f"/runs/{run.pk}/calls/")[1]["results"]
        assert {call["simulated"] for call in calls} == {simulated}
        found = send(lead_client, "post", "/runs/estimate/", wish)[1]
        assert found["simulated"] is simulated
        for page in (f"/runs/{run.pk}/", f"/runs/{run.pk}/calls/"):
            text = lead_client.get(page).content.decode()
            assert ("SIMULATED JUDGE" in text) is simulated
