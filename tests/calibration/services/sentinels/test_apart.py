"""Sentinel runs are over a few pairs each, and stand for their judge nowhere else."""

from __future__ import annotations

import pytest

from calibration.services.beside import models_of, pointwise_of
from calibration.services.judge_comparison import judges_on
from calibration.services.release_evidence import marking_run
from calibration.services.reporting import latest_run
from config.errors import NotFound
from judging.models import ConfigKind, Run
from judging.services.run_options import RunOptions
from judging.services.starting import start_run
from tests.annotation.factory import START
from tests.calibration.sentinels import Watched, finish, make_watched
from tests.calibration.services.sentinels.marking import mark
from tests.judging.pointwise_judges import pointwise_judge

pytestmark = pytest.mark.django_db


@pytest.fixture
def watched(db) -> Watched:
    pointwise_judge(name="marker", scale={"kind": "pass_fail"})
    found = make_watched(8, pointwise_judge="marker")
    pairs, marked = found.start()
    finish(pairs)
    mark(marked, {})
    return found


def usual(watched: Watched, kind: str) -> Run:
    """A run over the whole set, older than a further check."""
    series = watched.panel.series.get(config__kind=kind)
    run = start_run(
        config=series.config,
        gold_set=watched.gold_set,
        concurrency=1,
        by=None,
        now=START,
        options=RunOptions(),
    )
    run.status = "done"
    run.save()
    return run


def test_a_judge_that_was_only_watched_has_no_report(watched):
    with pytest.raises(NotFound, match="no run of 'judge'"):
        latest_run(gold_set=watched.gold_set.name, judge="judge")
    assert judges_on(watched.gold_set) == ()


def test_a_report_is_of_the_usual_run_though_a_check_is_newer(watched):
    run = usual(watched, ConfigKind.PAIRWISE)
    for check in watched.start():
        check.run.status = "done"
        check.run.save()
    assert latest_run(gold_set=watched.gold_set.name, judge="judge") == run
    assert judges_on(watched.gold_set) == ("judge",)


def test_marks_beside_are_of_the_usual_run(watched):
    pairs = watched.panel.series.get(config__kind=ConfigKind.PAIRWISE)
    judged = pairs.checks.get().run
    assert pointwise_of(judged, models_of(judged)) is None
    assert marking_run(judged) is None
    run = usual(watched, ConfigKind.POINTWISE)
    assert pointwise_of(judged, models_of(judged)) == run
    assert marking_run(judged) == run
