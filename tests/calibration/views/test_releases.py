"""The pages of releases, policies, decisions and waivers, and who may see them."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from annotation.models import Exposure, Round
from calibration.models import Decision, Look, Policy
from tests.calibration.releases import LOOSE, Released, make_release
from tests.guards import change

if TYPE_CHECKING:
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
    looked_at = pages(released)
    for one in (lead_client, auditor_client):
        one.post(looked_at[2], {"reason": "the release is due"})
        for path in looked_at:
            text(one, path)


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
    change(released.run, status="running", created_by=lead)
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


def test_no_get_takes_a_look(
    released: Released, auditor: User, auditor_client: Client
) -> None:
    decision = released.decide()
    url = f"/decisions/{decision.pk}/"
    for path in (
        url,
        f"/decisions/{decision.pk}.json",
        f"/decisions/{decision.pk}.xml",
    ):
        page = text(auditor_client, path, 409)
        assert "is a look" in page
        # Tokens of the form are random letters and digits.
        assert "75" not in re.sub(r"\w{32,}", "", page)
    mine = Look.objects.filter(looked_by=auditor)
    assert not mine.exists()
    assert auditor_client.post(url, {"reason": " "}).status_code == 409
    assert auditor_client.post(url, {"reason": "yearly audit"}).status_code == 302
    assert mine.get().reason == "yearly audit"
    assert "Conditions" in text(auditor_client, url)


def test_a_run_over_held_out_pairs_is_closed_until_somebody_looks(
    released: Released, lead: User, lead_client: Client
) -> None:
    released.gold_set.cases.update(split="held_out")
    url = f"/releases/{released.run.pk}/"
    assert "Candidate wins" not in text(lead_client, url, 409)
    assert not Look.objects.exists()
    assert lead_client.post(url, {"reason": "due"}).status_code == 302
    assert Look.objects.get().looked_by == lead
    assert "Candidate wins" in text(lead_client, url)


def test_files_hold_the_decision(
    released: Released, auditor: User, auditor_client: Client
) -> None:
    decision = released.decide(auditor)
    found = json.loads(text(auditor_client, f"/decisions/{decision.pk}.json"))
    assert (found["id"], found["digest"]) == (decision.pk, decision.digest)
    ET.fromstring(text(auditor_client, f"/decisions/{decision.pk}.xml"))


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
    change(released.run, created_at=datetime(2000, 1, 1, tzinfo=UTC))
    page = text(lead_client, f"/releases/{released.run.pk}/")
    assert "No policy was frozen before this run began" in page


def test_decisions_are_listed_by_run(released, lead_client, auditor_client) -> None:
    made = released.decide()
    run = released.run.pk
    row = f'href="/decisions/{made.pk}/"'
    assert row in text(auditor_client, f"/releases/?run={run}")
    assert "Decisions on run" in text(lead_client, f"/releases/?run={run}")
    other = text(lead_client, f"/releases/?run={run + 1}")
    assert row not in other
    assert f"Nothing is decided on run {run + 1}." in other
    assert row in text(lead_client, "/releases/?run=x")


def test_a_slice_that_no_set_has_is_on_the_page_of_its_policy(lead_client) -> None:
    document = LOOSE | {"minimumCasesPerSlice": {"langauge": 3}}
    lead_client.post("/policies/", {"name": "odd", "document": json.dumps(document)})
    policy = Policy.objects.get(name="odd")
    page = text(lead_client, f"/policies/{policy.pk}/")
    assert "no case of any gold set has the slice" in page
    assert "langauge" in page


def test_times_of_a_decision_are_for_people(released, lead, lead_client) -> None:
    url = f"/decisions/{released.decide(by=lead).pk}/"
    if lead_client.get(url).status_code == 409:
        lead_client.post(url, {"reason": "to read it"})
    page = text(lead_client, url)
    frozen = released.policy.frozen_at
    assert frozen is not None
    assert f"frozen {frozen:%Y-%m-%d %H:%M:%S} UTC" in page
    assert frozen.isoformat() not in page
