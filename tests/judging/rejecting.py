"""Providers that reject what they are asked, some of it or all."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from judging.domain.ports import CallFailed, FailureKind
from judging.services.controls import READY
from tests.judging.batch_talkers import BatchTalker
from tests.judging.talkers import SAID, Talker

if TYPE_CHECKING:
    from collections.abc import Iterable

    from judging.domain.ports import JudgeRequest, RawReply


class Rejecting(Talker):
    """Rejects the requests named ``bad``, and all from the reply ``since`` on."""

    def __init__(
        self,
        bad: Iterable[str] = (),
        *,
        since: int | None = None,
        greets: bool = False,
    ) -> None:
        super().__init__()
        self.bad, self.since, self.greets = set(bad), since, greets
        self.requests: Counter[str] = Counter()
        self.greetings: list[JudgeRequest] = []
        self.replies = 0

    async def ask(self, request: JudgeRequest) -> RawReply:
        await super().ask(request)
        if {message.content for message in request.messages} == {READY}:
            self.greetings.append(request)
            if self.greets:
                return SAID
        self.requests[request.request_hash] += 1
        out = self.since is not None and self.replies >= self.since
        if out or request.request_hash in self.bad:
            detail = "min_tokens must be null"
            raise CallFailed(FailureKind.REJECTED, detail, status=422)
        self.replies += 1
        return SAID


class RejectingBatches(BatchTalker):
    """Rejects the lines whose text holds a word of ``bad``; all, if that is None."""

    def __init__(self, bad: list[str] | None) -> None:
        super().__init__(lambda body: "[[A>B]]")
        self.bad = bad

    def _line(self, asked: dict[str, Any]) -> str:
        whole = super()._line(asked)
        text = asked["body"]["messages"][-1]["content"]
        if self.bad is not None and not any(one in text for one in self.bad):
            return whole
        error = '{"status_code": 422, "body": {"error": {"message": "no min_tokens"}}}'
        head = whole.split(', "response"')[0]
        return f'{head}, "response": {error}, "error": null}}\n'
