"""What the local worker does beside runs, every so often.

Later apps say what there is; where Celery's beat runs, it does the same.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Chore:
    """Something that does no harm when it is done twice, or at once with others."""

    name: str
    seconds: float
    do: Callable[[], object]


_CHORES: dict[str, Chore] = {}


def add_chore(chore: Chore) -> None:
    """Have the local worker do something; one name is one chore."""
    _CHORES[chore.name] = chore


def chores() -> tuple[Chore, ...]:
    """All that there are."""
    return tuple(_CHORES.values())


@dataclass(slots=True)
class Chores:
    """Keeps when each chore was done; trouble with one holds up no other."""

    known: Iterable[Chore] = field(default_factory=chores)
    clock: Callable[[], float] = time.monotonic
    _done: dict[str, float] = field(default_factory=dict)

    def do_due(self, *, early: bool = False) -> None:
        """Do what was not done for its time, or all of it."""
        for chore in self.known:
            last = self._done.get(chore.name)
            if not early and last is not None and self.clock() < last + chore.seconds:
                continue
            self._done[chore.name] = self.clock()
            try:
                chore.do()
            except Exception:
                logger.exception("%s: it is tried again", chore.name)
