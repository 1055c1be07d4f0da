"""Deciding on rows: what it rests on, when it is refused, and that it stays."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import DatabaseError, transaction

from annotation.domain.digests import digest_of
from annotation.services.held_out import Viewer
from calibration.domain import deciding as pure
from calibration.models import Decision
from calibration.services.deciding import disclosed
from calibration.services.policies import draft_policy, frozen_policy
from calibration.services.releases import release_runs
from config.errors import Conflict
from judging.models import (
    JudgeConfig,
    Reply,
    Run,
    RunPurpose,
    RunStatus,
)
from tests.annotation.factory import START
from tests.calibration.evidence import POLICY
from tests.calibration.releases import (
    LOOSE,
    NOW,
    Released,
    make_release,
    outcome,
    payload,
)
from tests.guards import change

if TYPE_CHECKING:
    from config.accounts.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def released(db: None) -> Released:
    return make_release()


def test_a_decision_is_kept_with_everything_it_rests_on(
    released: Released, lead: User
) -> None:
    found = released.decide(lead)

    assert (found.result, found.decided_by, found.decided_at) == ("ship", lead, NOW)
    evidence = json.loads(found.evidence)
    assert digest_of(evidence) == found.evidence_digest
    assert pure.decide(evidence) == payload(found)
    assert digest_of(payload(found)) == found.digest
    assert evidence["policy"]["digest"] == released.policy.digest
    assert evidence["calibration"]["report"]["digest"] == released.report.digest
    assert evidence["run"]["judge"]["digest"] == released.run.config.digest
    assert len(evidence["pairs"]) == 10
    assert payload(found)["simulated"]


def test_it_cannot_be_made_twice_differently(released: Released, lead: User) -> None:
    first = released.decide(lead)
    later = released.decide(now=NOW + timedelta(days=30))
    assert later == first
    assert Decision.objects.count() == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda rows: rows.update(result="ship"),
        lambda rows: rows.update(payload="{}"),
        lambda rows: rows.delete(),
    ],
)
def test_the_database_refuses_to_change_it(released: Released, change) -> None:
    released.decide()
    with pytest.raises(DatabaseError, match="guard"), transaction.atomic():
        change(Decision.objects.all())


def test_the_same_evidence_has_no_second_row(released: Released) -> None:
    made = released.decide()
    made.pk, made.result = None, "hold"
    with pytest.raises(DatabaseError), transaction.atomic():
        made.save(force_insert=True)


def test_what_else_was_tried_is_told(released: Released, lead: User) -> None:
    viewer = Viewer(user=lead, door="page")
    first = released.decide(lead)
    alone = disclosed(decision=first, viewer=viewer, now=NOW)
    assert alone["others"] == {"decisions": [], "runs": []}
    other = Run.objects.create(
        config=released.run.config, gold_set=released.gold_set,
        purpose=RunPurpose.RELEASE, status=RunStatus.DONE, created_at=START,
    )  # fmt: skip
    second = released.decide(lead, report=None)
    told = disclosed(decision=first, viewer=viewer, now=NOW)["others"]
    assert told["decisions"] == [{"id": second.pk, "result": "human_review"}]
    assert told["runs"] == [other.pk]


def test_a_policy_frozen_after_the_run_began_is_refused(released: Released) -> None:
    edited = LOOSE | {"maximumSwapFlipRate": 0.9}
    late = frozen_policy(name="usual", document=edited, by=None, now=NOW)
    with pytest.raises(Conflict, match="frozen before the run") as caught:
        released.decide(policy=late)
    assert caught.value.code == "policy_too_late"
    assert not Decision.objects.exists()


def test_a_policy_frozen_at_the_very_moment_is_early_enough(released: Released) -> None:
    other = frozen_policy(name="other", document=LOOSE, by=None, now=START)
    assert released.decide(policy=other).result == "ship"
    late = frozen_policy(
        name="late", document=LOOSE, by=None, now=START + timedelta(microseconds=1)
    )
    with pytest.raises(Conflict):
        released.decide(policy=late)


def test_a_draft_decides_nothing(released: Released) -> None:
    draft = draft_policy(name="draft", document=LOOSE, by=None, now=START)
    with pytest.raises(Conflict, match="only a frozen policy"):
        released.decide(policy=draft)


def test_a_run_that_copies_what_was_known_before_is_refused(released: Released) -> None:
    copy = Reply.objects.filter(call__run=released.run).first()
    original = Reply.objects.filter(call__run=released.world.run).first()
    assert copy is not None
    assert original is not None
    Reply.objects.filter(pk=0).exists()
    early = frozen_policy(
        name="between", document=LOOSE, by=None, now=START - timedelta(minutes=1)
    )
    call = copy.call
    other = Run.objects.create(
        config=released.run.config, gold_set=released.gold_set,
        purpose=RunPurpose.RELEASE, status=RunStatus.DONE, created_at=START,
    )  # fmt: skip
    call.pk, call.run = None, other
    call.save(force_insert=True)
    copy.pk, copy.call, copy.reused_from = None, call, original
    copy.save(force_insert=True)
    assert original.answered_at >= early.frozen_at  # type: ignore[operator]  # frozen
    later = frozen_policy(
        name="later", document=LOOSE, by=None, now=START + timedelta(seconds=1)
    )
    change(other, created_at=START + timedelta(hours=1))
    with pytest.raises(Conflict, match="copies replies"):
        released.decide(run=other, policy=later)


@pytest.mark.parametrize("status", [s for s in RunStatus if s is not RunStatus.DONE])
def test_a_run_that_is_not_done_is_not_decided(
    released: Released, status: RunStatus
) -> None:
    fields: dict[str, Any] = {"status": status, "halted_at": START}
    Run.objects.filter(pk=released.run.pk).update(**fields)
    released.run.refresh_from_db()
    with pytest.raises(Conflict, match="not done"):
        released.decide()


def test_a_run_for_another_purpose_is_not_decided(released: Released) -> None:
    with pytest.raises(Conflict, match="no release run"):
        released.decide(run=released.world.run)


def test_imported_verdicts_are_decided_on_without_a_purpose(released: Released) -> None:
    run = released.run
    recorded = JudgeConfig.objects.create(
        name="recorded", version=1, provider=run.config.provider, recorded=True,
        verdict_format="five_token", combining_rule="agree_else_tie",
        repeat_rule="mean", created_at=START, frozen_at=START, digest="r" * 64,
    )  # fmt: skip
    imported = Run.objects.create(
        config=recorded, gold_set=released.gold_set, status=RunStatus.DONE,
        created_at=START,
    )  # fmt: skip
    found = released.decide(run=imported)
    assert imported in release_runs()
    assert "another judge" in outcome(found, "judgeCalibration")["why"]


def test_an_empty_run_ends_in_words(released: Released) -> None:
    empty = Run.objects.create(
        config=released.run.config, gold_set=released.gold_set,
        purpose=RunPurpose.RELEASE, status=RunStatus.DONE, created_at=START,
    )  # fmt: skip
    found = released.decide(run=empty)
    assert found.result == "human_review"
    assert payload(found)["missing"]


def test_an_all_invalid_run_is_held(db: None) -> None:
    found = make_release("I" * 400, policy=POLICY).decide()
    assert found.result == "hold"
