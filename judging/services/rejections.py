"""Calls that a provider rejects: each for itself, or all for a fault of the judge.

A rejection costs nothing and is not repeated, but it becomes the call's answer only
once the provider has answered something that was sent after it. Where it rejects one
after the other, a control tells: what was answered before, or a greeting in the same
shape. One that is rejected too stops the run, and none of them is an answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from judging.services.patience import History, Rest

# So many different calls were rejected in a row; from then on a control is asked.
ROW = 5
# So many controls were rejected: the provider takes no request of this judge.
REFUSED_CONTROLS = 2


class Rejections:
    """The calls that were rejected in a row, and those that wait for what others tell.

    ``answered_since`` says if anything that was sent after a time has been answered.
    """

    def __init__(self, answered_since: Callable[[float | None], bool]) -> None:
        self._answered_since = answered_since
        self._row: set[int] = set()
        self._waiting: set[int] = set()
        self._limit = ROW

    def note(self, call_id: int) -> None:
        """Take in that a call was rejected."""
        self._row.add(call_id)
        self._waiting.add(call_id)

    def replied(self, *, control: bool) -> None:
        """Take in a reply. A control that is answered makes the next one rarer."""
        self._row.clear()
        self._limit = self._limit * 2 if control else ROW

    def settled(self, history: History, rest: Rest) -> bool | None:
        """Whether a rejection is the call's answer; ``None`` if a control must tell.

        ``False``: wait for what is under way. Where nothing else is, and the run has
        answers, a few rejections at its end are taken for what they are.
        """
        answer = self._told(history, rest)
        if answer:
            self._waiting.discard(history.call_id)
        return answer

    def _told(self, history: History, rest: Rest) -> bool | None:
        if self._answered_since(history.failed_at):
            return True
        if len(self._row) >= self._limit:
            return None
        # A reply to what was sent before a rejection ends the row, and tells nothing.
        if not rest.last or len(self._waiting) < rest.open_calls:
            return False
        return True if rest.answered and len(self._waiting) < ROW else None
