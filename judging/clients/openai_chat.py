"""The judge client for OpenAI-compatible endpoints; the only module with the SDK.

The SDK brings transport, authentication and connection reuse. Its typed parsing and
its retries stay unused: the body is read as text and classified by
:mod:`judging.domain.exchange`, and the runner decides what is asked again.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import aiohttp
import httpx2
from django.utils import timezone
from openai import (
    APIStatusError,
    AsyncOpenAI,
    DefaultAioHttpClient,
    Omit,
    OpenAIError,
)

from judging.domain.exchange import reply_from_body
from judging.domain.failures import failure_from_exception
from judging.domain.ports import (
    CallFailed,
    Endpoint,
    FailureKind,
    JudgeRequest,
    RawReply,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from datetime import datetime

    from openai._models import FinalRequestOptions
    from openai._types import RequestOptions

PATH = "/chat/completions"
_CONNECT_SECONDS = 15.0
_REDACTED = "[secret]"
# The SDK wraps most of what its transport raises, but not all of it (a reply that is
# no HTTP, for one).
_TRANSPORT_ERRORS = (
    OpenAIError,
    httpx2.HTTPError,
    httpx2.InvalidURL,
    aiohttp.ClientError,
    OSError,
)
# Shorter values are placeholders ("none", "local") that replies may well contain.
_SHORTEST_SECRET = 16


@dataclass(frozen=True, slots=True)
class Received:
    """An HTTP reply of any status, with secrets cut out of its text."""

    status: int
    headers: Mapping[str, str]
    text: str
    latency_ms: int


class OpenAIConnection:
    """The way to one endpoint. Use within one event loop and close it there.

    ``environ`` is where secrets are looked up, ``clock`` turns dates in headers into
    waits. Raises :class:`CallFailed` (which stops the run) when a variable that the
    endpoint names is not set or the address is unusable. Secrets are cut out of every
    body, detail and text that leaves the client.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        environ: Mapping[str, str] | None = None,
        clock: Callable[[], datetime] = timezone.now,
    ) -> None:
        environ = os.environ if environ is None else environ
        secrets = {name: _secret(environ, name) for name in endpoint.secret_names()}
        self._secrets = tuple(
            sorted(
                (value for value in secrets.values() if len(value) >= _SHORTEST_SECRET),
                key=len,
                reverse=True,
            )
        )
        self.clock = clock
        self._headers = _headers(endpoint, secrets)
        self._sdk = _sdk_client(endpoint, secrets)

    async def close(self) -> None:
        """Close the connections."""
        await self._sdk.close()

    async def post(
        self, path: str, body: Mapping[str, object], *, seconds: float, **more: Any
    ) -> Received | CallFailed:
        """Send JSON, or a form with ``files``; ``headers`` go with this request."""
        options = self._options(seconds, more.pop("headers", {}))
        sent = {"body": body, **more} if more else {"content": _encoded(body)}
        send = self._sdk.post(path, cast_to=httpx2.Response, options=options, **sent)
        return await self._receive(send, seconds)

    async def get(
        self, path: str, *, seconds: float, query: Mapping[str, object] | None = None
    ) -> Received | CallFailed:
        """Fetch something."""
        options = self._options(seconds, {})
        if query:
            options["params"] = query
        send = self._sdk.get(path, cast_to=httpx2.Response, options=options)
        return await self._receive(send, seconds)

    async def _receive(
        self, sending: Awaitable[httpx2.Response], seconds: float
    ) -> Received | CallFailed:
        """Bound the whole exchange: the transport's own time-outs only bound gaps."""
        started = time.perf_counter()
        try:
            async with asyncio.timeout(seconds):
                response = await sending
        except TimeoutError:
            detail = f"no complete answer within {seconds:g} s"
            return CallFailed(FailureKind.TIMEOUT, detail, latency_ms=_elapsed(started))
        except APIStatusError as error:
            response = error.response
        except _TRANSPORT_ERRORS as error:
            failure = failure_from_exception(error)
            detail = self._clean(failure.detail)
            return CallFailed(failure.kind, detail, latency_ms=_elapsed(started))
        return Received(
            response.status_code,
            _read_headers(response),
            self._clean(_text(response)),
            _elapsed(started),
        )

    def _options(self, seconds: float, headers: Mapping[str, str]) -> RequestOptions:
        timeout = httpx2.Timeout(
            seconds, connect=min(_CONNECT_SECONDS, seconds), pool=None
        )
        return {"headers": {**self._headers, **headers}, "timeout": timeout}

    def _clean(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, _REDACTED)
        return text


