"""Looks follow the texts: a copy under other names has the looks of the first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from annotation.domain.outcomes import Outcome
from annotation.domain.rulings import RulingCategory
from annotation.models import Exposure, ExposureKind, GoldSet, LookMode
from annotation.services.adjudicating import Opinion, adjudicate
from annotation.services.held_out import (
    LooksSpent,
    Viewer,
    seen_elsewhere,
)
from annotation.services.look_plans import fix_plan, unseal
from annotation.services.splitting import SplitWish, propose_splits, write_splits
from calibration.services.look_counts import (
    budget_of,
    frozen_after_unsealing,
    looks_at,
    looks_before,
    looks_used,
    unsealed_at,
)
from calibration.services.looks import disclose
from calibration.services.sealed_looks import look_sealed
from config.errors import Conflict
from judging.models import JudgeConfig
from tests.annotation.factory import START
from tests.calibration.copies import renamed_copy
from tests.calibration.sealed import GOOD, seal
from tests.calibration.world import World, make_world

if TYPE_CHECKING:
    from config.accounts.models import User

pytestmark = pytest.mark.django_db
LATER = START.replace(year=2031)
WISH = SplitWish(seed="7", reassign=True)


@pytest.fixture
def world() -> World:
    return make_world()


@pytest.fixture
def copy(world: World) -> World:
    return renamed_copy(world)


def look(world: World, user: User, reason: str = "") -> None:
    viewer = Viewer(user=user, door="page", reason=reason)
    disclose(report=world.report(), viewer=viewer, now=START)


def plan(gold_set: GoldSet, budget: int = 3) -> None:
    fix_plan(
        gold_set=gold_set, mode=LookMode.OPEN, budget=budget, limits={}, by=None,
        now=START,
    )  # fmt: skip


class TestCounting:
    def test_a_look_at_either_counts_for_both(
        self, world: World, copy: World, lead: User
    ) -> None:
        look(world, lead)
        assert [looks_used(w.gold_set) for w in (world, copy)] == [1, 1]
        look(copy, lead)
        assert [looks_used(w.gold_set) for w in (world, copy)] == [2, 2]
        assert looks_at(world.gold_set).count() == looks_at(copy.gold_set).count() == 2

    def test_the_smaller_budget_holds_and_is_spent(
        self, world: World, copy: World, lead: User
    ) -> None:
        plan(world.gold_set, budget=1)
        look(world, lead)
        assert budget_of(copy.gold_set) == 1
        with pytest.raises(LooksSpent):
            look(copy, lead)
        look(copy, lead, "the release is due")

    def test_no_plan_is_made_once_the_first_was_looked_at(
        self, world: World, copy: World, lead: User
    ) -> None:
        look(world, lead)
        assert seen_elsewhere(copy.gold_set) == 4
        with pytest.raises(Conflict) as refused:
            plan(copy.gold_set)
        assert refused.value.code == "looks_begun"

    def test_a_judge_frozen_after_a_look_is_informed_of_the_copy_too(
        self, world: World, copy: World, lead: User
    ) -> None:
        look(world, lead)
        assert looks_before(copy.gold_set, _frozen("later")) == 1
        assert looks_before(copy.gold_set, copy.run.config) == 0

    def test_looks_at_gold_frozen_with_other_splits_stay_counted(
        self, world: World, lead: User
    ) -> None:
        """The report holds out what its gold did; cases moved before anybody looked."""
        copy = renamed_copy(world)
        world.gold_set.cases.filter(split="held_out").update(split="")
        world.gold_set.cases.filter(split="dev").update(split="held_out")
        look(world, lead)
        assert looks_used(copy.gold_set) == 1
        assert seen_elsewhere(copy.gold_set) == 7

    def test_words_of_a_sealed_set_are_one_count(self, lead: User) -> None:
        """Two sealed names of one thing would give twice the chances to pass."""
        good = make_world(GOOD)
        copy = renamed_copy(good)
        seal(good.gold_set, {"agreement": 0.99}, budget=1)
        seal(copy.gold_set, {"agreement": 0.99}, budget=5)
        viewer = Viewer(user=lead, door="page")
        first = look_sealed(report=good.report(), viewer=viewer, now=START)
        assert (first.word.value, first.n, first.budget) == ("not_passed", 1, 1)
        with pytest.raises(Conflict, match="All 1 planned looks") as refused:
            look_sealed(report=copy.report(), viewer=viewer, now=START)
        assert refused.value.code == "sealed_looks_spent"


class TestUnsealed:
    @pytest.fixture
    def unsealed(self, lead: User) -> World:
        good = make_world(GOOD)
        seal(good.gold_set)
        unseal(gold_set=good.gold_set, reason="over", by=lead, now=START)
        return good

    def test_a_copy_is_used_up_as_well(self, unsealed: World) -> None:
        copy = renamed_copy(unsealed)
        assert unsealed_at(copy.gold_set) == START
        assert frozen_after_unsealing(copy.gold_set, _frozen("later"))
        assert not frozen_after_unsealing(copy.gold_set, copy.run.config)
        assert unsealed_at(make_world(name="strange", told=GOOD[:1]).gold_set) is None

    def test_its_report_says_so(self, unsealed: World, lead: User) -> None:
        copy = renamed_copy(unsealed)
        viewer = Viewer(user=lead, door="page", reason="why")
        state = disclose(report=copy.report(), viewer=viewer, now=START)
        assert state.retired == START.isoformat()

    def test_it_is_neither_split_again_nor_sealed_again(
        self, unsealed: World, lead: User
    ) -> None:
        """Nor is a copy sealed: what was seen of the texts stays seen."""
        wish = SplitWish(seed="9", reassign=True, accept_seen=True)
        with pytest.raises(Conflict) as refused:
            write_splits(gold_set=unsealed.gold_set, wish=wish, by=lead, now=START)
        assert refused.value.code == "splits_locked"
        for world in (unsealed, renamed_copy(unsealed)):
            with pytest.raises(Conflict) as refused:
                seal(world.gold_set)
            assert refused.value.code == "looks_begun"


class TestSeenAsDev:
    """Results of dev are open: the same texts are not fresh where they are held out."""

    @pytest.fixture
    def copy(self, world: World) -> World:
        return renamed_copy(world, splits={"dev": "", "held_out": ""})

    def test_texts_that_a_judge_was_tuned_on(self, world: World, copy: World) -> None:
        GoldSet.objects.filter(pk=world.gold_set.pk).update(judged_at=START)
        seen = self.held_out_of(copy, world)
        assert propose_splits(gold_set=copy.gold_set, wish=WISH).seen == seen > 0

    def test_not_before_any_judge_ran(self, copy: World) -> None:
        assert propose_splits(gold_set=copy.gold_set, wish=WISH).seen == 0

    def test_texts_of_which_somebody_saw_labels(
        self, world: World, copy: World, lead: User
    ) -> None:
        for pair in world.gold_set.pairs.all():
            Exposure.objects.create(
                user=lead, pair=pair, kind=ExposureKind.LABELS, seen_at=START
            )
        found = propose_splits(gold_set=copy.gold_set, wish=WISH)
        assert found.seen == found.held_out > 0

    def test_refused_where_looks_are_planned(self, world: World, copy: World) -> None:
        GoldSet.objects.filter(pk=world.gold_set.pk).update(judged_at=START)
        plan(copy.gold_set)
        with pytest.raises(Conflict) as refused:
            write_splits(gold_set=copy.gold_set, wish=WISH, by=None, now=START)
        assert refused.value.code == "splits_seen"

    @staticmethod
    def held_out_of(copy: World, world: World) -> int:
        """How many texts that are dev there would be held out here."""
        assigned = propose_splits(gold_set=copy.gold_set, wish=WISH).assigned
        held = [case for case, split in assigned.items() if split == "held_out"]
        mine = copy.gold_set.pairs.filter(case__in=held).values("texts_digest")
        dev = world.gold_set.pairs.filter(case__split="dev", texts_digest__in=mine)
        return dev.count()


def test_a_ruling_after_verdicts_on_the_copy_says_so(
    world: World, lead: User, adjudicator: User
) -> None:
    copy = renamed_copy(world)
    pair, twin = (w.gold_set.pairs.order_by("pk")[0] for w in (world, copy))
    Exposure.objects.create(
        user=lead, pair=twin, kind=ExposureKind.VERDICTS, seen_at=START
    )
    opinion = Opinion(Outcome.TIE, RulingCategory.GOLD_WRONG, "On second thoughts.")
    ruling = adjudicate(pair=pair, opinion=opinion, by=adjudicator, now=LATER)
    assert ruling.after_judge is True


def _frozen(name: str) -> JudgeConfig:
    """A judge that was frozen later than everything else."""
    return JudgeConfig.objects.create(
        name=name, version=1, verdict_format="five_token", repeat_rule="mean",
        combining_rule="agree_else_tie", created_at=START, frozen_at=LATER,
        digest="e" * 64,
    )  # fmt: skip
