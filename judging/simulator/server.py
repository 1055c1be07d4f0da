"""The simulated judge as an OpenAI-compatible server on loopback.

Routes: ``POST /v1/chat/completions``, ``GET /v1/models``, ``GET /stats``,
``POST /stats/reset``, ``GET /health``, and ``/v1/files`` and ``/v1/batches``. Every
reply is labelled simulated: served model "simulated-judge", fingerprint "simulated".
"""

from __future__ import annotations

import asyncio
import json
import time
from http import HTTPStatus
from typing import TYPE_CHECKING

from aiohttp import web

from annotation.domain.digests import digest_of
from judging.domain.simulated import FINGERPRINT, SERVED_MODEL
from judging.simulator.batch_routes import BatchRoutes
from judging.simulator.brain import decide, delay_of, fault_of
from judging.simulator.counters import Counters
from judging.simulator.gate import RateLimit, refusal
from judging.simulator.options import Fault, Options
from judging.simulator.shapes import (
    Answer,
    answer_to,
    error,
)

if TYPE_CHECKING:
    from aiohttp.typedefs import Handler

_LARGEST_BODY = 64 * 1024 * 1024
_DRIP_SECONDS = 0.2
_HANG_SECONDS = 3600.0
_BROKEN = web.Response  # what aiohttp must be given, though nothing more is sent


class Server:
    """One simulated provider: its options, replaceable while it runs, and counts."""

    def __init__(self, options: Options) -> None:
        self.counters = Counters()
        self._options = options
        self._limit = RateLimit(options.rate_limit, time.monotonic())

    @property
    def options(self) -> Options:
        """What is planted now; set it to change the judge between two requests."""
        return self._options

    @options.setter
    def options(self, options: Options) -> None:
        self._limit = RateLimit(options.rate_limit, time.monotonic())
        self._options = options

    def application(self) -> web.Application:
        """Build the aiohttp application."""
        app = web.Application(client_max_size=_LARGEST_BODY, middlewares=[_labelled])
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_get("/v1/models", self._models)
        BatchRoutes(lambda: self._options, lambda: self.counters).add_to(app.router)
        app.router.add_get("/stats", self._stats)
        app.router.add_post("/stats/reset", self._reset)
        app.router.add_get("/health", self._health)
        return app

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        arrived = time.monotonic()
        self.counters.enter()
        try:
            return await self._answer(request, arrived)
        finally:
            self.counters.leave()

    async def _answer(self, request: web.Request, arrived: float) -> web.StreamResponse:
        body = await _body(request)
        if body is None:
            return _reply(error(400, "invalid_request_error", "The body is no object"))
        options = self._options
        token = request.headers.get("Authorization", "")
        refused = refusal(options, body, token, self.counters.bought)
        if refused is not None:
            self.counters.refusals[json.loads(refused.text)["error"]["code"]] += 1
            return _reply(refused)
        if not self._limit.allows(time.monotonic()):
            self.counters.refusals["rate_limit"] += 1
            return _rate_limited(options)
        return await self._judged(request, body, options, arrived)

    async def _judged(
        self,
        request: web.Request,
        body: dict[str, object],
        options: Options,
        arrived: float,
    ) -> web.StreamResponse:
        digest = digest_of(body)
        fault = fault_of(options, digest, self.counters.attempt(digest))
        if fault is not None:
            self.counters.faults[fault] += 1
            with self.counters.left_alone(hung=fault is Fault.HANG):
                return await _faulty(request, fault, options)
        decision = decide(options, body)
        shape = decision.shape or "verdict"
        self.counters.buy(digest, decision.rule, decision.said, shape)
        answer = answer_to(decision, body, digest)
        # Its own thinking is part of the time that the judge is said to take.
        answered_at = arrived + delay_of(options, digest)
        await asyncio.sleep(answered_at - time.monotonic())
        return _reply(answer)

    async def _models(self, request: web.Request) -> web.StreamResponse:  # noqa: ARG002 - aiohttp's signature
        name = self._options.only_model or SERVED_MODEL
        model = {"id": name, "object": "model", "created": 0, "owned_by": FINGERPRINT}
        return web.json_response({"object": "list", "data": [model]})

    async def _stats(self, request: web.Request) -> web.StreamResponse:  # noqa: ARG002 - aiohttp's signature
        return web.json_response(self.counters.as_json())

    async def _reset(self, request: web.Request) -> web.StreamResponse:  # noqa: ARG002 - aiohttp's signature
        self.counters = Counters(in_flight=self.counters.in_flight)
        return web.json_response(self.counters.as_json())

    async def _health(self, request: web.Request) -> web.StreamResponse:  # noqa: ARG002 - aiohttp's signature
        return web.json_response({"status": "ok", "simulated": True})


@web.middleware
async def _labelled(request: web.Request, handler: Handler) -> web.StreamResponse:
    response = await handler(request)
    if not response.prepared:
        response.headers["X-Simulated"] = "true"
    return response


async def _body(request: web.Request) -> dict[str, object] | None:
    try:
        body = json.loads(await request.read())
    except ValueError:
        return None
    return body if isinstance(body, dict) else None


def _reply(answer: Answer) -> web.Response:
    return web.Response(
        status=answer.status, text=answer.text, content_type=answer.content_type
    )


def _rate_limited(options: Options) -> web.Response:
    message = "Rate limit reached for requests"
    response = _reply(
        error(HTTPStatus.TOO_MANY_REQUESTS, "rate_limit_exceeded", message)
    )
    response.headers["Retry-After"] = f"{options.retry_after:g}"
    return response


async def _faulty(
    request: web.Request, fault: Fault, options: Options
) -> web.StreamResponse:
    if fault is Fault.RATE_LIMITED:
        return _rate_limited(options)
    if fault is Fault.SERVER_ERROR:
        return _reply(error(500, "server_error", "The server had an error"))
    if fault is Fault.HANG:
        await asyncio.sleep(_HANG_SECONDS)
    if fault in (Fault.CUT_SHORT, Fault.DRIP):
        await _partly(request, drip=fault is Fault.DRIP)
    if request.transport is not None:
        request.transport.abort()
    return _BROKEN()


async def _partly(request: web.Request, *, drip: bool) -> None:
    """Send the start of a body, then stop; a dripping one goes on byte by byte."""
    response = web.StreamResponse(headers={"Content-Length": "4096"})
    await response.prepare(request)
    await response.write(b'{"id": "sim-')
    for _ in range(4000 if drip else 0):
        await asyncio.sleep(_DRIP_SECONDS)
        await response.write(b" ")
