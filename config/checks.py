"""System checks that refuse an unsafe set-up.

They run before every command and when the server starts (config/wsgi.py), except for
evenhand.E010, which looks into the database: `check --database default` and `migrate`
run that one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core import checks
from django.core.exceptions import ImproperlyConfigured
from django.db import connections

from config.db import guards
from config.db.declarations import BadDeclaration, guard_of, own_models

if TYPE_CHECKING:
    from collections.abc import Sequence

MIN_KEY_LENGTH = 40
MIN_KEY_CHARACTERS = 10
LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "[::1]", "::1", ".localhost"})


@checks.register(checks.Tags.security)
def check_secret_key(**_: Any) -> list[checks.CheckMessage]:
    """evenhand.E001: sessions must not be forgeable."""
    try:
        if _is_strong(settings.SECRET_KEY):
            return []
    except ImproperlyConfigured:  # Django's answer to an empty key
        pass
    return [
        checks.Error(
            "SECRET_KEY is missing, short or guessable.",
            hint=(
                "Set the environment variable SECRET_KEY to a random text, the same "
                "for all processes: python -c 'import secrets; "
                "print(secrets.token_urlsafe(48))'"
            ),
            id="evenhand.E001",
        )
    ]


def _is_strong(key: str) -> bool:
    return (
        len(key) >= MIN_KEY_LENGTH
        and len(set(key)) >= MIN_KEY_CHARACTERS
        and not key.startswith("django-insecure-")
    )


@checks.register(checks.Tags.security)
def check_older_keys(**_: Any) -> list[checks.CheckMessage]:
    """evenhand.E005: what an older key signed is believed as well."""
    if all(map(_is_strong, settings.SECRET_KEY_FALLBACKS)):
        return []
    return [
        checks.Error(
            "SECRET_KEY_FALLBACKS holds a key that is short or guessable.",
            hint="Leave that key out; people then sign in again.",
            id="evenhand.E005",
        )
    ]


@checks.register(checks.Tags.security)
def check_allowed_hosts(**_: Any) -> list[checks.CheckMessage]:
    """evenhand.E002: links and redirects must not follow a forged Host header."""
    if "*" not in settings.ALLOWED_HOSTS:
        return []
    return [
        checks.Error(
            "ALLOWED_HOSTS accepts any host.",
            hint="Name the hosts that people use, separated by commas.",
            id="evenhand.E002",
        )
    ]


@checks.register(checks.Tags.security)
def check_debug(**_: Any) -> list[checks.CheckMessage]:
    """evenhand.E003: error pages with settings and source must not leave the machine.

    The demo is in the same position: everybody knows its logins.
    """
    modes = {"DEBUG": settings.DEBUG, "EVENHAND_DEMO": settings.EVENHAND_DEMO}
    if _is_local():
        return []
    return [
        checks.Error(
            f"{name} is on, and the site or its database is not on this machine only.",
            hint=f"Unset {name}, or keep ALLOWED_HOSTS and DATABASE_URL local.",
            id="evenhand.E003",
        )
        for name, is_on in modes.items()
        if is_on
    ]


def _is_local() -> bool:
    database_host = settings.DATABASES["default"].get("HOST", "")
    is_socket = database_host in {"", *LOOPBACK_HOSTS} or database_host.startswith("/")
    return is_socket and LOOPBACK_HOSTS.issuperset(settings.ALLOWED_HOSTS)


@checks.register(checks.Tags.security)
def check_cookies(**_: Any) -> list[checks.CheckMessage]:
    """evenhand.E004 and W001: logins must not travel in the clear by accident."""
    if settings.SESSION_COOKIE_SECURE and settings.CSRF_COOKIE_SECURE:
        return []
    if settings.HTTPS_ONLY:
        return [
            checks.Error(
                "Session or CSRF cookies are sent over plain HTTP.",
                hint="Leave SESSION_COOKIE_SECURE and CSRF_COOKIE_SECURE on.",
                id="evenhand.E004",
            )
        ]
    if LOOPBACK_HOSTS.issuperset(settings.ALLOWED_HOSTS):
        return []
    return [
        checks.Warning(
            "Passwords and labels travel unencrypted (EVENHAND_INSECURE_HTTP).",
            hint="Put a proxy with TLS in front, unless you trust the whole network.",
            id="evenhand.W001",
        )
    ]


@checks.register()
def check_sqlite_workers(**_: Any) -> list[checks.CheckMessage]:
    """evenhand.W002: SQLite lets one process write at a time."""
    if not settings.EMBEDDED or settings.WEB_WORKERS == 1:
        return []
    return [
        checks.Warning(
            f"{settings.WEB_WORKERS} web processes share an SQLite database.",
            hint="Use one process with threads, or PostgreSQL (DATABASE_URL).",
            id="evenhand.W002",
        )
    ]


@checks.register(checks.Tags.database)
def check_guards(
    databases: Sequence[str] | None = None, **_: Any
) -> list[checks.CheckMessage]:
    """evenhand.E010: the database itself must refuse changes to guarded rows."""
    if check_declarations():
        return []
    return [
        checks.Error(
            f"The database lacks the guard {trigger}.",
            hint="Run: python manage.py migrate",
            id="evenhand.E010",
        )
        for alias in databases or ()
        for trigger in guards.missing(connections[alias])
    ]


@checks.register(checks.Tags.models)
def check_declarations(**_: Any) -> list[checks.CheckMessage]:
    """evenhand.E011: every model says whether its rows may change."""
    problems: list[checks.CheckMessage] = []
    for model in own_models():
        try:
            guard_of(model)
        except BadDeclaration as error:
            hint = "See config/db/declarations.py."
            problems.append(
                checks.Error(str(error), hint=hint, obj=model, id="evenhand.E011")
            )
    return problems
