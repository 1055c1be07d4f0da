"""A key in an API address that nothing reads is refused, never passed over."""

from __future__ import annotations

import re

import pytest
from django.urls import URLResolver, get_resolver, resolve

from config.queries import SHARED_KEYS, known_keys

pytestmark = pytest.mark.django_db
METHODS = ("get", "post", "put", "patch", "delete")
VALUES = {
    "int": "1",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "slug": "name",
    "str": "name",
}


def addresses(resolver=None, prefix="/"):
    """Every address of the API, with something in place of each of its values."""
    for entry in (resolver or get_resolver()).url_patterns:
        route = prefix + str(entry.pattern).replace("^", "")
        if isinstance(entry, URLResolver):
            yield from addresses(entry, route)
        elif route.startswith("/api/"):
            yield re.sub(r"<(\w+):\w+>", lambda found: VALUES[found[1]], route)


def operations():
    """Each address with the methods that its view has."""
    for address in addresses():
        view = resolve(address).func.cls
        for method in METHODS:
            if hasattr(view, method):
                yield address, method, view


def test_there_are_such_operations():
    assert len(list(operations())) > 60


def test_a_key_that_nothing_reads_is_refused_by_name(lead_client):
    for address, method, _ in operations():
        reply = getattr(lead_client, method)(f"{address}?nonsense=1&cursor=x")
        assert reply.status_code == 400, (method, address)
        assert reply.json()["code"] == "query_unknown", address
        assert list(reply.json()["detail"]) == ["nonsense"], address
        assert "'nonsense'" in reply.json()["message"]


def test_what_the_schema_knows_is_let_through(lead_client):
    """Both ways: no key that is in the schema is refused, and no other let through."""
    paths = lead_client.get("/api/v1/schema/?format=json").json()["paths"]
    found = 0
    for path, methods in paths.items():
        filled = re.sub(r"{\w+}", "1", path)
        try:
            view = resolve(filled).func.cls
        except Exception:  # noqa: BLE001 - a value of another kind is wanted
            uuid = VALUES["uuid"]
            view = resolve(re.sub(r"{\w+}", uuid, path)).func.cls
        for method, operation in methods.items():
            asked = {
                one["name"]
                for one in operation.get("parameters", ())
                if one["in"] == "query"
            }
            known = known_keys(view, method) | SHARED_KEYS
            assert asked <= known, (method, path)
            assert known - SHARED_KEYS <= asked, (method, path)
            found += len(asked)
    assert found > 20


def test_a_misspelt_filter_shows_nothing(lead_client):
    reply = lead_client.get("/api/v1/reports/?gold_sett=demo")
    assert reply.status_code == 400
    assert lead_client.get("/api/v1/reports/?gold_set=demo").status_code == 200


def test_pages_for_people_are_left_alone(lead_client):
    assert lead_client.get("/?nonsense=1").status_code == 200
