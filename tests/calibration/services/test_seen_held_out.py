"""Held-out pairs whose results were open elsewhere say nothing of a judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from annotation.models import GoldSet
from calibration.services.decision_reports import report_for
from tests.annotation.factory import START
from tests.calibration.copies import renamed_copy
from tests.calibration.releases import FIT, Released, make_release, outcome, payload
from tests.calibration.world import make_world
from tests.guards import change

if TYPE_CHECKING:
    from django.test import Client

    from config.accounts.models import User

pytestmark = pytest.mark.django_db
WHY = "texts of its held-out pairs were judged where nothing holds them out"


@pytest.fixture
def released(db: None) -> Released:
    """The right pairs of a set that everybody could read, held out in another."""
    made = make_release()
    copy = renamed_copy(made.world, splits={"held_out": ""})
    GoldSet.objects.filter(pk=copy.gold_set.pk).update(judged_at=START)
    return made


def test_such_a_report_is_no_held_out_trust(
    released: Released, lead: User, lead_client: Client
) -> None:
    decision = released.decide(lead)
    assert decision.result == "human_review"
    keys = (
        "minimumHeldOutAgreement", "maximumFalseCandidateWinRate", "judgeCalibration",
    )  # fmt: skip
    for key in keys:
        found = outcome(decision, key)
        assert (found["result"], found["value"]) == ("not_shown", None)
        assert found["why"].startswith(WHY)
    assert payload(decision)["missing"] == [
        {"what": "held-out pairs not seen before", "owner": "lead", "condition": key}
        for key in keys
    ]
    assert payload(decision)["calibration"]["open_elsewhere"] == 10
    assert WHY in payload(decision)["correction"]["undefined"]
    page = lead_client.get(f"/decisions/{decision.pk}/").content.decode()
    assert f"There is no value, since {WHY}" in page
    assert "held-out pairs not seen before" in page


def test_it_ships_by_pairs_that_were_not_open(released: Released, lead: User) -> None:
    assert released.decide(lead).result == "human_review"
    GoldSet.objects.filter(name="copy").update(judged_at=None)
    assert released.decide(lead).result == "ship"


def test_one_that_was_not_open_is_offered_first(released: Released) -> None:
    assert report_for(released.run) == released.report  # there is no other
    fresh = make_world(FIT, name="fresh")
    change(fresh.run, config=released.run.config)
    unseen = fresh.report()
    assert report_for(released.run) == unseen
    newest = released.world.report()
    assert report_for(released.run) == unseen != newest
