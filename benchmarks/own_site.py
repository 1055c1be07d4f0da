"""A site of a benchmark's own: an empty database, and the production server on it."""

# ruff: noqa: INP001, PLC0415 - part of a script; Django comes before its models

from __future__ import annotations

import asyncio
import io
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[1]


def use_database(kind: str, home: Path) -> Callable[[], None]:
    """Start an empty database with all tables; return what stops it."""
    from tests.postgres import start_server

    if kind == "postgres":
        url, stop = start_server(home)
    else:
        url, stop = f"sqlite:///{home}/benchmark.sqlite3", lambda: None
    os.environ |= {
        "DATABASE_URL": url,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "EVENHAND_INSECURE_HTTP": "1",
        "EVENHAND_VAR": str(home),
        "SECRET_KEY": "only for this benchmark, fifty characters at least ----",
    }
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("sync_roles", verbosity=0, stdout=io.StringIO())
    return stop


def disconnect() -> None:
    """Let go of the database, so that it can be stopped."""
    from django.db import connections

    connections.close_all()


def serve(port: int, *, workers: int, threads: int) -> subprocess.Popen[bytes]:
    """Start the production server on the database in use."""
    size = [f"--workers={workers}", f"--threads={threads}"]
    return subprocess.Popen(  # noqa: S603 - our own server
        [sys.executable, str(ROOT / "manage.py"), "serve", f"--port={port}", *size],
        cwd=ROOT,
        env=os.environ | {"LOG_LEVEL": "WARNING"},
        stdout=subprocess.DEVNULL,
    )


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def until_up(port: int) -> None:
    """Wait until the server takes connections."""
    for _ in range(200):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.2)
        else:
            writer.close()
            return
    raise SystemExit("The server did not start.")
