"""The pages of releases, policies, decisions and waivers, and who may see them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from annotation.models import Exposure, Round
from calibration.models import Decision, Look, Policy, Waiver
from config.accounts.roles import Role
from judging.models import Run
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


def pages(released: Released) -> list[str]:
    decision = released.decide().pk
    return [
        "/releases/",
        f"/releases/{released.run.pk}/",
        f"/decisions/{decision}/",
        f"/decisions/{decision}.json",
        f"/decisions/{decision}.xml",
        "/policies/",
        f"/policies/{released.policy.pk}/",
        "/waivers/",
    ]


def posts(released: Released) -> list[str]:
    return [
        f"/releases/{released.run.pk}/decide",
        f"/releases/{released.run.pk}/review",
        "/policies/",
        f"/policies/{released.policy.pk}/",
        f"/policies/{released.policy.pk}/freeze",
        "/waivers/",
        "/waivers/1/confirm",
        "/waivers/1/revoke",
    ]


def text(client: Client, path: str, status: int = 200) -> str:
    reply = client.get(path)
    assert reply.status_code == status, path
    return reply.content.decode()


def test_leads_and_auditors_read_every_page(
    released: Released, lead_client: Client, auditor_client: Client
) -> None:
    for path in pages(released):
        text(lead_client, path)
        text(auditor_client, path)


def test_nobody_else_reads_any(
    released: Released,
    reviewer_client: Client,
    adjudicator_client: Client,
    client: Client,
) -> None:
    for path in pages(released):
        assert reviewer_client.get(path).status_code == 403
        assert adjudicator_client.get(path).status_code == 403
        assert client.get(path).status_code == 302


def test_only_leads_write(
    released: Released,
    reviewer_client: Client,
    adjudicator_client: Client,
    auditor_client: Client,
) -> None:
    for path in posts(released):
        for one in (reviewer_client, adjudicator_client, auditor_client):
            assert one.post(path, {"name": "x"}).status_code == 403, path
    assert not Decision.objects.exists()
    assert Policy.objects.count() == 1


def test_the_navigation_leads_there(
    lead_client: Client, auditor_client: Client, reviewer_client: Client
) -> None:
    for one in (lead_client, auditor_client):
        assert 'href="/releases/"' in text(one, "/")
    assert 'href="/releases/"' not in text(reviewer_client, "/")


def test_a_run_is_counted_first_and_its_critical_cases_named(
    released: Released, lead: User, lead_client: Client
) -> None:
    page = text(lead_client, f"/releases/{released.run.pk}/")
    assert page.index("Candidate wins") < page.index("Candidate among decisive")
    assert "8 of 9" in page
    assert "SIMULATED" in page
    assert ">r8<" in page
    seen = Exposure.objects.filter(user=lead, kind="verdicts").values_list("pair")
    assert list(seen) == [(released.pair(8).pk,)]
    assert not Look.objects.exists()


def test_a_run_under_way_says_who_can_go_on(
    released: Released, lead: User, lead_client: Client
) -> None:
    Run.objects.filter(pk=released.run.pk).update(status="running", created_by=lead)
    page = text(lead_client, f"/releases/{released.run.pk}/")
    assert "until it is done" in page
    assert "Candidate wins" not in page
    assert 'action="/releases' not in page


def test_what_is_no_release_run_is_not_found(
    released: Released, lead_client: Client
) -> None:
    text(lead_client, f"/releases/{released.world.run.pk}/", 404)
    text(lead_client, "/decisions/0/", 404)
    text(lead_client, "/policies/0/", 404)


def test_a_lead_decides_and_reads_why(
    released: Released, lead: User, lead_client: Client
) -> None:
    reply = lead_client.post(
        f"/releases/{released.run.pk}/decide",
        {"policy": released.policy.pk, "report": released.report.pk},
        follow=True,
    )
    decision = Decision.objects.get()
    assert (decision.result, decision.decided_by) == ("hold", lead)
    page = reply.content.decode()
    assert "Hold: at least one condition" in page
    assert "1 speaks against the candidate (r8)" in page
    assert decision.digest in page
    assert released.policy.digest in page
    assert Look.objects.filter(report=released.report, looked_by=lead).exists()


def test_without_a_report_the_page_lists_what_is_missing_with_its_owner(
    released: Released, lead_client: Client
) -> None:
    reply = lead_client.post(
        f"/releases/{released.run.pk}/decide",
        {"policy": released.policy.pk, "report": ""},
        follow=True,
    )
    page = reply.content.decode()
    assert "a calibration report of this judge with held-out pairs" in page
    assert "Who brings it" in page


def test_the_newest_report_is_chosen_beforehand(
    released: Released, lead_client: Client
) -> None:
    page = text(lead_client, f"/releases/{released.run.pk}/")
    assert f'<option value="{released.report.pk}" selected>' in page


def test_a_refusal_stays_on_the_page(released: Released, lead_client: Client) -> None:
    type(released.world.gold_set).objects.update(look_budget=0)
    url = f"/releases/{released.run.pk}/decide"
    said = {"policy": released.policy.pk, "report": released.report.pk}
    reply = lead_client.post(url, said)
    assert reply.status_code == 400
    assert "needs a reason" in reply.content.decode()
    assert lead_client.post(url, said | {"reason": "due"}).status_code == 302


def test_files_hold_the_decision(released: Released, auditor_client: Client) -> None:
    decision = released.decide()
    found = json.loads(text(auditor_client, f"/decisions/{decision.pk}.json"))
    assert (found["id"], found["digest"]) == (decision.pk, decision.digest)
    ET.fromstring(text(auditor_client, f"/decisions/{decision.pk}.xml"))


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


def waiver_form(**changes: Any) -> dict[str, Any]:
    return {
        "gold_set": "release", "case_ids": "r8\r\n", "impact": "late", "owner": "ops",
        "reason": "fixed", "expires_at": "2099-01-01T10:00",
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
    assert released.decide().result == "ship"
    decided = text(other, f"/decisions/{Decision.objects.get().pk}/")
    assert "lifted by waivers: r8" in decided
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


def test_abstained_pairs_get_a_round(
    lead_client: Client, reviewer: User, auditor_client: Client
) -> None:
    released = make_release("CCA", policy=LOOSE | {"abstainPath": "mandatory-human"})
    reply = lead_client.post(
        f"/releases/{released.run.pk}/review",
        {"policy": released.policy.pk, "name": "More labels", "labels_per_pair": 1,
         "reviewers": [reviewer.username]},
    )  # fmt: skip
    made = Round.objects.get()
    assert reply["Location"] == f"/rounds/{made.pk}/"
    assert "More labels" in text(auditor_client, f"/releases/{released.run.pk}/")
    again = lead_client.post(
        f"/releases/{released.run.pk}/review",
        {"policy": released.policy.pk, "name": "Again", "labels_per_pair": 1},
    )
    assert again.status_code == 400
    assert "under way" in again.content.decode()


def test_a_run_before_every_policy_says_so(
    released: Released, lead_client: Client
) -> None:
    Run.objects.filter(pk=released.run.pk).update(created_at="2000-01-01T00:00Z")
    page = text(lead_client, f"/releases/{released.run.pk}/")
    assert "No policy was frozen before this run began" in page
