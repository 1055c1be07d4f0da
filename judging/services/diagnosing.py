"""Trying a judge before anything is spent on a run; nothing of it is stored."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotation.domain.outcomes import Order, Split
from config.errors import Conflict, NotAllowed
from judging.domain.ports import CallFailed, JudgeRequest, Message, Role
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import CallReading, Invalid
from judging.models import Call, ConfigKind
from judging.services.asking import Asking
from judging.services.configuring import spec_of
from judging.services.evidence import verdict_of
from judging.services.working import endpoint_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from annotation.models import Pair
    from judging.domain.ports import Endpoint, JudgeClient, RawReply
    from judging.domain.verdicts import CaseVerdict, Reading
    from judging.models import JudgeConfig, Provider
    from judging.services.asking import Question

# Somebody waits for it in front of a page.
PATIENCE = 60.0
GREETING = (Message(Role.USER, "Reply with the single word: ready"),)


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
class PairTrial:
    """Both orders of a pair, once each, and the verdict that they come to."""

    orders: tuple[OrderTrial, ...]
    verdict: CaseVerdict


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
    if pair.case.split == Split.HELD_OUT:
        raise NotAllowed("pair_held_out", "A judge is tried on dev pairs only.")
    if config.recorded or config.kind != ConfigKind.PAIRWISE or not config.provider:
        raise Conflict("judge_not_asked", "This judge can't be asked by itself.")
    seconds = min(PATIENCE, config.provider.call_seconds)
    asking = Asking(spec_of(config), total_timeout=seconds)
    calls = [Call(pair=pair, order=order.value, repeat=1) for order in Order]
    prepared = [asking.prepare(call) for call in calls]
    questions = [each for each in prepared if not isinstance(each, Invalid)]
    requests = [question.request for question in questions]
    answers = iter(_ask_all(config.provider, requests, open_client))
    trials = tuple(
        _trial(asking, Order(call.order), question, answers)
        for call, question in zip(calls, prepared, strict=True)
    )
    return PairTrial(trials, _verdict(config, trials))


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
        failed = Invalid(InvalidReason.PROVIDER_ERROR, exchanged.failure)
        return OrderTrial(order, exchanged, failed)
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
