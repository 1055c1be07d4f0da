"""Which report a release is decided with: the newest there is, in every door."""

from __future__ import annotations

import json
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import GoldVersion
from calibration.models import Decision
from calibration.services.decision_reports import report_for
from config.errors import Conflict
from tests.calibration.releases import Released, make_release

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.fixture
def released(db: None) -> Released:
    return make_release()


def newer_gold(released: Released) -> GoldVersion:
    made = GoldVersion.objects.get(pk=released.world.gold.pk)
    made.pk, made.number, made.digest = None, 2, "2" * 64
    made.save(force_insert=True)
    return made


def refused(released: Released) -> str:
    with pytest.raises(Conflict) as caught:
        released.decide()
    assert caught.value.code == "report_outdated"
    assert not Decision.objects.exists()
    return caught.value.message


def test_a_report_of_older_gold_decides_nothing(released: Released) -> None:
    newer_gold(released)
    assert refused(released) == (
        f"Report {released.report.pk} is outdated: it is of gold version 1 of set-1, "
        "and version 2 is frozen: make a report of that."
    )
    with pytest.raises(CommandError, match="gold version 1 of set-1"):
        call_command("decide", released.run.pk, policy="usual", stdout=StringIO())


def test_gold_of_another_set_makes_no_report_old(released: Released) -> None:
    made = GoldVersion.objects.get(pk=released.world.gold.pk)
    made.pk, made.number, made.gold_set = None, 9, released.gold_set
    made.save(force_insert=True)
    assert released.decide().result == "ship"


def test_an_older_report_decides_nothing_beside_a_newer_one(released: Released) -> None:
    newer = released.world.run_again().report()
    assert newer.pk > released.report.pk
    assert f"report {newer.pk} measures the same judge" in refused(released)
    assert report_for(released.run) == newer
    assert released.decide(report=newer).report == newer


def test_a_newer_report_of_another_judge_makes_none_old(released: Released) -> None:
    released.world.run_again("another").report()
    assert released.decide().result == "ship"


@pytest.mark.parametrize(
    ("said", "result"), [({}, "ship"), ({"report": None}, "human_review")]
)
def test_the_api_takes_the_newest_where_no_report_is_named(
    released: Released, lead_client: Client, said: dict[str, Any], result: str
) -> None:
    body = {"policy": released.policy.pk, **said}
    reply = lead_client.post(
        f"/api/v1/releases/{released.run.pk}/decide",
        json.dumps(body),
        content_type="application/json",
    )
    assert reply.status_code == 200
    assert reply.json()["result"] == result
    assert (reply.json()["calibration"] is None) is bool(said)
