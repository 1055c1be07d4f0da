"""A runner's memory of what earlier runs were answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judging.domain.verdicts import Invalid
from judging.services.reusing import can_reuse, copied, earlier_replies

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from judging.models import Reply
    from judging.services.asker import Asker
    from judging.services.claims import Job
    from judging.services.dbthread import DatabaseThread


class Recall:
    """Finds replies to the same requests; ``digest`` is empty where none may be used.

    The calls are claimed by then, so that nobody asks meanwhile what is copied.
    """

    def __init__(
        self,
        database: DatabaseThread,
        asking: Asker,
        digest: str,
        run_id: int,
        clock: Callable[[], datetime],
    ) -> None:
        self._database, self._asking = database, asking
        self._digest, self._run_id, self._clock = digest, run_id, clock

    async def begin(self) -> None:
        """Look once whether there is anything to remember."""
        if self._digest and not await self._database.call(
            can_reuse, digest=self._digest, run_id=self._run_id
        ):
            self._digest = ""

    async def copies(self, jobs: Sequence[Job]) -> dict[int, Reply]:
        """The answers that some of the calls get without being asked, by call."""
        if not self._digest or not jobs:
            return {}
        calls = {job.call.pk: job.call for job in jobs}
        wanted = {job.call.pk: wish for job in jobs if (wish := self._wish(job))}
        found = await self._database.call(
            earlier_replies,
            digest=self._digest,
            wanted=list(wanted.values()),
            run_id=self._run_id,
        )
        now = self._clock()
        return {
            pk: copied(found[wish], calls[pk], now=now)
            for pk, wish in wanted.items()
            if wish in found
        }

    def _wish(self, job: Job) -> tuple[str, int] | None:
        question = self._asking.prepare(job.call)
        if isinstance(question, Invalid):
            return None
        job.question = question
        return question.request_hash, job.call.repeat
