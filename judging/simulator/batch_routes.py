"""The HTTP side of the simulated judge's files and batches."""

from __future__ import annotations

import asyncio
import json
from http import HTTPStatus
from typing import TYPE_CHECKING

from aiohttp import web

from judging.simulator.batches import BatchDesk, StoredBatch
from judging.simulator.shapes import Answer, error

if TYPE_CHECKING:
    from collections.abc import Callable

    from judging.simulator.counters import Counters
    from judging.simulator.options import Options

_PAGE = 20


class BatchRoutes:
    """Routes over one desk.

    Each request takes ``Options.batch_delay`` after it had its effect: whoever is
    killed while waiting does not know of it.
    """

    def __init__(
        self, options: Callable[[], Options], counters: Callable[[], Counters]
    ) -> None:
        self._options, self._counters = options, counters
        self._desk = BatchDesk()

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Declare the routes."""
        router.add_post("/v1/files", self._upload)
        router.add_get("/v1/files/{id}", self._file)
        router.add_get("/v1/files/{id}/content", self._content)
        router.add_post("/v1/batches", self._create)
        router.add_get("/v1/batches", self._list)
        router.add_get("/v1/batches/{id}", self._batch)
        router.add_post("/v1/batches/{id}/cancel", self._cancel)

    async def _upload(self, request: web.Request) -> web.StreamResponse:
        form = await request.post()
        file, purpose = form.get("file"), form.get("purpose")
        if not isinstance(file, web.FileField) or purpose != "batch":
            return _reply(error(400, "invalid_request", "A file and purpose=batch"))
        text = file.file.read().decode()
        kept = self._desk.keep(file.filename, purpose, text)
        return await self._done("upload", kept.as_json())

    async def _file(self, request: web.Request) -> web.StreamResponse:
        found = self._desk.files.get(request.match_info["id"])
        if found is None:
            return _missing("file")
        return await self._done("file", found.as_json())

    async def _content(self, request: web.Request) -> web.StreamResponse:
        found = self._desk.files.get(request.match_info["id"])
        if found is None:
            return _missing("file")
        await self._count("content")
        return web.Response(text=found.text, content_type="application/jsonl")

    async def _create(self, request: web.Request) -> web.StreamResponse:
        token = request.headers.get("Authorization", "")
        made = self._desk.make(self._options(), await _wanted(request), token)
        if isinstance(made, Answer):
            return _reply(made)
        return await self._done("create", self._desk.as_json(made))

    async def _list(self, request: web.Request) -> web.StreamResponse:
        newest = list(reversed(self._desk.batches.values()))
        names = [batch.id for batch in newest]
        after = request.query.get("after")
        start = names.index(after) + 1 if after in names else 0
        limit = int(request.query.get("limit", _PAGE))
        page = [self._desk.as_json(each) for each in newest[start : start + limit]]
        more = len(newest) > start + limit
        return await self._done(
            "list", {"object": "list", "data": page, "has_more": more}
        )

    async def _batch(self, request: web.Request) -> web.StreamResponse:
        found = self._found(request)
        if found is None:
            return _missing("batch")
        return await self._done("retrieve", self._desk.as_json(found))

    async def _cancel(self, request: web.Request) -> web.StreamResponse:
        found = self._found(request)
        if found is None:
            return _missing("batch")
        if not self._desk.cancel(found):
            message = f"A batch that is {found.ended} can't be cancelled"
            return _reply(error(HTTPStatus.CONFLICT, "invalid_request", message))
        return await self._done("cancel", self._desk.as_json(found))

    def _found(self, request: web.Request) -> StoredBatch | None:
        found = self._desk.batches.get(request.match_info["id"])
        if found is not None:
            self._desk.settle(found, self._options(), self._counters())
        return found

    async def _done(self, step: str, payload: object) -> web.StreamResponse:
        await self._count(step)
        return web.json_response(payload)

    async def _count(self, step: str) -> None:
        self._counters().batch_steps[step] += 1
        await asyncio.sleep(self._options().batch_delay)


async def _wanted(request: web.Request) -> dict[str, object]:
    try:
        found = json.loads(await request.read())
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _reply(answer: Answer) -> web.Response:
    return web.Response(
        status=answer.status, text=answer.text, content_type=answer.content_type
    )


def _missing(what: str) -> web.Response:
    return _reply(error(HTTPStatus.NOT_FOUND, "not_found", f"There is no such {what}"))
