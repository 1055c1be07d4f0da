"""The pages of policies and waivers: drafts, freezing, and a second person."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from calibration.models import Decision, Policy, Waiver
from config.accounts.roles import Role
from tests.annotation.factory import add_case, make_set
from tests.calibration.evidence import ILLUSTRATIVE
from tests.calibration.releases import LOOSE, Released, make_release

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from config.accounts.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def released(db: None) -> Released:
    policy = LOOSE | {"abstainPath": "mandatory-human"}
    return make_release("CCCCCCCCBT", policy=policy, critical=[8])


def text(client: Client, path: str, status: int = 200) -> str:
    reply = client.get(path)
    assert reply.status_code == status, path
    return reply.content.decode()


def test_a_policy_is_drafted_edited_and_frozen(
    released: Released, lead: User, lead_client: Client
) -> None:
    made = lead_client.post(
        "/policies/", {"name": "new", "document": ILLUSTRATIVE}, follow=True
    )
    policy = Policy.objects.get(name="new")
    assert "a draft" in made.content.decode()
    assert "nothing ships" in made.content.decode()
    url = f"/policies/{policy.pk}/"
    edited = ILLUSTRATIVE.replace("0.52", "0.55")
    assert lead_client.post(url, {"document": edited}).status_code == 302
    frozen = lead_client.post(f"{url}freeze", follow=True).content.decode()
    policy.refresh_from_db()
    assert policy.digest in frozen
    assert policy.frozen_by == lead
    assert policy.document["minimumCandidatePreferenceLowerBound"] == 0.55
    again = lead_client.post(url, {"document": ILLUSTRATIVE})
    assert again.status_code == 400
    assert "is frozen" in lead_client.post(f"{url}freeze", follow=True).content.decode()


def test_faults_of_a_policy_are_named_on_the_page(lead_client: Client) -> None:
    wrong = ILLUSTRATIVE.replace("maximumSwapFlipRate", "maximalFlips")
    reply = lead_client.post("/policies/", {"name": "x", "document": wrong})
    assert reply.status_code == 400
    assert "maximalFlips: there is no such key" in reply.content.decode()
    assert "maximalFlips&quot;: 0.05" in reply.content.decode()  # what was typed stays


SOON = timezone.now() + timedelta(days=30)


def waiver_form(**changes: Any) -> dict[str, Any]:
    return {
        "gold_set": "release", "case_ids": "r8\r\n", "impact": "late", "owner": "ops",
        "reason": "fixed", "expires_at": SOON.strftime("%Y-%m-%dT%H:%M"),
    } | changes  # fmt: skip


def test_a_waiver_is_asked_for_confirmed_by_another_and_revoked(
    released: Released,
    lead_client: Client,
    make_user: Callable[..., User],
    client_of: Callable[[User], Client],
) -> None:
    other = client_of(make_user("second", Role.LEAD))
    page = lead_client.post("/waivers/", waiver_form(), follow=True).content.decode()
    waiver = Waiver.objects.get()
    assert waiver.case_ids == ["r8"]
    assert "Somebody other than you has to confirm it" in page
    own = lead_client.post(f"/waivers/{waiver.pk}/confirm", follow=True)
    assert "other than who asked" in own.content.decode()
    assert f"Confirm waiver {waiver.pk}" in text(other, "/waivers/")
    done = other.post(f"/waivers/{waiver.pk}/confirm", follow=True).content.decode()
    assert "in force" in done
    assert released.decide(now=timezone.now()).result == "ship"
    other.post(f"/decisions/{Decision.objects.get().pk}/", {"reason": "due"})
    decided = text(other, f"/decisions/{Decision.objects.get().pk}/")
    assert "lifted by waivers: r8" in decided
    assert f"{waiver.expires_at:%Y-%m-%d %H:%M} UTC" in decided
    assert waiver.expires_at.isoformat() not in decided
    assert ">used<" in decided
    url = f"/waivers/{waiver.pk}/revoke"
    assert "reason" in lead_client.post(url, follow=True).content.decode()
    gone = lead_client.post(url, {"reason": "worse"}, follow=True).content.decode()
    assert "revoked" in gone


def test_a_waiver_with_a_fault_is_refused_on_the_page(
    released: Released, lead_client: Client
) -> None:
    reply = lead_client.post("/waivers/", waiver_form(case_ids="r1"))
    assert reply.status_code == 400
    assert "is not critical" in reply.content.decode()


def test_a_waiver_names_its_systems_on_the_page(
    released: Released, lead_client: Client
) -> None:
    gold_set = make_set(0, systems=("a", "b", "c"), name="three")
    add_case(gold_set, list(gold_set.systems.all()), "vital", (), critical=True)
    wish = waiver_form(gold_set="three", case_ids="vital")
    refused = lead_client.post("/waivers/", wish)
    assert refused.status_code == 400
    assert "systems: name the baseline and the candidate" in refused.content.decode()
    told = lead_client.post("/waivers/", wish | {"systems": "a, c"}, follow=True)
    assert "<dt>Systems</dt><dd>c against a</dd>" in told.content.decode()
    assert Waiver.objects.get().systems == ["a", "c"]
