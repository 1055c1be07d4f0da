"""A runner's part of its run's calls in flight, asked for again and again."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from judging.services.claims import Claims
    from judging.services.throttle import Throttle


class Places:
    """Sets how many calls a throttle lets through; none before it was asked.

    Where this runner may send nothing, its claims are for others.
    """

    def __init__(self, claims: Claims, throttle: Throttle) -> None:
        self._claims, self._throttle = claims, throttle
        self._wanted, self._look_after = throttle.ceiling, 0.0
        throttle.set_ceiling(0)

    async def ask(self) -> None:
        """Ask once; what has to be given up is given up here first."""
        holding = max(self._throttle.ceiling, self._throttle.in_flight)
        share = await self._claims.share(wanted=self._wanted, holding=holding)
        self._look_after = share.look_after
        self._throttle.set_ceiling(share.places)
        if not share.places and not self._throttle.in_flight:
            await self._claims.give_back()

    async def keep_forever(self) -> None:
        """Ask again and again; cancel to end."""
        while True:
            await asyncio.sleep(self._look_after)
            await self.ask()
