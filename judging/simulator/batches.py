"""Files and batches of a simulated judge: the same decisions, handed over as files.

Everything is kept in memory. What befalls the successive batches is planted in order
(``Options.batch_fates``); the lines of one are answered when it is made, in the order
of its file, and shown once its time is over.
"""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING

from annotation.domain.digests import digest_of
from judging.simulator.brain import decide, fault_of
from judging.simulator.gate import refusal
from judging.simulator.options import BatchFate, Fault
from judging.simulator.shapes import Answer, answer_to, error

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judging.simulator.counters import Counters
    from judging.simulator.options import Options

_STATUS = {
    BatchFate.COMPLETED: "completed",
    BatchFate.EXPIRED: "expired",
    BatchFate.FAILED: "failed",
    BatchFate.QUEUE_FULL: "failed",
    BatchFate.CANCELLED: "cancelled",
}
_REFUSED = {
    BatchFate.FAILED: ("invalid_json_line", "The file could not be parsed."),
    BatchFate.QUEUE_FULL: (
        "token_limit_exceeded",
        "Enqueued token limit reached for this model.",
    ),
}
_UNDONE = {
    "expired": ("batch_expired", "The completion window ended before this request."),
    "cancelled": ("batch_cancelled", "The batch was cancelled before this request."),
}


@dataclass
class StoredFile:
    """A file by its id."""

    id: str
    name: str
    purpose: str
    text: str
    made: int

    def as_json(self) -> dict[str, object]:
        """Describe it as the API does."""
        return {
            "id": self.id,
            "object": "file",
            "bytes": len(self.text.encode()),
            "created_at": self.made,
            "filename": self.name,
            "purpose": self.purpose,
            "status": "processed",
        }


@dataclass
class StoredBatch:
    """A batch: what is to become of it, and when."""

    id: str
    input_file_id: str
    metadata: object
    fate: BatchFate
    made: int
    ready_at: float
    lines: list[dict[str, object]] = field(default_factory=list)
    cancelling: bool = False
    ended: str = ""
    output: str = ""
    errors: str = ""


