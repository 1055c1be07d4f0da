"""Runs that write rubrics or mark responses, killed and shared like any other."""

from __future__ import annotations

import time

import pytest

from judging.models import Reply
from judging.simulator.options import Options
from judging.simulator.running import SimulatedJudge
from tests.judging.commands.test_killing import (
    CONCURRENCY,
    PATIENCE,
    answered,
    kill,
    let_leases_end,
    runners,
)
from tests.judging.factory import assert_settled, dice
from tests.judging.pointwise_judges import pointwise_run
from tests.judging.rubric_judges import rubric_run

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
__all__ = ["runners"]
MAKERS = {"rubrics": rubric_run, "marks": pointwise_run}


@pytest.mark.parametrize("kind", MAKERS)
def test_killed_at_any_moment_everything_is_bought_once(runners, kind):
    rng, kills = dice(5), 3
    with SimulatedJudge(Options(latency=0.08)) as server:
        run = MAKERS[kind](server.base_url, cases=60)
        calls = run.calls.count()
        run.concurrency = CONCURRENCY
        run.save()
        for _ in range(kills):
            process, before = runners.start(run), answered(run)
            runners.wait_until(lambda n=before: answered(run) > n)
            time.sleep(rng.uniform(0, 0.3))
            kill(process)
            let_leases_end(run)
        said, _ = runners.start(run).communicate(timeout=PATIENCE)
        stats = server.stats()
    assert f"is done: {calls} calls" in said
    assert_settled(run)
    assert stats["distinct"] == calls
    assert stats["bought"] - calls <= kills * CONCURRENCY


def test_two_processes_write_each_rubric_once(runners):
    with SimulatedJudge(Options(latency=0.05)) as server:
        run = rubric_run(server.base_url, cases=60)
        both = [runners.start(run), runners.start(run)]
        said = [process.communicate(timeout=PATIENCE)[0] for process in both]
        stats = server.stats()
    assert all("is done: 180 calls" in text for text in said), said
    assert_settled(run)
    assert stats["bought"] == stats["distinct"] == 180
    assert stats["choices"]["rubric"] == 60
    assert Reply.objects.filter(call__run=run).exclude(rubric="").count() == 60
