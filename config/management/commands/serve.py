"""Serve the web app and its local judge worker with one command."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

if TYPE_CHECKING:
    from argparse import ArgumentParser

USUAL_PORT = 8765
STOP_SECONDS = 10
POLL_SECONDS = 0.5


def free_port(host: str, wanted: int) -> int:
    """Return the wanted port if nobody listens on it, else any free one."""
    for port in (wanted, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise CommandError(f"No port is free on {host}.")


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
        """Start both processes and stay until one of them ends."""
        host, port = options["host"], free_port(options["host"], options["port"])
        children = [
            subprocess.Popen(command)  # noqa: S603 - our own programs
            for command in (
                self._web(host, port, options),
                [sys.executable, "manage.py", "work"],
            )
        ]
        self.stdout.write(f"Evenhand is at http://{host}:{port}/ (Ctrl-C stops it)")
        self.stdout.flush()
        try:
            self._wait(children)
        finally:
            self._stop(children)

    def _web(self, host: str, port: int, options: dict[str, Any]) -> list[str]:
        return [
            sys.executable, "-m", "gunicorn", "config.wsgi:application",
            "--bind", f"{host}:{port}",
            "--workers", str(options["workers"]),
            "--threads", str(options["threads"]),
            "--worker-class", "gthread",
            "--log-level", "warning",
        ]  # fmt: skip

    def _wait(self, children: list[subprocess.Popen[bytes]]) -> None:
        def interrupt(_signal: int, _frame: object) -> None:
            raise KeyboardInterrupt

        signal.signal(signal.SIGTERM, interrupt)
        try:
            while all(child.poll() is None for child in children):
                time.sleep(POLL_SECONDS)
        except KeyboardInterrupt:
            self.stdout.write("Stopping.")
            return
        raise CommandError("A process ended by itself; see its message above.")

    def _stop(self, children: list[subprocess.Popen[bytes]]) -> None:
        for child in children:
            if child.poll() is None:
                child.send_signal(signal.SIGTERM)
        for child in children:
            try:
                child.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                child.kill()
