"""A batch client of our own making: answers each line as a test says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from judging.domain.batches import KEY_NAME, BatchInfo

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path
    from uuid import UUID

    from judging.domain.ports import Endpoint


class BatchTalker:
    """Carries a batch out the moment it is made; ``says`` gives a reply's text."""

    def __init__(self, says: Callable[[dict[str, Any]], str]) -> None:
        self.says = says
        self.files: dict[str, list[dict[str, Any]]] = {}
        self.made: list[BatchInfo] = []

    def __call__(self, endpoint: Endpoint) -> BatchTalker:
        return self

    async def upload(self, path: Path, name: str) -> str:
        text = path.read_text(encoding="utf-8")  # noqa: ASYNC240 - a test
        self.files[name] = [json.loads(line) for line in text.split("\n") if line]
        return name

    async def create(self, input_file_id: str, key: UUID) -> BatchInfo:
        made = BatchInfo(
            id=f"b{len(self.made)}",
            status="completed",
            input_file_id=input_file_id,
            output_file_id=input_file_id,
            metadata={KEY_NAME: str(key)},
            completed=len(self.files[input_file_id]),
        )
        self.made.append(made)
        return made

    async def retrieve(self, batch_id: str) -> BatchInfo:
        return self.made[int(batch_id[1:])]

    async def find(self, key: UUID, *, since: datetime) -> BatchInfo | None:
        return None

    async def content(self, file_id: str) -> str:
        return "".join(self._line(asked) for asked in self.files[file_id])

    async def cancel(self, batch_id: str) -> BatchInfo:
        return await self.retrieve(batch_id)

    async def close(self) -> None:
        pass

    def _line(self, asked: dict[str, Any]) -> str:
        message = {"content": self.says(asked["body"])}
        choice = {"message": message, "finish_reason": "stop"}
        response = {"status_code": 200, "body": {"model": "m", "choices": [choice]}}
        line = {"custom_id": asked["custom_id"], "response": response, "error": None}
        return json.dumps(line) + "\n"
