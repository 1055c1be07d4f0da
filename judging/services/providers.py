"""How a provider is reached: settings that no secret may hide in."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.db import transaction

from config.errors import Conflict, InvalidInput
from judging.models import Provider
from judging.services.drafting import VARIABLE, refuse_address, refuse_alias
from judging.services.simulations import note_provider

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}")
PARAMETER = re.compile(r"[A-Za-z0-9_.-]{1,100}")
VALUE = re.compile(r"[\x20-\x7e]{0,1000}")
# What usually carries a key may come from an environment variable only.
SECRETIVE = re.compile(
    r"authori[sz]ation|cookie|secret|password|token|signature|\bsig\b|api[-_]?key|^key$",
    re.IGNORECASE,
)
# Set for every request; another value would break or redirect it.
RESERVED = frozenset(
    {"host", "content-length", "transfer-encoding", "connection", "content-type"}
)
LONGEST_CALL = 3600.0


@dataclass(frozen=True, slots=True)
class ProviderOptions:
    """How requests are sent.

    ``api_key_env`` and the values of ``secret_headers`` name environment variables.
    ``call_seconds`` bounds one call as a whole.
    """

    api_key_env: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    secret_headers: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    use_env_proxy: bool = False
    call_seconds: float = 120.0
    simulated: bool = False


@transaction.atomic
def save_provider(
    *, alias: str, base_url: str, options: ProviderOptions, now: datetime
) -> Provider:
    """Make a provider, or change how an existing one is reached.

    Raises ``InvalidInput`` for settings that can't be or that hold a key in clear, and
    ``Conflict`` for another address once judges were drafted with the present one: it
    is part of their digest. Marked as simulated, it marks the judges frozen with it for
    good.
    """
    refuse_alias(alias)
    refuse_address(base_url)
    refuse_options(options)
    provider = Provider.objects.select_for_update().filter(alias=alias).first()
    if provider is None:
        provider = Provider(alias=alias, base_url=base_url)
    elif provider.base_url != base_url and provider.configs.exists():
        raise Conflict(
            "provider_differs",
            f"Judges use {alias} at {provider.base_url}; give the other address an "
            "alias of its own.",
        )
    provider.base_url = base_url
    provider.api_key_env = options.api_key_env
    provider.headers = dict(options.headers)
    provider.secret_headers = dict(options.secret_headers)
    provider.query = dict(options.query)
    provider.use_env_proxy = options.use_env_proxy
    provider.call_seconds = options.call_seconds
    provider.simulated = options.simulated
    provider.save()
    note_provider(provider, now)
    return provider


def refuse_options(options: ProviderOptions) -> None:
    """Raise ``InvalidInput`` for settings that can't be, without repeating values."""
    if options.api_key_env and not VARIABLE.fullmatch(options.api_key_env):
        raise _bad_variable("api key")
    for name, variable in options.secret_headers.items():
        _refuse_name("secret_headers", name, HEADER)
        _refuse_reserved("secret_headers", name)
        if not VARIABLE.fullmatch(variable):
            raise _bad_variable(f"secret_headers: {name}")
    _refuse_pairs("headers", options.headers, HEADER)
    for name in options.headers:
        _refuse_reserved("headers", name)
    _refuse_pairs("query", options.query, PARAMETER)
    if not 0 < options.call_seconds <= LONGEST_CALL:
        raise InvalidInput(
            "call_seconds_invalid",
            f"call_seconds: must be above 0, to {LONGEST_CALL:g}",
        )


def _refuse_pairs(
    where: str, pairs: Mapping[str, str], allowed: re.Pattern[str]
) -> None:
    for name, value in pairs.items():
        _refuse_name(where, name, allowed)
        if SECRETIVE.search(name):
            raise InvalidInput(
                "secret_in_clear",
                f"{where}: {name} looks like a secret; name an environment variable "
                "under secret_headers",
            )
        if not VALUE.fullmatch(value):
            raise InvalidInput(
                "provider_value_invalid",
                f"{where}: the value of {name} must be plain printable text",
            )


def _refuse_name(where: str, name: str, allowed: re.Pattern[str]) -> None:
    if not allowed.fullmatch(name):
        raise InvalidInput("provider_name_invalid", f"{where}: {name!r} is no name")


def _refuse_reserved(where: str, name: str) -> None:
    if name.lower() in RESERVED:
        raise InvalidInput(
            "provider_header_reserved", f"{where}: {name} is set for every request"
        )


def _bad_variable(where: str) -> InvalidInput:
    return InvalidInput(
        "key_variable_invalid",
        f"{where}: name the environment variable that holds it, in capitals, digits "
        "and _, and none of the server's own; the key itself is never stored",
    )
