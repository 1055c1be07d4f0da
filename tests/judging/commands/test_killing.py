"""Real runner processes, killed at any moment and started again."""

from __future__ import annotations

import signal
import time
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from judging.models import Attempt, Call, Reply, RunStatus
from judging.simulator.options import Options
from judging.simulator.running import SimulatedJudge
from tests.judging.factory import assert_settled, dice, make_run, manage

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    from judging.models import Run

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
CONCURRENCY = 6
PATIENCE = 120  # processes start slowly on a busy machine


class Runners:
    """Processes that are gone when the test ends."""

    def __init__(self) -> None:
        self.all: list[subprocess.Popen[str]] = []

    def start(self, run: Run) -> subprocess.Popen[str]:
        return self.manage("run_judge", "--run", str(run.pk))

    def manage(self, *arguments: str) -> subprocess.Popen[str]:
        process = manage(*arguments)
        self.all.append(process)
        return process

    def wait_until(self, true: Callable[[], bool], seconds: float = PATIENCE) -> None:
        """Wait; where that is in vain, show what the processes said."""
        end = time.monotonic() + seconds
        while not true():
            if time.monotonic() > end or all(p.poll() is not None for p in self.all):
                self.end()
                said = [p.stdout.read() for p in self.all if p.stdout is not None]
                pytest.fail("waited in vain:\n" + "\n".join(said))
            time.sleep(0.02)

    def end(self) -> None:
        for process in self.all:
            if process.poll() is None:
                process.kill()
            process.wait()

    def close(self) -> None:
        self.end()
        for process in self.all:
            if process.stdout is not None:
                process.stdout.close()


@pytest.fixture
def runners():
    crew = Runners()
    yield crew
    crew.close()


def answered(run):
    return Reply.objects.filter(call__run=run).count()


def bought(server):
    return server.stats()["bought"]


def kill(process):
    process.send_signal(signal.SIGKILL)
    process.wait()


def let_leases_end(run):
    """What twelve seconds do."""
    Call.objects.filter(run=run, state="claimed").update(
        lease_until=timezone.now() - timedelta(seconds=1)
    )


def test_killed_at_any_moment_every_call_gets_one_answer(runners):
    rng, kills = dice(11), 5
    with SimulatedJudge(Options(latency=0.08)) as server:
        run = make_run(server.base_url, cases=150, concurrency=CONCURRENCY)
        for _ in range(kills):
            process, before = runners.start(run), answered(run)
            runners.wait_until(lambda n=before: answered(run) > n)
            time.sleep(rng.uniform(0, 0.5))
            assert process.poll() is None, "killed in the middle"
            kill(process)
            let_leases_end(run)
        assert answered(run) < 300
        said, _ = runners.start(run).communicate(timeout=PATIENCE)
        stats = server.stats()
    assert "is done: 300 calls" in said
    assert_settled(run)
    assert stats["distinct"] == 300
    assert stats["bought"] - 300 <= kills * CONCURRENCY
    assert max(stats["by_hash"].values()) <= 1 + kills
    assert stats["most_in_flight"] <= 2 * CONCURRENCY


def test_killed_after_the_last_answer_the_books_are_closed_by_the_next(runners):
    with SimulatedJudge(Options()) as server:
        run = make_run(server.base_url, cases=2)
        runners.start(run).communicate(timeout=PATIENCE)
        run.status, run.finished_at = RunStatus.RUNNING, None
        run.save()
        process = runners.manage("work", "--once")
        process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
        assert bought(server) == 4
    run.refresh_from_db()
    assert run.status == RunStatus.DONE
    assert run.finished_at is not None


def test_two_processes_share_a_run_and_buy_each_call_once(runners):
    with SimulatedJudge(Options(latency=0.05)) as server:
        run = make_run(server.base_url, cases=200, concurrency=CONCURRENCY)
        both = [runners.start(run), runners.start(run)]
        said = [process.communicate(timeout=PATIENCE)[0] for process in both]
        stats = server.stats()
    assert all("is done: 400 calls" in text for text in said), said
    assert_settled(run)
    assert stats["bought"] == stats["distinct"] == 400
    owners = Attempt.objects.filter(call__run=run).values_list("owner", flat=True)
    assert len(set(owners)) == 2


def test_the_claims_of_a_dead_process_are_retaken_within_15_seconds(runners):
    with SimulatedJudge(Options(latency=0.2)) as server:
        run = make_run(server.base_url, cases=150, concurrency=CONCURRENCY)
        first, second = runners.start(run), runners.start(run)
        runners.wait_until(lambda: owners_at_work(run) == 2)
        dead = owner_of_one_killed(run, first, second)
        died = timezone.now()
        left = set(
            Call.objects.filter(run=run, owner=dead).values_list("pk", flat=True)
        )
        assert left
        runners.wait_until(
            lambda: not Call.objects.filter(run=run, owner=dead).exists(), seconds=16
        )
        assert timezone.now() - died < timedelta(seconds=15)
        survivor = first if first.poll() is None else second
        said, _ = survivor.communicate(timeout=PATIENCE)
        stats = server.stats()
    assert "is done: 300 calls" in said
    assert_settled(run)
    assert stats["bought"] - 300 <= CONCURRENCY


def owners_at_work(run):
    claimed = Call.objects.filter(run=run, state="claimed")
    return claimed.values("owner").distinct().count()


def owner_of_one_killed(run, first, second):
    """Kill the second process and tell which claims were its own."""
    kill(second)
    time.sleep(3.5)  # the other renews its leases meanwhile
    stale = Call.objects.filter(run=run, state="claimed").order_by("lease_until")
    return stale.values_list("owner", flat=True).first()


@pytest.fixture(params=[signal.SIG_IGN, signal.default_int_handler])
def as_started(request):
    """Whether processes start as a script's background job does, Ctrl-C ignored."""
    before = signal.signal(signal.SIGINT, request.param)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("as_started")
def test_sigterm_gives_the_claims_back_at_once(runners):
    with SimulatedJudge(Options(latency=0.1)) as server:
        run = make_run(server.base_url, cases=150, concurrency=CONCURRENCY)
        process = runners.start(run)
        runners.wait_until(lambda: answered(run) > 10)
        process.terminate()
        said, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode == 130
        assert f"run_judge --run {run.pk}" in said
        assert "Traceback" not in said
        assert not Call.objects.filter(run=run, state="claimed").exists()
        assert bought(server) - answered(run) <= CONCURRENCY


@pytest.mark.usefixtures("as_started")
def test_the_worker_ends_on_sigterm_and_gives_the_claims_back(runners):
    with SimulatedJudge(Options(latency=0.1)) as server:
        run = make_run(server.base_url, cases=150, concurrency=CONCURRENCY)
        process = runners.manage("work")
        runners.wait_until(lambda: answered(run) > 10)
        process.terminate()
        said, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, said
        assert not Call.objects.filter(run=run, state="claimed").exists()
    run.refresh_from_db()
    assert run.status == RunStatus.RUNNING
