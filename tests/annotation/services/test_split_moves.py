"""Pairs that become held out after their results could be seen: counted, or refused."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from annotation.domain.consensus import ConsensusRule
from annotation.models import (
    Exposure,
    ExposureKind,
    GoldSet,
    LookMode,
    Pair,
    SplitAssignment,
)
from annotation.services.freezing import freeze_gold
from annotation.services.look_plans import fix_plan
from annotation.services.splitting import SplitWish, propose_splits, write_splits
from config.errors import Conflict
from tests.annotation.factory import START, make_set

if TYPE_CHECKING:
    from config.accounts.models import User

WISH = SplitWish(seed="spring", held_out=0.5, reassign=True)


@pytest.fixture
def gold_set(db: None) -> GoldSet:
    """Ten cases of one pair each, all in dev."""
    made = make_set(cases=10)
    made.cases.update(split="dev")
    return made


def plan(gold_set: GoldSet) -> None:
    fix_plan(
        gold_set=gold_set, mode=LookMode.OPEN, budget=3, limits={}, by=None, now=START
    )


def judge(gold_set: GoldSet) -> None:
    GoldSet.objects.filter(pk=gold_set.pk).update(judged_at=START)
    gold_set.refresh_from_db()


def write(gold_set: GoldSet, wish: SplitWish = WISH) -> SplitAssignment:
    return write_splits(gold_set=gold_set, wish=wish, by=None, now=START)


def test_nothing_was_seen_before_anybody_saw_anything(gold_set: GoldSet) -> None:
    plan(gold_set)
    found = propose_splits(gold_set=gold_set, wish=WISH)
    assert (found.held_out, found.seen, found.notices) == (5, 0, ())
    assert write(gold_set).moved == 5


def test_a_judge_that_ran_opened_all_of_dev(gold_set: GoldSet) -> None:
    judge(gold_set)
    found = propose_splits(gold_set=gold_set, wish=WISH)
    assert found.seen == 5
    [notice] = found.notices
    assert notice.startswith("5 pairs become held out although results of them could")
    assert write(gold_set).held_out == 5  # no look is planned: told, not refused


def test_and_of_what_is_in_no_split(gold_set: GoldSet) -> None:
    """A report over pairs in no split shows them all: as open as dev."""
    gold_set.cases.update(split="")
    judge(gold_set)
    plan(gold_set)
    wish = replace(WISH, reassign=False)
    found = propose_splits(gold_set=gold_set, wish=wish)
    assert (found.held_out, found.seen) == (5, 5)
    assert found.notices[0].startswith("5 pairs become held out although results of")
    with pytest.raises(Conflict) as refusal:
        write(gold_set, wish)
    assert (refusal.value.code, refusal.value.detail) == ("splits_seen", {"seen": 5})
    assert not gold_set.cases.exclude(split="").exists()
    assert write(gold_set, replace(wish, accept_seen=True)).held_out == 5


def test_the_same_texts_in_no_split_of_a_judged_set_count(gold_set: GoldSet) -> None:
    gold_set.cases.update(split="")
    copy = make_set(cases=10, name="copy")
    wish = replace(WISH, reassign=False)
    assert propose_splits(gold_set=copy, wish=wish).seen == 0
    judge(gold_set)
    assert propose_splits(gold_set=copy, wish=wish).seen == 5


def test_what_was_held_out_as_a_judge_ran_is_not_counted(gold_set: GoldSet) -> None:
    """Of the same texts elsewhere: there they were closed."""
    gold_set.cases.update(split="held_out")
    copy = make_set(cases=10, name="copy")
    judge(gold_set)
    wish = replace(WISH, reassign=False)
    assert propose_splits(gold_set=copy, wish=wish).seen == 0


def test_cases_that_stay_in_dev_are_not_counted(gold_set: GoldSet) -> None:
    judge(gold_set)
    found = propose_splits(gold_set=gold_set, wish=replace(WISH, held_out=0.1))
    assert (found.held_out, found.seen) == (1, 1)
    assert found.notices[0].startswith("1 pair becomes held out although results of it")


@pytest.mark.parametrize(
    ("kind", "seen"),
    [
        (ExposureKind.LABELS, 5),
        (ExposureKind.VERDICTS, 5),
        (ExposureKind.RULING, 0),
        (ExposureKind.SYSTEMS, 0),
    ],
)
def test_what_people_were_shown_counts_in_any_split(
    gold_set: GoldSet, lead: User, kind: ExposureKind, seen: int
) -> None:
    gold_set.cases.update(split="")
    for pair in Pair.objects.filter(gold_set=gold_set):
        Exposure.objects.create(user=lead, pair=pair, kind=kind, seen_at=START)
    wish = replace(WISH, reassign=False)
    assert propose_splits(gold_set=gold_set, wish=wish).seen == seen


def test_planned_looks_refuse_them_unless_accepted(gold_set: GoldSet) -> None:
    judge(gold_set)
    plan(gold_set)
    with pytest.raises(Conflict) as refusal:
        write(gold_set)
    assert refusal.value.code == "splits_seen"
    assert refusal.value.detail == {"seen": 5}
    assert not gold_set.cases.filter(split="held_out").exists()
    assert write(gold_set, replace(WISH, accept_seen=True)).held_out == 5


def test_frozen_gold_is_said_to_keep_its_splits(gold_set: GoldSet) -> None:
    freeze_gold(
        gold_set=gold_set,
        rule=ConsensusRule(gold_set.consensus_rule),
        by=None,
        now=START,
        leave_open=True,
    )
    [notice] = propose_splits(gold_set=gold_set, wish=WISH).notices
    assert notice.startswith("Frozen gold, and reports under it, keep the old splits")
    write(gold_set)
    assert propose_splits(gold_set=gold_set, wish=replace(WISH)).notices == ()
