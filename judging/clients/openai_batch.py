"""The batch client for OpenAI-compatible endpoints: files and batches."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from judging.clients.openai_chat import OpenAIConnection, Received
from judging.domain.batches import (
    ENDPOINT,
    KEY_NAME,
    WINDOW,
    BatchInfo,
    batch_info,
)
from judging.domain.failures import ErrorInfo, error_info, failure_from_error
from judging.domain.ports import CallFailed, FailureKind

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path
    from uuid import UUID

_SECONDS = 60.0
_FILE_SECONDS = 600.0  # 200 MB on a slow line
_PAGE = 100
_MOST_PAGES = 50
_NO_SUCCESS = 300
# Between our clock and the provider's.
_CLOCKS_DIFFER = 600
_MULTIPART = {"Content-Type": "multipart/form-data"}


class OpenAIBatchClient(OpenAIConnection):
    """Has files of requests carried out. Every method raises :class:`CallFailed`."""

    async def upload(self, path: Path, name: str) -> str:
        """Send a file of request lines; give its id."""
        received = await self.post(
            "/files",
            {"purpose": "batch"},
            files=[("file", (name, path, "application/jsonl"))],
            headers=_MULTIPART,
            seconds=_FILE_SECONDS,
        )
        payload = self._payload(received)
        found = payload.get("id") if isinstance(payload, dict) else None
        if not isinstance(found, str) or not found:
            raise _unreadable("file", payload)
        return found

    async def create(self, input_file_id: str, key: UUID) -> BatchInfo:
        """Have a file carried out, marked with our key."""
        body = {
            "input_file_id": input_file_id,
            "endpoint": ENDPOINT,
            "completion_window": WINDOW,
            "metadata": {KEY_NAME: str(key)},
        }
        return self._batch(await self.post("/batches", body, seconds=_SECONDS))

    async def retrieve(self, batch_id: str) -> BatchInfo:
        """Ask how a batch stands."""
        return self._batch(await self.get(f"/batches/{batch_id}", seconds=_SECONDS))

    async def cancel(self, batch_id: str) -> BatchInfo:
        """Have the rest of a batch left undone."""
        path = f"/batches/{batch_id}/cancel"
        return self._batch(await self.post(path, {}, seconds=_SECONDS))

    async def find(self, key: UUID, *, since: datetime) -> BatchInfo | None:
        """Look for a batch with our key, newest first, back to when it was made."""
        after = ""
        for _ in range(_MOST_PAGES):
            query: dict[str, object] = {"limit": _PAGE}
            query |= {"after": after} if after else {}
            listed = self._payload(
                await self.get("/batches", query=query, seconds=_SECONDS)
            )
            if not isinstance(listed, dict) or not isinstance(listed.get("data"), list):
                raise _unreadable("list of batches", listed)
            page = list(_batches(listed["data"]))
            for info in page:
                if info.metadata.get(KEY_NAME) == str(key):
                    return info
            if not listed.get("has_more") or not page or _older(page[-1], since):
                return None
            after = page[-1].id
        return None

    async def content(self, file_id: str) -> str:
        """Fetch a file of result lines."""
        received = await self.get(f"/files/{file_id}/content", seconds=_FILE_SECONDS)
        if isinstance(received, CallFailed):
            raise received
        if received.status >= _NO_SUCCESS:
            self._payload(received)
        return received.text

    def _batch(self, received: Received | CallFailed) -> BatchInfo:
        payload = self._payload(received)
        info = batch_info(payload)
        if info is None:
            raise _unreadable("batch", payload)
        return info

    def _payload(self, received: Received | CallFailed) -> object:
        """Decode a reply, or raise what it says went wrong."""
        if isinstance(received, CallFailed):
            raise received
        try:
            payload: object = json.loads(received.text)
        except (ValueError, RecursionError):
            payload = None
        error = None if batch_info(payload) else error_info(payload)
        if error is None and received.status >= _NO_SUCCESS:
            error = ErrorInfo(f"HTTP status {received.status}", frozenset(), told=False)
        if error is not None:
            raise failure_from_error(
                error,
                status=received.status,
                headers={k.lower(): v for k, v in received.headers.items()},
                body=received.text,
                now=self.clock(),
            )
        return payload


def _batches(listed: list[object]) -> Iterator[BatchInfo]:
    for payload in listed:
        info = batch_info(payload)
        if info is not None:
            yield info


def _older(info: BatchInfo, since: datetime) -> bool:
    made = info.created_at
    return made is not None and made < since.timestamp() - _CLOCKS_DIFFER


def _unreadable(what: str, payload: object) -> CallFailed:
    shown = json.dumps(payload, ensure_ascii=False, default=str)[:200]
    return CallFailed(FailureKind.BAD_BODY, f"the reply is no {what}: {shown}")
