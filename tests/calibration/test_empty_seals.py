"""A seal on a set that holds nothing out, as older sets may have: the way out."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command

from annotation.models import LookMode, LookPlan, SplitAssignment, Unsealing
from annotation.services.held_out import Viewer, splits_locked
from annotation.services.look_plans import terms_of, unseal
from annotation.services.seals import sealed_pairs, seals_nothing
from annotation.services.splitting import SplitWish, write_splits
from calibration.services.sealed_looks import look_sealed, plan_looks
from config.errors import Conflict
from tests.annotation.factory import START, add_case
from tests.calibration.sealed import GOOD, seal
from tests.calibration.views.test_reports import words
from tests.calibration.world import World, make_world
from tests.guards import change

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db
WISH = SplitWish(seed="spring", held_out=0.5, accept_seen=True)
SAID = "is sealed though nothing of it is held out"


@pytest.fixture
def stuck() -> World:
    """Sealed with held-out cases, which then lose their split behind its back."""
    world = make_world(GOOD)
    seal(world.gold_set)
    world.gold_set.cases.update(split="")
    return world


def test_its_splits_can_be_assigned_and_the_seal_lies_on_them(stuck: World) -> None:
    assert seals_nothing(stuck.gold_set)
    assert not splits_locked(stuck.gold_set)
    write_splits(gold_set=stuck.gold_set, wish=WISH, by=None, now=START)
    assert terms_of(stuck.gold_set).sealed
    assert sealed_pairs().filter(gold_set=stuck.gold_set).exists()
    assert splits_locked(stuck.gold_set)
    again = SplitWish(seed="summer", reassign=True, accept_seen=True)
    with pytest.raises(Conflict, match="a pair that moved to dev would be shown"):
        write_splits(gold_set=stuck.gold_set, wish=again, by=None, now=START)


def test_what_could_be_seen_is_held_out_only_if_that_is_accepted(stuck: World) -> None:
    change(stuck.gold_set, judged_at=START)
    wish = SplitWish(seed="spring", held_out=0.5)
    with pytest.raises(Conflict, match="no fresh material"):
        write_splits(gold_set=stuck.gold_set, wish=wish, by=None, now=START)


def test_no_seal_comes_to_lie_on_texts_that_dev_has_too(stuck: World) -> None:
    systems = list(stuck.gold_set.systems.all())
    for number in range(40):
        add_case(stuck.gold_set, systems, f"twin-{number}-0001")
    with pytest.raises(Conflict, match="have prompt and responses of a held-out pair"):
        write_splits(gold_set=stuck.gold_set, wish=WISH, by=None, now=START)
    assert not SplitAssignment.objects.exists()
    assert not stuck.gold_set.cases.exclude(split="").exists()


def test_open_looks_may_take_its_place(stuck: World) -> None:
    plan_looks(
        gold_set=stuck.gold_set,
        mode=LookMode.OPEN,
        budget=3,
        limits={},
        by=None,
        now=START,
    )
    assert not terms_of(stuck.gold_set).sealed
    assert LookPlan.objects.count() == 2


def test_unsealing_is_refused_since_it_would_lock_the_splits(stuck: World) -> None:
    with pytest.raises(Conflict, match=SAID) as caught:
        unseal(gold_set=stuck.gold_set, reason="stuck", by=None, now=START)
    assert caught.value.code == "nothing_held_out"
    assert not Unsealing.objects.exists()
    with pytest.raises(CommandError, match="assign_splits"):
        call_command("unseal_held_out", stuck.gold_set.name, "--reason", "stuck")


def test_a_look_is_refused_with_the_way_out() -> None:
    world = make_world(GOOD[:4])
    LookPlan.objects.create(
        gold_set=world.gold_set,
        sequence=1,
        mode=LookMode.SEALED.value,
        budget=2,
        limits={"agreement": 0.5},
        planned_at=START,
    )
    viewer = Viewer(user=None, door="command", actor="ann")
    with pytest.raises(Conflict, match="Its splits may still be assigned"):
        look_sealed(report=world.report(), viewer=viewer, now=START)


def test_page_and_api_say_so_until_it_is_over(
    stuck: World, lead_client: Client
) -> None:
    name = stuck.gold_set.name
    page, api = f"/gold-sets/{name}/looks/", f"/api/v1/gold-sets/{name}/looks/"
    shown = lead_client.get(page)
    assert SAID in words(shown)
    assert f'href="/gold-sets/{name}/splits/"' in shown.content.decode()
    assert "Unseal for good" not in words(shown)
    assert SAID in lead_client.get(api).json()["nothing_sealed"]
    assert "Show what it comes to" in words(
        lead_client.get(f"/gold-sets/{name}/splits/")
    )
    out = StringIO()
    call_command("assign_splits", name, "--accept-seen", stdout=out)
    assert SAID not in words(lead_client.get(page))
    assert "Unseal for good" in words(lead_client.get(page))
    assert lead_client.get(api).json()["nothing_sealed"] == ""
