"""Serve the web app and its local judge worker with one command."""

from __future__ import annotations

import socket
import sys
from contextlib import ExitStack
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from annotation.management.values import whole
from config.management import readiness
from config.management.children import ended, running, stopping

if TYPE_CHECKING:
    import threading
    from argparse import ArgumentParser
    from collections.abc import Sequence

    from config.management.children import Child

USUAL_PORT = 8765
MOST_PORT = 65_535
HIGHEST_PORT = 65_535
START_SECONDS = 30.0
# What a request gets to finish; the processes themselves get a little longer.
GRACE_SECONDS = 4
POLL_SECONDS = 0.2


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
        parser.add_argument("--port", type=whole(0, MOST_PORT), default=USUAL_PORT)
        parser.add_argument("--threads", type=whole(1), default=6)
        parser.add_argument("--workers", type=whole(1), default=settings.WEB_WORKERS)

    def handle(self, *args: Any, **options: Any) -> None:
        """Start both processes and stay until one ends or a signal comes."""
        host = options["host"]
        if settings.EVENHAND_DEMO and host not in readiness.LOOPBACK:
            raise CommandError(
                "The demo's passwords are public: it serves this machine."
            )
        port = free_port(host, options["port"])
        readiness.require_migrated()
        if options["port"] not in (0, port):
            self.stdout.write(f"Port {options['port']} is taken; {port} is free.")
        if caution := readiness.caution(host):
            self.stderr.write(caution)
        variables = readiness.plain_http(host) | readiness.collected_files()
        self._serve(host, port, (_web(host, port, options), _worker()), variables)

    def _serve(
        self,
        host: str,
        port: int,
        programs: Sequence[list[str]],
        variables: dict[str, str],
    ) -> None:
        with ExitStack() as stack:
            stop = stack.enter_context(stopping())
            children = stack.enter_context(
                running(programs, folder=settings.BASE_DIR, variables=variables)
            )
            started = _wait_until_up(host, port, children, stop)
            if started and not stop.is_set():
                self._say(f"Evenhand is at {_url(host, port)} (Ctrl-C stops it)")
            while not stop.wait(POLL_SECONDS) and not ended(children):
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


def _wait_until_up(
    host: str, port: int, children: Sequence[Child], stop: threading.Event
) -> bool:
    """Wait until the port can be reached, so that the address printed works."""
    deadline = monotonic() + START_SECONDS
    while monotonic() < deadline and not ended(children):
        try:
            socket.create_connection((host, port), 1).close()
        except OSError:
            if stop.wait(POLL_SECONDS):
                break
        else:
            return True
    return False
