"""Looks over the API."""

from __future__ import annotations

import pytest

from annotation.models import LookPlan
from tests.calibration.sealed import GOOD, LIMITS, seal
from tests.calibration.world import World, make_world

pytestmark = pytest.mark.django_db
PLAN = {"mode": "sealed", "budget": 2, "limits": LIMITS}


@pytest.fixture
def good() -> World:
    return make_world(GOOD)


def base(world: World) -> str:
    return f"/api/v1/gold-sets/{world.gold_set.name}/looks/"


def send(client, url, body):
    return client.post(url, body, content_type="application/json")


def test_from_plan_to_unsealing(good, lead_client):
    planned = send(lead_client, f"{base(good)}plan", PLAN).json()
    assert (planned["mode"], planned["sealed"], planned["budget"]) == (
        "sealed", True, 2,
    )  # fmt: skip
    assert planned["limits"] == LIMITS
    report = f"/api/v1/reports/{good.report().pk}/"
    assert lead_client.get(report).json()["splits"]["held_out"] is None
    look = send(lead_client, f"{report}look", {"look_reason": "chosen"}).json()
    assert look == {"word": "passed", "n": 1, "budget": 2}
    log = lead_client.get(base(good)).json()
    (row,) = log["looks"]
    assert (row["word"], row["who"], row["door"], row["reason"]) == (
        "passed", "lead", "api", "chosen",
    )  # fmt: skip
    assert row["judge_digest"] == good.run.config.digest
    opened = send(lead_client, f"{base(good)}unseal", {"reason": "done"}).json()
    assert opened["sealed"] is False
    assert opened["unsealed_at"]
    assert lead_client.get(report).json()["code"] == "look_needed"
    found = send(lead_client, report, {"look_reason": "unsealed"}).json()
    assert found["splits"]["held_out"]["n"] == 20


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({**PLAN, "limits": {}}, "limits_invalid"),
        ({**PLAN, "limits": {"kappa": 0.5}}, "limits_invalid"),
        ({**PLAN, "mode": "shut"}, "invalid"),
        ({"mode": "open"}, "invalid"),
    ],
)
def test_a_plan_is_checked(good, lead_client, body, code):
    reply = send(lead_client, f"{base(good)}plan", body)
    assert (reply.status_code, reply.json()["code"]) == (400, code)
    assert not LookPlan.objects.exists()


def test_a_spent_seal_opens_for_no_reason(good, lead_client):
    seal(good.gold_set, {"agreement": 0.99}, budget=1)
    first = f"/api/v1/reports/{good.report().pk}/look"
    assert send(lead_client, first, {}).json()["word"] == "not_passed"
    other = f"/api/v1/reports/{good.run_again('other').report().pk}/look"
    reply = send(lead_client, other, {"reason": "please"})
    assert (reply.status_code, reply.json()["code"]) == (409, "sealed_looks_spent")


@pytest.mark.parametrize("who", ["reviewer", "adjudicator"])
def test_others_read_nothing(good, request, who):
    client = request.getfixturevalue(f"{who}_client")
    assert client.get(base(good)).status_code == 403


def test_auditors_read_and_do_nothing(good, auditor_client):
    assert auditor_client.get(base(good)).json()["used"] == 0
    report = good.report().pk
    for url, body in (
        (f"{base(good)}plan", PLAN),
        (f"{base(good)}unseal", {"reason": "x"}),
        (f"/api/v1/reports/{report}/look", {}),
    ):
        assert send(auditor_client, url, body).status_code == 403
