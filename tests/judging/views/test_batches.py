"""Runs in batches on pages and over the API."""

from __future__ import annotations

import pytest

from judging.models import Batch, BatchState, Price, Run
from judging.services.batching import in_batches
from tests.annotation.factory import START
from tests.judging.answers import split_set
from tests.judging.api.test_judges import get, send
from tests.judging.batches import batch_run
from tests.judging.factory import ADDRESS, make_judge
from tests.judging.views.test_judges import page
from tests.judging.views.test_runs import NEW, wish

pytestmark = pytest.mark.django_db
PRICE = {
    "model": "simulated-judge",
    "valid_from": "2020-01-01",
    "prompt": "10",
    "completion": "100",
    "currency": "USD",
}


def batch(run, **more):
    return Batch.objects.create(run=run, created_at=START, look_after=START, **more)


def sent(run, **more):
    given = {"state": BatchState.SUBMITTED, "provider_id": "batch_7"}
    given |= {"submitting_at": START, "submitted_at": START, "requests": 12}
    return batch(run, **given | more)


def test_a_lead_starts_a_run_in_batches(lead_client):
    config, gold_set = make_judge(ADDRESS), split_set()
    lead_client.post(NEW, wish(config, gold_set, act="start", batches="on"))
    assert in_batches(Run.objects.get())


def test_without_the_tick_calls_are_sent_one_by_one(lead_client):
    config, gold_set = make_judge(ADDRESS), split_set()
    lead_client.post(NEW, wish(config, gold_set, act="start"))
    assert not in_batches(Run.objects.get())


def test_the_estimate_names_the_price_of_batches(lead_client):
    config, gold_set = make_judge(ADDRESS), split_set()
    lead_client.post("/providers/local/prices", PRICE | {"batch_share": "0.5"})
    assert Price.objects.get().batch_share is not None
    assert "50 %" in page(lead_client, "/providers/")
    text = " ".join(
        lead_client.post(NEW, wish(config, gold_set)).content.decode().split()
    )
    cost, batches = (
        float(text.split(f"<dt>{name}</dt> <dd>")[1].split(" ")[0])
        for name in ("Cost, about", "In batches, about")
    )
    assert batches == pytest.approx(cost / 2, rel=0.01)


@pytest.mark.parametrize("share", ["1.5", "-0.1", "half"])
def test_a_share_that_can_not_be_is_refused(lead_client, share):
    make_judge(ADDRESS)
    lead_client.post("/providers/local/prices", PRICE | {"batch_share": share})
    assert not Price.objects.exists()


def test_the_run_page_shows_its_batches_and_looks_rarely(lead_client):
    run = batch_run(ADDRESS, gold_set=split_set())
    sent(run, provider_status="in_progress")
    batch(run)
    text = page(lead_client, f"/runs/{run.pk}/live")
    assert "batch_7" in text
    assert "in progress" in text
    assert "filling" in text
    assert 'hx-trigger="every 10s"' in text


def test_a_batch_that_ended_shows_what_became_of_it(lead_client):
    run = batch_run(ADDRESS, gold_set=split_set())
    sent(
        run,
        state=BatchState.ENDED,
        provider_status="expired",
        answered=7,
        failed=2,
        unsent=3,
        detail="Too late <b>.",
    )
    text = page(lead_client, f"/runs/{run.pk}/live")
    for shown in ("expired", "Too late &lt;b&gt;.", ">7<", ">2<", ">3<"):
        assert shown in text


def test_over_the_api(lead_client):
    make_judge(ADDRESS)
    send(
        lead_client, "post", "/providers/local/prices/", PRICE | {"batch_share": "0.25"}
    )
    asked = {"judge": "judge", "gold_set": split_set().name, "batches": True}
    _, found = send(lead_client, "post", "/runs/estimate/", asked)
    cost, batches = (float(found[k]["amount"]) for k in ("cost", "batch_cost"))
    assert batches == pytest.approx(cost / 4)
    status, begun = send(lead_client, "post", "/runs/", asked)
    assert (status, begun["batches"]) == (201, [])
    run = Run.objects.get()
    assert in_batches(run)
    sent(run, provider_status="validating")
    _, now = get(lead_client, f"/runs/{run.pk}/progress/")
    (shown,) = now["batches"]
    assert (shown["provider_id"], shown["state"]) == ("batch_7", "submitted")
    assert (shown["provider_status"], shown["requests"]) == ("validating", 12)
    assert "key" not in shown


def test_an_auditor_sees_batches_and_starts_none(auditor_client):
    run = batch_run(ADDRESS, gold_set=split_set())
    sent(run)
    assert "batch_7" in page(auditor_client, f"/runs/{run.pk}/live")
    config = run.config
    reply = auditor_client.post(
        NEW, wish(config, run.gold_set, act="start", batches="on")
    )
    assert reply.status_code == 403
    assert Run.objects.count() == 1