class BatchDesk:
    """Takes files and batches, and hands their results out."""

    def __init__(self) -> None:
        self.files: dict[str, StoredFile] = {}
        self.batches: dict[str, StoredBatch] = {}

    def keep(self, name: str, purpose: str, text: str) -> StoredFile:
        """Store a file."""
        content = hashlib.sha256(text.encode()).hexdigest()[:12]
        number = len(self.files) + 1
        kept = StoredFile(
            f"file-{number}-{content}", name, purpose, text, int(time.time())
        )
        self.files[kept.id] = kept
        return kept

    def make(
        self, options: Options, wanted: Mapping[str, object], token: str
    ) -> StoredBatch | Answer:
        """Begin a batch, or refuse what was asked for."""
        file = self.files.get(str(wanted.get("input_file_id")))
        if file is None or file.purpose != "batch":
            return error(
                HTTPStatus.BAD_REQUEST,
                "invalid_request",
                "There is no such input file",
                param="input_file_id",
            )
        if options.api_key is not None and token != f"Bearer {options.api_key}":
            return error(
                HTTPStatus.UNAUTHORIZED, "invalid_api_key", "Incorrect API key"
            )
        number = len(self.batches)
        fates = options.batch_fates
        fate = fates[number] if number < len(fates) else BatchFate.COMPLETED
        made = StoredBatch(
            id=f"batch_{number + 1}",
            input_file_id=file.id,
            metadata=wanted.get("metadata"),
            fate=fate,
            made=int(time.time()),
            ready_at=time.monotonic() + options.batch_seconds,
            lines=[json.loads(line) for line in file.text.split("\n") if line.strip()],
        )
        self.batches[made.id] = made
        return made

    def cancel(self, batch: StoredBatch) -> bool:
        """Leave the rest undone; false if it has ended."""
        if batch.ended:
            return False
        batch.cancelling, batch.fate = True, BatchFate.CANCELLED
        return True

    def settle(self, batch: StoredBatch, options: Options, counters: Counters) -> None:
        """Carry a batch out when its time has come, or when it is cancelled."""
        if batch.ended or (time.monotonic() < batch.ready_at and not batch.cancelling):
            return
        batch.ended = _STATUS[batch.fate]
        if batch.fate in _REFUSED:
            return
        done = len(batch.lines)
        if batch.fate is not BatchFate.COMPLETED:
            done = int(done * options.batch_done)
        results = [_result(options, counters, line) for line in batch.lines[:done]]
        results += [_undone(batch.ended, line) for line in batch.lines[done:]]
        for name in ("output", "errors"):
            text = "".join(text for where, text in results if where == name)
            if text:
                kept = self.keep(f"{batch.id}_{name}.jsonl", "batch_output", text)
                setattr(batch, name, kept.id)

    def as_json(self, batch: StoredBatch) -> dict[str, object]:
        """Describe a batch as the API does."""
        refused = _REFUSED.get(batch.fate) if batch.ended else None
        problems = refused and {"code": refused[0], "message": refused[1], "line": None}
        return {
            "id": batch.id,
            "object": "batch",
            "endpoint": "/v1/chat/completions",
            "errors": {"object": "list", "data": [problems]} if problems else None,
            "input_file_id": batch.input_file_id,
            "completion_window": "24h",
            "status": batch.ended
            or ("cancelling" if batch.cancelling else "in_progress"),
            "output_file_id": batch.output or None,
            "error_file_id": batch.errors or None,
            "created_at": batch.made,
            "request_counts": {
                "total": len(batch.lines),
                "completed": self._count(batch.output),
                "failed": self._count(batch.errors),
            },
            "metadata": batch.metadata,
        }

    def _count(self, file_id: str) -> int:
        file = self.files.get(file_id)
        return 0 if file is None else file.text.count("\n")


def _result(
    options: Options, counters: Counters, line: dict[str, object]
) -> tuple[str, str]:
    body = line["body"]
    assert isinstance(body, dict)  # noqa: S101 - a file that we were sent
    answer = _answer(options, counters, body)
    try:
        said = json.loads(answer.text)
    except ValueError:
        said = answer.text
    response = {
        "status_code": answer.status,
        "request_id": f"req-{str(line['custom_id'])[:12]}",
        "body": said,
    }
    where = "output" if answer.status == HTTPStatus.OK else "errors"
    return where, _line(line, response=response, problem=None)


def _answer(options: Options, counters: Counters, body: Mapping[str, object]) -> Answer:
    digest = digest_of(body)
    token = "" if options.api_key is None else f"Bearer {options.api_key}"
    refused = refusal(options, body, token, counters.bought)
    if refused is not None:
        counters.refusals[json.loads(refused.text)["error"]["code"]] += 1
        return refused
    fault = fault_of(options, digest, counters.attempt(digest))
    if fault is not None:
        counters.faults[fault] += 1
        if fault is Fault.RATE_LIMITED:
            return error(
                HTTPStatus.TOO_MANY_REQUESTS,
                "rate_limit_exceeded",
                "Rate limit reached",
            )
        return error(500, "server_error", "The server had an error")
    decision = decide(options, body)
    counters.buy(digest, decision.rule, decision.said, decision.shape or "verdict")
    return answer_to(decision, body, digest)


def _undone(ended: str, line: dict[str, object]) -> tuple[str, str]:
    code, message = _UNDONE[ended]
    return "errors", _line(
        line, response=None, problem={"code": code, "message": message}
    )


def _line(line: dict[str, object], *, response: object, problem: object) -> str:
    name = line["custom_id"]
    found = {
        "id": f"batch_req_{name}",
        "custom_id": name,
        "response": response,
        "error": problem,
    }
    return json.dumps(found, ensure_ascii=False) + "\n"
