"""Lists of the API: what the schema says of each is what it replies."""

from __future__ import annotations

from re import sub
from typing import TYPE_CHECKING, Any

import pytest

from calibration.models import Report
from tests.annotation.factory import make_round
from tests.calibration.releases import make_release
from tests.calibration.world import make_run

if TYPE_CHECKING:
    from django.test import Client

    from config.accounts.models import User

pytestmark = pytest.mark.django_db
JSON = "application/json"
PAGED = {"cursor", "page_size"}
# A ruling's own history, and marks of pointwise runs: their own tests cover them.
OWN = ("/api/v1/adjudications/{token}/history", "/api/v1/runs/{run_id}/marks/systems/")


@pytest.fixture
def schema(client: Client, db: None) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/api/v1/schema/?format=json").json()
    return found


def lists(schema: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Every GET that replies a list, plain or in ``results``, with its shape."""
    found = {}
    for path, methods in schema["paths"].items():
        shape = shape_of(schema, methods.get("get", {}))
        if "array" in (shape.get("type"), results_of(shape).get("type")):
            found[path] = shape
    return found


def shape_of(schema: dict[str, Any], operation: dict[str, Any]) -> dict[str, Any]:
    content = operation.get("responses", {}).get("200", {}).get("content", {})
    found: dict[str, Any] = content.get(JSON, {}).get("schema", {})
    if "$ref" in found:
        name = found["$ref"].rpartition("/")[2]
        found = schema["components"]["schemas"][name]
    return found


def results_of(shape: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = shape.get("properties", {}).get("results", {})
    return found


def asked_by(schema: dict[str, Any], path: str) -> set[str]:
    given = schema["paths"][path]["get"].get("parameters", ())
    return {one["name"] for one in given if one["in"] == "query"}


@pytest.fixture
def filled(lead: User, reviewer: User) -> dict[str, str]:
    """One of everything that an address names."""
    released = make_release()
    released.decide(by=lead)
    make_round(released.gold_set, reviewer)
    config = released.world.run.config
    return {
        "report_id": f"{Report.objects.get().pk}",
        "run_id": f"{make_run(released.gold_set, config).pk}",
        "alias": "simulator",
        "old": f"{config.version}",
        "new": f"{config.version}",
        "round_id": f"{released.gold_set.rounds.get().pk}",
        "judges": config.name,
        "name": released.gold_set.name,
    }


def address(path: str, filled: dict[str, str]) -> str:
    def value(match: Any) -> str:
        name = match[1]
        return filled["judges" if "judges" in path and name == "name" else name]

    return sub(r"\{(\w+)\}", value, path)


def test_every_list_replies_what_the_schema_says(
    schema: dict[str, Any],
    lead_client: Client,
    reviewer_client: Client,
    filled: dict[str, str],
) -> None:
    found = lists(schema)
    assert len(found) >= 22
    for path, shape in found.items():
        if path in OWN:
            continue
        client = reviewer_client if "/rounds/" in path[:16] else lead_client
        reply = client.get(address(path, filled))
        if path.endswith("held-out/"):
            look = {"look_reason": "yearly audit"}
            reply = client.post(address(path, filled), look, content_type=JSON)
        assert reply.status_code == 200, (path, reply.content)
        body = reply.json()
        if shape["type"] == "array":
            assert isinstance(body, list), path
            assert not asked_by(schema, path) & PAGED, path
            continue
        assert set(shape.get("required", ())) <= set(body), path
        assert set(body) <= set(shape["properties"]), path
        assert isinstance(body["results"], list), path
        if {"next", "previous"} <= set(body):
            assert asked_by(schema, path) >= PAGED, path


def test_what_is_declared_of_a_page_is_heard(
    schema: dict[str, Any], lead_client: Client, filled: dict[str, str]
) -> None:
    """A page of one row has one at most, and no cursor is taken that we didn't make."""
    for path in lists(schema):
        if asked_by(schema, path) >= PAGED and not path.endswith(
            ("held-out/", "labels")
        ):
            reply = lead_client.get(address(path, filled), {"page_size": 1})
            assert len(reply.json()["results"]) <= 1, path
            wrong = lead_client.get(address(path, filled), {"cursor": "made-up"})
            assert wrong.status_code == 404, path
