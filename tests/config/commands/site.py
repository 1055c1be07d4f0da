"""A served site, the processes that belong to it, and what it answers."""

from __future__ import annotations

import re
import subprocess
import sys
import urllib.request
from typing import TYPE_CHECKING

from tests.processes import ROOT, environment

if TYPE_CHECKING:
    from http.client import HTTPResponse
    from pathlib import Path

END_SECONDS = 30


class Site:
    """A `serve` process, once it says where it is."""

    def __init__(self, folder: Path, *arguments: str, **variables: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(ROOT / "manage.py"), "serve", *arguments],
            cwd=folder,
            env=environment(folder, **variables),
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


class StayHere(urllib.request.HTTPRedirectHandler):
    """Follows nothing: a redirect is an error like any other."""

    def redirect_request(self, *_: object) -> None:
        return None


def ask(url: str, **headers: str) -> HTTPResponse:
    """Ask over the wire, and return the reply with its bytes as they were sent."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), StayHere())
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    reply: HTTPResponse = opener.open(
        urllib.request.Request(url, headers=named), timeout=END_SECONDS
    )
    return reply


def get(url: str) -> int:
    with ask(url) as reply:
        return reply.status
