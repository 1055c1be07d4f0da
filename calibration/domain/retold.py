"""Whether a run only says again what an earlier run said, whatever its judge is called.

A single reply of a few letters is no other judge's because it chose alike. But where
almost everything that a run says was said before, so was what it comes to: its figures
could be known then, by whichever name they were told.
"""

from __future__ import annotations

FEWEST = 20  # calls: so many two judges hardly answer alike by chance
SHARE = 0.95


def retold(same: int, of: int) -> bool:
    """Whether ``same`` of the ``of`` calls of a run are almost all of enough."""
    return of >= FEWEST and same >= SHARE * of
