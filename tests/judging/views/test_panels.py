"""Panels on pages: chosen, frozen, shown with their members, and run."""

from __future__ import annotations

import pytest

from judging.models import JudgeConfig, Reply, Run
from judging.services.editing import retire
from judging.services.panels import panel_spec_of, runs_behind
from judging.services.starting import start_run
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


def posted(reply, status=200):
    assert reply.status_code == status, reply.content
    return " ".join(reply.content.decode().split())


def test_the_estimate_names_the_members_runs_and_another_can_be_chosen(lead_client):
    gold_set, members = make_set(2), judges(2)
    panel = panel_of(members)
    older, newer = (done_run(members[0], gold_set) for _ in range(2))
    asked = {
        "judge": "panel:1",
        "gold_set": gold_set.name,
        "purpose": "calibration",
        "concurrency": "4",
        "reuse": "on",
        "currency": "USD",
    }
    shown = posted(lead_client.post("/runs/new/", {**asked, "act": "estimate"}))
    field = f'name="seat-{members[0].pk}"'
    assert field in shown
    assert f'<option value="{newer.pk}" selected>' in shown
    assert f'<option value="{older.pk}">' in shown
    assert f"{members[1]}: a new run" in shown
    chosen = {
        **asked,
        "seats_of": f"panel:1 {gold_set.name}",
        f"seat-{members[0].pk}": str(older.pk),
    }
    again = posted(lead_client.post("/runs/new/", {**chosen, "act": "estimate"}))
    assert f'<option value="{older.pk}" selected>' in again
    lead_client.post("/runs/new/", {**chosen, "act": "start"})
    run = Run.objects.get(config=panel)
    assert older in runs_behind(run)
    assert newer not in runs_behind(run)


def test_runs_chosen_for_another_set_or_judge_are_not_taken_over(lead_client):
    gold_set, members = make_set(2), judges(2)
    panel_of(members)
    asked = {
        "judge": "panel:1",
        "gold_set": gold_set.name,
        "purpose": "calibration",
        "concurrency": "4",
        "reuse": "on",
        "currency": "USD",
        f"seat-{members[0].pk}": "9999",
        "act": "estimate",
    }
    other = {**asked, "seats_of": "panel:1 another"}
    assert lead_client.post("/runs/new/", other).status_code == 200
    same = {**asked, "seats_of": f"panel:1 {gold_set.name}"}
    assert "has no run 9999" in posted(lead_client.post("/runs/new/", same), 400)
    wrong = {**same, f"seat-{members[0].pk}": "nine"}
    assert "must be numbers" in posted(lead_client.post("/runs/new/", wrong), 400)


def test_a_panel_has_no_provider_of_its_own(lead_client):
    panel = start(panel_of(judges(2)), make_set(1))
    assert "<dt>Provider</dt>" not in page(lead_client, f"/runs/{panel.pk}/")
    member = runs_behind(panel)[0]
    assert "<dt>Provider</dt>" in page(lead_client, f"/runs/{member.pk}/")


def done_run(member, gold_set):
    """A complete run whose every call was answered."""
    run = start_run(config=member, gold_set=gold_set, concurrency=4, by=None, now=START)
    for call in run.calls.all():
        Reply.objects.create(call=call, choice="first", answered_at=START)
    run.calls.update(state="done")
    Run.objects.filter(pk=run.pk).update(status="done", finished_at=START)
    return Run.objects.get(pk=run.pk)
