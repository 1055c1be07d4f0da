"""How a set's pairs cluster, for its planner: from its newest report, without looks."""

from __future__ import annotations

import json

import pytest

from calibration.domain.plan_clusters import Shape
from calibration.models import Look
from calibration.services.clustering import newest_effect, set_shape
from calibration.services.planning import Questions, answers
from tests.calibration.copies import renamed_copy
from tests.calibration.sealed import sealed_world
from tests.calibration.several import add_pairs, several_world
from tests.calibration.world import DEV_ONLY, make_world

pytestmark = pytest.mark.django_db
RIGHT, WRONG, MIXED = "BBB CCC TTT", "BCC CBB TBB", "BBB CCC TBB"
ALIKE = [RIGHT] * 12 + [WRONG] * 6 + [MIXED] * 6
WIDTH = Questions(half_width=0.05)


def effect_of(report) -> float:
    figure = json.loads(report.payload)["splits"]["dev"]["exact_agreement"]
    return figure["design_effect"]


def test_the_shape_is_that_of_the_newest_gold_or_of_the_set():
    world = several_world([RIGHT] * 2)
    assert set_shape(world.gold_set, world.gold) == Shape(6, 2, 2, 2, 3.0)
    assert set_shape(world.gold_set, None) == Shape(6, 2, 2, 2, 3.0)
    add_pairs(world, [RIGHT], group="g")
    add_pairs(world, [RIGHT], group="g")
    assert set_shape(world.gold_set, world.gold) == Shape(12, 4, 3, 3, 4.5)


def test_a_plan_uses_the_effect_of_the_report():
    world = several_world(ALIKE)
    report = world.report()
    found = newest_effect(world.gold_set)
    assert (found.report, found.shape) == (report.pk, Shape(72, 24, 24, 24, 3.0))
    assert found.effect == effect_of(report) > 1.5
    plan = answers(WIDTH, gold_set=world.gold_set)
    lies, width = plan["clustering"], plan["half_width"]
    assert (lies["source"], lies["report"]) == ("report", report.pk)
    assert lies["design_effect"] == pytest.approx(effect_of(report))
    assert width["pairs"] == -(-381 * effect_of(report) // 1)
    assert width["cases"] == -(-width["pairs"] // 3)


def test_by_hand():
    """Prompts of 3, 3 and 2 right: d = C/(C-1) sum (right - 3 p)^2 / (n p (1-p))."""
    world = several_world(ALIKE)
    rights = [3] * 12 + [0] * 6 + [2] * 6
    rate = sum(rights) / 72
    spread = 24 / 23 * sum((right - 3 * rate) ** 2 for right in rights)
    world.report()
    expected = spread / (72 * rate * (1 - rate))
    assert newest_effect(world.gold_set).effect == pytest.approx(expected)


def test_held_out_pairs_tell_nothing_here():
    world = several_world(ALIKE)
    add_pairs(world, ["BBB CCC TTT"] * 10, split="held_out")
    report = world.report()
    found = newest_effect(world.gold_set)
    assert found.shape == Shape(72, 24, 24, 24, 3.0)
    assert found.effect == effect_of(report)
    assert not Look.objects.exists()


def test_a_report_of_held_out_pairs_alone_tells_nothing():
    world = several_world([RIGHT] * 22, split="held_out")
    world.report()
    assert newest_effect(world.gold_set) is None
    assert answers(WIDTH, gold_set=world.gold_set)["clustering"]["source"] == "worst"


def test_a_set_that_is_not_split_counts_whole():
    world = several_world(ALIKE, split="")
    report = world.report()
    found = newest_effect(world.gold_set)
    figure = json.loads(report.payload)["splits"]["all"]["exact_agreement"]
    assert found.effect == figure["design_effect"] > 1.5


def test_of_a_judge_its_own_report():
    world = several_world(ALIKE)
    mine = world.report()
    other = world.run_again("other").report()
    assert newest_effect(world.gold_set).report == other.pk
    assert newest_effect(world.gold_set, world.run.config.name).report == mine.pk
    assert newest_effect(world.gold_set, "nobody") is None


def test_single_pairs_need_no_report():
    world = make_world(DEV_ONLY)
    plan = answers(WIDTH, gold_set=world.gold_set)
    assert plan["clustering"]["source"] == "single"
    assert plan["half_width"] == {
        "half_width": 0.05, "rate": 0.5, "pairs": 381, "cases": 381, "independent": 381,
    }  # fmt: skip


def test_no_report_over_pairs_that_are_sealed_elsewhere(adjudicator):
    """Dev here, held out and sealed there: not even how alike they are is told."""
    sealed = sealed_world(adjudicator)
    copy = renamed_copy(sealed, splits={"held_out": "dev", "dev": "dev"})
    copy.report()
    assert newest_effect(copy.gold_set) is None
