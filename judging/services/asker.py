"""What every judge that is asked has in common: requests out, rows back."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from annotation.domain.records import plain_text, text_from_json
from judging.domain.asking import NotWhole
from judging.domain.exchange import unreadable
from judging.domain.ports import CallFailed, JudgeRequest, RawReply, Usage
from judging.domain.rubrics import RubricCase, case_digest
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid
from judging.models import Attempt, Call, Exchange, Reply

if TYPE_CHECKING:
    import uuid
    from collections.abc import Mapping
    from datetime import datetime

    from annotation.models import Case
    from judging.domain.prompts import Rendered

logger = logging.getLogger(__name__)
LONGEST_BODY = 2_000_000
_COUNTS = tuple(field.name for field in fields(Usage))


@dataclass(frozen=True, slots=True)
class Question:
    """A request and its hash, ready to be sent."""

    request: JudgeRequest
    request_hash: str


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of one request, as rows: an attempt, and the answer if it was one."""

    outcome: RawReply | CallFailed
    attempt: Attempt
    reply: Reply | None


class Asker(ABC):
    """One judge as it asks and reads; knows no database and no network."""

    def __init__(self, model: str, *, total_timeout: float) -> None:
        self._model, self._timeout = model, total_timeout

    @abstractmethod
    def rendered(self, call: Call) -> tuple[Rendered | Invalid, Mapping[str, object]]:
        """The messages of a call with their parameters, or why none may be sent."""

    def taken(
        self,
        call: Call,
        outcome: RawReply | CallFailed,
        question: Question,
        *,
        owner: uuid.UUID,
        sent: datetime,
        now: datetime,
    ) -> Taken:
        """Make the rows of what came back; a reply that can't be read is a failure.

        It was paid for, so whatever is wrong with it ends as a row.
        """
        try:
            attempt = self.attempt(call, outcome, question, owner=owner, sent=sent)
            if isinstance(outcome, CallFailed):
                return Taken(outcome, attempt, None)
            reply = self.answered(call, outcome, question, now=now)
            return Taken(outcome, attempt, reply)
        except Exception as error:
            logger.exception("Call %s: a reply that can't be read", call.pk)
            status = outcome.status if isinstance(outcome, CallFailed) else 200
            failed = unreadable(error, status=status, body=outcome.body)
            failed.latency_ms = outcome.latency_ms
        attempt = self.attempt(call, failed, question, owner=owner, sent=sent)
        return Taken(failed, attempt, None)

    @abstractmethod
    def row(self, call: Call, raw: RawReply, *, now: datetime) -> Reply:
        """The answer of a call, as it is read from what came back."""

    def prepare(self, call: Call) -> Question | Invalid:
        """Build the request of a call, or say why it may not be sent."""
        try:
            rendered, params = self.rendered(call)
        except NotWhole as error:
            return Invalid(InvalidReason.PROVIDER_ERROR, f"not sent: {error}")
        if isinstance(rendered, Invalid):
            return rendered
        request = JudgeRequest(
            messages=rendered.messages,
            model=self._model,
            params=params,
            total_timeout=self._timeout,
        )
        return Question(request, request.request_hash)

    def answered(
        self, call: Call, raw: RawReply, question: Question, *, now: datetime
    ) -> Reply:
        """Read a reply and keep it with everything the provider said about it."""
        reply = self.row(call, raw, now=now)
        reply.raw = None if raw.text is None else storable(raw.text)
        reply.reasoning = storable(raw.reasoning or "")
        reply.request_hash = question.request_hash
        _describe(reply, raw)
        return reply

    def unasked(
        self,
        call: Call,
        reading: Invalid,
        *,
        now: datetime,
        question: Question | None = None,
    ) -> Reply:
        """Keep the answer of a call that brought no reply, or was never sent."""
        reply = invalid_row(call, reading, now=now)
        if question is not None:
            reply.request_hash = question.request_hash
        return reply

    def attempt(
        self,
        call: Call,
        outcome: RawReply | CallFailed,
        question: Question,
        *,
        owner: uuid.UUID,
        sent: datetime,
    ) -> Attempt:
        """Keep one request that was sent, and what happened to it."""
        attempt = Attempt(call_id=call.pk, owner=owner, sent_at=sent, order=call.order)
        attempt.request_hash = question.request_hash
        attempt.body = storable(outcome.body)[:LONGEST_BODY]
        attempt.request_id = storable(outcome.request_id or "")[:200]
        note_subject(attempt, call)
        if isinstance(outcome, RawReply):
            attempt.status = 200
            _describe(attempt, outcome)
        else:
            attempt.status = outcome.status
            attempt.error = outcome.kind.value
            attempt.detail = storable(outcome.detail)
            attempt.latency_ms = outcome.latency_ms
        return attempt


def blank_row(call: Call, *, now: datetime) -> Reply:
    """A row for the call's one answer, which says nothing yet."""
    reply = Reply(call_id=call.pk, answered_at=now)
    note_subject(reply, call)
    return reply


def invalid_row(call: Call, reading: Invalid, *, now: datetime) -> Reply:
    """The row of an answer that is none, with its reason."""
    reply = blank_row(call, now=now)
    reply.invalid_reason = reading.reason.value
    reply.detail = storable(reading.detail)
    return reply


def note_subject(row: Exchange, call: Call) -> None:
    """Keep the digests of the texts that a call is about."""
    if call.pair is not None:
        row.baseline_sha256 = call.pair.baseline.sha256
        row.candidate_sha256 = call.pair.candidate.sha256
    elif call.response is not None:
        row.subject_sha256 = call.response.sha256
    elif call.case is not None:
        row.subject_sha256 = case_digest(rubric_case(call.case))


def rubric_case(case: Case) -> RubricCase:
    """A case as its rubric is written from it: without its responses."""
    return RubricCase(
        stored_text(case.prompt),
        optional_text(case.context),
        optional_text(case.reference),
    )


def stored_text(stored: object) -> str:
    """The plain text of a stored string or list of chat messages."""
    return plain_text(text_from_json(stored))


def optional_text(stored: object) -> str | None:
    """The plain text of what may not be there."""
    return None if stored is None else stored_text(stored)


def storable(text: str) -> str:
    """PostgreSQL takes neither NUL nor lone surrogates; show them instead."""
    clean = text.replace("\x00", "\N{REPLACEMENT CHARACTER}")
    return clean.encode("utf-8", "replace").decode()


def _describe(row: Exchange, raw: RawReply) -> None:
    """Keep what the provider said about its reply."""
    row.finish_reason = storable(raw.finish_reason or "")[:40]
    row.served_model = storable(raw.served_model or "")[:200]
    row.fingerprint = storable(raw.fingerprint or "")[:200]
    counts = ((name, getattr(raw.usage, name)) for name in _COUNTS)
    row.usage = {name: count for name, count in counts if count is not None}
    row.latency_ms = raw.latency_ms
