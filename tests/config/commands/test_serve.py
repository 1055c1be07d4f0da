"""`serve`: the site and its worker come up together and go down together."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from typing import TYPE_CHECKING

import pytest
from django.core.management.base import CommandError

from config.management.commands.serve import free_port
from tests.processes import ROOT, environment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

START_SECONDS = 60
END_SECONDS = 10


class Site:
    """A `serve` process, once it says where it is."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(ROOT / "manage.py"), "serve", *arguments],
            cwd=folder,
            env=environment(folder, EVENHAND_INSECURE_HTTP="1"),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.said = self._until_address()
        self.children = descendants(self.process.pid)

    @property
    def url(self) -> str:
        found = re.search(r"Evenhand is at (http://\S+)", self.said)
        assert found, self.said
        return found[1]

    def ends(self) -> int:
        rest, _ = self.process.communicate(timeout=END_SECONDS)
        self.said += rest
        return self.process.returncode

    def left(self) -> list[int]:
        """Which of its processes still run."""
        return [pid for pid in self.children if pid in processes()]

    def _until_address(self) -> str:
        said = ""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            said += line
            if "Evenhand is at" in line:
                break
        return said


def processes() -> dict[int, tuple[int, str]]:
    """Parent and command line of every process that runs."""
    # -ww: or a narrow terminal (COLUMNS) cuts the command lines off.
    columns = ["ps", "-ww", "-eo", "pid=,ppid=,stat=,args="]
    listed = subprocess.check_output(columns, text=True)
    rows = [line.split(maxsplit=3) for line in listed.splitlines()]
    return {
        int(pid): (int(parent), args[0])
        for pid, parent, state, *args in rows
        if not state.startswith("Z") and args
    }


def descendants(pid: int) -> list[int]:
    children = [child for child, (parent, _) in processes().items() if parent == pid]
    return children + [below for child in children for below in descendants(child)]


def get(url: str) -> int:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(url, timeout=10) as reply:
        status: int = reply.status
        return status


@pytest.fixture
def sites(transactional_db: None, tmp_path: Path) -> Iterator[list[Site]]:
    started: list[Site] = []
    yield started
    for site in started:
        for pid in site.left():
            os.kill(pid, signal.SIGKILL)
        site.process.kill()
        site.process.communicate()


def test_it_answers_and_sigterm_ends_all(sites: list[Site], tmp_path: Path) -> None:
    site = Site(tmp_path, "--port", "0")
    sites.append(site)
    assert get(f"{site.url}healthz") == 200
    assert len(site.children) >= 3, "the web server, one of its workers, and ours"
    site.process.send_signal(signal.SIGTERM)
    assert site.ends() == 0
    assert not site.left()
    assert "Traceback" not in site.said
    with pytest.raises(urllib.error.URLError):
        get(site.url)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_ctrl_c_and_a_closed_terminal_end_all(
    sites: list[Site], tmp_path: Path, number: signal.Signals
) -> None:
    site = Site(tmp_path, "--port", "0")
    sites.append(site)
    os.killpg(site.process.pid, number)
    time.sleep(0.1)
    os.killpg(site.process.pid, number)  # as impatient people do
    assert site.ends() == 0
    assert not site.left()


def test_a_taken_port_gives_another(sites: list[Site], tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        site = Site(tmp_path, "--port", str(taken))
        sites.append(site)
        assert f"Port {taken} is taken" in site.said
        assert f":{taken}/" not in site.url
        assert get(f"{site.url}healthz") == 200
        site.process.terminate()
        assert site.ends() == 0


def test_if_one_process_dies_the_others_end_too(
    sites: list[Site], tmp_path: Path
) -> None:
    site = Site(tmp_path, "--port", "0")
    sites.append(site)
    worker = next(c for c in site.children if processes()[c][1].endswith(" work"))
    os.kill(worker, signal.SIGKILL)
    assert site.ends() == 1
    assert "A process ended by itself" in site.said
    assert not site.left()


@pytest.mark.skipif(sys.platform != "linux", reason="needs the parent's death signal")
def test_killed_outright_it_leaves_nobody_behind(
    sites: list[Site], tmp_path: Path
) -> None:
    site = Site(tmp_path, "--port", "0")
    sites.append(site)
    site.process.kill()
    deadline = time.monotonic() + END_SECONDS
    while site.left() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not site.left()


def test_a_free_port_is_taken_as_wanted() -> None:
    port = free_port("127.0.0.1", 0)
    assert free_port("127.0.0.1", port) == port
    assert free_port("localhost", port) == port


BAD = [
    ("127.0.0.1", 65_536, "0 to 65535"),
    ("127.0.0.1", -1, "0 to 65535"),
    ("203.0.113.1", 0, "No port can be had on 203.0.113.1"),
]


@pytest.mark.parametrize(("host", "port", "reason"), BAD)
def test_addresses_that_can_not_be(host: str, port: int, reason: str) -> None:
    with pytest.raises(CommandError, match=reason):
        free_port(host, port)
