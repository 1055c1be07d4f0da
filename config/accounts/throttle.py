"""Slows down the guessing of passwords.

Failures count for a name and the address they came from together: who guesses at a name
keeps nobody else from signing in with it, and shuts nobody at the same address out.
"""

from __future__ import annotations

import hashlib
import math
from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings

from config.accounts.models import FailedSignIn

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest

LIMIT = 10
WINDOW = timedelta(minutes=15)


def origin_of(request: HttpRequest | None, username: str) -> str:
    """Return what failures are counted under; neither name nor address is stored."""
    text = f"{_address(request)}\n{username.casefold()}"
    key = settings.SECRET_KEY.encode()[:64]
    return hashlib.blake2b(text.encode(), key=key, digest_size=32).hexdigest()


def _address(request: HttpRequest | None) -> str:
    if request is None:
        return ""
    told: object = getattr(settings, "SECURE_PROXY_SSL_HEADER", None)
    # The last entry is the trusted proxy's own; those before it anybody can write.
    last = request.headers.get("X-Forwarded-For", "").rsplit(",", 1)[-1].strip()
    return (last if told else "") or request.META.get("REMOTE_ADDR", "")


def minutes_to_wait(origin: str, now: datetime) -> int:
    """Return how long this origin must wait, 0 if it may try now."""
    recent = FailedSignIn.objects.filter(origin=origin, at__gt=now - WINDOW)
    times = list(recent.order_by("-at").values_list("at", flat=True)[:LIMIT])
    if len(times) < LIMIT:
        return 0
    return math.ceil((times[-1] + WINDOW - now) / timedelta(minutes=1))


def note_failure(origin: str, now: datetime) -> None:
    """Count a failure, and forget all that no longer count."""
    FailedSignIn.objects.filter(at__lte=now - WINDOW).delete()
    FailedSignIn.objects.create(origin=origin, at=now)


def forget(origin: str) -> None:
    """Start again from 0, after the right password."""
    FailedSignIn.objects.filter(origin=origin).delete()
