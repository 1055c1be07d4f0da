"""What a decision takes from reports, looks, marks and people."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from annotation.models import Exposure, GoldItem, GoldVersion, Response
from annotation.services.held_out import LooksSpent, Viewer
from annotation.services.look_plans import unseal
from annotation.services.seals import Sealed
from calibration.models import Look
from calibration.services.deciding import disclosed
from calibration.services.decision_reports import report_for
from config.errors import Conflict
from judging.models import (
    Call,
    CallState,
    ConfigKind,
    JudgeConfig,
    Reply,
    Run,
    RunPurpose,
    RunStatus,
)
from tests.annotation.factory import START
from tests.calibration.releases import (
    LOOSE,
    NOW,
    Released,
    make_release,
    outcome,
)
from tests.calibration.sealed import seal
from tests.calibration.world import SHA
from tests.guards import change

if TYPE_CHECKING:
    from config.accounts.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def released(db: None) -> Released:
    return make_release()


def test_without_a_report_nothing_ships(released: Released) -> None:
    found = released.decide(report=None)
    assert found.result == "human_review"
    assert outcome(found, "judgeCalibration")["owner"] == "lead"
    assert found.report is None


def test_the_newest_held_out_report_of_the_judge_is_found(released: Released) -> None:
    assert report_for(released.run) == released.report
    other = make_release_of_another_judge()
    assert report_for(other) is None


def make_release_of_another_judge() -> Run:
    from tests.calibration.world import make_config, make_world

    world = make_world(())
    return Run.objects.create(
        config=make_config("stranger"), gold_set=world.gold_set,
        purpose=RunPurpose.RELEASE, status=RunStatus.DONE, created_at=START,
    )  # fmt: skip


def test_deciding_and_reading_are_looks_at_the_report(
    released: Released, lead: User, auditor: User
) -> None:
    decision = released.decide(lead)
    assert Look.objects.filter(report=released.report, looked_by=lead).count() == 1
    viewer = Viewer(user=auditor, door="page")
    disclosed(decision=decision, viewer=viewer, now=NOW)
    found = disclosed(decision=decision, viewer=viewer, now=NOW)
    assert Look.objects.filter(report=released.report, looked_by=auditor).count() == 1
    assert (found["id"], found["decided_by"]) == (decision.pk, lead.username)


def test_past_the_budget_a_decision_needs_a_reason(
    released: Released, lead: User
) -> None:
    type(released.world.gold_set).objects.update(look_budget=0)
    with pytest.raises(LooksSpent):
        released.decide(lead)
    viewer = Viewer(user=lead, door="page", reason="the release is due")
    assert released.decide(viewer=viewer).result == "ship"


def test_of_a_sealed_set_only_the_word_is_used(lead: User) -> None:
    released = make_release(policy=LOOSE | {"minimumHeldOutAgreement": 0.4})
    seal(released.world.gold_set, {"agreement": 0.4, "false_candidate_wins": 0.7})
    found = released.decide(lead)
    assert json.loads(found.evidence)["calibration"]["rates"] is None
    agreement = outcome(found, "minimumHeldOutAgreement")
    assert (agreement["result"], agreement["value"]) == ("pass", None)
    # 0.7 of the plan is weaker than the 0.6 that the policy asks for.
    assert outcome(found, "maximumFalseCandidateWinRate")["result"] == "not_shown"
    assert Look.objects.get().word == "passed"


def test_a_judge_made_after_the_unsealing_needs_fresh_pairs(lead: User) -> None:
    released = make_release()
    seal(released.world.gold_set)
    early = START - timedelta(hours=1)
    unseal(gold_set=released.world.gold_set, reason="done", by=lead, now=early)
    assert report_for(released.run) is None
    with pytest.raises(Conflict, match="needs fresh ones"):
        released.decide()


def test_a_judge_made_before_the_unsealing_does_not(lead: User) -> None:
    released = make_release()
    seal(released.world.gold_set, {"agreement": 0.5}, budget=1)
    unseal(gold_set=released.world.gold_set, reason="done", by=lead, now=NOW)
    assert report_for(released.run) == released.report
    assert released.decide().result == "ship"


def test_what_was_seen_before_the_judge_was_made_is_told(
    released: Released, lead: User
) -> None:
    decision = released.decide(lead)
    viewer = Viewer(user=lead, door="page")
    told = disclosed(decision=decision, viewer=viewer, now=NOW)
    assert told["looks_before_judge"] == 0
    Look.objects.create(
        gold_set=released.world.gold_set, number=9, what="labels", subject="s",
        looked_at=START - timedelta(days=1), looked_by=lead, door="page",
        held_out_digest=SHA,
    )  # fmt: skip
    told = disclosed(decision=decision, viewer=viewer, now=NOW)
    assert told["looks_before_judge"] == 1


def marking_run(released: Released, failing: int) -> Run:
    """PASS for every response but the candidate's of one pair."""
    config = JudgeConfig.objects.create(
        name="marks", version=1, kind=ConfigKind.POINTWISE, spec={"model": "m"},
        provider=released.run.config.provider, verdict_format="pass_fail",
        repeat_rule="majority", created_at=START, frozen_at=START, digest="m" * 64,
    )  # fmt: skip
    run = Run.objects.create(
        config=config, gold_set=released.gold_set, status=RunStatus.DONE,
        created_at=START,
    )  # fmt: skip
    bad = released.pair(failing).candidate_id
    for response in Response.objects.filter(case__gold_set=released.gold_set):
        call = Call.objects.create(
            run=run, response=response, repeat=1, state=CallState.DONE
        )
        passed = response.pk != bad
        Reply.objects.create(
            call=call, score=int(passed), stated=int(passed), passed=passed,
            answered_at=START,
        )  # fmt: skip
    return run


