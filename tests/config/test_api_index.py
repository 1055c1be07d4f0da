"""The index of the API: what the caller's role may open, and nothing more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from config.accounts.models import User

pytestmark = pytest.mark.django_db
INDEX = "/api/v1/"


def doors(client: Client) -> dict[str, list[str]]:
    reply = client.get(INDEX)
    assert reply.status_code == 200
    return {
        one["url"].removeprefix("http://testserver"): one["methods"]
        for one in reply.json()
    }


def test_strangers_are_refused(client: Client) -> None:
    assert client.get(INDEX).status_code == 401


def test_a_reviewer_finds_the_queue_and_no_more(reviewer_client: Client) -> None:
    assert doors(reviewer_client) == {
        "/api/v1/": ["GET"],
        "/api/v1/schema/": ["GET"],
        "/api/v1/rounds/": ["GET"],
    }


def test_an_adjudicator_finds_the_disputes(
    client_of: Callable[[User], Client], adjudicator: User
) -> None:
    found = doors(client_of(adjudicator))
    assert found["/api/v1/adjudications/next"] == ["POST"]
    assert "/api/v1/gold-sets/" not in found


def test_who_has_no_role_finds_the_index_and_the_schema(
    client_of: Callable[[User], Client], outsider: User
) -> None:
    assert set(doors(client_of(outsider))) == {"/api/v1/", "/api/v1/schema/"}


def test_a_lead_may_send_where_an_auditor_only_reads(
    lead_client: Client, auditor_client: Client
) -> None:
    led, read = doors(lead_client), doors(auditor_client)
    assert led["/api/v1/policies/"] == ["GET", "POST"]
    assert read["/api/v1/policies/"] == ["GET"]
    assert "/api/v1/imports/" in led
    assert "/api/v1/imports/" not in read
    assert {"/api/v1/gold-sets/", "/api/v1/rounds/", "/api/v1/runs/"} <= set(read)


def test_every_door_named_opens(lead_client: Client, auditor_client: Client) -> None:
    for client in (lead_client, auditor_client):
        for url, methods in doors(client).items():
            if "GET" in methods:
                assert client.get(url).status_code not in (401, 403, 404, 405), url


def test_each_says_what_it_is(lead_client: Client) -> None:
    for one in lead_client.get(INDEX).json():
        assert one["about"].endswith("."), one
