"""What one runner has done so far, and whom it was answered by."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

from judging.domain.simulated import says_simulated
from judging.services.served import MOST_SERVED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judging.models import Reply
    from judging.services.storing import Result, Stored


@dataclass(slots=True)
class Progress:
    """What this runner has done so far; ``trouble`` is what it waits for, if any."""

    answered: int = 0
    invalid: int = 0
    attempts: int = 0
    retried: int = 0
    lost: int = 0
    reused: int = 0
    trouble: str = ""

    def plus(self, other: Progress) -> Progress:
        """What both have done, one after the other."""
        return Progress(
            *(
                getattr(self, each.name) + getattr(other, each.name)
                for each in fields(self)
            )
        )

    def add(self, results: Sequence[Result], stored: Stored) -> None:
        """Count a group that was written."""
        self.answered += stored.answered
        self.invalid += stored.invalid
        self.lost += stored.lost
        self.attempts += sum(1 for each in results if each.attempt is not None)


@dataclass(slots=True)
class ServedWatch:
    """Notices what has to be noted of who answers.

    When a provider begins to answer with another model or build, and when a reply says
    that it is simulated.
    """

    _seen: set[tuple[str, str]] = field(default_factory=set)

    def is_change(self, reply: Reply) -> bool:
        """Whether a reply is the first to name its model, and that is to be noted."""
        served = (reply.served_model, reply.fingerprint)
        if served in self._seen or not any(served):
            return False
        self._seen.add(served)
        return 1 < len(self._seen) <= MOST_SERVED or says_simulated(*served)
