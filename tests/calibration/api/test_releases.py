"""Policies, releases, decisions and waivers over the API."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from calibration.models import Decision, Policy, WaiverRevocation
from config.accounts.roles import Role
from tests.annotation.factory import add_case, make_set
from tests.calibration.evidence import ILLUSTRATIVE, POLICY
from tests.calibration.releases import LOOSE, Released, make_release

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from config.accounts.models import User

pytestmark = pytest.mark.django_db
API = "/api/v1"
DOCUMENT = json.loads(ILLUSTRATIVE)


@pytest.fixture
def released(db: None) -> Released:
    return make_release("CCCCCCCCBT", critical=[8])


def send(client: Client, path: str, body: object = None, method: str = "post") -> Any:
    text = body if isinstance(body, str) else json.dumps(body)
    return getattr(client, method)(
        f"{API}{path}", text, content_type="application/json"
    )


def test_a_policy_from_draft_to_frozen(lead_client: Client) -> None:
    made = send(lead_client, "/policies/", {"name": "usual", "document": DOCUMENT})
    assert made.status_code == 201
    url = f"/policies/{made.json()['id']}/"
    edited = send(lead_client, url, {"document": POLICY}, "put").json()
    assert (edited["document"], edited["digest"]) == (POLICY, "")
    frozen = send(lead_client, f"{url}freeze").json()
    assert frozen["digest"]
    assert lead_client.get(f"{API}{url}").json() == frozen
    assert send(lead_client, url, {"document": POLICY}, "put").status_code == 409
    assert send(lead_client, f"{url}freeze").json()["code"] == "policy_frozen"
    listed = lead_client.get(f"{API}/policies/").json()["results"]
    assert listed == [frozen]


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"name": "x", "document": DOCUMENT | {"winRate": 1}}, "winRate"),
        ({"name": "x", "document": []}, "document"),
        ({"name": "a b", "document": DOCUMENT}, "name"),
        ({"name": "x"}, "document"),
        ({"name": "x", "document": DOCUMENT, "frozen": True}, "frozen"),
        ('{"name": "x", "document": {"maximumSwapFlipRate": NaN}}', "NaN"),
        ('{"name": "x", "name": "y", "document": {}}', "twice"),
    ],
)
def test_what_is_wrong_with_a_policy_is_named(
    lead_client: Client, body: object, named: str
) -> None:
    reply = send(lead_client, "/policies/", body)
    assert reply.status_code == 400
    assert named in reply.content.decode()
    assert not Policy.objects.exists()


def test_the_schema_is_published(auditor_client: Client) -> None:
    found = auditor_client.get(f"{API}/policies/schema").json()
    assert found["$id"] == "evenhand.policy/1"
    assert found["additionalProperties"] is False


def test_a_release_is_decided_once(released: Released, lead_client: Client) -> None:
    url = f"/releases/{released.run.pk}/"
    shown = lead_client.get(f"{API}{url}").json()
    assert shown["summary"]["preference"]["candidate_wins"] == 8
    assert [pair["case"] for pair in shown["critical"]] == ["r8"]
    body = {"policy": released.policy.pk, "report": released.report.pk}
    first = send(lead_client, f"{url}decide", body)
    assert first.status_code == 200
    assert first.json()["result"] == "hold"
    assert send(lead_client, f"{url}decide", body).json() == first.json()
    (row,) = lead_client.get(f"{API}/decisions/").json()["results"]
    assert row["digest"] == first.json()["digest"]
    assert lead_client.get(f"{API}/decisions/{row['id']}/").json() == first.json()
    (run,) = lead_client.get(f"{API}/releases/").json()["results"]
    assert run["run"] == released.run.pk


def test_without_a_report_it_is_no_ship(
    released: Released, lead_client: Client
) -> None:
    url = f"/releases/{released.run.pk}/decide"
    body = {"policy": released.policy.pk, "report": None}
    found = send(lead_client, url, body).json()
    assert found["result"] == "hold"
    assert found["calibration"] is None
    assert found["missing"]


@pytest.mark.parametrize("body", [{}, {"policy": "1"}, {"policy": 1, "ship": True}])
def test_a_body_that_says_something_else_is_refused(
    released: Released, lead_client: Client, body: object
) -> None:
    url = f"/releases/{released.run.pk}/decide"
    assert send(lead_client, url, body).status_code == 400


SOON = timezone.now() + timedelta(days=30)


def waiver(**changes: Any) -> dict[str, Any]:
    return {
        "gold_set": "release", "case_ids": ["r8"], "impact": "late", "owner": "ops",
        "reason": "fixed", "expires_at": SOON.isoformat(),
    } | changes  # fmt: skip


def test_a_waiver_needs_two_people(
    released: Released,
    lead_client: Client,
    make_user: Callable[..., User],
    client_of: Callable[[User], Client],
) -> None:
    other = client_of(make_user("second", Role.LEAD))
    made = send(lead_client, "/waivers/", waiver())
    assert made.status_code == 201
    url = f"/waivers/{made.json()['id']}/"
    assert send(lead_client, f"{url}confirm").status_code == 403
    confirmed = send(other, f"{url}confirm").json()
    assert (confirmed["state"], confirmed["confirmed_by"]) == ("in_force", "second")
    assert send(other, f"{url}confirm").status_code == 409
    revoked = send(lead_client, f"{url}revoke", {"reason": "worse"}).json()
    assert (revoked["state"], revoked["revoked_because"]) == ("revoked", "worse")
    ended = WaiverRevocation.objects.get().revoked_at.isoformat()
    assert revoked["revoked_at"] == ended
    assert confirmed["revoked_at"] is None
    (listed,) = lead_client.get(f"{API}/waivers/").json()["results"]
    assert listed == revoked


@pytest.mark.parametrize(
    "changes",
    [
        {"case_ids": []},
        {"case_ids": ["r1"]},
        {"expires_at": "2000-01-01T00:00Z"},
        {"expires_at": "9999-01-01T00:00Z"},
        {"reason": "\u200b"},
        {"impact": "\u2060 \u200d"},
        {"owner": "\ufeff"},
    ],
)
def test_a_waiver_with_a_fault_is_refused(
    released: Released, lead_client: Client, changes: dict[str, Any]
) -> None:
    assert send(lead_client, "/waivers/", waiver(**changes)).status_code == 400


def test_a_waiver_names_its_systems_where_the_set_has_more(
    released: Released, lead_client: Client
) -> None:
    asked = send(lead_client, "/waivers/", waiver(systems=["v12", "v13"]))
    assert asked.json()["systems"] == ["v12", "v13"]
    assert send(lead_client, "/waivers/", waiver()).json()["systems"] == ["v12", "v13"]
    gold_set = make_set(0, systems=("a", "b", "c"), name="three")
    add_case(gold_set, list(gold_set.systems.all()), "vital", (), critical=True)
    wish = waiver(gold_set="three", case_ids=["vital"])
    refused = send(lead_client, "/waivers/", wish)
    assert refused.status_code == 400
    assert "a|b, a|c, b|c" in refused.content.decode()
    asked = send(lead_client, "/waivers/", wish | {"systems": ["a", "c"]})
    assert (asked.status_code, asked.json()["systems"]) == (201, ["a", "c"])


def test_abstained_pairs_go_to_people(lead_client: Client, reviewer: User) -> None:
    released = make_release("CCA", policy=LOOSE | {"abstainPath": "mandatory-human"})
    body = {
        "policy": released.policy.pk, "name": "More", "labels_per_pair": 1,
        "reviewers": [reviewer.username],
    }  # fmt: skip
    made = send(lead_client, f"/releases/{released.run.pk}/review", body)
    assert made.status_code == 201
    assert made.json()["pairs"] == 1


def test_roles(
    released: Released,
    reviewer_client: Client,
    adjudicator_client: Client,
    auditor_client: Client,
    client: Client,
) -> None:
    decision = released.decide().pk
    reads = [
        "/policies/", f"/policies/{released.policy.pk}/", "/policies/schema",
        "/releases/", f"/releases/{released.run.pk}/", "/decisions/",
        f"/decisions/{decision}/", "/waivers/",
    ]  # fmt: skip
    writes = [
        "/policies/", f"/policies/{released.policy.pk}/freeze",
        f"/releases/{released.run.pk}/decide", f"/releases/{released.run.pk}/review",
        "/waivers/", "/waivers/1/confirm", "/waivers/1/revoke",
    ]  # fmt: skip
    look = {"look_reason": "yearly audit"}
    url = f"/decisions/{decision}/"
    assert auditor_client.get(f"{API}{url}").json()["code"] == "look_needed"
    assert send(auditor_client, url, {}).status_code == 400
    assert send(auditor_client, url, look).json()["id"] == decision
    assert send(reviewer_client, url, look).status_code == 403
    for path in reads:
        assert auditor_client.get(f"{API}{path}").status_code == 200, path
        assert client.get(f"{API}{path}").status_code == 401
        for one in (reviewer_client, adjudicator_client):
            assert one.get(f"{API}{path}").status_code == 403, path
    for path in writes:
        for one in (reviewer_client, adjudicator_client, auditor_client):
            assert send(one, path, {}).status_code == 403, path
    url = f"/policies/{released.policy.pk}/"
    assert send(auditor_client, url, {}, "put").status_code == 403
    assert Decision.objects.count() == 1


def test_a_waiver_until_a_day_counts_that_whole_day(
    released: Released, lead_client: Client
) -> None:
    day = (timezone.now() + timedelta(days=30)).date()
    made = send(lead_client, "/waivers/", waiver() | {"expires_at": f"{day}"})
    after = day + timedelta(days=1)
    assert made.json()["expires_at"] == f"{after}T00:00:00+00:00"


def test_decisions_are_listed_by_run(released, lead_client, reviewer_client) -> None:
    made, run = released.decide(), released.run.pk
    url = f"{API}/decisions/?run={run}"
    assert [one["id"] for one in lead_client.get(url).json()["results"]] == [made.pk]
    unknown = lead_client.get(f"{API}/decisions/?run={run + 99}")
    assert (unknown.status_code, unknown.json()["code"]) == (404, "release_unknown")
    assert lead_client.get(f"{API}/decisions/?run=x").status_code == 400
    assert reviewer_client.get(url).status_code == 403


def test_a_misspelt_slice_is_told_with_the_policy(lead_client: Client) -> None:
    document = DOCUMENT | {"minimumCasesPerSlice": {"langauge": 3}}
    made = send(lead_client, "/policies/", {"name": "odd", "document": document})
    assert any("'langauge'" in one for one in made.json()["warnings"])
