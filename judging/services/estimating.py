"""A dry run: what a run would ask, reuse and cost, before the first call is made."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db.models import Avg, Count, FloatField, Q
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from annotation.models import Pair
from judging.domain.costs import cost_of
from judging.domain.estimating import (
    longest_answer,
    most_prompt_tokens,
    prompt_tokens,
    size_of,
)
from judging.domain.ports import Usage
from judging.domain.verdicts import Invalid
from judging.models import Attempt, ConfigKind
from judging.services.configuring import refuse_outdated
from judging.services.foreseeing import foresee
from judging.services.panels import members_of
from judging.services.pricing import Money, price_now

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date, datetime

    from annotation.models import GoldSet
    from annotation.models.cases import PairQuerySet
    from judging.domain.costs import Price
    from judging.models import JudgeConfig, Run
    from judging.services.foreseeing import Foreseen
    from judging.services.seats import Seat

FEWEST_SEEN = 10


@dataclass(frozen=True, slots=True)
class RunEstimate:
    """What a run would come to.

    ``reused`` answers would be copied from earlier runs and ``too_long`` ones never be
    sent; ``to_ask`` is the rest of ``calls``. Tokens are estimates over ``to_ask``, by
    text length, and by this judge's earlier replies where ``seen`` of them tell more.
    ``cost``, and ``batch_cost`` of the same calls in batches, are ``None`` where the
    price is unknown. Rubrics that are still to be
    written count with the greatest length that they may have.
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
    batch_cost: Money | None
    simulated: bool = False


@dataclass(slots=True)
class _Sums:
    """``answers`` and ``rubrics`` are requests, which share an output limit each."""

    calls: int = 0
    reused: int = 0
    too_long: int = 0
    size: int = 0
    answers: int = 0
    rubrics: int = 0

    def add(self, each: Foreseen) -> None:
        self.calls += 1
        if each.answer is not None or each.follows:
            self.reused += 1
        elif isinstance(each.question, Invalid):
            self.too_long += 1
        else:
            self.size += size_of(each.question.request.messages)
            self.rubrics += each.call.case_id is not None
            self.answers += each.call.case_id is None


def estimate_run(
    *,
    config: JudgeConfig,
    gold_set: GoldSet,
    now: datetime,
    reuse: bool = True,
    pair_ids: Iterable[int] | None = None,
    seats: Sequence[Seat] = (),
    run: Run | None = None,
) -> RunEstimate:
    """Estimate a run of a judge, draft or frozen, over a set or some of its pairs.

    Every request is rendered as it would be sent, and none is sent. Of a ``run`` that
    is to go on, only what it lacks is asked. A panel takes what its members take; those
    that have a run in their ``seats`` go on with that.
    """
    if config.kind == ConfigKind.PANEL:
        ids = None if pair_ids is None else list(pair_ids)
        runs = {seat.member.pk: seat.run for seat in seats}
        return _sum(
            [
                estimate_run(
                    config=member,
                    gold_set=gold_set,
                    now=now,
                    reuse=reuse,
                    pair_ids=ids,
                    run=runs.get(member.pk),
                )
                for member in members_of(config)
            ]
        )
    if config.frozen_at is not None:
        refuse_outdated(config)
    pairs = Pair.objects.filter(gold_set=gold_set)
    if pair_ids is not None:
        pairs = pairs.filter(pk__in=list(pair_ids))
    sums = _Sums()
    copies = reuse if run is None else run.reuse
    for each in foresee(config, pairs, reuse=copies, run=run):
        sums.add(each)
    return _estimate(config, sums, pairs.count(), now.date())


def _sum(members: list[RunEstimate]) -> RunEstimate:
    return RunEstimate(
        pairs=max(each.pairs for each in members),
        calls=sum(each.calls for each in members),
        reused=sum(each.reused for each in members),
        too_long=sum(each.too_long for each in members),
        to_ask=sum(each.to_ask for each in members),
        prompt_tokens=sum(each.prompt_tokens for each in members),
        completion_tokens=sum(each.completion_tokens for each in members),
        seen=min(each.seen for each in members),
        cost=_sum_of([each.cost for each in members]),
        batch_cost=_sum_of([each.batch_cost for each in members]),
        simulated=any(each.simulated for each in members),
    )


def _sum_of(costs: list[Money | None]) -> Money | None:
    """The sum of amounts in one currency; ``None`` where any is unknown."""
    known = [cost for cost in costs if cost is not None]
    currencies = {cost.currency for cost in known}
    if len(known) < len(costs) or len(currencies) != 1:
        return None
    return Money(sum((cost.amount for cost in known), Decimal(0)), currencies.pop())


def _estimate(config: JudgeConfig, sums: _Sums, pairs: int, day: date) -> RunEstimate:
    seen, usual = _usual_completion(config)
    prompt = prompt_tokens(sums.size)
    answer = math.ceil(sums.answers * (usual or longest_answer(_params(config))))
    answer += sums.rubrics * longest_answer(_step_params(config))
    price = price_now(config.provider, str(config.spec["model"]), day)
    usage = Usage(prompt=prompt, completion=answer)
    return RunEstimate(
        pairs=pairs,
        calls=sums.calls,
        reused=sums.reused,
        too_long=sums.too_long,
        to_ask=sums.answers + sums.rubrics,
        prompt_tokens=prompt,
        completion_tokens=answer,
        seen=seen,
        cost=_money(usage, price),
        batch_cost=_money(usage, price.in_batches() if price else None),
        simulated=config.simulated,
    )


def _money(usage: Usage, price: Price | None) -> Money | None:
    amount = cost_of(usage, price)
    return None if price is None or amount is None else Money(amount, price.currency)


def _params(config: JudgeConfig) -> dict[str, object]:
    return dict(config.spec["params"])


def _step_params(config: JudgeConfig) -> dict[str, object]:
    """The parameters of the first step; those of the judge where there is none."""
    step = config.spec.get("rubric_step")
    return dict(step["params"]) if step else _params(config)


def _usual_completion(config: JudgeConfig) -> tuple[int, float | None]:
    """How many answers this judge gave so far, and their mean length in tokens."""
    if not config.digest:
        return 0, None
    found = Attempt.objects.filter(
        call__run__config__digest=config.digest, call__case__isnull=True, error=""
    ).aggregate(
        seen=Count("pk", filter=Q(usage__completion__isnull=False)),
        mean=Avg(Cast(KT("usage__completion"), FloatField())),
    )
    if found["seen"] < FEWEST_SEEN:
        return found["seen"], None
    return found["seen"], found["mean"]


def largest_call(run: Run) -> Usage:
    """The tokens that the longest call of a run may take, on the safe side."""
    largest = max(
        (
            size_of(each.question.request.messages)
            for each in foresee(run.config, _pairs_of(run), reuse=False)
            if not isinstance(each.question, Invalid)
        ),
        default=0,
    )
    answer = longest_answer(_params(run.config))
    if run.rubric_step:
        answer = max(answer, longest_answer(_step_params(run.config)))
    return Usage(prompt=most_prompt_tokens(largest), completion=answer)


def _pairs_of(run: Run) -> PairQuerySet:
    """The pairs that a run asks about, or whose responses it marks."""
    if run.config.kind == ConfigKind.POINTWISE:
        marked = run.calls.marks().values("response")
        either = Q(baseline__in=marked) | Q(candidate__in=marked)
        return Pair.objects.filter(either, gold_set=run.gold_set_id)
    return Pair.objects.filter(pk__in=run.calls.verdicts().values("pair"))
