"""The judge port: what a judge is asked, what it answers, how a call can fail.

Clients implement :class:`JudgeClient`; the runner knows nothing else of providers.
A failure says what to do next: ask again, keep it as this call's final answer, or
stop the run because every other call would fail in the same way.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from annotation.domain.digests import digest_of
from judging.domain.terms import InvalidReason

if TYPE_CHECKING:
    from collections.abc import Mapping

_NOTHING: Mapping[str, str] = MappingProxyType({})
_NO_PARAMS: Mapping[str, object] = MappingProxyType({})
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_OWN_FIELDS = frozenset({"model", "messages", "stream", "stream_options"})


def storable(text: str) -> str:
    """Replace what no database or digest can hold: NUL and lone surrogates."""
    return _UNSTORABLE.sub("\ufffd", text)


class Role(StrEnum):
    """Who a chat message is from."""

    SYSTEM = "system"
    DEVELOPER = "developer"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a judge is reached, with secrets by environment name only.

    ``api_key_env`` names the variable whose value is sent as the bearer token; None
    sends no token (local servers). ``secret_headers`` maps a header to the variable
    with its value (``{"api-key": "AZURE_KEY"}``); ``headers`` and ``query`` are sent
    as they are. ``trust_env`` lets proxy settings of the environment apply.
    """

    base_url: str
    api_key_env: str | None = None
    headers: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    secret_headers: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    query: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    trust_env: bool = False

    def secret_names(self) -> frozenset[str]:
        """Every environment variable that this endpoint reads."""
        named = {self.api_key_env} if self.api_key_env else set()
        return frozenset(named | set(self.secret_headers.values()))


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    """One chat request. ``params`` are body fields that are sent as they are.

    ``headers`` go with this request only and are not part of its hash.
    ``total_timeout`` bounds the whole call, body included, in seconds. Raises
    ``ValueError`` for a parameter that would replace the model or the messages or
    turn on streaming, and for a timeout that is not positive.
    """

    messages: tuple[Message, ...]
    model: str
    params: Mapping[str, object] = field(default_factory=lambda: _NO_PARAMS)
    headers: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    total_timeout: float = 120.0

    def __post_init__(self) -> None:
        taken = sorted(_OWN_FIELDS & set(self.params))
        if taken:
            msg = f"parameters may not set {', '.join(taken)}"
            raise ValueError(msg)
        if not self.messages:
            raise ValueError("a request needs at least one message")
        if not self.total_timeout > 0:
            raise ValueError("total_timeout must be positive")

    @property
    def body(self) -> dict[str, object]:
        """The JSON body, with messages in order and parameters beside them."""
        messages = [{"role": str(m.role), "content": m.content} for m in self.messages]
        return {"model": self.model, "messages": messages, **self.params}

    @property
    def request_hash(self) -> str:
        """SHA-256 of the canonical body: the same question has the same hash."""
        return digest_of(self.body)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them; None where it did not say."""

    prompt: int | None = None
    completion: int | None = None
    reasoning: int | None = None
    cached: int | None = None


@dataclass(frozen=True, slots=True)
class RawReply:
    """What came back from a judge, before any verdict is read from it.

    ``text`` is the visible answer (None: there was none), ``reasoning`` the model's
    own reasoning channel, which is kept and never searched. ``others`` are the texts of
    further choices, which nobody asked for. ``body`` is the raw body.
    """

    text: str | None
    body: str
    reasoning: str | None = None
    refusal: str | None = None
    finish_reason: str | None = None
    tool_calls: bool = False
    served_model: str | None = None
    fingerprint: str | None = None
    usage: Usage = Usage()
    request_id: str | None = None
    latency_ms: int = 0
    others: tuple[str, ...] = ()


class FailureKind(StrEnum):
    """What went wrong with a call that brought no reply."""

    RATE_LIMITED = "rate_limited"
    SERVER = "server"
    BAD_BODY = "bad_body"
    CONNECTION = "connection"
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    FILTERED = "filtered"
    TOO_LONG = "too_long"
    REJECTED = "rejected"
    UNAUTHORISED = "unauthorised"
    MODEL_NOT_FOUND = "model_not_found"
    QUOTA = "quota"
    MISCONFIGURED = "misconfigured"


RETRIED = frozenset(
    {
        FailureKind.RATE_LIMITED,
        FailureKind.SERVER,
        FailureKind.BAD_BODY,
        FailureKind.CONNECTION,
        FailureKind.UNREACHABLE,
        FailureKind.TIMEOUT,
    }
)
FINAL = MappingProxyType(
    {
        FailureKind.FILTERED: InvalidReason.FILTERED,
        FailureKind.TOO_LONG: InvalidReason.TOO_LONG,
        FailureKind.REJECTED: InvalidReason.PROVIDER_ERROR,
    }
)
STOPPING = frozenset(set(FailureKind) - RETRIED - set(FINAL))


class CallFailed(Exception):
    """A call that brought no reply, and what to do about it.

    Exactly one holds: ``retry`` (ask again), ``final_reason`` (this call ends here as
    invalid) or ``stop_run`` (no other call of the run would fare better).
    ``retry_after`` is what the provider asked for, in seconds; ``status`` and ``body``
    are what it sent, if it sent anything.
    """

    def __init__(
        self,
        kind: FailureKind,
        detail: str,
        *,
        status: int | None = None,
        retry_after: float | None = None,
        body: str = "",
        request_id: str | None = None,
        latency_ms: int = 0,
    ) -> None:
        detail = storable(detail)
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail
        self.status = status
        self.retry_after = retry_after
        self.body = body
        self.request_id = request_id
        self.latency_ms = latency_ms

    @property
    def is_page(self) -> bool:
        """Whether a page of HTML came in place of an answer: no API wrote that."""
        return self.body.lstrip("\ufeff \t\r\n")[:1] == "<"

    @property
    def retry(self) -> bool:
        """Whether the same request may succeed later."""
        return self.kind in RETRIED

    @property
    def stop_run(self) -> bool:
        """Whether the run must stop: the fault lies in its configuration or account."""
        return self.kind in STOPPING

    @property
    def final_reason(self) -> InvalidReason | None:
        """Why this call is invalid for good; None if it is to be retried or stops."""
        return FINAL.get(self.kind)

    @property
    def exhausted_reason(self) -> InvalidReason:
        """The reason to store once no further attempt will be made."""
        if self.kind is FailureKind.TIMEOUT:
            return InvalidReason.TIMEOUT
        return self.final_reason or InvalidReason.PROVIDER_ERROR


class JudgeClient(Protocol):
    """Asks a judge. Implementations neither retry nor wait."""

    async def ask(self, request: JudgeRequest) -> RawReply:
        """Send one request; raise :class:`CallFailed` if no reply came."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...
