"""Real processes that look after batches, killed at each step."""

from __future__ import annotations

import pytest

from judging.models import Batch, BatchState
from judging.simulator.options import Options
from judging.simulator.running import SimulatedJudge
from tests.judging.batches import batch_run, batches_of
from tests.judging.commands.test_killing import PATIENCE, Runners, kill
from tests.judging.factory import assert_settled

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
STEPS = ("upload", "create", "retrieve", "content")


@pytest.fixture
def runners():
    crew = Runners()
    yield crew
    crew.close()


def steps(server):
    return server.stats()["batch_steps"]


def let_go(run):
    """What twelve seconds do: nobody looks after the batches any more."""
    Batch.objects.filter(run=run).update(driver_until=None)


def test_killed_after_each_step_nothing_is_sent_twice(runners):
    options = Options(batch_delay=2.0)  # after the effect, before the reply
    with SimulatedJudge(options) as server:
        run = batch_run(server.base_url, cases=20)
        for step in STEPS:
            process, before = runners.start(run), steps(server).get(step, 0)
            runners.wait_until(lambda s=step, n=before: steps(server).get(s, 0) > n)
            kill(process)
            let_go(run)
        server.options = Options()
        said, _ = runners.start(run).communicate(timeout=PATIENCE)
        stats = server.stats()
    assert "is done: 40 calls, 0 invalid" in said
    assert_settled(run)
    assert stats["bought"] == stats["distinct"] == 40
    assert stats["batch_steps"]["create"] == 1, "found again by its key"
    assert stats["batch_steps"]["upload"] == 2
    (batch,) = batches_of(run)
    assert (batch.state, batch.answered) == (BatchState.ENDED, 40)


def test_the_worker_takes_over_what_a_killed_command_left(runners):
    with SimulatedJudge(Options(batch_seconds=1.0)) as server:
        run = batch_run(server.base_url, cases=5)
        process = runners.start(run)
        runners.wait_until(lambda: steps(server).get("create", 0) == 1)
        kill(process)
        let_go(run)
        worker = runners.manage("work", "--once")
        said, _ = worker.communicate(timeout=PATIENCE)
        assert worker.returncode == 0, said
        assert server.stats()["bought"] == 10
        assert steps(server)["create"] == 1
    assert f"Run {run.pk}: done" in said
    assert_settled(run)
