"""What must be so before the site is served, and how it speaks to browsers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from config.checks import LOOPBACK_HOSTS

if TYPE_CHECKING:
    from collections.abc import Mapping

LOOPBACK = ("127.0.0.1", "localhost", "::1")
IN_THE_CLEAR = (
    "Warning: passwords and labels travel unencrypted to and from {host} "
    "(EVENHAND_INSECURE_HTTP). Do this only on a network that you trust as a whole."
)
NEEDS_PROXY = (
    "Note: this site answers over HTTPS only. Put a proxy with TLS in front and set "
    "TRUST_PROXY=1, or, on a network that you trust as a whole, "
    "EVENHAND_INSECURE_HTTP=1."
)
# Only developers see the browsable API, and they need no collected files.
NOT_SERVED = ("rest_framework",)


def require_migrated() -> None:
    """Refuse a database that lacks tables or columns of this program."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise CommandError(
            "The database is new or older than this program; set it up with: "
            "python manage.py migrate"
        )


def plain_http(host: str, environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Let a site that nobody else can reach do without HTTPS, unless told otherwise.

    With other host names, or behind a proxy, it may be a team's site.
    """
    alone = host in LOOPBACK and LOOPBACK_HOSTS.issuperset(settings.ALLOWED_HOSTS)
    said = environ.get("EVENHAND_INSECURE_HTTP", "")
    if not settings.HTTPS_ONLY or not alone or _behind_proxy() or said:
        return {}
    return {"EVENHAND_INSECURE_HTTP": "1"}


def caution(host: str) -> str:
    """Return what whoever serves to a host should know, or nothing."""
    if settings.HTTPS_ONLY:
        return "" if _behind_proxy() or plain_http(host) else NEEDS_PROXY
    return "" if host in LOOPBACK else IN_THE_CLEAR.format(host=host)


def _behind_proxy() -> bool:
    header: object = getattr(settings, "SECURE_PROXY_SSL_HEADER", None)
    return header is not None


def collected_files() -> dict[str, str]:
    """Collect, compress and name the static files for good; say where they are.

    A folder that the settings name was filled by whoever named it.
    """
    if settings.STATIC_ROOT or settings.DEBUG:
        return {}
    folder = Path(settings.VAR_DIR) / "static"
    ignored = [word for name in NOT_SERVED for word in ("--ignore", name)]
    done = subprocess.run(  # noqa: S603 - our own program
        [
            sys.executable, str(Path(settings.BASE_DIR) / "manage.py"),
            "collectstatic", "--no-input", "--verbosity", "0", *ignored,
        ],
        env={**os.environ, "STATIC_ROOT": str(folder)},
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )  # fmt: skip
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise CommandError(f"Static files cannot be collected in {folder}: {reason}")
    return {"STATIC_ROOT": str(folder)}
