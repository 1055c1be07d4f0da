"""What a provider's error, or a broken connection, means for the call and the run.

Pure: statuses, headers and bodies in, :class:`CallFailed` out. Providers say the same
thing in different ways, so codes are looked at first, then a few narrow phrases, then
the status. Nothing here guesses a verdict.
"""

from __future__ import annotations

import re
import ssl
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

from judging.domain.ports import CallFailed, FailureKind
from judging.domain.waits import wait_asked_for

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

_CODES = {
    FailureKind.FILTERED: {
        "content_filter",
        "content_policy_violation",
        "responsibleaipolicyviolation",
        "invalid_prompt",
        "moderation_blocked",
        "data_inspection_failed",
    },
    FailureKind.TOO_LONG: {
        "context_length_exceeded",
        "string_above_max_length",
        "exceed_context_size_error",
        "request_too_large",
    },
    FailureKind.QUOTA: {
        "insufficient_quota",
        "billing_hard_limit_reached",
        "billing_not_active",
        "insufficient_balance",
        "account_deactivated",
    },
    FailureKind.MODEL_NOT_FOUND: {
        "model_not_found",
        "invalid_model",
        "deploymentnotfound",
        "model_not_available",
    },
    FailureKind.UNAUTHORISED: {"invalid_api_key", "authentication_error"},
    FailureKind.MISCONFIGURED: {
        "unsupported_parameter",
        "unsupported_value",
        "unknown_parameter",
        "invalid_json_schema",
        "extra_forbidden",
        "operationnotsupported",
    },
}
_KIND_OF_CODE = {code: kind for kind, codes in _CODES.items() for code in codes}

_PHRASES = (
    (
        FailureKind.FILTERED,
        r"content management policy|input was flagged|flagged as potentially violating",
    ),
    (
        FailureKind.TOO_LONG,
        (
            r"maximum context length|exceeds? the (available )?context|context window"
            r"|(prompt|input|request) (is )?too (long|large)"
        ),
    ),
    (
        FailureKind.MISCONFIGURED,
        (
            r"unsupported parameter|unrecognized request argument"
            r"|unknown (parameter|field)|extra inputs are not permitted"
            r"|does not support (the )?\S*(parameter|temperature|response_format)"
        ),
    ),
    (
        FailureKind.MODEL_NOT_FOUND,
        r"model \S+ (was )?(not found|does not exist)|no such model|unknown model",
    ),
)
# What some servers answer with a 400 or 422 to whatever they are asked.
_NOT_READY = (
    r"(model|server)( \S+)? (is )?(\w+ )?(loading|being loaded|warming up"
    r"|not (yet )?(ready|loaded))"
    r"|(temporarily|service) unavailable|overloaded|try again later"
)

_STATUS = {
    400: FailureKind.REJECTED,
    401: FailureKind.UNAUTHORISED,
    402: FailureKind.QUOTA,
    403: FailureKind.UNAUTHORISED,
    404: FailureKind.MODEL_NOT_FOUND,
    405: FailureKind.MISCONFIGURED,
    408: FailureKind.TIMEOUT,
    409: FailureKind.SERVER,
    410: FailureKind.MODEL_NOT_FOUND,
    413: FailureKind.TOO_LONG,
    425: FailureKind.SERVER,
    429: FailureKind.RATE_LIMITED,
    501: FailureKind.MISCONFIGURED,
    504: FailureKind.TIMEOUT,
}
# The body is ours and the same for every call but for the messages, so an error that
# names any other field is about the configuration.
_PER_CALL_FIELDS = ("messages", "input", "prompt")
_MAX_DETAIL = 500
_NO_SUCCESS = HTTPStatus.MULTIPLE_CHOICES
_ERRORS = HTTPStatus.BAD_REQUEST
_SERVER_FAULT = HTTPStatus.INTERNAL_SERVER_ERROR
_REFUSALS_OF_A_BODY = (HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY)


@dataclass(frozen=True, slots=True)
class ErrorInfo:
    """An error body, whatever its shape: message, codes and the field it names.

    ``told`` by the provider's API; a page of HTML, say, is what stands before it.
    """

    message: str
    codes: frozenset[str]
    param: str | None = None
    told: bool = True

    @property
    def status(self) -> int | None:
        """An HTTP status given as the error's code (gateways do that), if any."""
        numbers = [int(code) for code in self.codes if re.fullmatch(r"[45]\d\d", code)]
        return numbers[0] if numbers else None


def error_info(payload: object) -> ErrorInfo | None:
    """Find the error in a decoded body; None if it holds none.

    Knows ``{"error": {...}}`` and ``{"error": "text"}``, the same inside a list,
    ``{"object": "error", "message": ...}`` and ``{"detail": ...}``.
    """
    if isinstance(payload, list) and len(payload) == 1:
        payload = payload[0]
    if not isinstance(payload, dict):
        return None
    error = payload.get("error")
    if error is None and "choices" not in payload:
        error = _unwrapped_error(payload)
    if isinstance(error, dict) and error:
        return _from_object(error)
    return ErrorInfo(_short(error), frozenset()) if error else None


