"""Cases and disagreements over the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from annotation.models import Exposure
from calibration.models import Disposition, Look
from tests.calibration.reviews import pair_named, review_world

if TYPE_CHECKING:
    from tests.calibration.world import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> World:
    return review_world()


def base(world: World) -> str:
    return f"/api/v1/reports/{world.report().pk}"


def test_the_walk(world, lead, lead_client):
    found = lead_client.get(f"{base(world)}/disagreements/").json()["results"]
    assert [row["case_id"] for row in found] == ["case-0004", "case-0003", "case-0002"]
    assert found[0]["consistency"] == "flip"
    assert found[0]["finding"] is None
    assert Exposure.objects.filter(user=lead, kind="verdicts").count() == 3


def test_one_in_full_and_a_finding(world, lead_client):
    pair = pair_named(world, "case-0004").pk
    url = f"{base(world)}/disagreements/{pair}/"
    found = lead_client.get(url).json()
    assert (found["row"]["gold"], found["row"]["verdict"]) == ("baseline", "tie")
    assert [reply["raw"] for reply in found["replies"]] == ["raw flip", "raw flip"]
    assert [reply["choice"] for reply in found["replies"]] == ["first", "first"]
    assert (found["place"], found["total"], found["previous"]) == (1, 3, None)
    wish = {"finding": "judge_failed", "note": "first slot both times"}
    after = lead_client.post(
        f"{url}disposition", wish, content_type="application/json"
    ).json()
    assert [one["finding"] for one in after["findings"]] == ["judge_failed"]
    listed = lead_client.get(f"{base(world)}/disagreements/").json()["results"]
    assert listed[0]["finding"] == "judge_failed"
    asked = {"look_reason": "the walk"}
    look = lead_client.post(f"{base(world)}/", asked, content_type="application/json")
    report = look.json()
    assert report["disagreements"]["dev"]["judge_failed"] == 1


def test_cases_by_cell(world, auditor_client):
    query = {"gold": "candidate", "verdict": "baseline"}
    found = auditor_client.get(f"{base(world)}/cases/", query).json()["results"]
    assert [row["case_id"] for row in found] == ["case-0003"]


def test_held_out_pairs_need_a_look(world, lead_client):
    url = f"{base(world)}/disagreements/"
    refused = lead_client.get(url, {"split": "held_out"})
    assert (refused.status_code, refused.json()["code"]) == (403, "look_needed")
    pair = pair_named(world, "case-0005").pk
    assert lead_client.get(f"{url}{pair}/").json()["code"] == "look_needed"
    opened = lead_client.post(
        f"{url}open", {"look_reason": "why"}, content_type="application/json"
    )
    assert opened.status_code == 204
    assert Look.objects.get().door == "api"
    found = lead_client.get(url, {"split": "held_out"}).json()["results"]
    assert [row["pair"] for row in found] == [pair]


@pytest.mark.parametrize("who", ["reviewer", "adjudicator"])
def test_others_are_refused(world, request, who):
    client = request.getfixturevalue(f"{who}_client")
    pair = pair_named(world, "case-0003").pk
    for path in ("cases/", "disagreements/", f"disagreements/{pair}/"):
        assert client.get(f"{base(world)}/{path}").status_code == 403


def test_auditors_decide_nothing(world, auditor_client):
    pair = pair_named(world, "case-0003").pk
    reply = auditor_client.post(
        f"{base(world)}/disagreements/{pair}/disposition",
        {"finding": "case_bad", "note": "x"},
        content_type="application/json",
    )
    assert reply.status_code == 403
    assert not Disposition.objects.exists()


@pytest.mark.parametrize(
    "wish", [{}, {"finding": "case_bad"}, {"finding": "no", "note": "x"}]
)
def test_a_wish_is_checked(world, lead_client, wish):
    pair = pair_named(world, "case-0003").pk
    reply = lead_client.post(
        f"{base(world)}/disagreements/{pair}/disposition",
        wish,
        content_type="application/json",
    )
    assert reply.status_code == 400
