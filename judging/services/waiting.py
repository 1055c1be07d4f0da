"""A runner while its provider does not answer: it sends nothing, and says so."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from judging.services.silences import (
    end_silence,
    note_silence,
    standing_silence,
    waiting_words,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from judging.services.dbthread import DatabaseThread
    from judging.services.patience import Patience
    from judging.services.steps import Hold
    from judging.services.throttle import Throttle

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Waiting:
    """Holds all calls of a runner back; ``tell`` is told in words, or with none."""

    run_id: int
    database: DatabaseThread
    clock: Callable[[], datetime]
    throttle: Throttle
    patience: Patience
    tell: Callable[[str], None]
    _noted: bool = False
    _to_note: Hold | None = None

    async def begin(self) -> None:
        """Go on with a silence that runners of this run wait out already."""
        now = self.clock()
        known = await self.database.call(
            standing_silence, run_id=self.run_id, now=now, lapses=self._lapses
        )
        if known is None:
            return
        self._noted = True
        lasts = (now - known.since).total_seconds()
        self.patience.outage.take_over(lasts=lasts, looks=known.looks)
        self._look_in(max(0.0, (known.try_at - now).total_seconds()))

    def hold(self, hold: Hold) -> None:
        """Send nothing for a while, then one request; ``settle`` notes it."""
        if not hold.wait:  # what failed was sent before the wait began
            return
        self._look_in(hold.wait)
        self._to_note = hold
        words = waiting_words(hold.wait)
        logger.warning("Run %s: %s: %s", self.run_id, words, hold.reason)

    async def settle(self) -> None:
        """Note a wait that began, or let all calls go on once one was answered."""
        if not self.patience.outage.on:
            await self._end()
        elif self._to_note is not None:
            await self._note(self._to_note)

    async def _note(self, hold: Hold) -> None:
        self._to_note, self._noted = None, True
        now, outage = self.clock(), self.patience.outage
        since = await self.database.call(
            note_silence,
            run_id=self.run_id,
            since=now - timedelta(seconds=outage.lasts),
            try_at=now + timedelta(seconds=self.throttle.held_for),
            looks=outage.looks,
            detail=hold.reason,
            lapses=self._lapses,
        )
        if outage.on:
            lasts = (now - since).total_seconds()
            outage.take_over(lasts=max(lasts, outage.lasts), looks=outage.looks)

    async def _end(self) -> None:
        noted, self._noted = self._noted, False
        if not (noted or self._to_note):
            return
        self._to_note = None
        self.throttle.go_on()
        self.tell("")
        if noted:
            await self.database.call(end_silence, run_id=self.run_id)

    def _look_in(self, seconds: float) -> None:
        self.throttle.look_in(seconds)
        self.tell(waiting_words(seconds))

    @property
    def _lapses(self) -> timedelta:
        return timedelta(seconds=self.patience.pace.patience)
