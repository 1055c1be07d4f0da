"""Plans of looks, looks at sealed sets, unsealing, and judges informed by looks."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.db import DatabaseError, transaction

from annotation.domain.digests import digest_of
from annotation.models import LookMode, LookPlan, Unsealing
from annotation.services.held_out import Viewer
from annotation.services.look_plans import terms_of, unseal
from annotation.services.splitting import SplitWish, write_splits
from calibration.models import Look, LookWord
from calibration.services.look_counts import budget_of, looks_used
from calibration.services.looks import disclose, disclosed
from calibration.services.sealed_looks import look_sealed, plan_looks
from config.errors import Conflict, InvalidInput
from judging.models import JudgeConfig
from tests.annotation.factory import START, add_case
from tests.calibration.sealed import GOOD, LIMITS, seal
from tests.calibration.world import Told, World, make_world
from tests.guards import change

if TYPE_CHECKING:
    from config.accounts.models import User

pytestmark = pytest.mark.django_db
COMMAND = Viewer(user=None, door="command", actor="ann")


def plan(world: World, mode: LookMode = LookMode.OPEN, **rest: object) -> LookPlan:
    wanted: dict[str, object] = {"budget": 4, "limits": {}, "by": None, **rest}
    return plan_looks(gold_set=world.gold_set, mode=mode, now=START, **wanted)  # type: ignore[arg-type]


@pytest.fixture
def good() -> World:
    return make_world(GOOD)


class TestPlan:
    def test_a_newer_plan_takes_the_place_of_the_last(self, good: World, lead: User):
        plan(good, by=lead)
        seal(good.gold_set, budget=2)
        terms = terms_of(good.gold_set)
        assert (terms.mode, terms.budget, terms.sealed) == (LookMode.SEALED, 2, True)
        assert terms.limits == LIMITS
        assert budget_of(good.gold_set) == 2

    def test_without_one_a_set_is_open_with_its_own_budget(self, good: World):
        terms = terms_of(good.gold_set)
        assert (terms.mode, terms.budget, terms.plan) == (LookMode.OPEN, 10, None)

    def test_not_after_the_first_look(self, good: World, lead: User):
        viewer = Viewer(user=lead, door="page")
        disclose(report=good.report(), viewer=viewer, now=START)
        with pytest.raises(Conflict, match="looked at already"):
            seal(good.gold_set)

    def test_nor_where_the_same_pairs_were_looked_at_elsewhere(
        self, good: World, lead: User
    ):
        viewer = Viewer(user=lead, door="page")
        disclose(report=good.report(), viewer=viewer, now=START)
        again = make_world(GOOD, name="again")
        with pytest.raises(Conflict, match="looked at already"):
            plan(again)

    @pytest.mark.parametrize("split", ["", "dev"])
    def test_a_set_that_holds_nothing_out_is_not_sealed(self, good: World, split: str):
        """Its splits could not be assigned any more, and nothing ever looked at."""
        good.gold_set.cases.update(split=split)
        with pytest.raises(Conflict, match="Assign its splits first") as caught:
            seal(good.gold_set)
        assert caught.value.code == "nothing_held_out"
        assert not LookPlan.objects.exists()
        plan(good)  # open looks can be planned before
        wish = SplitWish(seed="spring", held_out=0.5, reassign=True)
        write_splits(gold_set=good.gold_set, wish=wish, by=None, now=START)
        seal(good.gold_set)
        assert terms_of(good.gold_set).sealed

    @pytest.mark.parametrize(
        ("mode", "limits"),
        [
            (LookMode.SEALED, {}),
            (LookMode.OPEN, {"agreement": 0.8}),
            (LookMode.SEALED, {"kappa": 0.8}),
            (LookMode.SEALED, {"agreement": 80}),
        ],
    )
    def test_limits_fit_the_mode(self, good: World, mode: LookMode, limits: object):
        with pytest.raises(InvalidInput, match="limits"):
            plan(good, mode, limits=limits)

    @pytest.mark.parametrize("budget", [0, -1, 1001])
    def test_a_budget_is_a_number_of_looks(self, good: World, budget: int):
        with pytest.raises(InvalidInput, match="budget"):
            plan(good, budget=budget)

    def test_the_database_keeps_it(self, good: World):
        plan(good)
        with pytest.raises(DatabaseError), transaction.atomic():
            LookPlan.objects.update(budget=99)
        with pytest.raises(DatabaseError), transaction.atomic():
            LookPlan.objects.all().delete()


class TestSealedLook:
    def test_a_good_judge_passes_and_that_ends_the_looks(self, good: World, lead: User):
        seal(good.gold_set)
        report = good.report()
        viewer = Viewer(user=lead, door="page", reason=" chosen ")
        found = look_sealed(report=report, viewer=viewer, now=START)
        assert (found.word, found.n, found.budget) == (LookWord.PASSED, 1, 3)
        row = Look.objects.get()
        assert (row.word, row.report, row.looked_by) == ("passed", report, lead)
        assert (row.reason, row.config_digest) == ("chosen", report.run.config.digest)
        again = look_sealed(report=report, viewer=COMMAND, now=START)
        assert (again.word, Look.objects.count()) == (LookWord.PASSED, 1)
        with pytest.raises(Conflict) as caught:
            look_sealed(
                report=good.run_again("other").report(), viewer=COMMAND, now=START
            )
        assert caught.value.code == "looks_ended"

    def test_more_planned_looks_ask_for_more(self, good: World):
        # 20 of 20 right: the bound is 86.1 % at 95 %, 81.5 % at 98.33 %.
        seal(good.gold_set, {"agreement": 0.83}, budget=3)
        found = look_sealed(report=good.report(), viewer=COMMAND, now=START)
        assert found.word == LookWord.NOT_PASSED

    def test_the_same_record_passes_where_one_look_was_planned(self, good: World):
        seal(good.gold_set, {"agreement": 0.83}, budget=1)
        found = look_sealed(report=good.report(), viewer=COMMAND, now=START)
        assert found.word == LookWord.PASSED

    def test_all_limits_together(self, good: World):
        # No pair has gold baseline, so nothing can be shown about false candidate wins.
        seal(good.gold_set, {**LIMITS, "false_candidate_wins": 0.9})
        found = look_sealed(report=good.report(), viewer=COMMAND, now=START)
        assert found.word == LookWord.NOT_PASSED

    def test_no_reason_opens_more_than_were_planned(self, good: World):
        seal(good.gold_set, {"agreement": 0.99}, budget=1)
        viewer = Viewer(user=None, door="command", actor="ann", reason="please")
        look_sealed(report=good.report(), viewer=viewer, now=START)
        other = good.run_again("other").report()
        with pytest.raises(Conflict) as caught:
            look_sealed(report=other, viewer=viewer, now=START)
        assert caught.value.code == "sealed_looks_spent"

    def test_an_open_set_has_none(self, good: World):
        with pytest.raises(Conflict, match="not sealed"):
            look_sealed(report=good.report(), viewer=COMMAND, now=START)

    def test_nor_has_a_report_without_held_out_pairs(self):
        world = make_world([told for told in GOOD if told.split == "dev"])
        systems = list(world.gold_set.systems.all())
        add_case(world.gold_set, systems, "unjudged", split="held_out")
        seal(world.gold_set)
        with pytest.raises(Conflict, match="no held-out"):
            look_sealed(report=world.report(), viewer=COMMAND, now=START)

    def test_the_word_is_in_every_report(self, good: World, lead: User):
        seal(good.gold_set)
        report = good.report()
        look_sealed(report=report, viewer=COMMAND, now=START)
        viewer = Viewer(user=lead, door="page")
        looks = disclosed(report=report, viewer=viewer, now=START)["looks"]
        assert [one["word"] for one in looks["words"]] == ["passed"]
        assert (looks["n"], looks["this"], looks["mode"]) == (1, None, "sealed")


class TestUnsealing:
    def test_everything_is_shown_and_the_split_is_used_up(self, good: World, lead):
        seal(good.gold_set)
        report = good.report()
        look_sealed(report=report, viewer=COMMAND, now=START)
        unseal(gold_set=good.gold_set, reason=" done ", by=lead, now=START)
        assert Unsealing.objects.get().reason == "done"
        viewer = Viewer(user=lead, door="page")
        payload = disclosed(report=report, viewer=viewer, now=START)
        assert payload["splits"]["held_out"]["n"] == 20
        assert payload["looks"]["retired"] == START.isoformat()
        # The sealed look and the open one are two looks at two different things.
        assert (payload["looks"]["n"], payload["looks"]["this"]) == (2, 2)
        with pytest.raises(Conflict, match="not sealed"):
            look_sealed(report=report, viewer=COMMAND, now=START)

    def test_a_reason_is_needed(self, good: World):
        seal(good.gold_set)
        with pytest.raises(InvalidInput, match="reason"):
            unseal(gold_set=good.gold_set, reason="  ", by=None, now=START)

    def test_only_once_and_only_what_is_sealed(self, good: World):
        with pytest.raises(Conflict, match="not sealed"):
            unseal(gold_set=good.gold_set, reason="why", by=None, now=START)


class TestLooksFollowPairs:
    def test_one_shared_pair_is_enough(self, lead: User):
        """A new import with one pair more, or fewer, does not bring looks back."""
        whole = make_world(GOOD, name="one")
        viewer = Viewer(user=lead, door="page")
        disclose(report=whole.report(), viewer=viewer, now=START)
        fewer = make_world(GOOD[:-1], name="two")
        state = disclose(report=fewer.report(), viewer=viewer, now=START)
        assert (state.n, state.this) == (2, 2)

    def test_sets_that_share_none_are_strangers(self, lead: User):
        one = make_world(GOOD[:6], name="one")
        viewer = Viewer(user=lead, door="page")
        disclose(report=one.report(), viewer=viewer, now=START)
        dev = [Told("dev", "B", "B", "B")] * 6
        two = make_world([*dev, *GOOD[6:]], name="two")
        assert disclose(report=two.report(), viewer=viewer, now=START).n == 1

    def test_the_smaller_budget_holds(self, lead: User):
        first = make_world(GOOD, name="one", look_budget=1)
        viewer = Viewer(user=lead, door="page")
        disclose(report=first.report(), viewer=viewer, now=START)
        again = make_world(GOOD, name="two", look_budget=50)
        assert budget_of(again.gold_set) == 1
        assert looks_used(again.gold_set) == 1


class TestInformed:
    @pytest.fixture
    def looked(self, good: World, lead: User) -> World:
        viewer = Viewer(user=lead, door="page")
        disclose(report=good.report(), viewer=viewer, now=START)
        return good

    def later(self, world: World, spec: dict[str, str] | None = None) -> int:
        """What a judge frozen after the look is marked with."""
        spec = spec or {"rubric_version": "made-later"}
        again = world.run_again("later")
        made = JudgeConfig.objects.create(
            name="made-later", version=1, verdict_format="five_token",
            combining_rule="agree_else_tie", repeat_rule="mean", created_at=START,
            frozen_at=START + timedelta(days=1), digest=digest_of(spec), spec=spec,
        )  # fmt: skip
        change(again.run, config=made)
        now = START + timedelta(days=2)
        looks = disclosed(report=again.report(), viewer=COMMAND, now=now)["looks"]
        found: int = looks["before_judge"]
        return found

    def test_a_judge_frozen_after_a_look_is_marked(self, looked: World):
        assert self.later(looked) == 1

    def test_one_frozen_before_is_not(self, looked: World, lead: User):
        viewer = Viewer(user=lead, door="page")
        again = looked.run_again("earlier").report()
        looks = disclosed(report=again, viewer=viewer, now=START)["looks"]
        assert looks["before_judge"] == 0

    def test_nor_the_same_judge_frozen_again(self, looked: World):
        assert self.later(looked, looked.run.config.spec) == 0

    def test_words_of_sealed_looks_do_not_inform(self, good: World):
        seal(good.gold_set, {"agreement": 0.99})
        look_sealed(report=good.report(), viewer=COMMAND, now=START)
        assert self.later(good) == 0
