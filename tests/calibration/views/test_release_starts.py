"""Starting a release run: page, API and command over one service, for leads alone."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command

from judging.models import Run, RunPurpose
from tests.annotation.factory import make_set
from tests.calibration.views.test_reports import words
from tests.judging.factory import make_judge

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db
PAGE = "/releases/new/"
START, ESTIMATE = "/api/v1/releases/start", "/api/v1/releases/estimate"
NAMES = "middle with prod, new with middle, new with prod"
FORM = {"judge": "judge:1", "gold_set": "cases", "concurrency": "4", "reuse": "on"}
SENT = {"judge": "judge", "gold_set": "cases"}


@pytest.fixture(autouse=True)
def ready(db: None) -> None:
    make_judge("http://127.0.0.1:9/v1")
    make_set(6, name="cases")
    make_set(2, name="three", systems=("prod", "middle", "new"))


def post(client: Client, path: str, **fields: Any) -> Any:
    return client.post(path, SENT | fields, content_type="application/json")


def test_the_page_says_what_it_comes_to_and_then_starts(lead_client: Client) -> None:
    assert "Start a release run" in words(lead_client.get("/releases/"))
    first = words(lead_client.get(PAGE))
    assert "What it would come to" not in first
    assert "Start the release run" not in first
    text = words(lead_client.post(PAGE, FORM | {"act": "estimate"}))
    assert "12 over 6 pairs: 12 to ask" in text
    assert "Tokens, about" in text
    assert "unknown price" in text
    assert "Start the release run" in text
    assert not Run.objects.exists()
    reply = lead_client.post(PAGE, FORM | {"act": "start"})
    run = Run.objects.get()
    assert reply["Location"] == f"/runs/{run.pk}/"
    assert (run.purpose, run.created_by) == (RunPurpose.RELEASE, _lead(lead_client))
    again = lead_client.post(PAGE, FORM | {"act": "start"})
    assert again.status_code == 400
    assert f"Run {run.pk} is this very release" in words(again)


def _lead(client: Client) -> Any:
    return client.get("/").wsgi_request.user


def test_a_panel_and_a_budget_by_page(lead_client: Client) -> None:
    panel = {"share": "0.5", "seed": "may", "max_calls": "4", "act": "start"}
    lead_client.post(PAGE, FORM | panel)
    run = Run.objects.get()
    assert (run.calls.count(), run.max_calls) == (6, 4)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"gold_set": "three"}, NAMES),
        ({"share": "0.5"}, "both a share and a seed"),
        ({"share": "7", "seed": "may"}, "must be above 0 and at most 1"),
        ({"gold_set": "three", "systems": "prod"}, "are two names"),
    ],
)
@pytest.mark.parametrize("act", ["estimate", "start"])
def test_what_can_not_be_is_refused_before_anything_is_asked(
    lead_client: Client, fields: dict[str, str], said: str, act: str
) -> None:
    reply = lead_client.post(PAGE, FORM | fields | {"act": act})
    assert reply.status_code == 400
    assert said in words(reply)
    assert not Run.objects.exists()


def test_the_usual_run_page_refuses_it_too(lead_client: Client) -> None:
    for act in ("estimate", "start"):
        reply = lead_client.post(
            "/runs/new/",
            FORM | {"gold_set": "three", "purpose": "release", "act": act},
        )
        assert NAMES in words(reply)
    sent = SENT | {"gold_set": "three", "purpose": "release"}
    for path in ("/api/v1/runs/estimate/", "/api/v1/runs/"):
        refused = lead_client.post(path, sent, content_type="application/json")
        assert refused.json()["code"] == "release_many_systems"
    assert not Run.objects.exists()


def test_the_api_estimates_and_starts(lead_client: Client) -> None:
    found = post(lead_client, ESTIMATE, share=0.5, seed="may")
    assert (found.status_code, found.json()["calls"]) == (200, 6)
    assert found.json()["cost"] is None
    made = post(lead_client, START, share=0.5, seed="may", max_calls=9)
    assert made.status_code == 201
    run = Run.objects.get()
    assert (made.json()["run"], run.max_calls) == (run.pk, 9)
    again = post(lead_client, START, share=0.5, seed="may")
    assert (again.status_code, again.json()["code"]) == (409, "run_unfinished")
    for path in (START, ESTIMATE):
        many = post(lead_client, path, gold_set="three")
        assert (many.status_code, many.json()["code"]) == (409, "release_many_systems")
        assert post(lead_client, path, sharing=1).status_code == 400
        assert post(lead_client, path, judge="none").status_code == 404
    two = post(lead_client, START, gold_set="three", systems=["prod", "new"])
    assert Run.objects.get(pk=two.json()["run"]).calls.count() == 4


@pytest.mark.parametrize("role", ["auditor", "reviewer", "adjudicator", "outsider"])
def test_only_leads_do(client_of: Any, role: str, request: Any) -> None:
    client = client_of(request.getfixturevalue(role))
    assert client.get(PAGE).status_code == 403
    assert client.post(PAGE, FORM | {"act": "start"}).status_code == 403
    for path in (START, ESTIMATE):
        assert post(client, path).status_code == 403
    assert not Run.objects.exists()


def test_auditors_are_not_offered_it(client_of: Any, auditor: Any) -> None:
    assert "Start a release run" not in words(client_of(auditor).get("/releases/"))


def command(**options: Any) -> str:
    out = StringIO()
    call_command("start_release", stdout=out, judge="judge", **options)
    return out.getvalue()


def test_the_command_estimates_and_starts() -> None:
    said = command(gold_set="cases", dry_run=True)
    assert "6 pairs, 12 calls: 12 to ask" in said
    assert "Cost unknown: no price." in said
    assert not Run.objects.exists()
    assert "is a release run over cases" in command(gold_set="cases")
    for more in ({}, {"dry_run": True}):
        with pytest.raises(CommandError, match=NAMES):
            command(gold_set="three", **more)
    with pytest.raises(CommandError, match="share and a seed"):
        command(gold_set="cases", share=0.5)
    said = command(gold_set="three", systems="prod, new", dry_run=True)
    assert "2 pairs, 4 calls" in said
    with pytest.raises(CommandError, match=NAMES):
        call_command(
            "run_judge", judge="judge", gold_set="three", purpose="release",
            dry_run=True, stdout=StringIO(),
        )  # fmt: skip
