"""What to do about a request that brought no reply: again, never, wait, or stop.

A call is given up as invalid only while the provider answers other calls: one that was
sent between its last two failures has a reply. Where it answers none, the fault is the
provider's: all calls wait, and in the end the run stops and they stay unanswered, so
that no outage turns into verdicts.

Among the last calls of a run there may be no others to tell. Then one that was answered
before, a control, is asked once more: the provider that answers it is there, and a call
that fails even after that is given up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from judging.domain.ports import CallFailed, FailureKind
from judging.domain.verdicts import Invalid
from judging.services.outage import Outage
from judging.services.rejections import REFUSED_CONTROLS, Rejections
from judging.services.steps import Again, Doubt, GiveUp, Hold, Stop

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from judging.services.pace import Pace
    from judging.services.steps import Decision

# So many different calls failed to the end, one after the other, and no reply came.
SILENT_CALLS = 3
# So many replies in a row were none, and no good one came between: they may cost money.
BAD_REPLIES = 30
# So many calls at the end of a run, or one for so many answers, may all be bad.
LAST_CALLS = 6
ONE_IN = 20
_SUCCESS = range(200, 300)
# Nobody there, or nobody who gets as far as reading a request.
ABSENT = frozenset(
    {
        FailureKind.UNREACHABLE,
        FailureKind.CONNECTION,
        FailureKind.SERVER,
        FailureKind.TIMEOUT,
    }
)


@dataclass(slots=True)
class History:
    """What happened to one call so far: in this runner, and before it.

    ``failed_at`` is when it last failed; ``outages`` how many had ended by then.
    """

    call_id: int
    earlier_tries: int = 0
    failures: int = 0
    refusals: int = 0
    first_failed: float | None = None
    failed_at: float | None = None
    outages: int = 0


@dataclass(frozen=True, slots=True)
class Rest:
    """What a runner has left: calls in hand, and ``last`` if there are no others.

    ``answered`` calls of the run have their answer.
    """

    open_calls: int
    last: bool = False
    answered: int = 0

    @property
    def few(self) -> bool:
        """Whether so few are left that all of them may be bad."""
        return self.open_calls <= max(LAST_CALLS, self.answered // ONE_IN)

    @property
    def tail(self) -> bool:
        """Whether what fails now may be the last bad calls, and not a bad provider."""
        return self.last and self.few and self.answered > 0


class Patience:
    """Decides on failed requests of one runner; ``clock`` counts seconds."""

    def __init__(
        self, pace: Pace, *, clock: Callable[[], float], rng: random.Random
    ) -> None:
        self.pace = pace
        self._clock = clock
        self._rng = rng
        self.outage = Outage(pace, clock=clock, rng=rng)
        self._last_answered = float("-inf")
        self._has_answered = False
        self._refused_since: float | None = None
        self._silent: set[int] = set()
        self._bad_replies = self._doubts = 0
        self._rejections = Rejections(self._answered_since)

    def replied(self, sent_at: float, *, control: bool = False) -> None:
        """A reply came to what was sent at a time: the provider answered then."""
        self._rejections.replied(control=control)
        self._last_answered = max(self._last_answered, sent_at)
        self._has_answered = True
        self._refused_since = None
        self._silent.clear()
        self._bad_replies = self._doubts = 0
        self.outage.end(sent_at)

    def in_doubt(self, history: History) -> bool:
        """Whether nothing that was sent since a call failed has been answered."""
        return not self._answered_since(history.failed_at)

    def _answered_since(self, time: float | None) -> bool:
        return _after(self._last_answered, time)

    def settle(self, doubt: Doubt, history: History, rest: Rest) -> GiveUp | Again:
        """Say what becomes of a call that was rejected, now that time has passed."""
        settled = self._rejections.settled(history, rest)
        if settled:
            return GiveUp(doubt.reading)
        return Again(self.pace.backoff, control=settled is None)

    def decides(self, history: History) -> bool:
        """Whether one failure more says what becomes of a call, or of the run."""
        exhausted = history.failures + 1 >= self.pace.tries
        return exhausted or self._bad_replies + 1 >= BAD_REPLIES

    def decide(
        self, failed: CallFailed, history: History, rest: Rest, *, sent_at: float
    ) -> Decision:
        """Decide on a failure of a call."""
        self._has_answered = self._has_answered or rest.answered > 0
        if not self._absent(failed):
            self.outage.end(sent_at)
        if failed.final_reason is not None:
            return self._final(
                Invalid(failed.final_reason, failed.detail), failed, history
            )
        said: Decision | None
        said = self._said(failed, history, settling=self._settling(history, rest))
        if said is None and failed.kind is FailureKind.UNREACHABLE:
            said = self._wait_out(failed, sent_at)
        if said is not None:
            return said
        return self._missed(failed, history, rest, sent_at)

    def _final(
        self, reading: Invalid, failed: CallFailed, history: History
    ) -> GiveUp | Doubt:
        if failed.kind is not FailureKind.REJECTED:
            return GiveUp(reading)
        history.failed_at = self._clock()
        self._rejections.note(history.call_id)
        return Doubt(reading)

    def decide_control(
        self, failed: CallFailed, history: History, *, sent_at: float
    ) -> Decision:
        """Decide on a failure of what was answered before; it may fail by chance."""
        if not self._absent(failed):
            self.outage.end(sent_at)
        said = self._said(failed, history, settling=True)
        if isinstance(said, Again):
            return Again(said.wait, control=True)
        if said is not None:
            return said
        self._doubts += 1
        rejected = failed.kind is FailureKind.REJECTED
        if rejected and self._doubts >= min(REFUSED_CONTROLS, self.pace.tries):
            return Stop(f"The provider rejects every call: {failed.detail}")
        absent = failed.kind is FailureKind.UNREACHABLE or self.outage.on
        if absent or self._doubts >= self.pace.tries:
            return self._wait_out(failed, sent_at)
        return Again(self._wait(failed, self._doubts), control=True)

    def _missed(
        self, failed: CallFailed, history: History, rest: Rest, sent_at: float
    ) -> Decision:
        """A try is used up; after the last one somebody must be at fault."""
        answers_others = self._count(history) and not self.outage.on
        silent = False
        if history.failures >= self.pace.tries:
            if answers_others:
                return GiveUp(Invalid(failed.exhausted_reason, failed.detail))
            self._silent.add(history.call_id)
            if self._settling(history, rest):
                return Again(0.0, control=True)
            silent = len(self._silent) >= min(SILENT_CALLS, rest.open_calls)
        if silent or self.outage.on:
            return self._wait_out(failed, sent_at)
        return Again(self._wait(failed, history.failures))

    def _settling(self, history: History, rest: Rest) -> bool:
        """Whether a call is among the last, and may be told from a bad provider.

        Of many, only one that used up its tries in an earlier session too.
        """
        again = history.earlier_tries >= self.pace.tries
        return rest.tail or (again and rest.last and rest.answered > 0)

    def _count(self, history: History) -> bool:
        """Count a failure; return whether the provider answered others meanwhile.

        Replies to what was sent between its last two failures tell that. Where replies
        take longer than that, those since its first do, after twice as many tries.
        What failed in an outage does not count once that is over.
        """
        if history.outages != self.outage.ended:
            history.outages, history.failures = self.outage.ended, 0
            history.first_failed = history.failed_at = None
        history.failures += 1
        patient = history.failures >= 2 * self.pace.tries
        since = history.first_failed if patient else history.failed_at
        history.failed_at = self._clock()
        if history.first_failed is None:
            history.first_failed = history.failed_at
        return _after(self._last_answered, since)

    def _said(
        self, failed: CallFailed, history: History, *, settling: bool
    ) -> Again | Stop | None:
        """What follows for any request from what the provider said, if it did."""
        if failed.stop_run:
            return Stop(failed.detail)
        if (failed.retry_after or 0) > self.pace.longest_wait:
            return Stop(f"The provider asks to wait {failed.retry_after:.0f} s.")
        if not self._absent(failed):
            self._bad_replies += failed.status in _SUCCESS
        if self._bad_replies >= BAD_REPLIES and not settling:
            many = f"{self._bad_replies} replies in a row were unusable"
            return Stop(f"{many}: {failed.detail}")
        if failed.kind is FailureKind.RATE_LIMITED:
            return self._refused(failed, history)
        return None

    def _refused(self, failed: CallFailed, history: History) -> Again | Stop:
        """A refusal says nothing about the call, so it doesn't use up its tries."""
        history.refusals += 1
        now = self._clock()
        if self._refused_since is None:
            self._refused_since = now
        if now - self._refused_since > self.pace.longest_wait:
            return Stop(f"The provider refuses every call: {failed.detail}")
        return Again(self._wait(failed, history.refusals))

    def _absent(self, failed: CallFailed) -> bool:
        """Whether nobody was there to answer, or somebody in between spoke for them.

        A proxy's page may come with status 200. Where nothing was answered yet, it may
        as well be the page of a wrong address, and there is nobody to wait for.
        """
        page = failed.kind is FailureKind.BAD_BODY and failed.is_page
        return failed.kind in ABSENT or (page and self._has_answered)

    def _wait_out(self, failed: CallFailed, sent_at: float) -> Hold | Stop:
        """Wait for the provider; not for one that answers what nobody can read."""
        reason = f"The provider does not answer: {failed.detail}"
        if not self._absent(failed):
            return Stop(reason)
        wait = self.outage.wait(sent_at, failed.retry_after or 0.0)
        return Stop(reason) if wait is None else Hold(wait, failed.detail)

    def _wait(self, failed: CallFailed, number: int) -> float:
        doubled = self.pace.backoff * 2.0 ** min(number - 1, 16)
        jittered: float = min(self.pace.ceiling, doubled) * self._rng.uniform(0.5, 1.0)
        return max(jittered, failed.retry_after or 0.0)


def _after(time: float, begin: float | None) -> bool:
    return begin is not None and time > begin
