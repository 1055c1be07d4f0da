"""A panel's run stands as its members' runs do, whatever becomes of those."""

from __future__ import annotations

import pytest
from django.utils import timezone

from calibration.services.overviews import run_overview
from config.errors import Conflict
from judging.models import RunStatus
from judging.services.controlling import pause, resume, stop
from judging.services.panels import runs_behind
from judging.services.worklist import finish
from tests.annotation.factory import START, make_set
from tests.judging.services.test_panel_runs import judges, panel_of, start
from tests.judging.talkers import Talker, work

pytestmark = pytest.mark.django_db(transaction=True)


def panel_run(cases=2):
    gold_set = make_set(cases)
    return start(panel_of(judges(2)), gold_set)


def standing(run):
    run.refresh_from_db()
    return run.status


def halted(run, do, **options):
    do(run=run, by=None, now=timezone.now(), **options)


class TestStopped:
    def test_a_panel_whose_member_was_stopped_is_stopped_and_says_why(self):
        run = panel_run()
        member, other = runs_behind(run)
        halted(member, stop, reason="")
        assert standing(run) == RunStatus.STOPPED
        assert run.halt_reason == (
            f"Run {member.pk} of {member.config} was stopped for good, so this panel "
            "can't be complete; start it anew. Paused with it: "
            f"run {other.pk} of {other.config}."
        )
        assert run.halted_at is not None
        assert run.finished_at is not None

    def test_it_is_started_anew_and_takes_the_other_members_run(self):
        run = panel_run()
        stopped, other = runs_behind(run)
        halted(stopped, stop, reason="")
        newer = start(run.config, run.gold_set)
        assert newer.pk != run.pk
        behind = runs_behind(newer)
        assert other in behind
        assert stopped not in behind
        assert work(newer, Talker()) == RunStatus.DONE

    @pytest.mark.parametrize("status", ["pending", "paused"])
    def test_one_that_was_left_stuck_is_not_gone_on_with(self, status):
        run = panel_run()
        stopped = runs_behind(run)[0]
        halted(stopped, stop, reason="")
        # As earlier releases left it.
        run.refresh_from_db()
        run.status, run.halt_reason, run.finished_at = status, "", None
        run.save()
        with pytest.raises(Conflict, match="is stopped; start a new one"):
            halted(run, resume)
        assert start(run.config, run.gold_set).pk != run.pk
        assert standing(run) == RunStatus.STOPPED


class TestHeld:
    def test_it_waits_once_no_member_goes_on(self):
        run = panel_run()
        first, second = runs_behind(run)
        halted(first, pause)
        assert standing(run) == RunStatus.PENDING
        halted(second, pause)
        assert standing(run) == RunStatus.PAUSED
        assert run.halt_reason == f"Run {first.pk} of {first.config} is paused: Paused."
        halted(second, resume)
        assert standing(run) == RunStatus.PENDING
        assert (run.halt_reason, run.halted_at) == ("", None)

    def test_it_waits_where_one_is_done_and_the_other_paused(self):
        run = panel_run()
        first, second = runs_behind(run)
        halted(first, pause)
        work(second, Talker())
        assert standing(run) == RunStatus.PAUSED
        halted(run, resume)
        assert standing(first) == RunStatus.PENDING
        assert work(run, Talker()) == RunStatus.DONE

    def test_it_failed_where_a_member_did_and_none_goes_on(self):
        run = panel_run()
        first, second = runs_behind(run)
        work(second, Talker())
        finish(run_id=first.pk, failure="The key is wrong.", now=START)
        assert standing(run) == RunStatus.FAILED
        assert run.failure == f"Run {first.pk} of {first.config}: The key is wrong."
        halted(run, resume)
        assert standing(run) == RunStatus.PENDING
        assert run.failure == ""

    def test_who_paused_the_panel_is_kept(self):
        run = panel_run()
        halted(run, pause, reason="Lunch.")
        assert standing(run) == RunStatus.PAUSED
        assert run.halt_reason == "Lunch."
        assert {each.status for each in runs_behind(run)} == {RunStatus.PAUSED}


def test_its_calls_are_those_of_its_members():
    run = panel_run(cases=2)
    work(runs_behind(run)[0], Talker())
    found = run_overview(run.pk)
    assert (found.total, found.answered) == (8, 4)
