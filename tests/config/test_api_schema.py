from __future__ import annotations

import pytest
from drf_spectacular.validation import validate_schema
from rest_framework.authtoken.models import Token

pytestmark = pytest.mark.django_db


ROUNDS = "/api/v1/rounds/"


@pytest.fixture
def schema(lead_client):
    reply = lead_client.get("/api/v1/schema/?format=json")
    assert reply.status_code == 200
    return reply.json()


def test_the_schema_is_valid_openapi_3(schema):
    validate_schema(schema)
    assert schema["openapi"].startswith("3.")


def test_every_path_is_versioned_and_asks_who_is_there(schema):
    assert len(schema["paths"]) >= 4
    for path, methods in schema["paths"].items():
        assert path.startswith("/api/v1/")
        for operation in methods.values():
            assert {} not in operation["security"], path


def test_tools_may_read_the_schema_without_signing_in(client):
    assert client.get("/api/v1/schema/").status_code == 200


def test_a_token_signs_in(client, reviewer):
    token = Token.objects.create(user=reviewer)
    for key, status in ((token.key, 200), ("nonsense", 401)):
        reply = client.get(ROUNDS, headers={"Authorization": f"Token {key}"})
        assert reply.status_code == status


def test_strangers_are_refused(client):
    reply = client.get(ROUNDS)
    assert reply.status_code == 401
    assert reply.json()["code"] == "not_authenticated"
    assert reply.headers["WWW-Authenticate"] == "Token"
    assert set(reply.json()) == {"code", "message", "detail"}
