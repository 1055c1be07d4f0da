"""From a call to its request, and from what came back to the rows that keep it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from annotation.domain.outcomes import Order, Outcome, SlotChoice, choice_for
from annotation.domain.records import plain_text, text_from_json
from judging.domain.asking import NotWhole, ask, format_of, prompt_case
from judging.domain.ports import JudgeRequest, RawReply
from judging.domain.readings import reading_of
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid, Reading
from judging.models import Attempt, Call, Exchange, Reply

if TYPE_CHECKING:
    import uuid
    from datetime import datetime

    from annotation.models import Pair
    from judging.domain.digests import JudgeSpec
    from judging.domain.ports import CallFailed
    from judging.domain.prompts import PromptCase

LONGEST_BODY = 2_000_000


@dataclass(frozen=True, slots=True)
class Question:
    """A request and its hash, ready to be sent."""

    request: JudgeRequest
    request_hash: str


class Asking:
    """One frozen judge as it asks and reads; knows no database and no network."""

    def __init__(self, spec: JudgeSpec, *, total_timeout: float) -> None:
        self.spec = spec
        self.format = format_of(spec)
        self._timeout = total_timeout
        self._params = dict(spec.params)
        if spec.response_format is not None:
            self._params["response_format"] = dict(spec.response_format)

    def prepare(self, call: Call) -> Question | Invalid:
        """Build the request of a call, or say why it may not be sent."""
        try:
            rendered = ask(self.spec, case_of(self.spec, call.pair, Order(call.order)))
        except NotWhole as error:
            return Invalid(InvalidReason.PROVIDER_ERROR, f"not sent: {error}")
        if isinstance(rendered, Invalid):
            return rendered
        request = JudgeRequest(
            messages=rendered.messages,
            model=self.spec.model,
            params=self._params,
            total_timeout=self._timeout,
        )
        return Question(request, request.request_hash)

    def answered(
        self, call: Call, raw: RawReply, question: Question, *, now: datetime
    ) -> Reply:
        """Read a reply and keep it with everything the provider said about it."""
        reply = reply_row(call, self.reading(raw), now=now)
        reply.raw = None if raw.text is None else storable(raw.text)
        reply.reasoning = storable(raw.reasoning or "")
        reply.request_hash = question.request_hash
        _describe(reply, raw)
        return reply

    def reading(self, raw: RawReply) -> Reading:
        """Read the verdict of a reply, or why there is none."""
        return reading_of(raw, self.format, offers_abstain=self.spec.offers_abstain)

    def unasked(
        self,
        call: Call,
        reading: Invalid,
        *,
        now: datetime,
        question: Question | None = None,
    ) -> Reply:
        """Keep the answer of a call that brought no reply, or was never sent."""
        reply = reply_row(call, reading, now=now)
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
        _note_responses(attempt, call)
        if isinstance(outcome, RawReply):
            attempt.status = 200
            _describe(attempt, outcome)
        else:
            attempt.status = outcome.status
            attempt.error = outcome.kind.value
            attempt.detail = storable(outcome.detail)
            attempt.latency_ms = outcome.latency_ms
        return attempt


def case_of(spec: JudgeSpec, pair: Pair, order: Order) -> PromptCase:
    """Put a pair into the slots of an order, as texts."""
    texts = (_text(pair.baseline.text), _text(pair.candidate.text))
    baseline_first = choice_for(Outcome.BASELINE, order) is SlotChoice.FIRST
    first, second = texts if baseline_first else texts[::-1]
    return prompt_case(
        spec,
        prompt=_text(pair.case.prompt),
        first=first,
        second=second,
        context=_optional(pair.case.context),
        reference=_optional(pair.case.reference),
    )


def reply_row(call: Call, reading: Reading, *, now: datetime) -> Reply:
    """Make the row of a call's one answer: a choice, or invalid with its reason."""
    reply = Reply(call_id=call.pk, answered_at=now)
    _note_responses(reply, call)
    if isinstance(reading, Invalid):
        reply.invalid_reason = reading.reason.value
        reply.detail = storable(reading.detail)
        return reply
    reply.choice = reading.choice.value
    reply.strength = reading.strength
    reply.flags = list(reading.flags)
    reply.span = list(reading.span) if reading.span else None
    return reply


def storable(text: str) -> str:
    """PostgreSQL takes neither NUL nor lone surrogates; show them instead."""
    clean = text.replace("\x00", "\N{REPLACEMENT CHARACTER}")
    return clean.encode("utf-8", "replace").decode()


def _describe(row: Exchange, raw: RawReply) -> None:
    """Keep what the provider said about its reply."""
    row.finish_reason = storable(raw.finish_reason or "")[:40]
    row.served_model = storable(raw.served_model or "")[:200]
    row.fingerprint = storable(raw.fingerprint or "")[:200]
    row.usage = {k: v for k, v in asdict(raw.usage).items() if v is not None}
    row.latency_ms = raw.latency_ms


def _note_responses(row: Exchange, call: Call) -> None:
    row.baseline_sha256 = call.pair.baseline.sha256
    row.candidate_sha256 = call.pair.candidate.sha256


def _text(stored: object) -> str:
    return plain_text(text_from_json(stored))


def _optional(stored: object) -> str | None:
    return None if stored is None else _text(stored)
