"""Providers as pages and API read them."""

from __future__ import annotations

from config.errors import NotFound
from judging.models import Provider


def provider_by_alias(alias: str) -> Provider:
    """One provider; raises ``NotFound``."""
    found = Provider.objects.filter(alias=alias).first()
    if found is None:
        raise NotFound("provider_unknown", f"There is no provider {alias!r}.")
    return found
