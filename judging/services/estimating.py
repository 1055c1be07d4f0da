"""A dry run: what a run would ask, reuse and cost, before the first call is made."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db.models import Avg, Count, FloatField, Q
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from annotation.domain.outcomes import Order
from annotation.models import Pair
from judging.domain.costs import cost_of
from judging.domain.estimating import output_limit
from judging.domain.ports import Usage
from judging.domain.verdicts import Invalid
from judging.models import Attempt, Call, ConfigKind
from judging.services.asking import Asking
from judging.services.configuring import spec_of
from judging.services.panels import members_of
from judging.services.pricing import Money, price_now
from judging.services.reusing import earlier_replies

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date, datetime

    from annotation.models import GoldSet
    from judging.domain.digests import JudgeSpec
    from judging.models import JudgeConfig, Run
    from judging.services.asking import Question

# English prose has about four bytes to a token; for limits the count is on the safe
# side. Both are guesses: only the provider knows its tokenizer.
BYTES_PER_TOKEN = 4
FEWEST_BYTES_PER_TOKEN = 3
CHAT_TOKENS = 20  # what a provider's chat format adds to the texts
UNLIMITED_OUTPUT = 4096
FEWEST_SEEN = 10
GROUP = 500


@dataclass(frozen=True, slots=True)
class RunEstimate:
    """What a run would come to.

    ``reused`` answers would be copied from earlier runs and ``too_long`` ones never be
    sent; ``to_ask`` is the rest of ``calls``. Tokens are estimates over ``to_ask``, by
    text length, and by this judge's earlier replies where ``seen`` of them tell more.
    ``cost`` is ``None`` where the price is unknown.
    """

    pairs: int
    calls: int
    reused: int
    too_long: int
    to_ask: int
    prompt_tokens: int
    completion_tokens: int
    seen: int
    cost: Money | None


@dataclass(slots=True)
class _Sums:
    calls: int = 0
    reused: int = 0
    too_long: int = 0
    size: int = 0


def estimate_run(
    *,
    config: JudgeConfig,
    gold_set: GoldSet,
    now: datetime,
    reuse: bool = True,
    pair_ids: Iterable[int] | None = None,
) -> RunEstimate:
    """Estimate a run of a judge, draft or frozen, over a set or some of its pairs.

    Every request is rendered as it would be sent, and none is sent. A panel takes what
    its members take.
    """
    if config.kind == ConfigKind.PANEL:
        ids = None if pair_ids is None else list(pair_ids)
        return _sum(
            [
                estimate_run(
                    config=member, gold_set=gold_set, now=now, reuse=reuse, pair_ids=ids
                )
                for member in members_of(config)
            ]
        )
    pairs = Pair.objects.filter(gold_set=gold_set)
    if pair_ids is not None:
        pairs = pairs.filter(pk__in=list(pair_ids))
    spec, sums = spec_of(config), _Sums()
    group: list[tuple[Call, Question]] = []
    for call, question in _questions(
        spec, pairs.with_texts().iterator(chunk_size=GROUP)
    ):
        sums.calls += 1
        if isinstance(question, Invalid):
            sums.too_long += 1
            continue
        group.append((call, question))
        if len(group) == GROUP:
            _count(config, group, sums, reuse=reuse)
            group = []
    _count(config, group, sums, reuse=reuse)
    return _estimate(config, spec, sums, pairs.count(), now.date())


def _sum(members: list[RunEstimate]) -> RunEstimate:
    costs = [each.cost for each in members if each.cost is not None]
    currencies = {cost.currency for cost in costs}
    known = len(costs) == len(members) and len(currencies) == 1
    total = sum((cost.amount for cost in costs), Decimal(0))
    return RunEstimate(
        pairs=max(each.pairs for each in members),
        calls=sum(each.calls for each in members),
        reused=sum(each.reused for each in members),
        too_long=sum(each.too_long for each in members),
        to_ask=sum(each.to_ask for each in members),
        prompt_tokens=sum(each.prompt_tokens for each in members),
        completion_tokens=sum(each.completion_tokens for each in members),
        seen=min(each.seen for each in members),
        cost=Money(total, currencies.pop()) if known else None,
    )


def _questions(
    spec: JudgeSpec, pairs: Iterable[Pair]
) -> Iterator[tuple[Call, Question | Invalid]]:
    asking = Asking(spec, total_timeout=1.0)
    for pair in pairs:
        for order in Order:
            for repeat in range(1, spec.repeats + 1):
                call = Call(pair=pair, order=order.value, repeat=repeat)
                yield call, asking.prepare(call)


def _count(
    config: JudgeConfig,
    group: list[tuple[Call, Question]],
    sums: _Sums,
    *,
    reuse: bool,
) -> None:
    known = {}
    if reuse and config.digest:
        wanted = [(question.request_hash, call.repeat) for call, question in group]
        known = earlier_replies(digest=config.digest, wanted=wanted)
    for call, question in group:
        if (question.request_hash, call.repeat) in known:
            sums.reused += 1
        else:
            sums.size += size_of(question)


def _estimate(
    config: JudgeConfig, spec: JudgeSpec, sums: _Sums, pairs: int, day: date
) -> RunEstimate:
    to_ask = sums.calls - sums.reused - sums.too_long
    seen, completion = _usual_completion(config)
    prompt = math.ceil(sums.size / BYTES_PER_TOKEN)
    answer = math.ceil(to_ask * (completion or longest_answer(spec)))
    price = price_now(config.provider, spec.model, day)
    amount = cost_of(Usage(prompt=prompt, completion=answer), price)
    cost = None if price is None or amount is None else Money(amount, price.currency)
    return RunEstimate(
        pairs=pairs,
        calls=sums.calls,
        reused=sums.reused,
        too_long=sums.too_long,
        to_ask=to_ask,
        prompt_tokens=prompt,
        completion_tokens=answer,
        seen=seen,
        cost=cost,
    )


def size_of(question: Question) -> int:
    """Bytes of text that a request sends."""
    return sum(len(m.content.encode()) for m in question.request.messages)


def longest_answer(spec: JudgeSpec) -> int:
    """Tokens that one answer may have; a guess where the judge does not limit them."""
    return output_limit(spec.params) or UNLIMITED_OUTPUT


def _usual_completion(config: JudgeConfig) -> tuple[int, float | None]:
    """How many answers this judge gave so far, and their mean length in tokens."""
    if not config.digest:
        return 0, None
    found = Attempt.objects.filter(
        call__run__config__digest=config.digest, error=""
    ).aggregate(
        seen=Count("pk", filter=Q(usage__completion__isnull=False)),
        mean=Avg(Cast(KT("usage__completion"), FloatField())),
    )
    if found["seen"] < FEWEST_SEEN:
        return found["seen"], None
    return found["seen"], found["mean"]


def largest_call(run: Run) -> Usage:
    """The tokens that the longest call of a run may take, on the safe side."""
    spec = spec_of(run.config)
    pairs = Pair.objects.filter(calls__run=run).distinct().with_texts()
    largest = max(
        (
            size_of(question)
            for _, question in _questions(spec, pairs.iterator(chunk_size=GROUP))
            if not isinstance(question, Invalid)
        ),
        default=0,
    )
    prompt = math.ceil(largest / FEWEST_BYTES_PER_TOKEN) + CHAT_TOKENS
    return Usage(prompt=prompt, completion=longest_answer(spec))
