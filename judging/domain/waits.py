"""How long a provider asks to wait, from the headers of its reply."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_UNITS = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_SPAN = re.compile(r"(\d+(?:\.\d+)?)(ms|[dhms])")
_BUCKETS = ("requests", "tokens")
_LONGEST_WAIT = 86400.0
# Above this a bare reset number is a point in time, not a span (Unix seconds, or
# milliseconds from another factor of a thousand on).
_EPOCH_SECONDS = 1e9
_EPOCH_MILLISECONDS = 1e12


def wait_asked_for(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds to wait before asking again, or None if the provider did not say.

    Looks at ``retry-after-ms``, ``retry-after`` (seconds, or an HTTP date against the
    reply's own ``date`` header and else ``now``), then the ``x-ratelimit-reset``
    headers. ``headers`` have lower-case names. Never negative, at most a day; what
    cannot be read counts as not said.
    """
    found = _milliseconds(headers.get("retry-after-ms"))
    if found is None:
        found = _retry_after(headers, now)
    if found is None:
        found = _bucket_reset(headers)
    if found is None:
        found = _reset(headers.get("x-ratelimit-reset"), now)
    return None if found is None else min(max(found, 0.0), _LONGEST_WAIT)


def _number(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _milliseconds(text: str | None) -> float | None:
    value = _number(text)
    return None if value is None else value / 1000


def _retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    text = headers.get("retry-after")
    seconds = _number(text)
    if seconds is not None or text is None:
        return seconds
    until = _date(text)
    if until is None:
        return _span(text)
    return (until - (_date(headers.get("date")) or now)).total_seconds()


def _date(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _span(text: str | None) -> float | None:
    """Read a span such as ``6m0s``, ``1.5s`` or ``20ms``, in seconds."""
    if text is None:
        return None
    parts = _SPAN.findall(text)
    if not parts or "".join(number + unit for number, unit in parts) != text.strip():
        return None
    return sum(float(number) * _UNITS[unit] for number, unit in parts)


def _bucket_reset(headers: Mapping[str, str]) -> float | None:
    """Take the reset of the bucket that ran empty; if none says so, the nearest."""
    resets = {}
    for bucket in _BUCKETS:
        reset = headers.get(f"x-ratelimit-reset-{bucket}")
        seconds = _span(reset) if _number(reset) is None else _number(reset)
        if seconds is not None:
            resets[bucket] = seconds
    empty = [
        seconds
        for bucket, seconds in resets.items()
        if _number(headers.get(f"x-ratelimit-remaining-{bucket}")) == 0
    ]
    if empty:
        return max(empty)
    return min(resets.values(), default=None)


def _reset(text: str | None, now: datetime) -> float | None:
    value = _number(text)
    if value is None:
        return _span(text)
    if value >= _EPOCH_MILLISECONDS:
        value /= 1000
    return value - now.timestamp() if value >= _EPOCH_SECONDS else value
