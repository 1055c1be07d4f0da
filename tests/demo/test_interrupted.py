"""The demo as a process: killed at any stage it continues; served, it can be used."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from annotation.models import Adjudication, Case, GoldVersion, Label, Pair, Round
from calibration.management.demo import watching
from calibration.management.demo.fixture import Fixture
from calibration.models import Report
from judging.models import Call, JudgeConfig, Reply, Run
from tests.processes import ROOT, environment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SECONDS = 90


@contextmanager
def demo(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "manage.py", "demo", *arguments],
        cwd=ROOT,
        env=environment(folder, EVENHAND_DEMO="1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
            process.communicate(timeout=SECONDS)


def kill_when(folder: Path, reached: Callable[[], bool]) -> None:
    with demo(folder, "--no-serve") as process:
        deadline = time.monotonic() + SECONDS
        while not reached():
            assert process.poll() is None, process.communicate()[0]
            assert time.monotonic() < deadline
            time.sleep(0.01)
        process.kill()
        process.communicate()


def replies() -> int:
    return Reply.objects.count()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_killed_at_each_stage_it_continues_and_then_serves(tmp_path: Path) -> None:
    kill_when(tmp_path, Case.objects.exists)
    kill_when(tmp_path, lambda: Label.objects.count() >= 60)
    kill_when(tmp_path, Adjudication.objects.exists)
    kill_when(tmp_path, lambda: replies() >= 40)
    before = replies()
    with demo(tmp_path, "--port", "0") as process:
        said = _until_served(process)
        _check_complete(before)
        _check_it_answers(said)
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=15)
    assert process.returncode == 0, rest
    assert "Traceback" not in said + rest


def _until_served(process: subprocess.Popen[str]) -> str:
    said = ""
    assert process.stdout is not None
    for line in process.stdout:
        said += line
        if "Evenhand is at http" in line:
            break
    assert said.find("Logins") < said.find("Evenhand is at http"), said
    return said


def _check_complete(before: int) -> None:
    fixture = Fixture()
    labels = Label.objects.values_list("reviewer__username", "pair__case__external_id")
    assert Counter(labels) == Counter(fixture.labels.keys())
    assert Adjudication.objects.count() == len(fixture.rulings)
    counts = [m.objects.count() for m in (GoldVersion, JudgeConfig, Run, Report, Round)]
    assert counts == [1, 1, 2 + watching.CHECKS, 1, 2]
    assert 0 < before < replies() == Call.objects.count()
    # Every pair in both orders; those of the sentinel twice more.
    assert replies() == 2 * Pair.objects.count() + 4 * watching.PAIRS


def _check_it_answers(said: str) -> None:
    address = re.search(r"Evenhand is at (http://\S+)", said)
    judge = re.search(r"answers at (http://\S+)/v1", said)
    assert address, said
    assert judge, said
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for url in (f"{address[1]}healthz", f"{address[1]}login/", f"{judge[1]}/stats"):
        with opener.open(url, timeout=10) as reply:
            assert reply.status == 200
