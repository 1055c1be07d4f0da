"""Claims, leases and late results, row by row."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from judging.models import Attempt, Call, CallState, Reply, RunStatus
from judging.services import storing, worklist
from judging.services.storing import Result
from judging.services.working import runs_with_work
from judging.services.worklist import LEASE
from tests.annotation.factory import START
from tests.judging.factory import make_run

pytestmark = pytest.mark.django_db
ME, OTHER = uuid.UUID(int=1), uuid.UUID(int=2)


@pytest.fixture
def run(db):
    return make_run("http://127.0.0.1:9/v1", cases=2)


def claim(run, owner=ME, limit=10, now=START, **more):
    return worklist.claim(run_id=run.pk, owner=owner, limit=limit, now=now, **more)


def result(call, owner=ME, *, answered=True, sent=START, choice="first"):
    attempt = Attempt(call_id=call.pk, owner=owner, sent_at=sent, order=call.order)
    reply = Reply(call_id=call.pk, choice=choice, answered_at=sent)
    return Result(call.pk, attempt, reply if answered else None)


def store(*results, owner=ME, again=False):
    return storing.store(owner=owner, results=results, again=again)


def later(seconds):
    return START + timedelta(seconds=seconds)


def test_a_claimed_call_is_nobody_elses(run):
    mine, others = claim(run, limit=3), claim(run, OTHER)
    assert (len(mine), len(others)) == (3, 1)
    assert claim(run, known=[call.pk for call in mine]) == []
    assert claim(run, OTHER, known=[call.pk for call in others]) == []


def test_a_lease_lasts_less_than_15_seconds_and_then_the_call_is_free():
    assert timedelta(seconds=15) > LEASE
    run = make_run("http://127.0.0.1:9/v1", cases=1)
    claim(run)
    assert claim(run, OTHER, now=START + LEASE) == []
    assert len(claim(run, OTHER, now=START + LEASE + timedelta(seconds=1))) == 2


def test_renewing_keeps_the_claims_and_tells_which_they_are(run):
    mine = claim(run, limit=2)
    claim(run, OTHER)
    standing = worklist.renew(run_id=run.pk, owner=ME, now=later(10))
    assert standing.owned == {call.pk for call in mine}
    assert standing.status == RunStatus.PENDING
    stolen = claim(run, uuid.UUID(int=3), now=later(15))
    assert not standing.owned & {call.pk for call in stolen}


def test_a_result_that_comes_after_the_claim_was_lost_keeps_its_attempt_only(run):
    [call, *_] = claim(run, limit=1)
    [taken, *_] = claim(run, OTHER, limit=1, now=later(60))
    assert taken.pk == call.pk
    late = store(result(call))
    assert (late.answered, late.lost) == (0, 1)
    assert store(result(call, OTHER, choice="second"), owner=OTHER).answered == 1
    assert store(result(call, sent=later(70))).lost == 1
    assert Reply.objects.get(call=call).choice == "second"
    assert Attempt.objects.filter(call=call).count() == 3
    call.refresh_from_db()
    assert (call.state, call.tries, call.owner) == (CallState.DONE, 3, None)


def test_a_late_result_still_counts_where_nobody_took_the_call(run):
    [call] = claim(run, limit=1)
    worklist.renew(run_id=run.pk, owner=ME, now=later(90))
    assert store(result(call)).answered == 1


def test_storing_twice_stores_once(run):
    [call, other] = claim(run, limit=2)
    both = [result(call), result(other, answered=False)]
    store(*both)
    store(result(call), result(other, answered=False), again=True)
    assert Attempt.objects.count() == 2
    assert Reply.objects.count() == 1
    assert list(Call.objects.order_by("pk").values_list("tries", flat=True)[:2]) == [
        1,
        1,
    ]


def test_an_unanswered_attempt_leaves_the_call_claimed(run):
    [call] = claim(run, limit=1)
    stored = store(result(call, answered=False))
    assert (stored.answered, stored.lost) == (0, 0)
    call.refresh_from_db()
    assert (call.state, call.owner, call.tries) == (CallState.CLAIMED, ME, 1)


def test_a_claim_nobody_heard_of_can_be_taken_again_by_its_owner(run):
    known = claim(run, limit=2)
    unheard = claim(run, limit=1, known=[call.pk for call in known])
    again = claim(run, limit=1, known=[call.pk for call in known])
    assert [call.pk for call in again] == [call.pk for call in unheard]


def test_releasing_frees_what_is_not_answered(run):
    [call, *_] = claim(run)
    store(result(call))
    assert worklist.release(run_id=run.pk, owner=ME) == 3
    assert len(claim(run, OTHER)) == 3


@pytest.mark.parametrize("failure", ["", "why"])
def test_finishing_with_nothing_left_is_done(run, failure):
    for call in claim(run):
        store(result(call))
    assert worklist.finish(run_id=run.pk, failure=failure, now=START) == "done"
    run.refresh_from_db()
    assert (run.failure, run.finished_at) == ("", START)
    worklist.begin(run_id=run.pk, now=later(5))
    assert worklist.finish(run_id=run.pk, failure="no", now=later(9)) == "done"
    run.refresh_from_db()
    assert (run.status, run.finished_at) == ("done", START)


def test_finishing_early_fails_only_for_a_reason(run):
    worklist.begin(run_id=run.pk, now=START)
    assert worklist.finish(run_id=run.pk, failure="", now=START) == "running"
    assert worklist.finish(run_id=run.pk, failure="why", now=START) == "failed"
    run.refresh_from_db()
    assert run.failure == "why"
    worklist.begin(run_id=run.pk, now=later(9))
    run.refresh_from_db()
    assert (run.status, run.failure, run.started_at) == ("running", "", START)


def test_a_run_that_another_works_on_is_not_failed_by_one_that_can_not_start(run):
    worklist.begin(run_id=run.pk, now=START)
    claim(run, OTHER, limit=1)
    told = {"run_id": run.pk, "failure": "no key here"}
    assert worklist.fail_unless_shared(**told, now=START) == "running"
    assert worklist.fail_unless_shared(**told, now=later(60)) == "failed"


class TestRunsWithWork:
    def test_a_new_run_and_one_whose_runner_died(self, run):
        assert runs_with_work(START) == [run]
        claim(run)
        assert runs_with_work(START) == []
        assert runs_with_work(later(60)) == [run]

    def test_one_that_was_answered_but_not_closed(self, run):
        for call in claim(run):
            store(result(call))
        assert runs_with_work(START) == [run]
        worklist.finish(run_id=run.pk, failure="", now=START)
        assert runs_with_work(START) == []

    def test_not_a_failed_one(self, run):
        worklist.finish(run_id=run.pk, failure="why", now=START)
        assert runs_with_work(timezone.now()) == []
