"""How often batches are looked after, and what a failed request about one means."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from judging.domain.ports import CallFailed, FailureKind
from judging.services.patience import SILENT_CALLS

if TYPE_CHECKING:
    from datetime import datetime

_CLIENT_ERRORS = range(400, 500)
# The provider's answer tells that no batch was made, but it may be made later.
_MAYBE_LATER = (FailureKind.RATE_LIMITED, FailureKind.TIMEOUT, FailureKind.SERVER)


@dataclass(frozen=True, slots=True)
class BatchPace:
    """Seconds, and how many requests are sent as one batch at most.

    A batch is looked at after a tenth of its age, between ``soonest`` and ``latest``.
    One that may have been made unheard is looked for during ``settle`` before it is
    made again; where the provider's queue is full, ``queue`` is waited.
    """

    most: int = 10_000
    soonest: float = 1.0
    latest: float = 60.0
    settle: float = 90.0
    backoff: float = 2.0
    ceiling: float = 900.0
    queue: float = 600.0
    tries: int = 6
    barren: int = SILENT_CALLS

    def next_look(self, begun: datetime, now: datetime) -> datetime:
        """When a batch that is under way should be looked at again."""
        age = (now - begun).total_seconds() / 10
        return now + timedelta(seconds=min(self.latest, max(self.soonest, age)))

    def after_trouble(
        self, number: int, now: datetime, asked_for: float = 0.0
    ) -> datetime:
        """When to try again what failed so often in a row."""
        doubled = self.backoff * 2.0 ** min(number - 1, 16)
        return now + timedelta(seconds=max(asked_for, min(self.ceiling, doubled)))


USUAL_PACE = BatchPace()


def surely_not_made(failed: CallFailed) -> bool:
    """Whether a failed request for a batch certainly made none."""
    return failed.status in _CLIENT_ERRORS and failed.kind is not FailureKind.TIMEOUT


def made_later(failed: CallFailed) -> bool:
    """Whether the same request may succeed later."""
    return failed.kind in _MAYBE_LATER
