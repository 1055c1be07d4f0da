"""The OpenAPI schema: valid, without warnings, and naming what there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml
from django.urls import reverse
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema

if TYPE_CHECKING:
    from django.test import Client

LABELLING = {
    "/api/v1/rounds/": {"get"},
    "/api/v1/rounds/{round_id}/next": {"post"},
    "/api/v1/assignments/{token}/label": {"post"},
    "/api/v1/assignments/{token}/skip": {"post"},
    "/api/v1/assignments/{token}/": {"get"},
    "/api/v1/assignments/{token}/draft": {"put"},
    "/api/v1/rounds/{round_id}/labels": {"get"},
    "/api/v1/rounds/{round_id}/guideline": {"post"},
}


@pytest.fixture
def schema() -> Any:
    GENERATOR_STATS.reset()
    generator: Any = SchemaGenerator
    return generator().get_schema(request=None, public=True)


def test_the_schema_is_valid_and_without_warnings(
    schema: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    validate: Any = validate_schema
    validate(schema)
    assert not GENERATOR_STATS, capsys.readouterr().err


def test_the_schema_lists_the_labelling_paths(schema: Any) -> None:
    for path, methods in LABELLING.items():
        assert set(schema["paths"][path]) == methods
        for method in methods:
            operation = schema["paths"][path][method]
            assert operation["tags"] == ["labelling"]
            assert {"tokenAuth": []} in operation["security"]


def test_the_schema_is_served_to_who_is_signed_in(reviewer_client: Client) -> None:
    reply = reviewer_client.get(reverse("schema"))
    assert reply.status_code == 200
    served = yaml.safe_load(reply.content)
    assert served["openapi"].startswith("3.")
    assert set(LABELLING) <= set(served["paths"])
