"""What is planted in the demo's judge is found in its report.

If a change of prompt, fixture or rates makes these fail, the draws (hashes of seed and
request) are no longer near the rates: choose another seed in demo/judge.py.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest

from annotation.domain.intervals import wilson
from annotation.domain.outcomes import SlotChoice
from annotation.models import Pair
from calibration.management.demo import judge
from calibration.management.demo.telling import planted_and_found
from judging.models import Call, Reply, Run, RunPurpose
from judging.services.asking import Asking, Question
from judging.services.configuring import spec_of
from judging.simulator.brain import Rule, decide, expected

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from judging.simulator.options import Options
    from tests.demo.conftest import Demo

MOST_INVALID = 8
SET = "demo-support"
DECISIVE = (SlotChoice.FIRST, SlotChoice.SECOND)


@dataclass(frozen=True)
class Planted:
    """The options and every request, as the simulated judge gets them."""

    options: Options
    bodies: list[dict[str, object]]

    def without_slot_bias(self) -> Options:
        return replace(self.options, first_slot=0.0)


@pytest.fixture
def planted(demo: Demo) -> Planted:
    run = Run.objects.get(gold_set__name=SET, purpose=RunPurpose.CALIBRATION)
    asking = Asking(spec_of(run.config), total_timeout=1)
    calls = Call.objects.filter(run=run).select_related(
        "pair__case", "pair__baseline", "pair__candidate"
    )
    asked = [asking.prepare(call) for call in calls]
    assert all(isinstance(question, Question) for question in asked)
    bodies = [q.request.body for q in asked if isinstance(q, Question)]
    return Planted(judge.options(demo.fixture), bodies)


def replies() -> QuerySet[Reply]:
    """Those of the calibration run."""
    return Reply.objects.filter(
        call__run__gold_set__name=SET, call__run__purpose=RunPurpose.CALIBRATION
    )


def test_the_replies_are_the_simulators(planted: Planted) -> None:
    wanted = expected(planted.options, planted.bodies)
    assert wanted.requests == replies().count()
    malformed = sum(wanted.shapes.values())
    assert replies().exclude(invalid_reason="").count() == malformed


def test_the_first_slot_preference_lies_in_the_reported_interval(
    planted: Planted, report: dict[str, Any]
) -> None:
    # A share s of the calls chooses the first slot whatever it holds. The others go by
    # content, which is the same in both orders: a share d of them is decisive, and of
    # each such pair one order has the winner first and the other has it second. So
    # P(first) = s + (1 - s)d/2 and P(second) = (1 - s)d/2, and of the decisive calls
    # (s + (1 - s)d/2) / (s + (1 - s)d) choose the first slot. d is what the same judge
    # would decide without the bias; malformed replies strike all calls alike.
    by_content = expected(planted.without_slot_bias(), planted.bodies)
    decided = [by_content.choices[choice] for choice in DECISIVE]
    assert decided[0] == decided[1]
    s, d = judge.FIRST_SLOT, sum(decided) / by_content.requests
    share = (s + (1 - s) * d / 2) / (s + (1 - s) * d)
    assert share > 0.6
    found = report["splits"]["all"]["position"]["first_slot_choices"]
    assert found["low"] <= share <= found["high"]
    assert found["low"] > 0.5, "the lean must be visible"


def test_flips_lean_to_the_first_slot(report: dict[str, Any]) -> None:
    position = report["splits"]["all"]["position"]
    assert position["first_slot_flips"] > position["second_slot_flips"]
    assert position["slot_test"]["p_value"] < 0.05


def test_flips_are_those_that_the_bias_makes(
    planted: Planted, report: dict[str, Any]
) -> None:
    """In no order does the judge contradict itself but by its slot preference."""
    rules = Counter(decide(planted.without_slot_bias(), b).rule for b in planted.bodies)
    assert not rules[Rule.FIRST_SLOT]
    assert report["splits"]["all"]["position"]["second_slot_flips"] == 0


def test_malformed_replies_are_found_by_reason(
    planted: Planted, report: dict[str, Any]
) -> None:
    shapes = expected(planted.options, planted.bodies).shapes
    found = report["splits"]["all"]["invalid_calls"]
    # Each planted shape is named like the reason that it must be found under.
    assert {reason: n for reason, n in found.items() if n} == {
        shape.value: n for shape, n in shapes.items()
    }
    assert set(shapes) == set(judge.SHAPES)
    assert sum(found.values()) <= MOST_INVALID


def test_no_malformed_reply_is_among_the_ties(
    planted: Planted, report: dict[str, Any]
) -> None:
    invalid = replies().exclude(invalid_reason="")
    assert not invalid.exclude(choice="").exists()
    pairs = invalid.values("call__pair").distinct().count()
    assert report["splits"]["all"]["position"]["invalid"] == pairs
    columns = report["splits"]["all"]["confusion"]
    assert all(set(row) >= {"invalid"} for row in columns.values())


def test_the_length_preference_is_there(planted: Planted) -> None:
    """The share of pairs decided by length is the planted one, within its interval."""
    rules = expected(planted.without_slot_bias(), planted.bodies).rules
    pairs = len(planted.bodies) // 2
    decided = rules[Rule.LENGTH] // 2
    found = wilson(decided, pairs)
    assert found.low <= judge.LENGTH <= found.high


def test_longer_responses_win_more_often_by_the_judge_than_by_gold(
    demo: Demo, report: dict[str, Any]
) -> None:
    longer = Counter[str]()
    for call in Call.objects.filter(
        run__gold_set__name=SET, run__purpose=RunPurpose.CALIBRATION
    ).select_related("pair__baseline", "pair__candidate", "reply"):
        if call.reply.choice in DECISIVE:
            assert call.pair is not None
            shown = [call.pair.baseline, call.pair.candidate]
            if call.order != "baseline_first":
                shown.reverse()
            chosen = shown[DECISIVE.index(SlotChoice(call.reply.choice))]
            other = shown[1 - DECISIVE.index(SlotChoice(call.reply.choice))]
            longer["judge"] += chosen.length > other.length
            longer["judge of"] += 1
    for pair in Pair.objects.select_related("case", "baseline", "candidate"):
        outcome = demo.fixture.outcomes.get(pair.case.external_id)
        if outcome is not None and outcome.is_decisive:
            lean = pair.candidate.length - pair.baseline.length
            longer["gold"] += lean > 0 if outcome == "candidate" else lean < 0
            longer["gold of"] += 1
    judged = longer["judge"] / longer["judge of"]
    assert judged > longer["gold"] / longer["gold of"]


def test_the_judge_is_good_but_not_perfect(report: dict[str, Any]) -> None:
    for split in ("dev", "held_out"):
        value = report["splits"][split]["exact_agreement"]["value"]
        assert 0.6 < value < 0.95
    block = report["splits"]["all"]
    wrong = [
        block[k]["numerator"] for k in ("false_candidate_wins", "false_baseline_wins")
    ]
    assert all(0 < n < 6 for n in wrong)


def test_what_is_told_are_the_reported_figures(
    demo: Demo, report: dict[str, Any]
) -> None:
    told = "\n".join(planted_and_found(report))
    position = report["splits"]["all"]["position"]
    assert f"{position['first_slot_flips']} flips towards the first slot, 0" in told
    assert f"{judge.FIRST_SLOT:.0%} of calls" in told
    for line in told.splitlines():
        assert line in demo.said
