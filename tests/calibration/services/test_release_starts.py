"""Starting a release run: all pairs, two systems, or a panel; what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from calibration.models import SwapPanel
from calibration.services.release_starts import (
    ReleaseWish,
    asked_for,
    estimate_release,
    start_release,
)
from calibration.services.swap_panels import PanelWish
from config.errors import Conflict, InvalidInput
from judging.models import Run, RunPurpose
from judging.services.budgets import Budget
from judging.services.controlling import stop
from judging.services.run_options import RunOptions
from judging.services.starting import start_run
from tests.annotation.factory import START, make_set
from tests.judging.factory import make_judge
from tests.judging.pointwise_judges import pointwise_judge

if TYPE_CHECKING:
    from annotation.models import GoldSet
    from judging.models import JudgeConfig

pytestmark = pytest.mark.django_db
NAMES = "middle with prod, new with middle, new with prod"
PANEL = PanelWish(0.5, "may")


@pytest.fixture
def judge(db: None) -> JudgeConfig:
    return make_judge("http://127.0.0.1:9/v1")


@pytest.fixture
def three(db: None) -> GoldSet:
    return make_set(4, systems=("prod", "middle", "new"), name="three")


def start(wish: ReleaseWish) -> Run:
    return start_release(wish, concurrency=4, by=None, now=START)


def test_all_pairs_in_both_orders(judge: JudgeConfig) -> None:
    run = start(ReleaseWish(judge, make_set(6)))
    assert run.purpose == RunPurpose.RELEASE
    assert run.calls.count() == 12
    assert not SwapPanel.objects.exists()


def test_a_panel_is_drawn_and_kept(judge: JudgeConfig) -> None:
    run = start(ReleaseWish(judge, make_set(6), panel=PANEL))
    assert run.calls.count() == 6
    assert SwapPanel.objects.get(run=run).seed == "may"


def test_budget_and_batches_are_taken(judge: JudgeConfig) -> None:
    options = RunOptions(budget=Budget(calls=5), batches=True)
    gold_set = make_set(6)
    for panel in (None, PANEL):
        run = start(ReleaseWish(judge, gold_set, panel=panel, options=options))
        assert (run.max_calls, run.purpose) == (5, RunPurpose.RELEASE)
        assert run.batch_plan is not None


def test_the_estimate_is_of_the_same_calls(judge: JudgeConfig) -> None:
    gold_set = make_set(6)
    for panel, pairs in ((None, 6), (PANEL, 3)):
        found, seats = estimate_release(
            ReleaseWish(judge, gold_set, panel=panel), now=START
        )
        assert (found.pairs, found.calls, found.to_ask) == (pairs, 2 * pairs, 2 * pairs)
        assert seats == []
    assert not Run.objects.exists()


class TestSeveralSystems:
    @pytest.mark.parametrize("panel", [None, PANEL])
    def test_they_are_refused_by_name_at_estimate_and_start(
        self, judge: JudgeConfig, three: GoldSet, panel: PanelWish | None
    ) -> None:
        wish = ReleaseWish(judge, three, panel=panel)
        for act in (lambda: estimate_release(wish, now=START), lambda: start(wish)):
            with pytest.raises(Conflict, match=NAMES) as caught:
                act()
            assert caught.value.code == "release_many_systems"
        assert not Run.objects.exists()

    def test_so_is_every_other_way_to_start_one(
        self, judge: JudgeConfig, three: GoldSet
    ) -> None:
        with pytest.raises(Conflict, match=NAMES):
            start_run(
                config=judge, gold_set=three, concurrency=1, by=None, now=START,
                options=RunOptions(purpose=RunPurpose.RELEASE),
            )  # fmt: skip
        run = start_run(config=judge, gold_set=three, concurrency=1, by=None, now=START)
        assert run.calls.count() == 24  # to calibrate a judge on them is fine

    def test_two_of_them_are_a_release(
        self, judge: JudgeConfig, three: GoldSet
    ) -> None:
        wish = ReleaseWish(judge, three, systems=("prod", "new"))
        assert estimate_release(wish, now=START)[0].calls == 8
        run = start(wish)
        names = run.calls.values_list(
            "pair__baseline__system__name", "pair__candidate__system__name"
        )
        assert set(names) == {("prod", "new")}

    @pytest.mark.parametrize(
        ("systems", "words"),
        [
            (("prod",), "two names"),
            (("new", "prod"), "no pair of prod with new"),
            (("prod", "other"), "no pair of other with prod"),
        ],
    )
    def test_others_are_no_release(
        self,
        judge: JudgeConfig,
        three: GoldSet,
        systems: tuple[str, ...],
        words: str,
    ) -> None:
        with pytest.raises(InvalidInput, match=words):
            start(ReleaseWish(judge, three, systems=systems))

    def test_a_panel_of_two_of_them_is_refused(
        self, judge: JudgeConfig, three: GoldSet
    ) -> None:
        with pytest.raises(Conflict, match="a set of their own"):
            start(ReleaseWish(judge, three, PANEL, ("prod", "new")))


def test_the_same_release_is_not_bought_twice(judge: JudgeConfig) -> None:
    gold_set = make_set(6)
    for panel in (None, PANEL):
        wish = ReleaseWish(judge, gold_set, panel=panel)
        first = start(wish)
        with pytest.raises(Conflict, match=f"Run {first.pk} is this very release"):
            start(wish)
        stop(run=first, by=None, now=START, reason="again")
        assert start(wish).pk != first.pk
    other = PanelWish(0.5, "june")
    assert start(ReleaseWish(judge, gold_set, panel=other)).calls.count() == 6


def test_marks_of_single_responses_are_no_release(db: None) -> None:
    judge = pointwise_judge(name="marker", scale={"kind": "pass_fail"})
    with pytest.raises(Conflict, match="a release compares two"):
        start(ReleaseWish(judge, make_set(3)))


@pytest.mark.parametrize(
    ("share", "seed", "slices"), [(0.5, "", ()), (None, "may", ()), (None, "", ("a",))]
)
def test_half_a_panel_is_none(
    share: float | None, seed: str, slices: tuple[str, ...]
) -> None:
    with pytest.raises(InvalidInput, match="both a share and a seed"):
        asked_for(share, seed, slices)


def test_a_panel_or_none() -> None:
    assert asked_for(None, "", ()) is None
    assert asked_for(0.5, "may", ["a"]) == PanelWish(0.5, "may", ("a",))
