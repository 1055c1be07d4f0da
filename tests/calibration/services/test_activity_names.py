"""The activity log names no pair whose rulings a reader would need a look for."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from django.utils import timezone

from annotation.domain.outcomes import Outcome, SlotChoice, Split
from annotation.domain.rulings import RulingCategory
from annotation.models import Pair, RequestKind, RulingRequest, SetAside
from annotation.services.adjudicating import Opinion, adjudicate
from annotation.services.set_aside import set_aside
from calibration.models import Disposition, Look, Waiver
from calibration.models.reviews import Finding
from calibration.presenters.activity import ActivityFilter, activity, lines
from tests.annotation.factory import START, Clock, Desk, make_round
from tests.calibration.sealed import GOOD, seal
from tests.calibration.world import Told, World, make_world

if TYPE_CHECKING:
    from django.test import Client

    from config.accounts.models import User

pytestmark = pytest.mark.django_db
ERROR = next(one for one in RulingCategory if one.is_correction)
NAMING = (
    "ruled", "corrected", "asked_correction", "set_aside", "found", "waived",
)  # fmt: skip


def of_split(world: World, split: str) -> Pair:
    return Pair.objects.filter(gold_set=world.gold_set, case__split=split)[:1].get()


def everything_about(world: World, pair: Pair, people: tuple[User, User]) -> None:
    """One event of each kind that names a pair."""
    lead, adjudicator = people
    slip = Opinion(Outcome.CANDIDATE, RulingCategory.REVIEWER_SLIP, "telling ruling")
    adjudicate(pair=pair, opinion=slip, by=adjudicator, now=START)
    RulingRequest.objects.create(
        pair=pair, kind=RequestKind.CORRECTION, category=ERROR.value, batch=uuid4(),
        note="telling request", requested_by=lead, requested_at=START,
    )  # fmt: skip
    gap = Opinion(Outcome.TIE, RulingCategory.RUBRIC_GAP, "telling correction")
    adjudicate(pair=pair, opinion=gap, by=adjudicator, now=timezone.now())
    set_aside(
        gold_set=world.gold_set, pair_ids=[pair.pk], reason="by-hand",
        note="telling note", by=lead, now=START,
    )  # fmt: skip
    Disposition.objects.create(
        run=world.run, gold_version=world.gold, pair=pair, finding=Finding.JUDGE_FAILED,
        note="why", revision=1, decided_at=START, decided_by=lead,
    )  # fmt: skip
    Waiver.objects.create(
        gold_set=world.gold_set, case_ids=[pair.case.external_id], impact="small",
        owner="Ola", reason="known", expires_at=START + timedelta(days=9),
        asked_at=START, asked_by=lead,
    )  # fmt: skip


TELLING = ("telling", "reviewer_slip", "rubric_gap", ERROR.value)


def told(**wanted: Any) -> dict[str, str]:
    found = lines(activity(ActivityFilter(kinds=NAMING, **wanted)))
    return {line.kind: f"{line.what} {line.reason}".strip() for line in found}


@pytest.fixture
def world() -> World:
    return make_world([*GOOD, Told("dev", "B", "B", "B", labels="BBB")])


@pytest.mark.parametrize("sealed", [True, False])
def test_a_held_out_pair_is_not_named(
    world: World,
    lead: User,
    adjudicator: User,
    lead_client: Client,
    auditor_client: Client,
    *,
    sealed: bool,
) -> None:
    pair = of_split(world, "held_out")
    everything_about(world, pair, (lead, adjudicator))
    if sealed:
        seal(world.gold_set)
    found = told()
    waiver = found.pop("waived")
    assert waiver.endswith("for 1 case not named here, Ola")
    assert found == dict.fromkeys(found, "a pair that is not named here")
    assert set(found) == set(NAMING) - {"waived"}
    for client in (lead_client, auditor_client):
        for path in ("/activity/", "/api/v1/activity/?page_size=500"):
            text = client.get(path).content.decode()
            assert "a pair that is not named here" in text
            for word in (pair.case.external_id, *TELLING):
                assert word not in text
    assert not Look.objects.exists()


def test_a_dev_pair_is_named_with_all_that_was_said(
    world: World, lead: User, adjudicator: User
) -> None:
    pair = of_split(world, "dev")
    everything_about(world, pair, (lead, adjudicator))
    name = pair.case.external_id
    found = told()
    assert all(name in text for text in found.values())
    assert f"{name}: telling note" in found["set_aside"]
    assert found["ruled"] == f"{name}, ruling 1: reviewer_slip, before judge results"
    assert found["corrected"].startswith(f"{name}, ruling 2: rubric_gap")
    assert found["asked_correction"] == f"{name}: {ERROR.value}"
    assert found["found"] == f"{name}: {Finding.JUDGE_FAILED.label}"


def test_nor_is_a_dev_pair_whose_texts_are_sealed_elsewhere(
    world: World, lead: User, adjudicator: User
) -> None:
    pair = of_split(world, "dev")
    told_there = [
        Told(Split.HELD_OUT.value, t.gold, t.there, t.back, t.slices, t.labels)
        for t in (*GOOD, Told("dev", "B", "B", "B", labels="BBB"))
    ]
    seal(make_world(told_there, name="elsewhere").gold_set)
    everything_about(world, pair, (lead, adjudicator))
    found = told(gold_set=world.gold_set.name)
    assert not [text for text in found.values() if pair.case.external_id in text]


def test_nor_is_a_pair_that_is_being_labelled(
    world: World, lead: User, adjudicator: User, reviewer: User
) -> None:
    pair = of_split(world, "dev")
    everything_about(world, pair, (lead, adjudicator))
    SetAside.objects.update(lifted_at=START, lifted_by=lead)
    again = make_round(world.gold_set, reviewer, labels_per_pair=1, now=START)
    desk = Desk(again, reviewer, Clock(START))
    assert pair.case.external_id in told()["ruled"]
    labelled = set()
    while pair.pk not in labelled:
        claimed = desk.claim()
        labelled.add(claimed.pair_id)
        desk.submit(claimed, SlotChoice.FIRST)
    assert told()["ruled"] == "a pair that is not named here"
