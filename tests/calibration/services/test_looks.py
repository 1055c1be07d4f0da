"""Looks: what counts, what does not, and what happens past the budget."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from annotation.services.held_out import LooksSpent, Viewer
from calibration.models import Look, Report
from calibration.presenters.look_notices import look_warnings
from calibration.presenters.text import text_report
from calibration.services import looks
from calibration.services.looks import disclose, disclosed
from config.errors import Conflict
from judging.models import JudgeConfig
from tests.annotation.factory import START
from tests.calibration.world import DEV_ONLY, TOLD, World, make_world

if TYPE_CHECKING:
    from config.accounts.models import User

pytestmark = pytest.mark.django_db


def look(report: Report, user: User | None = None, **rest: Any) -> looks.LooksState:
    viewer = Viewer(user=user, door="page", **rest)
    return disclose(report=report, viewer=viewer, now=START)


class TestWhatCounts:
    def test_a_look_is_logged_with_who_when_why_and_which_pairs(self, world, lead):
        report = world.report()
        state = look(report, lead, reason=" to decide ")
        assert state == looks.LooksState(n=1, budget=10, this=1, over_budget=False)
        row = Look.objects.get()
        assert (row.looked_by, row.looked_at, row.door) == (lead, START, "page")
        assert (row.reason, row.number, row.report) == ("to decide", 1, report)
        assert row.held_out_digest == looks.held_out_digest(report)
        assert row.config_digest == report.run.config.digest

    def test_the_same_person_again_is_not_logged_twice(self, world, lead):
        report = world.report()
        assert look(report, lead) == look(report, lead, reason="once more")
        assert Look.objects.count() == 1

    def test_two_persons_are_two_rows_and_one_look(self, world, lead, auditor):
        report = world.report()
        look(report, lead)
        assert look(report, auditor).n == 1
        rows = Look.objects.order_by("number").values_list("number", "looked_by")
        assert list(rows) == [(1, lead.pk), (2, auditor.pk)]

    def test_whoever_runs_a_command_is_told_apart_by_name(self, world):
        report = world.report()
        look(report, actor="ann")
        look(report, actor="ann")
        look(report, actor="bob")
        assert list(Look.objects.values_list("actor", flat=True)) == ["ann", "bob"]

    def test_n_counts_different_reports_and_this_is_ones_place(self, world, lead):
        first, second = world.report(), world.run_again("other").report()
        look(first, lead)
        assert (look(second, lead).n, look(second, lead).this) == (2, 2)
        assert (look(first, lead).n, look(first, lead).this) == (2, 1)

    def test_without_held_out_pairs_there_is_no_look(self, lead):
        report = make_world(DEV_ONLY).report()
        assert look(report, lead) == looks.LooksState(0, 10, None, over_budget=False)
        assert not Look.objects.exists()

    def test_held_out_pairs_that_the_run_did_not_judge_do_not_count(self, lead):
        world = make_world(DEV_ONLY)
        whole = make_world(TOLD)
        report = Report.objects.create(
            run=world.run,
            gold_version=whole.gold,
            payload=world.report().payload,
            digest="1" * 64,
            created_at=START,
        )
        assert look(report, lead).this is None
        assert not Look.objects.exists()

    def test_the_same_pairs_under_another_name_keep_their_looks(self, lead):
        look(make_world(name="one").report(), lead)
        state = look(make_world(name="two").report(), lead)
        assert (state.n, state.this) == (2, 2)

    def test_an_unfrozen_judge_shows_nothing_held_out(self, world, lead):
        draft = JudgeConfig.objects.create(
            name="draft",
            version=1,
            verdict_format="five_token",
            combining_rule="agree_else_tie",
            repeat_rule="mean",
            created_at=START,
        )
        report = world.report()
        report.run.config = draft
        with pytest.raises(Conflict) as caught:
            look(report, lead)
        assert caught.value.code == "judge_unfrozen"


class TestBudget:
    @pytest.fixture
    def spent(self, lead: User) -> tuple[World, Report, Report]:
        world = make_world(look_budget=1)
        first, second = world.report(), world.run_again("other").report()
        look(first, lead)
        return world, first, second

    @pytest.mark.parametrize("reason", ["", "  \n"])
    def test_past_it_a_reason_is_needed(self, spent, lead, reason):
        with pytest.raises(LooksSpent, match="All 1 looks") as caught:
            look(spent[2], lead, reason=reason)
        assert caught.value.detail == {"n": 1, "budget": 1}
        assert Look.objects.count() == 1

    def test_with_one_it_opens_and_is_marked_ever_after(self, spent, lead):
        _, first, second = spent
        assert look(second, lead, reason="an audit").over_budget
        assert look(first, lead).over_budget
        assert Look.objects.get(number=2).reason == "an audit"

    def test_what_was_disclosed_needs_no_reason(self, spent, lead, auditor):
        assert look(spent[1], lead).n == 1
        assert look(spent[1], auditor).n == 1

    def test_a_set_that_was_imported_again_has_the_same_budget(self, spent, lead):
        again = make_world(name="again", look_budget=1).report()
        with pytest.raises(LooksSpent):
            look(again, lead)


class TestPayload:
    def test_what_every_door_gives_out(self, world, lead):
        report = world.report()
        viewer = Viewer(user=lead, door="api")
        payload = disclosed(report=report, viewer=viewer, now=START)
        assert payload["digest"] == report.digest
        assert payload["looks"] == {
            "n": 1,
            "budget": 10,
            "this": 1,
            "over_budget": False,
            "mode": "open",
            "sealed": False,
            "retired": None,
            "before_judge": 0,
            "splits_moved": 0,
            "open_elsewhere": 0,
            "words": (),
        }
        assert payload["splits"] == json.loads(report.payload)["splits"]

    def test_without_held_out_there_is_only_dev(self, world):
        payload = looks.without_held_out(world.report())
        assert payload["splits"]["dev"]["n"] == 3
        assert payload["splits"]["held_out"] is payload["splits"]["all"] is None
        assert payload["looks"]["this"] is None
        assert not Look.objects.exists()


def test_the_gap_to_held_out_is_withheld_with_held_out(world):
    report = world.report()
    assert json.loads(report.payload)["comparison"] is not None
    assert looks.without_held_out(report)["comparison"] is None


def test_a_report_names_pairs_that_changed_their_split_since(world, lead):
    report = world.report()
    viewer = Viewer(user=lead, door="page")
    before = disclosed(report=report, viewer=viewer, now=START)
    assert before["looks"]["splits_moved"] == 0
    assert not any("splits" in text for text in look_warnings(before))
    world.gold_set.cases.filter(external_id="case-0000").update(split="held_out")
    after = disclosed(report=report, viewer=viewer, now=START)
    assert after["looks"]["splits_moved"] == 1
    assert after["splits"] == before["splits"]
    [told] = [text for text in look_warnings(after) if "splits" in text]
    assert "1 pair stands in another one now" in told
    assert "NOTE: The splits of the set changed" in text_report(after)
