"""Panels on pages: chosen, frozen, shown with their members, and run."""

from __future__ import annotations

import pytest

from judging.models import JudgeConfig, Run
from judging.services.editing import retire
from judging.services.panels import panel_spec_of, runs_behind
from tests.annotation.factory import START, make_set
from tests.judging.factory import ADDRESS, make_judge
from tests.judging.services.test_panel_runs import judges, panel_of, start
from tests.judging.views.test_judges import page

pytestmark = pytest.mark.django_db

NEW = "/judges/new-panel/"
RULES = {
    "name": "panel",
    "combining_rule": "agree_else_tie",
    "top_tie": "abstain",
    "abstain_rule": "counted",
    "no_quorum": "invalid",
    "quorum": "",
}


def send(client, members, **changes):
    digests = [each.digest for each in members]
    return client.post(NEW, {**RULES, "members": digests, **changes})


def test_members_and_rules_are_frozen_at_once(lead_client):
    members = judges()
    reply = send(lead_client, members)
    assert reply.url == "/judges/panel/1/"
    panel = JudgeConfig.objects.get(name="panel")
    spec = panel_spec_of(panel)
    assert set(spec.members) == {each.digest for each in members}
    assert (spec.top_tie, spec.abstain_rule, spec.no_quorum, spec.quorum) == (
        "abstain", "counted", "invalid", 2,
    )  # fmt: skip
    text = page(lead_client, "/judges/panel/1/")
    assert "j0 v1" in text
    assert "Two outcomes with the most votes" in text
    assert "Edit" not in text
    assert "Try it before" not in text


def test_what_can_t_be_a_panel_is_said(lead_client):
    members = judges(2)
    for sent, changes, said in (
        (members[:1], {}, "at least two members"),
        (members, {"quorum": "9"}, "the quorum must be 1 to 2"),
        ([], {}, "required"),
        (members, {"name": "j0"}, "a line of judges, not of panels"),
        (members, {"combining_rule": "mean_strength"}, "not one of the available"),
    ):
        reply = send(lead_client, sent, **changes)
        assert reply.status_code == 400
        assert said in reply.content.decode()
    assert not JudgeConfig.objects.filter(kind="panel").exists()


def test_only_frozen_judges_in_use_are_offered(lead_client):
    kept, gone = judges(2)
    retire(config=gone, by=None, now=START)
    text = page(lead_client, NEW)
    assert kept.digest in text
    assert gone.digest not in text
    assert "at least two frozen pairwise judges" in text


def test_a_retired_member_is_still_shown(lead_client):
    members = judges(2)
    panel_of(members)
    retire(config=members[0], by=None, now=START)
    text = page(lead_client, "/judges/panel/1/")
    assert text.count("j0 v1") == 1
    assert "retired" in text


def test_its_run_shows_its_members_and_takes_a_budget(lead_client):
    run = start(panel_of(judges(2)), make_set(2))
    text = page(lead_client, f"/runs/{run.pk}/")
    for member in runs_behind(run):
        assert f'href="/runs/{member.pk}/"' in text
    assert text.count("no limit") >= 2
    lead_client.post(f"/runs/{run.pk}/budget", {"max_calls": 4, "currency": "USD"})
    assert [each.max_calls for each in runs_behind(run)] == [2, 2]
    assert "2 requests." in page(lead_client, f"/runs/{run.pk}/")


def test_it_is_started_with_a_budget(lead_client):
    panel_of(judges(2))
    gold_set = make_set(2)
    sent = {
        "judge": "panel:1", "gold_set": gold_set.name, "purpose": "calibration",
        "concurrency": 2, "reuse": "on", "max_calls": 6, "act": "start",
    }  # fmt: skip
    reply = lead_client.post("/runs/new/", sent)
    run = Run.objects.get(config__name="panel")
    assert reply.url == f"/runs/{run.pk}/"
    assert [each.max_calls for each in runs_behind(run)] == [3, 3]


def test_auditors_make_none(auditor_client):
    members = [make_judge(ADDRESS), make_judge(ADDRESS, name="other", model="m")]
    assert send(auditor_client, members).status_code == 403
    page(auditor_client, NEW, 403)
