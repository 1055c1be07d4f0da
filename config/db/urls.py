"""Read DATABASE_URL.

`sqlite:///relative.db`, `sqlite:////absolute.db` and `sqlite://:memory:` give SQLite.
`postgres://user:password@host:5432/name?sslmode=require` gives PostgreSQL; a unix
socket is named in the query (`postgres:///name?host=/run/postgresql`) or as an escaped
host (`postgres://user@%2Frun%2Fpostgresql/name`). Other query keys become connection
options of the driver. Messages never repeat the URL, which holds a password.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

if TYPE_CHECKING:
    from pathlib import Path

POSTGRES_SCHEMES = frozenset({"postgres", "postgresql"})
CONNECTION_LIFETIME = 60

# Take the write lock when a transaction begins, so that a claim can't fail halfway;
# recursive_triggers makes INSERT OR REPLACE fire the guards' delete triggers.
SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; "
        "PRAGMA recursive_triggers=ON;"
    ),
}


def parse_database_url(url: str, *, base: Path) -> dict[str, Any]:
    """Return the entry for Django's DATABASES; relative files start at `base`."""
    try:
        return _parse(urlsplit(url), base)
    except ValueError:
        raise ImproperlyConfigured("DATABASE_URL can't be read as a URL.") from None


def _parse(parts: SplitResult, base: Path) -> dict[str, Any]:
    if parts.scheme == "sqlite":
        return _sqlite(parts, base)
    if parts.scheme in POSTGRES_SCHEMES:
        return _postgres(parts)
    raise ImproperlyConfigured("DATABASE_URL must start with sqlite: or postgres:.")


def _sqlite(parts: SplitResult, base: Path) -> dict[str, Any]:
    if parts.query or parts.fragment:
        raise ImproperlyConfigured("A sqlite DATABASE_URL takes no options.")
    name = unquote(parts.path[1:])
    if ":memory:" in (parts.netloc, name):
        name = ":memory:"
    elif parts.netloc or not name:
        raise ImproperlyConfigured(
            "A sqlite DATABASE_URL is sqlite:///relative.db or sqlite:////absolute.db."
        )
    else:
        name = str(base / name)
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": name,
        "OPTIONS": dict(SQLITE_OPTIONS),
    }


def _postgres(parts: SplitResult) -> dict[str, Any]:
    options = dict(parse_qsl(parts.query, strict_parsing=bool(parts.query)))
    name = unquote(parts.path.removeprefix("/"))
    if not name:
        raise ImproperlyConfigured("DATABASE_URL names no database.")
    return {
        "ENGINE": "config.db.postgresql",
        "NAME": name,
        "USER": options.pop("user", unquote(parts.username or "")),
        "PASSWORD": options.pop("password", unquote(parts.password or "")),
        "HOST": options.pop("host", unquote(parts.hostname or "")),
        "PORT": options.pop("port", str(parts.port or "")),
        "CONN_MAX_AGE": CONNECTION_LIFETIME,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options,
    }
