"""Trying a judge before anything is spent on a run; nothing of it is stored."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotation.domain.outcomes import Order, Outcome
from annotation.services.held_out import held_out_anywhere
from config.errors import Conflict, NotAllowed
from judging.domain.ports import CallFailed, JudgeRequest, Message
from judging.domain.rubrics import MadeRubric, rubric_from
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import CallReading, Invalid
from judging.models import Call, ConfigKind, Reply
from judging.services.asking import Asking
from judging.services.configuring import (
    pointwise_spec_of,
    refuse_outdated,
    spec_of,
)
from judging.services.controls import GREETING
from judging.services.evidence import verdict_of
from judging.services.marking import Marking
from judging.services.working import endpoint_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from annotation.models import Pair
    from judging.domain.marks import MarkReading
    from judging.domain.ports import Endpoint, JudgeClient, RawReply
    from judging.domain.verdicts import CaseVerdict, Reading
    from judging.models import JudgeConfig, Provider
    from judging.services.asker import Asker, Question

# Somebody waits for it in front of a page.
PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class Exchanged:
    """One request that was tried, and the reply or the failure that came of it.

    ``failure`` says why there is no reply, and ``kind`` of what sort that is.
    """

    messages: tuple[Message, ...]
    reply: RawReply | None = None
    failure: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class OrderTrial:
    """One order of a pair: what was asked and answered, and what was read from it."""

    order: Order
    exchanged: Exchanged
    reading: Reading


@dataclass(frozen=True, slots=True)
class RubricTrial:
    """The rubric that was written for the pair's case, or why there is none."""

    exchanged: Exchanged
    made: MadeRubric | Invalid


@dataclass(frozen=True, slots=True)
class PairTrial:
    """Both orders of a pair, once each, and the verdict that they come to."""

    orders: tuple[OrderTrial, ...]
    verdict: CaseVerdict
    rubric: RubricTrial | None = None


@dataclass(frozen=True, slots=True)
class ResponseTrial:
    """One response: what was asked and answered, and the mark that was read."""

    which: Outcome
    exchanged: Exchanged
    reading: MarkReading


def try_connection(
    *,
    provider: Provider,
    model: str,
    open_client: Callable[[Endpoint], JudgeClient],
    params: dict[str, object] | None = None,
) -> Exchanged:
    """Ask a model for one word, with a judge's parameters if they are given."""
    request = JudgeRequest(
        messages=GREETING,
        model=model,
        params=params or {},
        total_timeout=min(PATIENCE, provider.call_seconds),
    )
    return _ask_all(provider, [request], open_client)[0]


def try_pair(
    *,
    config: JudgeConfig,
    pair: Pair,
    open_client: Callable[[Endpoint], JudgeClient],
) -> PairTrial:
    """Judge one pair in both orders, by a draft or a frozen judge; store nothing.

    Raises ``NotAllowed`` for a held-out pair and ``Conflict`` for a judge that can't be
    asked.
    """
    provider = _provider(config, pair, ConfigKind.PAIRWISE)
    seconds = min(PATIENCE, provider.call_seconds)
    asking = Asking(spec_of(config), total_timeout=seconds)
    rubric = _write_rubric(asking, pair, provider, open_client)
    calls = [Call(pair=pair, order=order.value, repeat=1) for order in Order]
    if rubric is not None:
        for call in calls:
            call.written = _written(rubric.made)
    prepared, answers = _exchange(asking, calls, provider, open_client)
    trials = tuple(
        _trial(asking, Order(call.order), question, answers)
        for call, question in zip(calls, prepared, strict=True)
    )
    return PairTrial(trials, _verdict(config, trials), rubric)


def try_responses(
    *,
    config: JudgeConfig,
    pair: Pair,
    open_client: Callable[[Endpoint], JudgeClient],
) -> tuple[ResponseTrial, ...]:
    """Mark both responses of a pair once, by a pointwise judge; store nothing.

    Raises what :func:`try_pair` raises.
    """
    provider = _provider(config, pair, ConfigKind.POINTWISE)
    seconds = min(PATIENCE, provider.call_seconds)
    marking = Marking(pointwise_spec_of(config), total_timeout=seconds)
    sides = {Outcome.BASELINE: pair.baseline, Outcome.CANDIDATE: pair.candidate}
    for response in sides.values():
        response.case = pair.case
    calls = [Call(response=response, repeat=1) for response in sides.values()]
    prepared, answers = _exchange(marking, calls, provider, open_client)
    return tuple(
        _marked(marking, which, question, answers)
        for which, question in zip(sides, prepared, strict=True)
    )


