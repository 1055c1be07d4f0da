"""Judges that write a rubric first, and a client that writes it."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Any

from judging.domain.defaults import rubric_step_to_start_from
from judging.domain.ports import RawReply
from tests.judging.factory import ADDRESS, make_run
from tests.judging.talkers import SAID, Talker

if TYPE_CHECKING:
    from judging.domain.ports import JudgeRequest
    from judging.models import Run

STEP = rubric_step_to_start_from()
WROTE = RawReply(
    text="- It names the day.", body="{}", finish_reason="stop", served_model="m"
)


def rubric_run(base_url: str = ADDRESS, **options: Any) -> Run:
    return make_run(base_url, rubric_step=STEP, **options)


def asks_for_rubric(request: JudgeRequest) -> bool:
    return "Write a rubric" in request.messages[-1].content


class Writer(Talker):
    """Writes rubrics as it is told, and compares like every talker."""

    def __init__(self, rubric: RawReply | Exception = WROTE, **more: Any) -> None:
        super().__init__(**more)
        self.rubric = rubric
        self.rubrics: Counter[str] = Counter()
        self.verdicts: list[JudgeRequest] = []

    async def ask(self, request: JudgeRequest) -> RawReply:
        await super().ask(request)
        if asks_for_rubric(request):
            self.rubrics[request.request_hash] += 1
            await asyncio.sleep(0.01)
            if isinstance(self.rubric, Exception):
                raise self.rubric
            return self.rubric
        self.verdicts.append(request)
        return SAID
