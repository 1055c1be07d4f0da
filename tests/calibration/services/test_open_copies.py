"""Copies of held-out texts in another split: what is open of them, and what is not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

import pytest

from annotation.models import GoldItem, GoldSet, GoldVersion
from annotation.services.held_out import (
    LookNeeded,
    Viewer,
    held_out_anywhere,
)
from annotation.services.splitting import SplitWish, write_splits
from calibration.presenters.look_notices import look_warnings
from calibration.services.differing import differing_pairs
from calibration.services.look_counts import (
    looks_at,
    looks_used,
)
from calibration.services.looks import disclosed
from calibration.services.releases import disclose_run
from calibration.services.report_cases import pairs_of
from config.errors import NotAllowed
from judging.presenters.pairs import open_pairs, refuse_held_out
from judging.services.diagnosing import try_pair
from tests.annotation.factory import START
from tests.calibration.copies import renamed_copy
from tests.calibration.reviews import review_world
from tests.calibration.sealed import seal
from tests.calibration.world import World, make_config, make_world

if TYPE_CHECKING:
    from config.accounts.models import User

pytestmark = pytest.mark.django_db
ALL_DEV = {"dev": "dev", "held_out": "dev"}


@pytest.fixture
def world() -> World:
    return make_world()


def test_judge_pages_hide_a_copy_of_what_is_held_out(world: World) -> None:
    copy = renamed_copy(world, splits=ALL_DEV)
    shown = open_pairs(copy.gold_set)
    assert (shown.count(), copy.gold_set.pairs.count()) == (3, 7)
    hidden = copy.gold_set.pairs.exclude(pk__in=shown.values("pk")).earliest("pk")
    with pytest.raises(NotAllowed, match="held out, here or where the same texts"):
        refuse_held_out(hidden)


def test_a_report_names_held_out_texts_that_are_open_elsewhere(
    world: World, lead: User
) -> None:
    copy = renamed_copy(world, splits=ALL_DEV)
    viewer = Viewer(user=lead, door="page")

    def told() -> tuple[int, list[str]]:
        found = disclosed(report=world.report(), viewer=viewer, now=START)
        words = [text for text in look_warnings(found) if "not held out" in text]
        return found["looks"]["open_elsewhere"], words

    assert told() == (0, [])  # nobody has judged it there
    GoldSet.objects.filter(pk=copy.gold_set.pk).update(judged_at=START)
    count, (words,) = told()
    assert count == 4
    assert words.startswith("The texts of 4 held-out pairs were judged where they")


@pytest.mark.parametrize("splits", [None, ALL_DEV])
def test_a_release_run_over_held_out_texts_is_one_look(
    world: World, splits: dict[str, str] | None, lead: User, auditor: User
) -> None:
    """Whatever split they are in where the release is."""
    copy = renamed_copy(world, splits=splits)
    opening = Viewer(user=lead, door="page", asked=False)
    with pytest.raises(LookNeeded):
        disclose_run(run=copy.run, viewer=opening, now=START)
    for user in (lead, lead, auditor):
        viewer = Viewer(user=user, door="page", reason="the release is due")
        disclose_run(run=copy.run, viewer=viewer, now=START)
    assert looks_used(world.gold_set) == 1
    assert looks_at(world.gold_set).count() == 2
    disclose_run(run=copy.run, viewer=replace(opening, user=lead), now=START)


def test_no_draft_is_tried_on_a_copy_of_what_is_held_out(world: World) -> None:
    copy = renamed_copy(world, splits=ALL_DEV)
    pairs = copy.gold_set.pairs.order_by("pk")
    assert [held_out_anywhere(pair) for pair in pairs] == [False] * 3 + [True] * 4
    with pytest.raises(NotAllowed, match="on dev pairs only"):
        try_pair(config=make_config("draft"), pair=pairs[6], open_client=nobody)


def test_sealed_texts_are_not_named_as_differing() -> None:
    """Which pairs a judge gets wrong is told before a correction is asked for."""
    world = review_world()
    copy = renamed_copy(world, splits=ALL_DEV)
    assert pairs_of(copy.report()).exists()
    pairs = list(copy.gold_set.pairs.select_related("case", "gold_set"))
    held_out = {pair.pk for pair in pairs if held_out_anywhere(pair)}
    before = differing_pairs(pairs)
    assert before & held_out
    assert before - held_out
    seal(world.gold_set)
    assert differing_pairs(pairs) == before - held_out


def nobody(endpoint: object) -> NoReturn:
    raise AssertionError(endpoint)


def test_pairs_that_were_in_dev_of_a_report_stay_seen(lead: User) -> None:
    """Accepting them as held out (--accept-seen) is not the end of it."""
    world = make_world()
    world.report()
    wish = SplitWish(seed="1", held_out=0.99, reassign=True, accept_seen=True)
    write_splits(gold_set=world.gold_set, wish=wish, by=None, now=START)
    gold = GoldVersion.objects.create(
        gold_set=world.gold_set, number=2, rule=world.gold.rule, digest="2" * 64,
        pairs=0, left_open=0, created_at=START,
    )  # fmt: skip
    for item in world.gold.items.select_related("pair__case"):
        GoldItem.objects.create(
            version=gold, pair=item.pair, split=item.pair.case.split,
            outcome=item.outcome, source=item.source, labels=item.labels,
        )  # fmt: skip
    moved = gold.items.filter(split="held_out", pair__in=dev_of(world)).count()
    viewer = Viewer(user=lead, door="page")
    again = World(world.gold_set, gold, world.run).report()
    looks = disclosed(report=again, viewer=viewer, now=START)["looks"]
    assert looks["open_elsewhere"] == moved > 0


def dev_of(world: World) -> list[int]:
    """The pairs that were in dev as its gold was frozen."""
    return list(world.gold.items.filter(split="dev").values_list("pair", flat=True))
