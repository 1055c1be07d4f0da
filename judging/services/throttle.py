"""How many calls may be sent and not yet stored; halved when the provider refuses."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

INCREASE = 1.0
DECREASE = 0.5


class Throttle:
    """Bounds the calls in flight, and holds all of them back when told to wait.

    A place is held from before a request is sent until its reply is committed, so
    that a killed runner can have bought at most ``ceiling`` calls in vain.
    """

    def __init__(self, ceiling: int, *, clock: Callable[[], float]) -> None:
        self.ceiling = ceiling
        self.limit = float(ceiling)
        self.in_flight = 0
        self._clock = clock
        self._not_before = 0.0
        self._halved_at = 0.0
        self._changed = asyncio.Condition()

    async def acquire(self) -> None:
        """Wait for a place, and for the end of any wait a provider asked for."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.in_flight < int(self.limit))
            self.in_flight += 1
        # No event: the moment may be moved on while this waits for it.
        while (left := self._not_before - self._clock()) > 0:  # noqa: ASYNC110
            await asyncio.sleep(left)

    async def release(self) -> None:
        """Give a place back, after the reply was stored."""
        async with self._changed:
            self.in_flight -= 1
            self._changed.notify()

    async def succeeded(self) -> None:
        """A reply came: allow a little more, up to the ceiling."""
        async with self._changed:
            self.limit = min(self.ceiling, self.limit + INCREASE / self.limit)
            self._changed.notify()

    def refused(self, sent_at: float, retry_after: float | None) -> None:
        """The provider asked for less.

        Refusals of requests that were sent before the last halving tell nothing new.
        """
        now = self._clock()
        if sent_at >= self._halved_at:
            self.limit = max(1.0, self.limit * DECREASE)
            self._halved_at = now
        if retry_after is not None:
            self._not_before = max(self._not_before, now + retry_after)
