"""One statement stores what several would: the same rows, and the same counts."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.forms.models import model_to_dict

from judging.models import Attempt, Call, Reply
from judging.services import storing, worklist
from judging.services.at_once import write_at_once
from judging.services.storing import Result, Stored
from tests.annotation.factory import START
from tests.judging.factory import ADDRESS, make_run

pytestmark = pytest.mark.django_db
ME, OTHER = uuid.UUID(int=1), uuid.UUID(int=2)


def attempt_of(call, **more):
    return Attempt(call_id=call.pk, owner=ME, sent_at=START, order=call.order, **more)


def reply_of(call, **more):
    return Reply(call_id=call.pk, answered_at=START, **more)


def mixed(run):
    """An answer, an invalid one, a copy, a failure, and two that are not ours now."""
    one, two, three, four, five, six = worklist.claim(
        run_id=run.pk, owner=ME, limit=6, now=START
    )
    Call.objects.filter(pk=five.pk).update(owner=OTHER)
    Call.objects.filter(pk=six.pk).update(
        state="pending", owner=None, lease_until=None, tries=3
    )
    return [
        Result(two.pk, attempt_of(two), reply_of(two, invalid_reason="unparsed")),
        Result(one.pk, attempt_of(one), reply_of(one, choice="first", strength=2)),
        Result(three.pk, None, reply_of(three, choice="tie")),
        Result(four.pk, attempt_of(four, error="timeout")),
        Result(five.pk, attempt_of(five), reply_of(five, choice="second")),
        Result(six.pk, attempt_of(six), reply_of(six, choice="second")),
    ]


def left_behind(run):
    def of(model):
        rows = model.objects.filter(call__run=run).order_by("call")
        return [model_to_dict(row, exclude=["id", "call"]) for row in rows]

    calls = Call.objects.filter(run=run).order_by("pk")
    return (
        list(calls.values_list("state", "owner", "lease_until", "tries")),
        of(Attempt),
        of(Reply),
    )


def test_both_ways_leave_the_same_behind(monkeypatch):
    ours, plain = (make_run(ADDRESS, cases=4, name=name) for name in ("one", "two"))
    results, again = mixed(ours), mixed(plain)
    stored = storing.store(owner=ME, results=results, run_id=ours.pk)
    monkeypatch.setattr(storing, "write_at_once", lambda **_: None)
    assert storing.store(owner=ME, results=again, run_id=plain.pk) == stored
    assert stored == Stored(answered=3, invalid=1, lost=2, status="pending")
    assert left_behind(ours) == left_behind(plain)
    states = [state for state, *_ in left_behind(ours)[0]]
    assert states == ["done"] * 3 + ["claimed"] * 2 + ["pending"] * 3
    assert [tries for *_, tries in left_behind(ours)[0]] == [1, 1, 0, 1, 1, 4, 0, 0]


def test_it_is_one_statement_on_postgresql(django_assert_num_queries):
    run = make_run(ADDRESS, cases=4)
    results = mixed(run)
    if connection.vendor != "postgresql":
        assert write_at_once(owner=ME, ids=[], attempts=[], replies=[]) is None
        return
    with django_assert_num_queries(1):
        storing.store(owner=ME, results=results, run_id=run.pk)


def test_a_run_with_a_budget_has_its_books_kept():
    run = make_run(ADDRESS, cases=4)
    run.max_calls = 100
    run.save()
    results = mixed(run)
    replies = [each.reply for each in results if each.reply]
    attempts = [each.attempt for each in results if each.attempt]
    ids = {each.call_id for each in results}
    nothing = write_at_once(owner=ME, ids=ids, attempts=attempts, replies=replies)
    assert nothing is None
    assert not Attempt.objects.exists()
    assert not Reply.objects.exists()
    assert storing.store(owner=ME, results=results, run_id=run.pk).answered == 3
    run.refresh_from_db()
    assert run.spent_calls == 5


def test_nothing_is_kept_of_a_group_with_a_row_that_the_database_refuses():
    run = make_run(ADDRESS, cases=4)
    good, bad, *_ = worklist.claim(run_id=run.pk, owner=ME, limit=2, now=START)
    results = [
        Result(good.pk, attempt_of(good), reply_of(good, choice="first")),
        Result(bad.pk, attempt_of(bad), reply_of(bad, choice="third")),
    ]
    with pytest.raises(IntegrityError), transaction.atomic():
        storing.store(owner=ME, results=results, run_id=run.pk)
    assert not Attempt.objects.exists()
    assert not Call.objects.filter(state="done").exists()


def test_an_answer_that_came_twice_in_time_counts_once():
    run = make_run(ADDRESS, cases=1)
    call, _ = worklist.claim(run_id=run.pk, owner=ME, limit=2, now=START)
    first = Result(call.pk, attempt_of(call), reply_of(call, choice="first"))
    late = attempt_of(call)
    late.sent_at = START + timedelta(seconds=1)
    second = Result(call.pk, late, reply_of(call, choice="second"))
    assert storing.store(owner=ME, results=[first], run_id=run.pk).answered == 1
    again = storing.store(owner=ME, results=[second], run_id=run.pk)
    assert again == Stored(answered=0, invalid=0, lost=1, status="pending")
    assert call.reply.choice == "first"
    assert call.attempts.count() == 2
