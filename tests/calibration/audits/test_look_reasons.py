"""Why one looks is said under one name in the API."""

from __future__ import annotations

import pytest

from calibration.models import AuditExport
from tests.calibration.audits.world import NAME

pytestmark = pytest.mark.django_db


def test_why_one_looks_has_an_older_name(site, auditor_client) -> None:
    path, both = "/api/v1/audit/bundles/", {"look_reason": "one", "reason": "other"}
    body = {"gold_set": NAME}
    refused = auditor_client.post(path, body | both, content_type="application/json")
    assert refused.status_code == 400
    assert "look_reason" in refused.json()["detail"]
    for said in ({"reason": "older"}, {"look_reason": "older", "reason": "older"}):
        reply = auditor_client.post(path, body | said, content_type="application/json")
        assert b"".join(reply.streaming_content)
        assert AuditExport.objects.latest("pk").reason == "older"
