"""Runs over the API: estimate, start, hold up, and the calls of open pairs."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Exposure
from judging.domain.terms import InvalidReason
from judging.models import Run, Silence
from tests.judging.answers import RAW, answer, answered_run, reanswer, split_set
from tests.judging.api.test_judges import get, send
from tests.judging.factory import ADDRESS, make_judge, make_run

pytestmark = pytest.mark.django_db


def wish(gold_set, **more):
    return {"judge": "judge", "gold_set": gold_set.name, **more}


def test_estimate_start_and_the_same_again(lead_client, lead):
    make_judge(ADDRESS)
    gold_set = split_set(dev=2, held_out=1)
    status, found = send(lead_client, "post", "/runs/estimate/", wish(gold_set))
    assert status == 200
    assert (found["pairs"], found["to_ask"], found["cost"]) == (3, 6, None)
    assert not Run.objects.exists()

    sent = wish(gold_set, max_calls=5, concurrency=3)
    status, run = send(lead_client, "post", "/runs/", sent)
    assert (status, run["calls"], run["status"]) == (201, 6, "pending")
    stored = Run.objects.get()
    assert (stored.created_by, stored.max_calls, stored.concurrency) == (lead, 5, 3)
    status, again = send(lead_client, "post", "/runs/", sent)
    assert (status, again["run"]) == (200, run["run"])


def test_a_known_price_is_a_cost(lead_client):
    make_judge(ADDRESS)
    price = {"model": "simulated-judge", "valid_from": "2020-01-01", "prompt": "1",
             "completion": "2"}  # fmt: skip
    send(lead_client, "post", "/providers/local/prices/", price)
    _, found = send(lead_client, "post", "/runs/estimate/", wish(split_set()))
    assert float(found["cost"]["amount"]) > 0
    assert found["cost"]["currency"] == "USD"


def test_progress_and_holding_up(lead_client):
    run = make_run(ADDRESS, gold_set=split_set())
    url = f"/runs/{run.pk}/"
    for call in run.calls.all()[:2]:
        answer(call)
    reanswer(run.calls.earliest("pk"), InvalidReason.REFUSED)
    _, now = get(lead_client, f"{url}progress/")
    assert (now["calls"], now["done"], now["in_hand"]) == (7, 3, 0)
    assert now["invalid"] == [{"reason": "refused", "calls": 1}]
    assert now["cost"]["tokens"]["prompt"] == 300
    assert (now["cost"]["known"], now["cost"]["unknown_calls"]) == ([], 3)
    for action, state in (
        ("pause", "paused"),
        ("resume", "pending"),
        ("stop", "stopped"),
    ):
        status, now = send(lead_client, "post", f"{url}{action}/")
        assert (status, now["status"]) == (200, state)
    assert send(lead_client, "post", f"{url}pause/")[0] == 409
    assert send(lead_client, "put", f"{url}budget/", {"max_calls": 9})[0] == 409


def test_what_a_run_waits_for(lead_client):
    run, now = make_run(ADDRESS, gold_set=split_set()), timezone.now()
    url = f"/runs/{run.pk}/progress/"
    _, found = get(lead_client, url)
    assert (found["waiting"], found["silence"]) == ("", None)
    Silence.objects.create(
        run=run, since=now, try_at=now + timedelta(hours=1), looks=4, detail="refused"
    )
    _, found = get(lead_client, url)
    words = r"The provider does not answer; trying again in 3(600|5\d\d) s"
    assert re.fullmatch(words, found["waiting"])
    assert (found["silence"]["looks"], found["silence"]["detail"]) == (4, "refused")


def test_a_budget_is_set(lead_client):
    run = make_run(ADDRESS, gold_set=split_set())
    url = f"/runs/{run.pk}/budget/"
    assert send(lead_client, "put", url, {"max_tokens": 10_000})[0] == 200
    run.refresh_from_db()
    assert run.max_tokens == 10_000
    assert send(lead_client, "put", url, {"max_calls": 0})[0] == 400
    refused = send(lead_client, "put", url, {"max_cost": "1"})
    assert (refused[0], refused[1]["code"]) == (409, "price_unknown")


def test_calls_of_open_pairs_only_page_by_page(lead_client, lead):
    run = answered_run(split_set(dev=1, held_out=1, unsplit=1))
    url = f"/runs/{run.pk}/calls/"
    _, page = get(lead_client, f"{url}?page_size=1")
    assert page["results"][0]["reply"]["raw"] == RAW
    assert page["results"][0]["reply"]["choice"] == "first"
    seen = Exposure.objects.filter(user=lead)
    assert {each.pair.case.external_id for each in seen} == {"case-0000"}
    _, whole = get(lead_client, url)
    assert [each["case_id"] for each in whole["results"]] == (
        ["case-0000"] * 2 + ["case-0002"] * 2
    )
    assert {each.kind for each in seen} == {"systems", "verdicts"}
    _, none = get(lead_client, f"{url}?reason=refused")
    assert none["results"] == []
    _, order = get(lead_client, f"{url}?order=candidate_first&split=dev")
    assert len(order["results"]) == 1
    assert get(lead_client, f"{url}?split=held_out")[0] == 400
    assert get(lead_client, "/runs/999/calls/")[0] == 404


def test_roles(auditor_client, reviewer_client, adjudicator_client):
    run = answered_run()
    url = f"/runs/{run.pk}/"
    for path in ("progress/", "calls/"):
        assert get(auditor_client, url + path)[0] == 200
        assert get(reviewer_client, url + path)[0] == 403
        assert get(adjudicator_client, url + path)[0] == 403
    for path in ("/runs/", "/runs/estimate/", f"{url}pause/", f"{url}resume/",
                 f"{url}stop/"):  # fmt: skip
        for client in (auditor_client, reviewer_client, adjudicator_client):
            assert send(client, "post", path)[0] == 403
    assert send(auditor_client, "put", f"{url}budget/")[0] == 403
