"""Typed readers of environment variables that refuse what they can't read.

An unset or empty variable gives the default. Anything else is parsed strictly: a
typing mistake stops the program instead of silently becoming `False`. A message
names the variable and what it accepts, never its value, which could be a secret.
"""

from __future__ import annotations

import os
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

if TYPE_CHECKING:
    from collections.abc import Sequence

TRUE = frozenset({"1", "true", "yes", "on"})
FALSE = frozenset({"0", "false", "no", "off"})
SHORTEST_SECRET = 16


def read_text(name: str, default: str = "") -> str:
    """Return the variable without surrounding blanks."""
    return os.environ.get(name, "").strip() or default


def read_folder(name: str, default: Path) -> Path:
    """Return a folder, made where it was not there."""
    folder = Path(read_text(name, str(default)))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = error.strerror or str(error)
        raise _refusal(name, f"names no folder that can be used ({why})") from None
    return folder


def read_bool(name: str, *, default: bool = False) -> bool:
    """Return a switch: 1/true/yes/on or 0/false/no/off in any letter case."""
    value = read_text(name).lower()
    if not value:
        return default
    if value in TRUE | FALSE:
        return value in TRUE
    raise ImproperlyConfigured(
        f"{name} must be one of 1, true, yes, on, 0, false, no, off."
    )


def read_int(name: str, default: int, *, minimum: int = 0) -> int:
    """Return a whole number that is at least `minimum`."""
    value = read_text(name)
    if not value:
        return default
    try:
        number = int(value)
    except ValueError:
        raise _refusal(name, "must be a whole number") from None
    if number < minimum:
        raise _refusal(name, f"must be at least {minimum}")
    return number


def read_list(name: str, default: Sequence[str] = ()) -> list[str]:
    """Return the comma separated entries, blanks removed."""
    value = read_text(name)
    if not value:
        return list(default)
    entries = [entry.strip() for entry in value.split(",")]
    if not all(entries):
        raise _refusal(name, "has an empty entry between its commas")
    return entries


def read_choice(name: str, choices: Sequence[str], default: str) -> str:
    """Return one of `choices`, compared without regard to letter case."""
    value = read_text(name, default)
    for choice in choices:
        if choice.lower() == value.lower():
            return choice
    raise _refusal(name, f"must be one of {', '.join(choices)}")


def read_private_address(name: str) -> str:
    """Return an address that data are posted to: HTTPS, or HTTP to this machine."""
    address = read_text(name)
    if address and not _is_private(address):
        raise _refusal(name, "must be an https address, or http on this machine")
    return address


def read_secret(name: str, *, needed: bool) -> str:
    """Return a secret, which must be there and long enough where it is needed."""
    secret = read_text(name)
    if needed and len(secret) < SHORTEST_SECRET:
        raise _refusal(name, f"must have at least {SHORTEST_SECRET} characters")
    return secret


def _is_private(address: str) -> bool:
    """Whether nobody on the way can read what is posted there."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
        _ = parts.port  # refuses what is no number
    except ValueError:
        return False
    if not host or parts.username or parts.password:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and _is_here(host))


def _is_here(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _refusal(name: str, problem: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"The environment variable {name} {problem}.")
