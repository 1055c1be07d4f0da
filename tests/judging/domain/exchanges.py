"""Replies of a provider, as bodies and as they are read."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from judging.domain.exchange import reply_from_body
from judging.domain.ports import (
    CallFailed,
    RawReply,
)

NOW = datetime(2025, 1, 1, 12, 0, 0, tzinfo=UTC)


def read(status=200, body="", headers=None):
    text = body if isinstance(body, str) else json.dumps(body)
    return reply_from_body(status, headers or {}, text, now=NOW, latency_ms=7)


def reply(body, **headers) -> RawReply:
    found = read(200, body, headers)
    assert isinstance(found, RawReply), found
    return found


def failure(status, body="", headers=None) -> CallFailed:
    found = read(status, body, headers)
    assert isinstance(found, CallFailed), found
    assert [found.retry, found.stop_run, found.final_reason is not None].count(
        True
    ) == 1
    return found


def completion(message, finish="stop", **rest):
    return {"choices": [{"message": message, "finish_reason": finish}], **rest}


def error(code=None, message="it went wrong", **rest):
    return {"error": {"code": code, "message": message, **rest}}
