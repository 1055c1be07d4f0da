"""A provider that does not answer: when to look again, and when to give it up."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from judging.services.pace import Pace


class Outage:
    """How long a provider has not answered; ``clock`` counts seconds.

    All calls of a runner wait together. After each wait one request is sent to see, and
    the next wait is twice as long, up to the ceiling, until patience is used up.
    """

    def __init__(
        self, pace: Pace, *, clock: Callable[[], float], rng: random.Random
    ) -> None:
        self._pace, self._clock, self._rng = pace, clock, rng
        self._held_at = float("-inf")
        self.begun: float | None = None
        self.looks = 0
        self.ended = 0

    @property
    def on(self) -> bool:
        """Whether the provider does not answer at present."""
        return self.begun is not None

    @property
    def lasts(self) -> float:
        """For how many seconds it has not answered."""
        return 0.0 if self.begun is None else self._clock() - self.begun

    def wait(self, sent_at: float, asked_for: float = 0.0) -> float | None:
        """Seconds to wait after a request that failed; ``None`` if that is too long.

        One that was sent before the present wait began tells nothing new: 0.
        """
        now = self._clock()
        if self.begun is None:
            self.begun, self.looks = now, 0
        elif sent_at < self._held_at:
            return 0.0
        left = self.begun + self._pace.patience - now
        if left <= 0:
            return None
        self.looks += 1
        self._held_at = now
        doubled = self._pace.backoff * 2.0 ** min(self.looks - 1, 16)
        jittered = min(self._pace.ceiling, doubled) * self._rng.uniform(0.5, 1.0)
        return min(left, max(jittered, asked_for))

    def take_over(self, *, lasts: float, looks: int) -> None:
        """Go on with an outage that another runner of the run began to wait out."""
        self.begun = self._clock() - lasts
        self.looks = max(self.looks, looks)

    def end(self, sent_at: float) -> None:
        """The provider answered what was sent at a time: is it there again?

        Not if that was before; it may end what it has begun, and take nothing new.
        """
        if self.begun is not None and sent_at >= self.begun:
            self.begun = None
            self.ended += 1
