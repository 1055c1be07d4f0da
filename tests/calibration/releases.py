"""A judge with a report, and a release run of it, written as letters."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from annotation.domain.outcomes import Order, Outcome, choice_for
from annotation.services.held_out import Viewer
from calibration.services.deciding import decide
from calibration.services.policies import frozen_policy
from judging.models import Run, RunPurpose, RunStatus
from tests.annotation.factory import START, add_case, make_set
from tests.calibration.evidence import POLICY
from tests.calibration.factory import GOLD
from tests.calibration.world import Told, World, answer, make_world

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from annotation.models import GoldSet, Pair
    from calibration.models import Decision, Policy, Report
    from config.accounts.models import User

BEFORE = START - timedelta(days=2)
NOW = START + timedelta(days=1)
# A policy that small data can keep, so that tests needn't make hundreds of rows.
LOOSE = POLICY | {
    "minimumCandidatePreferenceLowerBound": 0.3,
    "maximumSwapFlipRate": 0.5,
    "maximumInvalidJudgeRate": 0.5,
    "minimumHeldOutAgreement": 0.5,
    "maximumFalseCandidateWinRate": 0.6,
}
# Eight held-out pairs of which the judge is right on all.
FIT = tuple(Told("held_out", gold, gold, gold) for gold in "BBBBBCCCTT")


@dataclass
class Released:
    """What a test decides on."""

    world: World
    report: Report
    gold_set: GoldSet
    run: Run
    policy: Policy

    def decide(self, by: User | None = None, **changes: Any) -> Decision:
        viewer = Viewer(user=by, door="test", actor="" if by else "tester")
        given: dict[str, Any] = {
            "run": self.run, "policy": self.policy, "report": self.report,
        }  # fmt: skip
        return decide(**(given | {"viewer": viewer, "now": NOW} | changes))

    def pair(self, number: int) -> Pair:
        return self.gold_set.pairs.get(case__external_id=f"r{number}")


def make_release(
    letters: Iterable[str] = "CCCCCCCCBT",
    *,
    policy: Mapping[str, Any] = LOOSE,
    critical: Iterable[int] = (),
    told: Iterable[Told] = FIT,
) -> Released:
    """Decide on ``letters``: one a pair, or two for the two orders."""
    world = make_world(told)
    frozen = frozen_policy(name="usual", document=policy, by=None, now=BEFORE)
    gold_set = make_set(0, systems=("v12", "v13"), name="release")
    run = release_of(world, gold_set, letters, set(critical))
    return Released(world, world.report(), gold_set, run, frozen)


def release_of(
    world: World, gold_set: GoldSet, letters: Iterable[str], critical: set[int]
) -> Run:
    run = Run.objects.create(
        config=world.run.config,
        gold_set=gold_set,
        purpose=RunPurpose.RELEASE,
        status=RunStatus.DONE,
        created_at=START,
        started_at=START,
        finished_at=START,
    )
    systems = list(gold_set.systems.all())
    for index, said in enumerate(letters):
        case = add_case(gold_set, systems, f"r{index}", (), critical=index in critical)
        for order, letter in zip(Order, (said[0], said[-1]), strict=True):
            say(run, case.pairs.get(), order, letter)
    return run


def say(run: Run, pair: Pair, order: Order, letter: str) -> None:
    if letter == "I":
        answer(run, pair, order, "", "unparsed")
        return
    outcome = GOLD[letter]
    assert isinstance(outcome, Outcome)
    answer(run, pair, order, choice_for(outcome, order).value)


def payload(decision: Decision) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(decision.payload)
    return found


def outcome(decision: Decision, key: str) -> dict[str, Any]:
    (one,) = [c for c in payload(decision)["conditions"] if c["key"] == key]
    return one
