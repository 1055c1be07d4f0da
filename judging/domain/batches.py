"""The files of a batch API: requests, results, and what a batch says of itself.

Pure: texts and decoded JSON in, values out. A result line is read by the same rules as
a live reply. A request that the provider never carried out is neither a reply nor a
failure: it can be sent again without having been paid for.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from judging.domain.exchange import reply_from_body
from judging.domain.failures import error_info, failure_from_error
from judging.domain.ports import storable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime
    from pathlib import Path
    from uuid import UUID

    from judging.domain.ports import CallFailed, RawReply

ENDPOINT = "/v1/chat/completions"
WINDOW = "24h"
KEY_NAME = "evenhand_batch"
ENDED = frozenset({"completed", "failed", "expired", "cancelled"})
# What providers take: 50,000 requests and 200 MB in a file.
MOST_BYTES = 190_000_000
_NOT_CARRIED_OUT = frozenset({"batch_expired", "batch_cancelled"})
_QUEUE_FULL = "token_limit_exceeded"
_BAD_REQUEST = 400
_SERVER_FAULT = 500
_STATUSES = range(100, 600)
_LONGEST_ID = 200  # that the rows can keep
_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class BatchInfo:
    """A batch as the provider describes it; ids are empty where it gave none."""

    id: str
    status: str
    input_file_id: str = ""
    output_file_id: str = ""
    error_file_id: str = ""
    metadata: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    errors: tuple[Mapping[str, object], ...] = ()
    completed: int | None = None
    failed: int | None = None
    total: int | None = None
    created_at: int | None = None

    @property
    def has_ended(self) -> bool:
        """Whether the provider does nothing more for it."""
        return self.status in ENDED

    @property
    def queue_is_full(self) -> bool:
        """Whether it was refused since too much waits in the provider's queue."""
        return any(error.get("code") == _QUEUE_FULL for error in self.errors)

    @property
    def why(self) -> str:
        """What the provider said was wrong with its file; empty if nothing."""
        said = (str(error.get("message") or error.get("code")) for error in self.errors)
        return storable("; ".join(list(said)[:3]))


@dataclass(frozen=True, slots=True)
class NotCarriedOut:
    """The provider did not come to a request, and charges nothing for it."""

    detail: str


@dataclass(frozen=True, slots=True)
class ResultLine:
    """What became of one request of a batch."""

    custom_id: str
    outcome: RawReply | CallFailed | NotCarriedOut


class BatchClient(Protocol):
    """Files and batches of one endpoint; each raises ``CallFailed``."""

    async def upload(self, path: Path, name: str) -> str:
        """Send a file of request lines; give its id."""
        ...

    async def create(self, input_file_id: str, key: UUID) -> BatchInfo:
        """Have a file carried out, marked with our key."""
        ...

    async def retrieve(self, batch_id: str) -> BatchInfo:
        """Ask how a batch stands."""
        ...

    async def find(self, key: UUID, *, since: datetime) -> BatchInfo | None:
        """Look for a batch with our key among those made since then."""
        ...

    async def content(self, file_id: str) -> str:
        """Fetch a file of result lines."""
        ...

    async def cancel(self, batch_id: str) -> BatchInfo:
        """Have the rest of a batch left undone."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


def custom_id(key: UUID, call_id: int) -> str:
    """Name a request for the provider: tells nothing, and never changes."""
    return hashlib.sha256(f"{key}:{call_id}".encode()).hexdigest()[:32]


def request_line(name: str, body: Mapping[str, object]) -> str:
    """Write one line of the file that is sent, with its line end."""
    line = {"custom_id": name, "method": "POST", "url": ENDPOINT, "body": dict(body)}
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"


def batch_info(payload: object) -> BatchInfo | None:
    """Read what the provider says of a batch; ``None`` if that is no batch."""
    if not isinstance(payload, dict):
        return None
    name, status = _text(payload.get("id")), _text(payload.get("status"))
    if not (name and status) or len(name) > _LONGEST_ID:
        return None
    counts = _object(payload.get("request_counts"))
    metadata = _object(payload.get("metadata"))
    return BatchInfo(
        id=name,
        status=status,
        input_file_id=_text(payload.get("input_file_id"))[:_LONGEST_ID],
        output_file_id=_text(payload.get("output_file_id")),
        error_file_id=_text(payload.get("error_file_id")),
        metadata={k: v for k, v in metadata.items() if isinstance(v, str)},
        errors=tuple(_errors(payload.get("errors"))),
        completed=_count(counts.get("completed")),
        failed=_count(counts.get("failed")),
        total=_count(counts.get("total")),
        created_at=_count(payload.get("created_at")),
    )


def result_lines(text: str, *, now: datetime) -> Iterator[ResultLine | None]:
    """Read a file of results; ``None`` stands for a line that can't be read."""
    for line in text.split("\n"):
        if line.strip():
            yield _result(line, now)


def failure_of(info: BatchInfo, *, now: datetime) -> CallFailed | None:
    """What a refused batch means, by the first of its errors."""
    found = (error_info({"error": dict(error)}) for error in info.errors)
    error = next((each for each in found if each is not None), None)
    if error is None:
        return None
    return failure_from_error(error, status=_BAD_REQUEST, headers={}, body="", now=now)


def _result(line: str, now: datetime) -> ResultLine | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    name = found.get("custom_id") if isinstance(found, dict) else None
    if not isinstance(name, str):
        return None
    response = found.get("response")
    if isinstance(response, dict):
        return ResultLine(name, _responded(response, now))
    return ResultLine(name, _unanswered(_object(found.get("error")), line, now))


def _responded(response: dict[str, object], now: datetime) -> RawReply | CallFailed:
    body, status = response.get("body"), response.get("status_code")
    text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
    request_id = response.get("request_id")
    headers = {"x-request-id": request_id} if isinstance(request_id, str) else {}
    code = _count(status)
    if code is None or code not in _STATUSES:
        code = _SERVER_FAULT
    return reply_from_body(code, headers, text, now=now)


def _unanswered(
    error: dict[str, object], line: str, now: datetime
) -> CallFailed | NotCarriedOut:
    info = error_info({"error": error})
    if info is None or info.codes & _NOT_CARRIED_OUT:
        said = "" if info is None else info.message
        return NotCarriedOut(storable(said) or "not carried out")
    return failure_from_error(
        info, status=_SERVER_FAULT, headers={}, body=line, now=now
    )


def _errors(value: object) -> Iterable[Mapping[str, object]]:
    listed = _object(value).get("data")
    found = listed if isinstance(listed, list) else []
    return [error for error in found if isinstance(error, dict)]


def _object(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return storable(value) if isinstance(value, str) else ""


def _count(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        return None
    return value
