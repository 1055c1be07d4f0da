from __future__ import annotations

from datetime import timedelta

import pytest

from calibration.models import SentinelCheck, SentinelSeries
from calibration.services.sentinels.checking import rubric_digest, start_checks
from calibration.services.sentinels.defining import end_sentinel
from calibration.services.sentinels.tending import start_due
from config.errors import Conflict
from judging.models import RunPurpose, RunStatus
from judging.services.editing import retire
from tests.calibration.sentinels import DAY, finish, make_watched
from tests.judging.factory import ADDRESS, make_judge
from tests.judging.pointwise_judges import pointwise_judge

pytestmark = pytest.mark.django_db


def test_a_reference_over_all_pairs_then_one_part_at_a_time():
    watched = make_watched(8, parts=2)
    for _ in range(4):
        watched.check()
    rows = SentinelCheck.objects.values_list("kind", "cycle", "part")
    assert list(rows) == [
        ("reference", 1, 0),
        ("part", 1, 1),
        ("part", 1, 2),
        ("reference", 2, 0),
    ]
    asked = [
        set(check.run.calls.values_list("pair", flat=True))
        for check in SentinelCheck.objects.all()
    ]
    assert [len(pairs) for pairs in asked] == [8, 4, 4, 8]
    assert asked[1] | asked[2] == asked[0]


def test_sentinel_runs_never_reuse_replies():
    watched = make_watched()
    for _ in range(2):
        watched.check()
    runs = [check.run for check in SentinelCheck.objects.all()]
    assert {run.purpose for run in runs} == {RunPurpose.SENTINEL}
    assert not any(run.reuse for run in runs)


def test_nothing_starts_before_its_time_or_while_a_run_is_open():
    watched = make_watched()
    (first,) = watched.start()
    assert watched.start() == []
    finish(first)
    assert watched.start(0) != []


def test_nothing_starts_before_the_period_has_passed_unless_early():
    watched = make_watched()
    watched.check()
    assert watched.start(0.5) == []
    early = start_checks(panel=watched.panel, by=None, now=watched.now, early=True)
    assert [check.kind for check in early] == ["part"]


def test_a_stopped_check_is_made_up_for_and_a_failed_one_waits():
    watched = make_watched()
    watched.check()
    (part,) = watched.start()
    part.run.status = RunStatus.FAILED
    part.run.save()
    assert watched.start() == []
    part.run.status, part.run.halted_at = RunStatus.STOPPED, watched.now
    part.run.save()
    (again,) = watched.start()
    assert (again.kind, again.part) == ("part", part.part)


def test_a_new_judge_digest_is_a_new_series_and_begins_with_a_reference():
    watched = make_watched()
    watched.check()
    watched.check()
    make_judge(ADDRESS, rubric="Prefer the shorter of two right answers.")
    (first,) = watched.start()
    assert (first.kind, first.cycle) == ("reference", 1)
    old, new = SentinelSeries.objects.order_by("pk")
    assert first.series == new
    assert old.judge_digest != new.judge_digest
    assert old.rubric_digest != new.rubric_digest


def test_another_model_is_a_new_series_under_the_same_rubric():
    watched = make_watched()
    watched.check()
    make_judge(ADDRESS, model="another")
    watched.start()
    old, new = SentinelSeries.objects.order_by("pk")
    assert old.judge_digest != new.judge_digest
    assert old.rubric_digest == new.rubric_digest == rubric_digest(new.config)


def test_a_pointwise_judge_is_asked_about_the_responses_of_the_same_part():
    pointwise_judge(name="marker")
    watched = make_watched(8, parts=2, pointwise_judge="marker")
    pairs, marks = watched.start()
    assert pairs.series.config.name == "judge"
    assert marks.series.config.name == "marker"
    assert marks.run.calls.values("response").distinct().count() == 16


def test_ended_panels_and_retired_judges_start_nothing(lead):
    watched = make_watched()
    retire(config=watched.start()[0].series.config, reason="", by=lead, now=watched.now)
    finish(SentinelCheck.objects.get())
    told = start_due(now=watched.now + DAY)
    assert told.started == ()
    assert "retired" in told.problems[0]
    end_sentinel(panel=watched.panel, by=lead, now=watched.now)
    assert start_due(now=watched.now + DAY).problems == ()
    with pytest.raises(Conflict, match="ended"):
        watched.start()


def test_trouble_with_one_panel_stops_no_other(lead):
    broken = make_watched(name="broken")
    retire(config=broken.start()[0].series.config, reason="", by=lead, now=broken.now)
    finish(SentinelCheck.objects.get())
    fine = make_watched(name="fine", judge="another")
    told = start_due(now=broken.now + timedelta(days=2))
    assert [check.series.panel for check in told.started] == [fine.panel]
    assert len(told.problems) == 1
