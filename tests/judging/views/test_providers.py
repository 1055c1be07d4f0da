"""Providers and prices on pages: names of secrets, never secrets."""

from __future__ import annotations

from decimal import Decimal

import pytest

from judging.models import Price, Provider
from tests.judging.factory import ADDRESS, make_judge
from tests.judging.views.test_judges import page

pytestmark = pytest.mark.django_db

KEY = "sk-proj-0123456789abcdef0123456789abcdef"
GOOD = {
    "alias": "azure",
    "base_url": "https://x.example.com/v1",
    "api_key_env": "AZURE_KEY",
    "secret_headers": '{"api-key": "AZURE_KEY"}',
    "query": '{"api-version": "2024-10-21"}',
    "call_seconds": "60",
    "use_env_proxy": "on",
}


def test_a_lead_adds_and_changes_a_provider(lead_client):
    assert lead_client.post("/providers/", GOOD).status_code == 302
    made = Provider.objects.get()
    assert made.secret_headers == {"api-key": "AZURE_KEY"}
    assert made.query == {"api-version": "2024-10-21"}
    assert (made.call_seconds, made.use_env_proxy, made.headers) == (60, True, {})
    assert "AZURE_KEY" in page(lead_client, "/providers/")
    form = page(lead_client, "/providers/azure/")
    assert "https://x.example.com/v1" in form
    changed = {**GOOD, "base_url": "https://y.example.com/v1", "headers": '{"x": "1"}'}
    assert lead_client.post("/providers/azure/", changed).status_code == 302
    made.refresh_from_db()
    assert (made.base_url, made.headers) == ("https://y.example.com/v1", {"x": "1"})


@pytest.mark.parametrize(
    "bad",
    [
        {"api_key_env": KEY},
        {"secret_headers": f'{{"api-key": "{KEY}"}}'},
        {"headers": f'{{"Authorization": "Bearer {KEY}"}}'},
        {"query": f'{{"api-key": "{KEY}"}}'},
        {"base_url": f"https://user:{KEY}@x.example.com/v1"},
        {"headers": '{"x": 1}'},
        {"headers": "[]"},
        {"call_seconds": "0"},
        {"alias": "a b"},
    ],
)
def test_keys_and_nonsense_are_refused_and_nothing_is_stored(lead_client, bad):
    reply = lead_client.post("/providers/", GOOD | bad)
    assert reply.status_code == 400
    assert not Provider.objects.exists()
    errors = reply.content.decode().split('role="alert"')[1:]
    assert errors
    assert all(KEY not in text.split("</div>")[0] for text in errors)


def test_adding_never_changes_one_that_is_there(lead_client):
    lead_client.post("/providers/", GOOD)
    reply = lead_client.post("/providers/", {**GOOD, "api_key_env": "OTHER"})
    assert reply.status_code == 400
    assert Provider.objects.get().api_key_env == "AZURE_KEY"


def test_the_address_that_judges_were_made_with_stays(lead_client):
    make_judge(ADDRESS)
    data = {**GOOD, "base_url": "https://elsewhere.example.com/v1"}
    reply = lead_client.post("/providers/local/", data)
    assert reply.status_code == 400
    assert b"alias of its own" in reply.content
    assert Provider.objects.get().base_url == ADDRESS


def test_prices_are_dated_rows(lead_client, lead):
    lead_client.post("/providers/", GOOD)
    row = {"model": "m", "valid_from": "2026-01-01", "prompt": "1.5",
           "completion": "6", "currency": "usd"}  # fmt: skip
    for prompt in ("1.5", "1.25"):
        reply = lead_client.post("/providers/azure/prices", {**row, "prompt": prompt})
        assert reply.status_code == 302
    price = Price.objects.latest("pk")
    assert (price.prompt, price.cached) == (Decimal("1.25"), None)
    assert (price.created_by, price.currency) == (lead, "USD")
    text = page(lead_client, "/providers/")
    assert text.index("1.25 USD") < text.index("1.5 USD")
    assert "as input" in text
    bad = lead_client.post("/providers/azure/prices", {**row, "prompt": "-1"})
    assert bad.status_code == 400
    assert lead_client.post("/providers/nobody/prices", row).status_code == 404
    assert Price.objects.count() == 2


def test_auditors_read_and_others_do_not(
    auditor_client, reviewer_client, adjudicator_client, lead_client
):
    lead_client.post("/providers/", GOOD)
    text = page(auditor_client, "/providers/")
    assert "AZURE_KEY" in text
    assert "Add a provider" not in text
    assert auditor_client.get("/providers/azure/").status_code == 403
    for path in ("/providers/", "/providers/azure/", "/providers/azure/prices"):
        for client in (auditor_client, reviewer_client, adjudicator_client):
            assert client.post(path, GOOD).status_code == 403
    assert reviewer_client.get("/providers/").status_code == 403
