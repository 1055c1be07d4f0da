"""Pointwise judges, panels, marks and trials over the API."""

from __future__ import annotations

import pytest

from annotation.models import Exposure
from judging.models import JudgeConfig, Reply
from judging.services.panels import runs_behind
from judging.simulator.options import Options
from judging.simulator.running import SimulatedJudge
from tests.annotation.factory import make_set
from tests.judging.answers import split_set
from tests.judging.factory import ADDRESS, make_judge
from tests.judging.pointwise_judges import pointwise_judge
from tests.judging.rubric_judges import STEP
from tests.judging.services.test_panel_runs import judges, panel_of, start
from tests.judging.views.test_marks import marked_run

pytestmark = pytest.mark.django_db
API = "/api/v1"


def post(client, path, data=None, status=200):
    reply = client.post(API + path, data or {}, content_type="application/json")
    assert reply.status_code == status, reply.content
    return reply.json()


def get(client, path, status=200):
    reply = client.get(API + path)
    assert reply.status_code == status, reply.content
    return reply.json()


class TestDrafts:
    @pytest.mark.parametrize(
        ("query", "schema"),
        [
            ("", "evenhand.judge/1"),
            ("?rubric_step=true", "evenhand.judge/1"),
            ("?pointwise=true", "evenhand.pointwise/1"),
        ],
    )
    def test_a_template_is_drafted_linted_and_frozen(self, lead_client, query, schema):
        pointwise_judge(ADDRESS, name="other")
        spec = get(lead_client, f"/judges/template/{query}")["spec"]
        assert spec["schema"] == schema
        assert ("rubric_step" in spec) is ("rubric" in query)
        spec["base_url"] = ADDRESS
        made = post(lead_client, "/judges/", {"name": "j", "spec": spec}, 201)
        assert made["kind"] == ("pointwise" if "pointwise" in query else "pairwise")
        assert get(lead_client, "/judges/j/1/lint/")["may_freeze"] is True
        assert len(post(lead_client, "/judges/j/1/freeze/")["digest"]) == 64

    def test_a_template_of_both_kinds_is_refused(self, lead_client):
        get(lead_client, "/judges/template/?pointwise=true&rubric_step=true", 400)


class TestPanels:
    def test_it_is_frozen_run_and_limited(self, lead_client):
        members = [each.digest for each in judges(2)]
        made = post(
            lead_client,
            "/panels/",
            {"name": "p", "members": members, "top_tie": "abstain"},
            201,
        )
        assert (made["kind"], made["state"]) == ("panel", "frozen")
        assert made["spec"]["members"] == sorted(members)
        gold_set = make_set(2)
        wish = {"judge": "p", "gold_set": gold_set.name, "max_calls": 6}
        post(lead_client, "/runs/", wish, 201)
        runs = runs_behind(JudgeConfig.objects.get(name="p").runs.get())
        assert [each.max_calls for each in runs] == [3, 3]

    def test_its_budget_is_changed(self, lead_client):
        run = start(panel_of(judges(2)), make_set(2))
        reply = lead_client.put(
            f"{API}/runs/{run.pk}/budget/",
            {"max_calls": 8},
            content_type="application/json",
        )
        assert reply.status_code == 200
        assert [each.max_calls for each in runs_behind(run)] == [4, 4]

    @pytest.mark.parametrize(
        ("changes", "code"),
        [
            ({"members": ["0" * 64]}, "panel_invalid"),
            ({"members": ["0" * 64, "1" * 64]}, "panel_member_unknown"),
            ({"members": ["x"]}, "invalid"),
            ({"quorum": 9}, "panel_invalid"),
        ],
    )
    def test_what_can_t_be_one_is_refused(self, lead_client, changes, code):
        members = [each.digest for each in judges(2)]
        sent = {"name": "p", "members": members, **changes}
        assert post(lead_client, "/panels/", sent, 400)["code"] == code

    def test_auditors_freeze_none(self, auditor_client):
        members = [each.digest for each in judges(2)]
        post(auditor_client, "/panels/", {"name": "p", "members": members}, 403)


class TestMarks:
    def test_by_response_and_system_without_what_is_held_out(self, auditor_client):
        run = marked_run(split_set(dev=2, held_out=1))
        found = get(auditor_client, f"/runs/{run.pk}/marks/")
        assert (found["hidden"], len(found["marks"])) == (2, 4)
        assert {row["case_id"] for row in found["marks"]} == {"case-0000", "case-0001"}
        assert found["marks"][0]["passed"] is True
        assert Exposure.objects.values("pair").distinct().count() == 2
        one, other = get(auditor_client, f"/runs/{run.pk}/marks/systems/")
        assert (one["system"], one["passed"], one["mean"]) == ("v12", 2, 1.0)
        assert (other["failed"], other["responses"]) == (2, 2)

    def test_not_for_reviewers_nor_of_pairwise_runs(self, reviewer_client, lead_client):
        run = marked_run()
        get(reviewer_client, f"/runs/{run.pk}/marks/", 403)
        other = start(make_judge(ADDRESS, name="pairs"), make_set(1))
        get(lead_client, f"/runs/{other.pk}/marks/", 409)


@pytest.mark.django_db(transaction=True)
class TestTrials:
    def test_a_connection(self, lead_client):
        with SimulatedJudge(Options()) as server:
            make_judge(server.base_url)
            found = post(lead_client, "/judges/judge/1/test-connection/")
        assert (found["answered"], found["served_model"]) == (True, "simulated-judge")
        found = post(lead_client, "/judges/judge/1/test-connection/")
        assert (found["answered"], found["kind"]) == (False, "unreachable")

    def test_a_pair_in_both_orders_after_its_rubric(self, lead_client, lead):
        gold_set = split_set(dev=1, held_out=0)
        with SimulatedJudge(Options(first_slot=1)) as server:
            make_judge(server.base_url, rubric_step=STEP)
            wish = {"gold_set": gold_set.name}
            found = post(lead_client, "/judges/judge/1/test-pair/", wish)
        assert found["case_id"] == "case-0000"
        assert found["result"] == "tie, flip"
        assert [each["reading"] for each in found["replies"]] == [
            "written",
            "baseline",
            "candidate",
        ]
        assert Exposure.objects.filter(user=lead).count() == 2
        assert not Reply.objects.exists()

    def test_a_pointwise_judge_on_each_response(self, lead_client):
        gold_set = split_set(dev=1, held_out=0)
        with SimulatedJudge(Options()) as server:
            pointwise_judge(server.base_url, name="judge")
            wish = {"gold_set": gold_set.name}
            found = post(lead_client, "/judges/judge/1/test-pair/", wish)
        assert len(found["replies"]) == 2
        assert all(each["reading"].startswith("score") for each in found["replies"])

    def test_held_out_pairs_panels_and_auditors_are_refused(
        self, lead_client, auditor_client
    ):
        held = split_set(dev=0, held_out=1)
        dev = split_set(dev=1, held_out=0)
        panel_of(judges(2))
        wish = {"gold_set": held.name}
        post(lead_client, "/judges/j0/1/test-pair/", wish, 409)
        wish = {"gold_set": dev.name}
        post(lead_client, "/judges/panel/1/test-pair/", wish, 409)
        post(lead_client, "/judges/panel/1/test-connection/", status=409)
        post(auditor_client, "/judges/j0/1/test-pair/", wish, 403)
        post(auditor_client, "/judges/j0/1/test-connection/", status=403)
