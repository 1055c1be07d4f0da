"""Group commit: what finished while the database was busy is written together."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from judging.services.storing import Result

# What comes while a group is being written goes with the next one anyway. To wait
# longer would make larger groups, whose calls go out together again, and so stand in
# a queue everywhere.
GATHER_SECONDS = 0.001


class Committer:
    """Hands results to ``write`` in groups; each waits until its own is committed."""

    def __init__(self, write: Callable[[list[Result]], Awaitable[None]]) -> None:
        self._write = write
        self._waiting: list[tuple[Result, asyncio.Future[None]]] = []
        self._something = asyncio.Event()

    async def commit(self, result: Result) -> None:
        """Return once the result is in the database."""
        committed = asyncio.get_running_loop().create_future()
        self._waiting.append((result, committed))
        self._something.set()
        await committed

    async def run(self) -> None:
        """Write for ever; cancel to end."""
        while True:
            await self._something.wait()
            await asyncio.sleep(GATHER_SECONDS)
            await self.flush()

    async def flush(self) -> None:
        """Write what waits now, in one transaction."""
        self._something.clear()
        group, self._waiting = self._waiting, []
        if not group:
            return
        await self._write([result for result, _ in group])
        for _, committed in group:
            if not committed.done():
                committed.set_result(None)