@pytest.mark.parametrize(("failing", "result"), [(1, "hold"), (2, "ship")])
def test_a_mark_that_fails_the_candidate_alone_vetoes_critical_cases(
    failing: int, result: str, db: None
) -> None:
    released = make_release(critical=[1])
    marking_run(released, failing)
    found = released.decide()
    assert found.result == result
    assert json.loads(found.evidence)["run"]["marks"]["judge"] == "marks v1"


def test_sealed_pairs_are_not_decided_on(released: Released) -> None:
    released.gold_set.cases.update(split="held_out")
    seal(released.gold_set)
    with pytest.raises(Sealed):
        released.decide()


def test_held_out_pairs_of_a_run_are_a_look_of_their_own(
    released: Released, lead: User
) -> None:
    released.gold_set.cases.update(split="held_out")
    released.decide(lead)
    assert Look.objects.filter(gold_set=released.gold_set).get().looked_by == lead


def test_a_judge_served_by_another_model_was_not_measured(released: Released) -> None:
    call = released.run.calls.order_by("-pk").first()
    assert call is not None
    reply = call.reply
    other = Run.objects.create(
        config=released.run.config, gold_set=released.gold_set,
        purpose=RunPurpose.RELEASE, status=RunStatus.DONE, created_at=START,
    )  # fmt: skip
    for each in released.run.calls.select_related("reply"):
        said = each.reply
        each.pk, each.run = None, other
        each.save(force_insert=True)
        said.pk, said.call = None, each
        said.served_model = "sim-2" if each.pair_id == call.pair_id else "sim-1"
        said.save(force_insert=True)
    assert reply.served_model == "sim-1"
    found = released.decide(run=other)
    assert found.result == "human_review"
    assert "other models" in outcome(found, "judgeCalibration")["why"]


def test_what_people_settled_on_counts_for_critical_cases(db: None) -> None:
    released = make_release("CCCCCCCCTA", critical=[9])
    first = released.decide()
    assert outcome(first, "criticalSliceRule")["result"] == "not_shown"
    version = GoldVersion.objects.create(
        gold_set=released.gold_set, number=1, rule="majority", digest=SHA, pairs=1,
        left_open=0, created_at=START,
    )  # fmt: skip
    GoldItem.objects.create(
        version=version, pair=released.pair(9), outcome="candidate",
        source="consensus", labels=["candidate"],
    )  # fmt: skip
    second = released.decide()
    assert second != first
    assert (first.result, second.result) == ("human_review", "ship")
    assert outcome(second, "criticalSliceRule")["result"] == "pass"


def test_who_decides_has_seen_the_verdicts_of_critical_cases(lead: User) -> None:
    released = make_release("CCCCCCCCBT", critical=[8, 9])
    assert released.decide(lead).result == "hold"
    seen = Exposure.objects.filter(user=lead, kind="verdicts")
    assert list(seen.values_list("pair", flat=True)) == [released.pair(8).pk]


def test_the_owners_are_those_of_the_policy_or_who_made_the_thing(lead: User) -> None:
    released = make_release("CCC", policy=LOOSE | {"evidenceOwners": {"cases": "Ann"}})
    change(released.run, created_by=lead)
    owners = json.loads(released.decide().evidence)["owners"]
    assert owners == {"cases": "Ann", "run": lead.username}


def test_a_viewer_without_an_account_is_named(released: Released) -> None:
    viewer = Viewer(user=None, door="command", actor="ci")
    found = released.decide(viewer=viewer)
    assert found.actor == "ci"
    told = disclosed(decision=found, viewer=replace(viewer, reason="again"), now=NOW)
    assert told["decided_by"] == "ci"
