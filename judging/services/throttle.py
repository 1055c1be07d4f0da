"""How many calls may be sent and not yet stored: fewer when the provider is pressed."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from statistics import median
from typing import TYPE_CHECKING

from judging.domain.ports import FailureKind

if TYPE_CHECKING:
    from collections.abc import Callable

INCREASE = 1.0
DECREASE = 0.5
# A provider that has more work than it can do lets calls time out. A few always do.
WINDOW = 20
# Of so many requests, one in ten may be refused for reasons that are not ours.
REFUSAL_WINDOW = 40
FEW_REFUSED = 0.1
# Replies that take so many times as long as they did, and so many seconds longer, are
# waiting in the provider's queue, where fewer calls would be answered as fast.
LATENCY_WINDOW = 40
GROWTH = 3.0
LONGER_SECONDS = 1.0
EASE = 0.75
# How much each window says of what is usual; a slow one says little.
WEIGHT, SLOW_WEIGHT = 0.2, 0.02


class Latencies:
    """Tells from the medians of successive windows whether replies got slow."""

    def __init__(self) -> None:
        self._recent: list[float] = []
        self._usual: float | None = None

    def grew(self, seconds: float) -> bool:
        """Take in how long a reply took; whether a window is full and was slow."""
        self._recent.append(seconds)
        if len(self._recent) < LATENCY_WINDOW:
            return False
        now = median(self._recent)
        self._recent.clear()
        usual = now if self._usual is None else self._usual
        slow = now > usual * GROWTH and now > usual + LONGER_SECONDS
        self._usual = usual + (now - usual) * (SLOW_WEIGHT if slow else WEIGHT)
        return slow


class Throttle:
    """Bounds the calls in flight, and holds all of them back when told to wait.

    A place is held from before a request is sent until its reply is committed, so
    that a killed runner can have bought at most ``ceiling`` calls in vain. For one
    event loop; ``clock`` counts seconds.
    """

    def __init__(self, ceiling: int, *, clock: Callable[[], float]) -> None:
        self.ceiling = ceiling
        self.limit = float(ceiling)
        self.in_flight = 0
        self._clock = clock
        self._not_before = 0.0
        self._halved_at = float("-inf")
        self._waiters: deque[asyncio.Future[None]] = deque()
        self._closed = asyncio.Event()
        self._looking = self._look_out = False
        self._timed_out: deque[bool] = deque(maxlen=WINDOW)
        self._refusals: deque[bool] = deque(maxlen=REFUSAL_WINDOW)
        self._latencies = Latencies()
        self._eased_at = float("-inf")

    @property
    def held_for(self) -> float:
        """Seconds until anything may be sent again; 0 if that is now."""
        return max(0.0, self._not_before - self._clock())

    @property
    def closed(self) -> bool:
        """Whether nothing may be sent any more."""
        return self._closed.is_set()

    async def acquire(self) -> bool:
        """Wait for a place, and for the end of any wait a provider asked for.

        Returns whether this is the one request that looks if the provider is back.
        """
        while not self._closed.is_set():
            if (left := self.held_for) > 0:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._closed.wait(), left)
            elif self._places() > 0:
                break
            else:
                waiter = asyncio.get_running_loop().create_future()
                self._waiters.append(waiter)
                await waiter
        self.in_flight += 1
        if self._looking:
            self._look_out = True
        return self._looking

    def release(self, *, looked: bool = False) -> None:
        """Give a place back, after the reply was stored."""
        self.in_flight -= 1
        if looked:
            self._look_out = False
        self._wake()

    def succeeded(self, sent_at: float, seconds: float) -> None:
        """A reply came: allow a little more, up to the ceiling; less if it was slow."""
        self._timed_out.append(False)
        self._refusals.append(False)
        if sent_at >= self._eased_at and self._latencies.grew(seconds):
            self.limit = max(self._least, self.limit * EASE)
            self._eased_at = self._clock()
            return
        if self.limit < self.ceiling:
            self.limit = min(self.ceiling, self.limit + INCREASE / max(1.0, self.limit))
            self._wake()

    def failed(self, kind: FailureKind, sent_at: float) -> None:
        """No reply came: allow less if the provider said so, or most calls time out."""
        if kind is FailureKind.RATE_LIMITED:
            self.refused(sent_at)
        elif kind is FailureKind.TIMEOUT:
            self._timed_out.append(True)
            if sum(self._timed_out) * 2 > WINDOW:
                self._allow(DECREASE, sent_at)

    def refused(self, sent_at: float) -> None:
        """The provider asked for less: half, or hardly less if it rarely does."""
        self._refusals.append(True)
        share = sum(self._refusals) / len(self._refusals)
        excess = max(0.0, share - FEW_REFUSED)
        self._allow(max(DECREASE, 1 - 2 * excess), sent_at)

    def _allow(self, part: float, sent_at: float) -> None:
        """Allow a part of what was allowed.

        Requests that were sent before this was last done tell nothing new.
        """
        if sent_at >= self._halved_at:
            self.limit = max(self._least, self.limit * part)
            self._halved_at = self._clock()

    def hold(self, seconds: float) -> None:
        """Send nothing for so long; a longer wait that was asked for stays."""
        self._not_before = max(self._not_before, self._clock() + seconds)

    def look_in(self, seconds: float) -> None:
        """Send nothing for so long, and then one request at a time, to see."""
        self.hold(seconds)
        self._looking = True

    def go_on(self) -> None:
        """The provider is there again."""
        self._looking = self._look_out = False
        self._wake()

    def set_ceiling(self, ceiling: int) -> None:
        """Let more or fewer through; what the provider was spared before stays so."""
        raised = max(0, ceiling - self.ceiling)
        self.ceiling = ceiling
        self.limit = min(float(ceiling), self.limit + raised)
        self._wake()

    def close(self) -> None:
        """Make nobody wait any longer: whoever gets a place has to look why."""
        self._closed.set()
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)

    @property
    def _least(self) -> float:
        return min(1.0, self.ceiling)

    def _places(self) -> int:
        if self._looking:  # what was sent before may hang, and must not be waited for
            return int(self.ceiling > 0 and not self._look_out)
        return int(self.limit) - self.in_flight

    def _wake(self) -> None:
        """Let as many go on as there are places; each looks again by itself."""
        places = self._places()
        while places > 0 and self._waiters:
            waiter = self._waiters.popleft()
            if not waiter.done():
                waiter.set_result(None)
                places -= 1
