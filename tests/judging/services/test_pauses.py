"""A pause is heeded with the next reply, and does not count into the rate."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from judging.models import Call, Reply, Run, RunEvent, RunNote, RunStatus
from judging.services.budgets import RAISED, Budget, set_budget
from judging.services.controlling import pause, resume, stop
from judging.services.watching import progress_of
from tests.annotation.factory import START
from tests.judging.factory import ADDRESS, make_run
from tests.judging.services.test_controlling import halt_after
from tests.judging.talkers import Talker, work

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("how", [pause, stop])
@pytest.mark.parametrize("budget", [None, Budget(calls=1000)])
def test_nothing_is_sent_once_a_reply_after_the_pause_is_stored(how, budget):
    run = make_run(ADDRESS, cases=50, concurrency=2)
    if budget:
        set_budget(run=run, budget=budget, by=None, now=START)
    client = halt_after(run, 6, how)
    work(run, client)
    # The call that brought the pause, one beside it, and one that followed that.
    assert client.asked <= 8
    assert Reply.objects.filter(call__run=run).count() == client.asked


class TestBudgets:
    def test_the_reason_of_a_pause_follows_the_budget(self):
        run = make_run(ADDRESS, cases=10, concurrency=2)
        set_budget(run=run, budget=Budget(calls=10), by=None, now=START)
        assert work(run, Talker()) == RunStatus.PAUSED
        reasons = []
        for calls in (5, 12, None):
            set_budget(run=run, budget=Budget(calls=calls), by=None, now=START)
            run.refresh_from_db()
            reasons.append(run.halt_reason)
        assert reasons == ["The budget of 5 requests is used up.", RAISED, RAISED]

    def test_what_a_person_said_of_a_pause_stands(self, lead):
        run = make_run(ADDRESS, cases=1)
        pause(run=run, by=lead, now=START, reason="Lunch.")
        set_budget(run=run, budget=Budget(calls=5), by=lead, now=START)
        run.refresh_from_db()
        assert run.halt_reason == "Lunch."


class TestRates:
    def test_time_while_paused_does_not_count_into_the_rate(self):
        run = make_run(ADDRESS, cases=5)
        work(run, Talker())
        ended = timezone.now()
        began = ended - timedelta(minutes=10)
        Run.objects.filter(pk=run.pk).update(started_at=began, finished_at=ended)
        assert rate_of(run, ended) == pytest.approx(10 / 600)
        for event, minute in ((RunEvent.PAUSED, 1), (RunEvent.RESUMED, 9)):
            at = began + timedelta(minutes=minute)
            RunNote.objects.create(run=run, event=event, noted_at=at)
        assert rate_of(run, ended) == pytest.approx(10 / 120)

    def test_the_rate_of_a_run_under_way_begins_anew_when_it_is_resumed(self):
        run = make_run(ADDRESS, cases=100)
        now = timezone.now()
        set_budget(run=run, budget=Budget(calls=10), by=None, now=now)
        work(run, Talker())
        set_budget(run=run, budget=Budget(), by=None, now=now)
        resume(run=run, by=None, now=timezone.now())
        run.refresh_from_db()
        at = timezone.now() + timedelta(seconds=5)
        assert progress_of(run, now=at).rate is None  # nothing was answered since

    @pytest.mark.parametrize("how", [pause, stop])
    def test_a_run_that_does_not_go_on_has_no_time_left(self, how):
        run = make_run(ADDRESS, cases=50, concurrency=2)
        work(run, halt_after(run, 6, how))
        run.refresh_from_db()
        found = progress_of(run, now=timezone.now() + timedelta(seconds=20))
        assert found.seconds_left is None
        assert Call.objects.filter(run=run).unanswered().exists()


def rate_of(run, now):
    run.refresh_from_db()
    return progress_of(run, now=now).rate