class OpenAIChatClient(OpenAIConnection):
    """Asks one endpoint for chat completions."""

    async def ask(self, request: JudgeRequest) -> RawReply:
        """Send one request and read the reply; raise :class:`CallFailed` if none came.

        The whole call is bounded by ``request.total_timeout``.
        """
        received = await self.post(
            PATH, request.body, seconds=request.total_timeout, headers=request.headers
        )
        outcome: RawReply | CallFailed
        if isinstance(received, CallFailed):
            outcome = received
        else:
            outcome = reply_from_body(
                received.status,
                received.headers,
                received.text,
                now=self.clock(),
                latency_ms=received.latency_ms,
            )
        # Raised out here, so that the SDK's exception, which holds the request and its
        # headers, is not carried along as context.
        if isinstance(outcome, CallFailed):
            raise outcome
        return outcome


class _Client(AsyncOpenAI):
    """Makes requests that differ in nothing but their body after one pattern.

    The SDK puts address, headers and time-outs together anew for every request, which
    takes as long as sending it.
    """

    @cached_property
    def patterns(self) -> dict[tuple[object, ...], httpx2.Request]:
        """Requests without a body, by all that makes them differ."""
        return {}

    def _build_request(
        self, options: FinalRequestOptions, *, retries_taken: int = 0
    ) -> httpx2.Request:
        if not isinstance(options.content, bytes):
            return super()._build_request(options, retries_taken=retries_taken)
        headers, timeout = dict(options.headers or {}), options.timeout
        key = (options.url, str(timeout), *headers.items())
        pattern = self.patterns.get(key)
        if pattern is None:
            pattern = super()._build_request(options, retries_taken=retries_taken)
            del pattern.headers["Content-Length"]
            self.patterns[key] = pattern
        return httpx2.Request(
            pattern.method,
            pattern.url,
            headers=pattern.headers,
            content=options.content,
            extensions=pattern.extensions,
        )


def _encoded(body: Mapping[str, object]) -> bytes:
    """JSON with keys in their order: a schema's order is that of the reply."""
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode()


def _read_headers(response: httpx2.Response) -> dict[str, str]:
    """The headers by small names; HTTP has no other charset than Latin-1 for them."""
    raw = response.headers.raw
    return {name.decode("latin-1").lower(): at.decode("latin-1") for name, at in raw}


def _text(response: httpx2.Response) -> str:
    """The body as text; JSON is UTF-8, so nobody need look for another charset."""
    if response.headers.get("content-type", "").startswith("application/json"):
        return response.content.decode("utf-8", "replace")
    return response.text


def _elapsed(started: float) -> int:
    return round((time.perf_counter() - started) * 1000)


def _secret(environ: Mapping[str, str], name: str) -> str:
    value = environ.get(name, "").strip()
    if not value:
        detail = f"environment variable {name} is not set; the endpoint needs it"
        raise CallFailed(FailureKind.MISCONFIGURED, detail)
    return value


def _headers(endpoint: Endpoint, secrets: Mapping[str, str]) -> dict[str, str | Omit]:
    """Headers for every request; without a named key no token is sent at all."""
    headers: dict[str, str | Omit] = dict(endpoint.headers)
    headers |= {name: secrets[env] for name, env in endpoint.secret_headers.items()}
    if endpoint.api_key_env is None and "authorization" not in map(str.lower, headers):
        headers["Authorization"] = Omit()
    return headers


def _sdk_client(endpoint: Endpoint, secrets: Mapping[str, str]) -> _Client:
    key = secrets[endpoint.api_key_env] if endpoint.api_key_env else "unused"
    try:
        client = _Client(
            base_url=endpoint.base_url,
            api_key=key,
            max_retries=0,
            default_query=dict(endpoint.query),
            http_client=DefaultAioHttpClient(
                trust_env=endpoint.trust_env, follow_redirects=False
            ),
        )
    except (OpenAIError, httpx2.InvalidURL, ValueError) as error:
        detail = f"unusable address {endpoint.base_url!r}: {error}"
        raise CallFailed(FailureKind.MISCONFIGURED, detail) from None
    # The SDK adds these from OPENAI_* variables; the frozen endpoint alone decides.
    client.organization = client.project = None
    client._custom_headers = {}  # noqa: SLF001 - no public way to leave the variable out
    return client
