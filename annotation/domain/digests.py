"""Digests that come out the same in every process, database and key order."""

from __future__ import annotations

import hashlib
import json

_ENCODER = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
)


def canonical_json(value: object) -> bytes:
    """Encode ``value`` as canonical JSON: sorted keys, no spaces, UTF-8, no NaN.

    Strings are taken as they are (no Unicode normalisation: two texts that differ in
    bytes are two texts). Raises ``ValueError`` for NaN or infinity and ``TypeError``
    for what JSON cannot hold. Source: the shape of RFC 8785, with Python's number
    printing, which is stable for the integers and short decimals stored here.
    """
    return _ENCODER.encode(value).encode()


def digest_of(value: object) -> str:
    """SHA-256 of the canonical JSON of ``value``, as 64 hexadecimal digits."""
    return hashlib.sha256(canonical_json(value)).hexdigest()


def text_digest(text: str) -> str:
    """SHA-256 of the UTF-8 bytes of ``text``, as 64 hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()
