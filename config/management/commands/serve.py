"""Serve the web app and its local judge worker with one command."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator, Sequence

    Child = subprocess.Popen[bytes]

LOOPBACK = ("127.0.0.1", "localhost", "::1")
USUAL_PORT = 8765
HIGHEST_PORT = 65_535
START_SECONDS = 30.0
# What a request gets to finish; the processes themselves get a little longer.
GRACE_SECONDS = 4
STOP_SECONDS = 7.0
POLL_SECONDS = 0.2
# Also when the terminal is closed: gunicorn alone would only reload and stay.
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

# Where the system can (Linux), a program is told to end when we are killed outright.
TIED = """
import ctypes, os, sys
prctl = getattr(ctypes.CDLL(None), "prctl", None)
if prctl is not None:
    prctl(1, 15)  # PR_SET_PDEATHSIG, SIGTERM
if os.getppid() == int(sys.argv[1]):
    os.execv(sys.argv[2], sys.argv[2:])
"""


def free_port(host: str, wanted: int) -> int:
    """Return the wanted port if nobody listens on it, else any free one."""
    if not 0 <= wanted <= HIGHEST_PORT:
        raise CommandError(f"--port must be 0 to {HIGHEST_PORT}.")
    family, address = _resolved(host)
    for port in (wanted, 0):
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((address, port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise CommandError(f"No port can be had on {host}.")


def _resolved(host: str) -> tuple[socket.AddressFamily, str]:
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError as error:
        raise CommandError(f"--host {host}: {error.strerror}.") from error
    family, _, _, _, address = found[0]
    return family, str(address[0])


class Command(BaseCommand):
    """`serve`: gunicorn with threads, and a worker that runs judges."""

    help = (
        "Serve the web app on this machine, with a worker process that carries out "
        "judge runs started from the web. Ctrl-C stops both."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare address and size."""
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=USUAL_PORT)
        parser.add_argument("--threads", type=int, default=8)
        parser.add_argument("--workers", type=int, default=settings.WEB_WORKERS)

    def handle(self, *args: Any, **options: Any) -> None:
        """Start both processes and stay until one ends or a signal comes."""
        if settings.EVENHAND_DEMO and options["host"] not in LOOPBACK:
            raise CommandError(
                "The demo's passwords are public: it serves this machine."
            )
        host, port = options["host"], free_port(options["host"], options["port"])
        if options["port"] not in (0, port):
            self.stdout.write(f"Port {options['port']} is taken; {port} is free.")
        programs = (_web(host, port, options), _worker())
        with _stopping() as stop, _running(programs) as children:
            started = _wait_until_up(host, port, children, stop)
            if started and not stop.is_set():
                self._say(f"Evenhand is at {_url(host, port)} (Ctrl-C stops it)")
            while not stop.wait(POLL_SECONDS) and not _ended(children):
                pass
            if not stop.is_set():
                raise CommandError("A process ended by itself; see its message above.")
            self._say("Stopping.")

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def _web(host: str, port: int, options: dict[str, Any]) -> list[str]:
    return [
        sys.executable, "-m", "gunicorn", "config.wsgi:application",
        "--bind", f"{_in_url(host)}:{port}",
        "--workers", str(options["workers"]),
        "--threads", str(options["threads"]),
        "--worker-class", "gthread",
        "--graceful-timeout", str(GRACE_SECONDS),
        "--log-level", "warning",
    ]  # fmt: skip


def _worker() -> list[str]:
    return [sys.executable, str(Path(settings.BASE_DIR) / "manage.py"), "work"]


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _url(host: str, port: int) -> str:
    everywhere = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - only shown
    return f"http://{_in_url(everywhere.get(host, host))}:{port}/"


@contextmanager
def _stopping() -> Iterator[threading.Event]:
    """Turn the signals that end us into an event; more of them change nothing."""
    stop = threading.Event()
    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number in SIGNALS:
        signal.signal(number, lambda *_: stop.set())
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _running(programs: Sequence[list[str]]) -> Iterator[list[Child]]:
    """Run programs; whatever happens, none of them is left behind."""
    children: list[Child] = []
    try:
        for program in programs:
            # In sessions of their own, so that Ctrl-C and a closing terminal reach them
            # through us alone.
            child = subprocess.Popen(  # noqa: S603 - our own programs
                [sys.executable, "-c", TIED, str(os.getpid()), *program],
                cwd=settings.BASE_DIR,
                start_new_session=True,
            )
            children.append(child)
        yield children
    finally:
        _stop(children)


def _stop(children: Sequence[Child]) -> None:
    for child in children:
        child.terminate()
    deadline = time.monotonic() + STOP_SECONDS
    for child in children:
        try:
            child.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def _ended(children: Sequence[Child]) -> bool:
    return any(child.poll() is not None for child in children)


def _wait_until_up(
    host: str, port: int, children: Sequence[Child], stop: threading.Event
) -> bool:
    """Wait until the port can be reached, so that the address printed works."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and not _ended(children):
        try:
            socket.create_connection((host, port), 1).close()
        except OSError:
            if stop.wait(POLL_SECONDS):
                break
        else:
            return True
    return False
