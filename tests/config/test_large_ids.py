"""A number in an address that no database can hold is no such thing, never a crash."""

from __future__ import annotations

import pytest
from django.urls import get_resolver

pytestmark = pytest.mark.django_db
HUGE = 10**30


def addresses(resolver=None, prefix="/"):
    """Every address with a whole number in it, that number huge."""
    for entry in (resolver or get_resolver()).url_patterns:
        route = prefix + str(entry.pattern).replace("^", "")
        if hasattr(entry, "url_patterns"):
            yield from addresses(entry, route)
        elif "<int:" in route and "admin" not in route:
            yield filled(route)


def filled(route):
    from re import sub

    route = sub(r"<int:\w+>", str(HUGE), route)
    route = sub(r"<uuid:\w+>", "00000000-0000-4000-8000-000000000000", route)
    return sub(r"<\w+:\w+>", "name", route)


def test_there_are_such_addresses():
    assert len(list(addresses())) > 20


@pytest.mark.parametrize("method", ["get", "post"])
def test_nobody_gets_a_server_error(method, lead_client, reviewer_client):
    for client in (lead_client, reviewer_client):
        for address in addresses():
            reply = getattr(client, method)(address)
            assert reply.status_code in (403, 404, 405), address


def test_the_api_answers_json_whatever_is_accepted(reviewer_client):
    reply = reviewer_client.post(
        f"/api/v1/rounds/{HUGE}/next", headers={"accept": "*/*"}
    )
    assert reply.status_code == 404
    assert reply.json()["code"] == "not_found"
