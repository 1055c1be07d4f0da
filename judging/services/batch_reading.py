"""From the lines of a batch's result files to attempts and answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from judging.domain.batches import NotCarriedOut, result_lines
from judging.domain.ports import CallFailed, FailureKind, RawReply
from judging.domain.verdicts import Invalid
from judging.services import batch_rows
from judging.services.rejections import ROW
from judging.services.storing import Result, Stored, store
from judging.services.worklist import answered

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from judging.domain.batches import ResultLine
    from judging.models import Batch, Call
    from judging.services.asker import Asker, Question


@dataclass(slots=True)
class BatchReading:
    """Reads what became of one batch; may be repeated, and stores nothing twice.

    ``works`` says that the provider answered some request of the batch, ``heard`` that
    it answered some call of the run since a call that failed was first sent: only then
    is a call given up that failed too often. ``failed`` is what one of them failed of.
    """

    batch: Batch
    asking: Asker
    tries: int
    now: datetime
    works: bool = False
    heard: bool = False
    failed: str = ""
    stop: str = ""
    read: int = 0
    unreadable: int = 0
    not_carried_out: str = ""
    _all_rejected: bool = False
    _others: bool = False
    _heard: frozenset[int] = frozenset()
    _names: dict[str, int] = field(default_factory=dict)

    def store(self, text: str) -> Iterator[tuple[list[Result], Stored]]:
        """Store what a file says, a chunk at a time."""
        self._names = batch_rows.names_in(self.batch)
        self._look_ahead(text)
        chunk: dict[int, ResultLine] = {}
        for line in result_lines(text, now=self.now):
            if line is None:
                self.unreadable += 1
                continue
            self.read += 1
            pk = self._names.get(line.custom_id)
            if pk is not None:
                chunk.setdefault(pk, line)
            if len(chunk) >= batch_rows.CHUNK:
                yield self._store(chunk)
                chunk = {}
        yield self._store(chunk)

    def _look_ahead(self, text: str) -> None:
        """Learn if anything is answered, by which a rejected call is told from all."""
        if self.works:
            return
        lines = (line.outcome for line in result_lines(text, now=self.now) if line)
        rejected = 0
        for outcome in lines:
            if isinstance(outcome, RawReply):
                self.works = True
                return
            rejected += _is_rejected(outcome)
        self._all_rejected = rejected >= ROW
        self._others = answered(self.batch.run_id) > 0

    def _store(self, lines: dict[int, ResultLine]) -> tuple[list[Result], Stored]:
        calls = batch_rows.calls_named(self.batch, list(lines))
        failures = batch_rows.own_failures(self.batch.run_id, list(calls))
        self._heard = batch_rows.heard_since(self.batch, list(calls))
        results = list(self._results(lines, calls, failures))
        stored = store(
            run_id=self.batch.run_id,
            owner=self.batch.key,
            results=results,
            again=True,
        )
        return results, stored

    def _results(
        self,
        lines: dict[int, ResultLine],
        calls: dict[int, Call],
        failures: dict[int, int],
    ) -> Iterable[Result]:
        for pk, call in calls.items():
            outcome = lines[pk].outcome
            if isinstance(outcome, NotCarriedOut):
                self.not_carried_out = outcome.detail
                continue
            question = self.asking.prepare(call)
            if isinstance(question, Invalid):
                continue  # it was sent, so it can be asked; only a changed text can't
            yield self._result(call, outcome, question, failures.get(pk, 0) + 1)

    def _result(
        self,
        call: Call,
        came: RawReply | CallFailed,
        question: Question,
        failures: int,
    ) -> Result:
        sent = self.batch.submitted_at or self.batch.created_at
        taken = self.asking.taken(
            call, came, question, owner=self.batch.key, sent=sent, now=self.now
        )
        outcome = taken.outcome
        taken.attempt.latency_ms = None  # of a file that took hours, it says nothing
        result = Result(call.pk, taken.attempt, taken.reply)
        if taken.reply is not None:
            taken.reply.latency_ms = None
        if isinstance(outcome, RawReply):
            self.works = True
        elif reading := self._given_up(call.pk, outcome, failures):
            result.reply = self.asking.unasked(
                call, reading, now=self.now, question=question
            )
        return result

    def _given_up(
        self, call_id: int, failed: CallFailed, failures: int
    ) -> Invalid | None:
        """The invalid answer of a call that failed; ``None`` to send it again."""
        if failed.stop_run:
            self.stop = self.stop or failed.detail
            return None
        if _is_rejected(failed) and not self._rejected_alone(call_id, failures):
            self.failed = failed.detail
            if self._all_rejected:
                self.stop = f"The provider rejects every call: {failed.detail}"
            return None
        if failed.final_reason is not None:
            self.works = True
            return Invalid(failed.final_reason, failed.detail)
        self.failed = failed.detail
        if failed.kind is FailureKind.RATE_LIMITED:
            return None
        heard = call_id in self._heard
        self.heard = self.heard or heard
        if (self.works or heard) and failures >= self.tries:
            return Invalid(failed.exhausted_reason, failed.detail)
        return None

    def _rejected_alone(self, call_id: int, failures: int) -> bool:
        """Whether a rejection is of this call, and not of all that the judge asks.

        Where the batch was not answered at all, other answers of the run tell; against
        a whole row of rejections only once the call was rejected before.
        """
        if self.works or call_id in self._heard:
            return True
        return self._others and (failures > 1 or not self._all_rejected)


def _is_rejected(outcome: RawReply | CallFailed | NotCarriedOut) -> bool:
    return isinstance(outcome, CallFailed) and outcome.kind is FailureKind.REJECTED
