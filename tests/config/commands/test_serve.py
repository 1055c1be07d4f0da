"""`serve`: the site and its worker come up together and go down together."""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
import urllib.error
from typing import TYPE_CHECKING

import pytest
from django.core.management.base import CommandError

from config.management.commands.serve import free_port
from tests.config.commands.site import END_SECONDS, Site, get, processes

if TYPE_CHECKING:
    from pathlib import Path


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