def _provider(config: JudgeConfig, pair: Pair, kind: ConfigKind) -> Provider:
    if held_out_anywhere(pair):
        raise NotAllowed("pair_held_out", "A judge is tried on dev pairs only.")
    if config.recorded or config.kind != kind or not config.provider:
        raise Conflict("judge_not_asked", "This judge can't be asked by itself.")
    refuse_outdated(config)
    return config.provider


def _exchange(
    asker: Asker,
    calls: Sequence[Call],
    provider: Provider,
    open_client: Callable[[Endpoint], JudgeClient],
) -> tuple[list[Question | Invalid], Iterator[Exchanged]]:
    """Send what can be sent; the exchanges are those of the questions, in order."""
    prepared = [asker.prepare(call) for call in calls]
    questions = [each for each in prepared if not isinstance(each, Invalid)]
    requests = [question.request for question in questions]
    return prepared, iter(_ask_all(provider, requests, open_client))


def _write_rubric(
    asking: Asking,
    pair: Pair,
    provider: Provider,
    open_client: Callable[[Endpoint], JudgeClient],
) -> RubricTrial | None:
    if asking.step is None:
        return None
    calls = [Call(case=pair.case, repeat=1)]
    (question,), answers = _exchange(asking, calls, provider, open_client)
    if isinstance(question, Invalid):
        return RubricTrial(Exchanged((), failure=question.detail), question)
    exchanged = next(answers)
    if exchanged.reply is None:
        return RubricTrial(exchanged, _no_reply(exchanged))
    return RubricTrial(exchanged, rubric_from(exchanged.reply, asking.step))


def _written(made: MadeRubric | Invalid) -> Reply:
    """The rubric as a run would have it stored."""
    if isinstance(made, Invalid):
        return Reply(invalid_reason=made.reason.value, detail=made.detail)
    return Reply(rubric=made.text)


def _no_reply(exchanged: Exchanged) -> Invalid:
    return Invalid(InvalidReason.PROVIDER_ERROR, exchanged.failure)


def _marked(
    marking: Marking,
    which: Outcome,
    question: Question | Invalid,
    answers: Iterator[Exchanged],
) -> ResponseTrial:
    if isinstance(question, Invalid):
        nothing = Exchanged((), failure=question.detail)
        return ResponseTrial(which, nothing, question)
    exchanged = next(answers)
    if exchanged.reply is None:
        return ResponseTrial(which, exchanged, _no_reply(exchanged))
    return ResponseTrial(which, exchanged, marking.reading(exchanged.reply))


def _trial(
    asking: Asking,
    order: Order,
    question: Question | Invalid,
    answers: Iterator[Exchanged],
) -> OrderTrial:
    if isinstance(question, Invalid):
        return OrderTrial(order, Exchanged((), failure=question.detail), question)
    exchanged = next(answers)
    if exchanged.reply is None:
        return OrderTrial(order, exchanged, _no_reply(exchanged))
    return OrderTrial(order, exchanged, asking.reading(exchanged.reply))


def _verdict(config: JudgeConfig, trials: Sequence[OrderTrial]) -> CaseVerdict:
    """The pair's verdict, as if each order had been repeated with the same answer."""
    calls = [
        CallReading(trial.order, repeat, trial.reading)
        for trial in trials
        for repeat in range(1, config.repeats + 1)
    ]
    return verdict_of(config, tuple(calls))


def _ask_all(
    provider: Provider,
    requests: Sequence[JudgeRequest],
    open_client: Callable[[Endpoint], JudgeClient],
) -> list[Exchanged]:
    async def main() -> list[Exchanged]:
        client = open_client(endpoint_of(provider))
        try:
            return list(await asyncio.gather(*(_ask(client, r) for r in requests)))
        finally:
            await client.close()

    try:
        return asyncio.run(main())
    except CallFailed as failed:  # no client could be made
        return [_failed(request, failed) for request in requests]


async def _ask(client: JudgeClient, request: JudgeRequest) -> Exchanged:
    try:
        raw = await client.ask(request)
    except CallFailed as failed:
        return _failed(request, failed)
    return Exchanged(request.messages, reply=raw)


def _failed(request: JudgeRequest, failed: CallFailed) -> Exchanged:
    return Exchanged(request.messages, failure=failed.detail, kind=failed.kind.value)
