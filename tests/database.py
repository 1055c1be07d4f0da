"""Where other processes find the rows of a test."""

from __future__ import annotations

from urllib.parse import quote

from django.db import connection


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
