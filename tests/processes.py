"""What a process of its own needs to use the database of the test that starts it."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

from django.conf import settings
from django.db import connection

ROOT = Path(__file__).parents[1]


def database_url() -> str:
    """The address of the very database that this test uses."""
    entry = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{entry['NAME']}"
    user, password = quote(entry["USER"] or ""), quote(entry["PASSWORD"] or "")
    secret = f":{password}" if password else ""
    host = str(entry["HOST"] or "")
    if host.startswith("/"):
        return f"postgres://{user}{secret}@/{entry['NAME']}?host={quote(host, safe='')}"
    return f"postgres://{user}{secret}@{host}:{entry['PORT']}/{entry['NAME']}"


def environment(folder: Path, **more: str) -> dict[str, str]:
    """This environment, with the test's database and a var folder of its own."""
    given = {
        "DATABASE_URL": database_url(),
        "SECRET_KEY": settings.SECRET_KEY,
        "EVENHAND_VAR": str(folder),
    }
    return os.environ | given | more
