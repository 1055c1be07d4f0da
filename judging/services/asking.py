"""From a call to its request, and from what came back to the rows that keep it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from annotation.domain.outcomes import Order, Outcome, SlotChoice, choice_for
from annotation.domain.records import plain_text, text_from_json
from judging.domain.formats.registry import get_format
from judging.domain.ports import JudgeRequest, RawReply
from judging.domain.prompts import (
    JudgeTemplate,
    PromptCase,
    occurrences,
    render,
    too_long,
)
from judging.domain.readings import reading_of
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid, Reading
from judging.models import Attempt, Call, Reply

if TYPE_CHECKING:
    import uuid
    from datetime import datetime

    from annotation.models import Pair
    from judging.domain.digests import JudgeSpec
    from judging.domain.ports import CallFailed

LONGEST_BODY = 2_000_000


class Asking:
    """One frozen judge as it asks and reads; knows no database and no network."""

    def __init__(self, spec: JudgeSpec, *, total_timeout: float) -> None:
        self.spec = spec
        self.format = get_format(spec.verdict_format)
        self._template = JudgeTemplate(spec.system_template, spec.user_template)
        self._menu = self.format.menu(offers_abstain=spec.offers_abstain)
        self._timeout = total_timeout
        self._params = dict(spec.params)
        if spec.response_format is not None:
            self._params["response_format"] = dict(spec.response_format)

    def prepare(self, call: Call) -> JudgeRequest | Invalid:
        """Build the request of a call, or say why it may not be sent."""
        case = prompt_case(self.spec, self._menu, call.pair, Order(call.order))
        rendered = render(self._template, case)
        problems = occurrences(rendered, case)
        if problems:
            return Invalid(InvalidReason.PROVIDER_ERROR, "; ".join(problems))
        refused = too_long(rendered, self.spec.input_limit)
        if refused is not None:
            return refused
        return JudgeRequest(
            messages=rendered.messages,
            model=self.spec.model,
            params=self._params,
            total_timeout=self._timeout,
        )

    def answered(
        self, call: Call, raw: RawReply, request: JudgeRequest, *, now: datetime
    ) -> Reply:
        """Read a reply and keep it with everything the provider said about it."""
        reading = reading_of(raw, self.format, offers_abstain=self.spec.offers_abstain)
        reply = reply_row(call, reading, now=now)
        reply.raw = None if raw.text is None else _storable(raw.text)
        reply.reasoning = _storable(raw.reasoning or "")
        reply.finish_reason = (raw.finish_reason or "")[:40]
        reply.served_model = (raw.served_model or "")[:200]
        reply.fingerprint = (raw.fingerprint or "")[:200]
        reply.usage = {k: v for k, v in asdict(raw.usage).items() if v is not None}
        reply.latency_ms = raw.latency_ms
        reply.request_hash = request.request_hash
        return reply

    def unasked(self, call: Call, reading: Invalid, *, now: datetime) -> Reply:
        """Keep the answer of a call that brought no reply."""
        return reply_row(call, reading, now=now)

    def attempt(
        self,
        call: Call,
        outcome: RawReply | CallFailed,
        *,
        owner: uuid.UUID,
        sent: datetime,
    ) -> Attempt:
        """Keep one request that was sent, and what happened to it."""
        attempt = Attempt(
            call_id=call.pk, owner=owner, sent_at=sent, latency_ms=outcome.latency_ms
        )
        attempt.body = _storable(outcome.body)[:LONGEST_BODY]
        if isinstance(outcome, RawReply):
            attempt.status = 200
        else:
            attempt.status = outcome.status
            attempt.error = outcome.kind.value
            attempt.detail = _storable(outcome.detail)
        return attempt


def prompt_case(spec: JudgeSpec, menu: str, pair: Pair, order: Order) -> PromptCase:
    """Put a pair into the slots of an order, as texts."""
    texts = (_text(pair.baseline.text), _text(pair.candidate.text))
    baseline_first = choice_for(Outcome.BASELINE, order) is SlotChoice.FIRST
    first, second = texts if baseline_first else texts[::-1]
    return PromptCase(
        prompt=_text(pair.case.prompt),
        first=first,
        second=second,
        context=_optional(pair.case.context),
        reference=_optional(pair.case.reference),
        question=spec.question,
        rubric=spec.rubric,
        menu=menu,
    )


def _text(stored: object) -> str:
    return plain_text(text_from_json(stored))


def _optional(stored: object) -> str | None:
    return None if stored is None else _text(stored)


def reply_row(call: Call, reading: Reading, *, now: datetime) -> Reply:
    """Make the row of a call's one answer: a choice, or invalid with its reason."""
    reply = Reply(
        call_id=call.pk,
        baseline_sha256=call.pair.baseline.sha256,
        candidate_sha256=call.pair.candidate.sha256,
        answered_at=now,
    )
    if isinstance(reading, Invalid):
        reply.invalid_reason = reading.reason.value
        reply.detail = _storable(reading.detail)
        return reply
    reply.choice = reading.choice.value
    reply.strength = reading.strength
    reply.flags = list(reading.flags)
    reply.span = list(reading.span) if reading.span else None
    return reply


def _storable(text: str) -> str:
    """PostgreSQL takes neither NUL nor lone surrogates; show them instead."""
    clean = text.replace("\x00", "\N{REPLACEMENT CHARACTER}")
    return clean.encode("utf-8", "replace").decode()