def failure_from_error(
    error: ErrorInfo,
    *,
    status: int,
    headers: Mapping[str, str],
    body: str,
    now: datetime,
) -> CallFailed:
    """Classify an error reply; ``headers`` have lower-case names.

    ``status`` is the HTTP status; an error inside a 200 is judged by its own code and
    is otherwise a server's fault. The detail is the provider's own message, shortened.
    """
    judged = status if status >= _NO_SUCCESS else error.status or _SERVER_FAULT
    kind = _kind(error, judged)
    waiting = kind in (
        FailureKind.RATE_LIMITED,
        FailureKind.SERVER,
        FailureKind.TIMEOUT,
    )
    return CallFailed(
        kind,
        error.message or f"HTTP status {status} without a message",
        status=status,
        retry_after=wait_asked_for(headers, now) if waiting else None,
        body=body,
        request_id=headers.get("x-request-id"),
    )


def deepest_cause(error: BaseException) -> BaseException:
    """Follow causes and contexts to the first thing that went wrong.

    Wrappers name the layer that noticed, not the fault: a reset connection reaches us
    as a time-out. Cancellations are passed over, since deadlines are made of them.
    """
    seen: set[int] = set()
    while id(error) not in seen:
        seen.add(id(error))
        below = error.__cause__ or (
            None if error.__suppress_context__ else error.__context__
        )
        if not isinstance(below, Exception):
            break
        error = below
    return error


def failure_from_exception(error: BaseException) -> CallFailed:
    """Classify a transport exception by its deepest cause.

    Libraries' own classes are told apart by name, so that this module imports none.
    """
    cause = deepest_cause(error)
    named = f"{type(cause).__name__}: {cause}".rstrip(": ")
    return CallFailed(_transport_kind(cause), named[:_MAX_DETAIL])


def _unwrapped_error(payload: dict[object, object]) -> object:
    if payload.get("object") == "error":
        return payload
    return payload.get("detail")


def _from_object(error: dict[object, object]) -> ErrorInfo:
    inner = error.get("innererror")
    sources = [error.get("code"), error.get("type")]
    sources += [inner.get("code")] if isinstance(inner, dict) else []
    codes = frozenset(str(s).lower() for s in sources if isinstance(s, str | int))
    param = error.get("param")
    return ErrorInfo(
        _short(error.get("message") or error),
        codes,
        param if isinstance(param, str) and param else None,
    )


def _short(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text.strip()[:_MAX_DETAIL]


def _kind(error: ErrorInfo, status: int) -> FailureKind:
    for code in sorted(error.codes):
        if code in _KIND_OF_CODE:
            return _KIND_OF_CODE[code]
    if _ERRORS <= status <= _SERVER_FAULT:
        for kind, phrase in _PHRASES:
            if re.search(phrase, error.message, re.IGNORECASE):
                return kind
    kind = _by_status(status)
    return _of_rejection(error, status) if kind is FailureKind.REJECTED else kind


def _of_rejection(error: ErrorInfo, status: int) -> FailureKind:
    """A rejection is of a call only if somebody has read that."""
    if status in _REFUSALS_OF_A_BODY and _names_our_field(error.param):
        return FailureKind.MISCONFIGURED
    if not error.told or re.search(_NOT_READY, error.message, re.IGNORECASE):
        return FailureKind.SERVER
    return FailureKind.REJECTED


def _names_our_field(param: str | None) -> bool:
    return param is not None and not param.startswith(_PER_CALL_FIELDS)


def _by_status(status: int) -> FailureKind:
    if status in _STATUS:
        return _STATUS[status]
    if status >= _SERVER_FAULT:
        return FailureKind.SERVER
    return FailureKind.REJECTED if status >= _ERRORS else FailureKind.MISCONFIGURED


_UNUSABLE_ADDRESS = (
    "InvalidURL",
    "UnsupportedProtocol",
    "LocalProtocolError",
    "InvalidUrlClientError",
    "NonHttpUrlClientError",
)
_UNREACHABLE = ("gaierror", "ClientConnectorDNSError", "ConnectionRefusedError")


def _transport_kind(cause: BaseException) -> FailureKind:
    name = type(cause).__name__
    if isinstance(cause, ssl.SSLCertVerificationError) or name in _UNUSABLE_ADDRESS:
        return FailureKind.MISCONFIGURED
    if isinstance(cause, TimeoutError) or name.endswith("Timeout"):
        return FailureKind.TIMEOUT
    if name in _UNREACHABLE or isinstance(cause, ConnectionRefusedError):
        return FailureKind.UNREACHABLE
    return FailureKind.CONNECTION
