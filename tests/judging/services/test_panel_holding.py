"""What works for a panel alone is paused once the panel can't be complete any more."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from config.errors import Conflict
from judging.models import Call, CallState, Reply, RunNote, RunStatus
from judging.services.budgets import Budget
from judging.services.controlling import pause, resume, stop
from judging.services.panels import runs_behind
from judging.services.watching import progress_of
from judging.services.working import runs_with_work
from judging.services.worklist import begin, finish
from tests.annotation.factory import make_set
from tests.judging.services.test_panel_runs import judges, panel_of, start
from tests.judging.services.test_panel_standing import halted, panel_run, standing
from tests.judging.talkers import Talker, work

pytestmark = pytest.mark.django_db(transaction=True)


class TestHolding:
    def test_the_other_member_is_paused_and_both_say_why(self):
        panel = panel_run()
        stopped, other = runs_behind(panel)
        halted(stopped, stop, reason="Too dear.")
        assert standing(panel) == RunStatus.STOPPED
        assert standing(other) == RunStatus.PAUSED
        assert other.halt_reason == (
            f"Paused with run {panel.pk} of {panel.config}, the panel that it worked "
            "for: that can't be complete any more. Resume it to go on."
        )
        assert (other.halted_at, other.halted_by) == (panel.halted_at, None)
        note = RunNote.objects.get(run=other)
        assert (note.event, note.reason) == ("paused", other.halt_reason)
        assert list(runs_with_work(timezone.now())) == []
        client = Talker()
        assert work(other, client) == RunStatus.PAUSED
        assert client.asked == 0

    def test_one_that_was_started_on_its_own_goes_on(self):
        members, gold_set = judges(2), make_set(2)
        own = start(members[0], gold_set)
        panel = start(panel_of(members), gold_set)
        (other,) = [each for each in runs_behind(panel) if each != own]
        halted(other, stop, reason="")
        assert standing(own) == RunStatus.PENDING
        assert standing(panel) == RunStatus.STOPPED
        assert panel.halt_reason.endswith("start it anew.")

    def test_one_that_another_panel_waits_for_goes_on_until_that_ends_too(self):
        first, second, third = judges(3)
        gold_set = make_set(2)
        panel = start(panel_of([first, second]), gold_set)
        wider = start(panel_of([second, third]), gold_set)
        runs = {run.config_id: run for run in runs_behind(panel) + runs_behind(wider)}
        halted(runs[first.pk], stop, reason="")
        assert standing(panel) == RunStatus.STOPPED
        assert standing(runs[second.pk]) == RunStatus.PENDING
        halted(runs[third.pk], stop, reason="")
        assert standing(wider) == RunStatus.STOPPED
        assert standing(runs[second.pk]) == RunStatus.PAUSED


class TestAnew:
    def test_a_panel_started_anew_goes_on_with_what_was_paused_with_the_last(self):
        panel = panel_run()
        stopped, other = runs_behind(panel)
        halted(stopped, stop, reason="")
        newer = start(panel.config, panel.gold_set)
        assert standing(other) == RunStatus.PENDING
        assert (other.halt_reason, other.halted_at) == ("", None)
        assert work(newer, Talker()) == RunStatus.DONE

    def test_so_it_does_after_somebody_stopped_the_panel_itself(self):
        panel = panel_run()
        halted(panel, stop, reason="")
        newer = start(panel.config, panel.gold_set)
        assert runs_behind(newer) == runs_behind(panel)
        assert newer.status == RunStatus.PENDING
        assert {each.status for each in runs_behind(newer)} == {RunStatus.PENDING}

    def test_one_that_was_paused_by_itself_stays_paused(self):
        panel = panel_run()
        stopped, other = runs_behind(panel)
        halted(other, pause, reason="Wait.")
        halted(stopped, stop, reason="")
        start(panel.config, panel.gold_set)
        assert standing(other) == RunStatus.PAUSED
        assert other.halt_reason == "Wait."

    def test_a_budget_names_the_run_that_has_calls_in_hand(self):
        members, gold_set = judges(2), make_set(2)
        own, now = start(members[0], gold_set), timezone.now()
        until = now + timedelta(hours=1)
        own.calls.update(state=CallState.CLAIMED, owner=uuid4(), lease_until=until)
        said = f"Calls of run {own.pk} of {own.config} are under way; pause it first"
        with pytest.raises(Conflict, match=said):
            start(panel_of(members), gold_set, budget=Budget(calls=100))


def after(begun, seconds):
    return begun + timedelta(seconds=seconds)


def answer(calls, at):
    for call in calls:
        Reply.objects.create(call=call, choice="first", answered_at=at)
        Call.objects.filter(pk=call.pk).update(state=CallState.DONE)


class TestRate:
    """Two members with four calls each."""

    def test_a_panel_has_started_with_its_first_member(self):
        panel, begun = panel_run(), timezone.now()
        first, second = runs_behind(panel)
        begin(run_id=first.pk, now=begun)
        begin(run_id=second.pk, now=after(begun, 5))
        assert standing(panel) == RunStatus.PENDING
        assert panel.started_at == begun
        answer(first.calls.all()[:2], after(begun, 6))
        found = progress_of(panel, now=after(begun, 10))
        assert (found.rate, found.seconds_left) == (2 / 10, 30.0)

    def test_so_has_one_that_takes_a_run_at_work(self):
        members, gold_set = judges(2), make_set(2)
        begin(run_id=start(members[0], gold_set).pk, now=timezone.now())
        panel = start(panel_of(members), gold_set)
        assert panel.started_at == panel.created_at

    def test_a_finished_one_counts_the_time_while_any_member_was_at_work(self):
        panel, begun = panel_run(), timezone.now()
        first, second = runs_behind(panel)
        begin(run_id=first.pk, now=begun)
        begin(run_id=second.pk, now=after(begun, 5))
        answer(first.calls.all(), after(begun, 8))
        finish(run_id=first.pk, failure="", now=after(begun, 10))
        pause(run=second, by=None, now=after(begun, 15))
        resume(run=second, by=None, now=after(begun, 25))
        answer(second.calls.all(), after(begun, 28))
        finish(run_id=second.pk, failure="", now=after(begun, 30))
        assert standing(panel) == RunStatus.DONE
        found = progress_of(panel, now=after(begun, 999))
        assert (found.rate, found.seconds_left) == (8 / 20, None)
