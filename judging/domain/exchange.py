"""From a provider's HTTP reply to a :class:`RawReply`, or to what went wrong.

Status 200 is no promise: proxies send HTML, gateways send errors, models send nothing.
Each is recorded as what it is. A reply without text is still a reply (it was paid
for); a body that is no chat completion at all is a failure to be retried.
"""

from __future__ import annotations

import json
from dataclasses import replace
from http import HTTPStatus
from typing import TYPE_CHECKING

from judging.domain.failures import ErrorInfo, error_info, failure_from_error
from judging.domain.ports import CallFailed, FailureKind, RawReply, Usage, storable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

_REASONING_FIELDS = ("reasoning_content", "reasoning", "thinking")
_MAX_SHOWN = 200
_MOST_TOKENS = 10**12  # beyond, it is no count, and no database could add it up
# Finish reasons with which gateways report that generation itself broke down.
_BROKEN_FINISH = frozenset({"error", "insufficient_system_resource"})


def reply_from_body(
    status: int,
    headers: Mapping[str, str],
    body_text: str,
    *,
    now: datetime,
    latency_ms: int = 0,
) -> RawReply | CallFailed:
    """Read one HTTP reply of a chat completions endpoint.

    ``headers`` may be in any case; ``now`` is used only to turn dates into waits. The
    failure is returned, not raised, so that the caller decides; it never holds a
    verdict. NUL characters and lone surrogates, which no database or digest can hold,
    become U+FFFD.
    """
    lower = {name.lower(): value for name, value in headers.items()}
    body = storable(body_text)
    try:
        outcome = _read(status, lower, body, now, latency_ms)
    except Exception as error:  # noqa: BLE001 - it was paid for: kept, whatever it is
        outcome = unreadable(error, status=status, body=body)
    if isinstance(outcome, CallFailed):
        outcome.latency_ms = latency_ms
    return outcome


def unreadable(error: Exception, *, status: int | None, body: str) -> CallFailed:
    """What a reply is that could not be read for a reason nobody thought of."""
    detail = f"the reply can't be read: {type(error).__name__}: {error}"
    return CallFailed(FailureKind.BAD_BODY, detail[:500], status=status, body=body)


def _read(
    status: int, headers: Mapping[str, str], body: str, now: datetime, latency_ms: int
) -> RawReply | CallFailed:
    payload = _decoded(body)
    error = _error_in(payload, body, status)
    if error is not None:
        return failure_from_error(
            error, status=status, headers=headers, body=body, now=now
        )
    if not isinstance(payload, dict) or "choices" not in payload:
        return _bad_body(status, headers, body, payload)
    choices = payload["choices"]
    if choices is not None and not isinstance(choices, list):
        return _bad_body(status, headers, body, payload)
    reply = _reply(payload, _first(choices), headers, body, latency_ms)
    return replace(reply, others=_others(choices))


def _decoded(body: str) -> object:
    """Decode a JSON body; anything else (HTML, a cut-off object) comes back as text."""
    try:
        return json.loads(body.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return body


def _error_in(payload: object, body: str, status: int) -> ErrorInfo | None:
    error = error_info(payload) or _choice_error(payload)
    if error is None and status >= HTTPStatus.MULTIPLE_CHOICES:
        detail = f"HTTP status {status}: {_shown(body)}"
        return ErrorInfo(detail, frozenset(), told=False)
    return error


def _choice_error(payload: object) -> ErrorInfo | None:
    """Find an error inside the choice, as gateways report a model that broke down."""
    choices = payload.get("choices") if isinstance(payload, dict) else None
    choice = _first(choices if isinstance(choices, list) else None)
    if choice.get("error"):
        return error_info(choice)
    finish = choice.get("finish_reason")
    if isinstance(finish, str) and finish in _BROKEN_FINISH:
        return ErrorInfo(f"finish_reason {finish}", frozenset())
    return None


def _bad_body(
    status: int, headers: Mapping[str, str], body: str, payload: object
) -> CallFailed:
    named = "an object without choices" if isinstance(payload, dict) else "no object"
    return CallFailed(
        FailureKind.BAD_BODY,
        f"status {status}, but the body is {named}: {_shown(body)}",
        status=status,
        body=body,
        request_id=headers.get("x-request-id"),
    )


def _shown(body: str) -> str:
    text = " ".join(body[: _MAX_SHOWN * 2].split())
    return repr(text[:_MAX_SHOWN]) if text else "empty"


def _first(choices: list[object] | None) -> dict[str, object]:
    choice = choices[0] if choices else None
    return choice if isinstance(choice, dict) else {}


def _others(choices: list[object] | None) -> tuple[str, ...]:
    """Texts of further choices: nobody asked for any, and they may say otherwise."""
    texts = []
    for choice in (choices or [])[1:]:
        message = choice.get("message") if isinstance(choice, dict) else None
        content = message.get("content") if isinstance(message, dict) else None
        if text := _content(content):
            texts.append(text)
    return tuple(texts)


def _reply(
    payload: dict[str, object],
    choice: dict[str, object],
    headers: Mapping[str, str],
    body: str,
    latency_ms: int,
) -> RawReply:
    found = choice.get("message")
    message = found if isinstance(found, dict) else {}
    return RawReply(
        text=_content(message.get("content")),
        body=body,
        reasoning=_reasoning(message),
        refusal=_content(message.get("refusal"))
        or _parts(message.get("content"), "refusal"),
        finish_reason=_string(choice.get("finish_reason")),
        tool_calls=bool(message.get("tool_calls") or message.get("function_call")),
        served_model=_string(payload.get("model")),
        fingerprint=_string(payload.get("system_fingerprint")),
        usage=_usage(payload.get("usage")),
        request_id=headers.get("x-request-id") or _string(payload.get("id")),
        latency_ms=latency_ms,
    )


def _string(value: object) -> str | None:
    return storable(value) if isinstance(value, str) else None


def _content(value: object) -> str | None:
    """Visible text: a string, or the text parts of a list of content parts."""
    return _parts(value, "text") if isinstance(value, list) else _string(value)


def _parts(value: object, kind: str) -> str | None:
    """Join the parts of one kind, so that thinking parts never mix with the text."""
    if not isinstance(value, list):
        return None
    parts = [
        part[kind]
        for part in value
        if isinstance(part, dict)
        and part.get("type") == kind
        and isinstance(part.get(kind), str)
    ]
    return storable("".join(parts)) if parts else None


def _reasoning(message: dict[str, object]) -> str | None:
    for name in _REASONING_FIELDS:
        text = _string(message.get(name))
        if text:
            return text
    return None


def _usage(value: object) -> Usage:
    usage = value if isinstance(value, dict) else {}
    completion = _inner(usage, "completion_tokens_details")
    prompt = _inner(usage, "prompt_tokens_details")
    cached = _count(prompt.get("cached_tokens"))
    return Usage(
        prompt=_count(usage.get("prompt_tokens")),
        completion=_count(usage.get("completion_tokens")),
        reasoning=_count(completion.get("reasoning_tokens")),
        cached=_count(usage.get("prompt_cache_hit_tokens"))
        if cached is None
        else cached,
    )


def _inner(usage: dict[str, object], name: str) -> dict[str, object]:
    value = usage.get(name)
    return value if isinstance(value, dict) else {}


def _count(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 <= value <= _MOST_TOKENS else None
