"""What to do about a request that brought no reply: again, never, or stop the run.

A call is given up as invalid only while the provider answers other calls: one that was
sent after this one's first failure has a reply. Where it answers none, the fault is the
provider's: the run stops and its calls stay unanswered, so that no outage turns into
verdicts. Replies to what was sent earlier prove little: they may be older than the
outage that the failures are of. They count where a few calls are all that is left, for
nothing can be sent after those.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from judging.domain.ports import CallFailed, FailureKind
from judging.domain.verdicts import Invalid

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

# So many different calls failed to the end, one after the other, and no reply came.
SILENT_CALLS = 3
# So many replies in a row were none, and no good one came between: they may cost money.
BAD_REPLIES = 30
_SUCCESS = range(200, 300)


@dataclass(frozen=True, slots=True)
class Pace:
    """How often and how fast a failed request is repeated; seconds."""

    tries: int = 6
    backoff: float = 0.5
    ceiling: float = 30.0
    longest_wait: float = 900.0


DEFAULT_PACE = Pace()


@dataclass(frozen=True, slots=True)
class Again:
    """Send the same request again after so many seconds."""

    wait: float


@dataclass(frozen=True, slots=True)
class GiveUp:
    """This call ends here, as invalid."""

    reading: Invalid


@dataclass(frozen=True, slots=True)
class Stop:
    """No call can be answered at present; the run stops for this reason."""

    reason: str


@dataclass(slots=True)
class History:
    """What happened to one call so far: in this runner, and before it."""

    call_id: int
    earlier_tries: int = 0
    failures: int = 0
    refusals: int = 0
    first_sent: float | None = None
    first_failed: float | None = None


class Patience:
    """Decides on failed requests of one runner; ``clock`` counts seconds."""

    def __init__(
        self, pace: Pace, *, clock: Callable[[], float], rng: random.Random
    ) -> None:
        self.pace = pace
        self._clock = clock
        self._rng = rng
        self._last_reply = self._last_answered = float("-inf")
        self._refused_since: float | None = None
        self._silent: set[int] = set()
        self._bad_replies = 0

    def replied(self, sent_at: float) -> None:
        """A reply came to what was sent at a time: the provider answered then."""
        self._last_reply = self._clock()
        self._last_answered = max(self._last_answered, sent_at)
        self._refused_since = None
        self._silent.clear()
        self._bad_replies = 0

    def decide(
        self, failed: CallFailed, history: History, *, open_calls: int
    ) -> Again | GiveUp | Stop:
        """Decide on a failure; ``open_calls`` is how many calls the runner holds."""
        if failed.final_reason is not None:
            return GiveUp(Invalid(failed.final_reason, failed.detail))
        if hopeless := self._hopeless(failed):
            return Stop(hopeless)
        if failed.kind is FailureKind.RATE_LIMITED:
            return self._refused(failed, history)
        history.failures += 1
        if history.first_failed is None:
            history.first_failed = self._clock()
        if history.failures < self.pace.tries:
            return Again(self._wait(failed, history.failures))
        return self._exhausted(failed, history, open_calls)

    def _hopeless(self, failed: CallFailed) -> str:
        """Why no other call would fare better; empty if one may."""
        if failed.stop_run:
            return failed.detail
        if (failed.retry_after or 0) > self.pace.longest_wait:
            return f"The provider asks to wait {failed.retry_after:.0f} s."
        self._bad_replies += failed.status in _SUCCESS
        if self._bad_replies < BAD_REPLIES:
            return ""
        return f"{self._bad_replies} replies in a row were unusable: {failed.detail}"

    def _refused(self, failed: CallFailed, history: History) -> Again | Stop:
        """A refusal says nothing about the call, so it doesn't use up its tries."""
        history.refusals += 1
        now = self._clock()
        if self._refused_since is None:
            self._refused_since = now
        if now - self._refused_since > self.pace.longest_wait:
            return Stop(f"The provider refuses every call: {failed.detail}")
        return Again(self._wait(failed, history.refusals))

    def _exhausted(
        self, failed: CallFailed, history: History, open_calls: int
    ) -> Again | GiveUp | Stop:
        silence = Stop(f"The provider does not answer: {failed.detail}")
        given_up = GiveUp(Invalid(failed.exhausted_reason, failed.detail))
        if failed.kind is FailureKind.UNREACHABLE:
            return silence
        if _after(self._last_answered, history.first_failed):
            return given_up
        self._silent.add(history.call_id)
        again = Again(self._wait(failed, history.failures))
        if open_calls <= SILENT_CALLS and _after(self._last_reply, history.first_sent):
            return self._among_the_last(history, open_calls, again, given_up)
        if len(self._silent) >= SILENT_CALLS:
            return silence
        if open_calls < SILENT_CALLS:
            # Too few are left to tell a bad call from a bad provider: a call that
            # failed to the end in an earlier session too is given up.
            return given_up if history.earlier_tries >= self.pace.tries else silence
        return again

    def _among_the_last(
        self, history: History, open_calls: int, again: Again, given_up: GiveUp
    ) -> Again | GiveUp:
        """Others were answered while it was under way; now see what the rest do."""
        if len(self._silent) < open_calls:
            return again
        self._silent.discard(history.call_id)
        return given_up

    def _wait(self, failed: CallFailed, number: int) -> float:
        doubled = self.pace.backoff * 2.0 ** min(number - 1, 16)
        jittered: float = min(self.pace.ceiling, doubled) * self._rng.uniform(0.5, 1.0)
        return max(jittered, failed.retry_after or 0.0)


def _after(time: float, begin: float | None) -> bool:
    return begin is not None and time > begin
