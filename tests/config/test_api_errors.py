"""Under /api/ every refusal is JSON, whoever refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.exceptions import DisallowedHost

from tests.annotation.factory import make_set

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django.fixtures import Settings

MOST = 200


def test_a_body_that_is_too_large_is_refused_as_json(
    lead_client: Client, settings: Settings
) -> None:
    gold_set = make_set(cases=1)
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = MOST
    path = f"/api/v1/gold-sets/{gold_set.name}/rounds/"
    body = {"name": "n" * MOST}
    reply = lead_client.post(path, body, content_type="application/json")
    assert reply.status_code == 413
    assert reply.json() == {
        "code": "too_large",
        "message": "The body is larger than 200 bytes.",
        "detail": {"most": 200},
    }
    assert not gold_set.rounds.exists()


@pytest.mark.django_db
def test_an_address_that_is_none_is_refused_as_json(client: Client) -> None:
    reply = client.get("/api/v1/nowhere", headers={"Accept": "text/html"})
    assert (reply.status_code, reply["Content-Type"]) == (404, "application/json")
    assert reply.json() == {"code": "not_found", "message": "Not Found", "detail": {}}
    assert client.get("/nowhere").headers["Content-Type"].startswith("text/html")


@pytest.mark.django_db
def test_what_breaks_in_the_middle_is_json_too(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise DisallowedHost("secrets of the inside")

    monkeypatch.setattr("annotation.api.views.ReviewerView.initial", fails)
    reply = client.get("/api/v1/rounds/")
    assert (reply.status_code, reply.json()["code"]) == (400, "bad_request")
    assert "secrets" not in reply.content.decode()
