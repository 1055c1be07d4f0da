"""A plan of looks says of how many pairs it comes too late."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command

from annotation.services.splitting import SplitWish, write_splits
from tests.annotation.factory import START
from tests.calibration.sealed import GOOD
from tests.calibration.world import Told, World, make_world

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db
WORDS = "The texts of {} were judged where they are not held out, or before they were"


@pytest.fixture
def judged() -> World:
    """Twenty pairs in no split."""
    return make_world([Told("", "C", "C", "C", labels="CCC")] * 20)


def split(world: World) -> None:
    wish = SplitWish(seed="spring", held_out=0.5)
    write_splits(gold_set=world.gold_set, wish=wish, by=None, now=START)


def plan(world: World) -> str:
    err = StringIO()
    call_command(
        "plan_looks", world.gold_set.name, "--mode", "sealed", "--budget", "2",
        "--limit", "agreement=0.5", stdout=StringIO(), stderr=err,
    )  # fmt: skip
    return err.getvalue()


def test_pairs_that_a_report_showed_before_they_were_held_out(
    judged: World, lead_client: Client
) -> None:
    judged.report()
    split(judged)
    words = WORDS.format("10 held-out pairs")
    assert plan(judged).startswith(words)
    looks = f"/gold-sets/{judged.gold_set.name}/looks/"
    assert words in lead_client.get(looks).content.decode()
    assert lead_client.get(f"/api/v1{looks}").json()["open_before"] == 10


def test_nothing_is_said_where_none_was(lead_client: Client) -> None:
    world = make_world(GOOD)
    world.report()
    assert plan(world) == ""
    looks = f"/gold-sets/{world.gold_set.name}/looks/"
    assert "were judged where" not in lead_client.get(looks).content.decode()
    assert lead_client.get(f"/api/v1{looks}").json()["open_before"] == 0
