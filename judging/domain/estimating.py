"""What a run would take: calls, tokens and cost, before the first call.

An estimate, and labelled so: tokens are counted as characters divided by four, which
suits English prose and is too low for code and for most other scripts. Completion
tokens are the most that the judge allows, so the cost is an upper figure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from judging.domain.asking import ask, prompt_case
from judging.domain.costs import cost_of, price_on
from judging.domain.lint_settings import TOKEN_LIMITS
from judging.domain.pointwise import ask_pointwise, scale_of
from judging.domain.ports import Usage
from judging.domain.rubrics import RubricCase, ask_for_rubric, rubric_step_of
from judging.domain.verdicts import Invalid

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date
    from decimal import Decimal

    from judging.domain.costs import Price
    from judging.domain.digests import JudgeSpec
    from judging.domain.pointwise import PointwiseCase, PointwiseSpec
    from judging.domain.prompts import Rendered
    from judging.domain.rubrics import RubricStep

CHARS_PER_TOKEN = 4
TOKENS_PER_MESSAGE = 4
"""What chat formats add to each message, about."""

METHOD = "characters / 4"
ORDERS = 2


@dataclass(frozen=True, slots=True)
class Work:
    """The texts of one pair, in any order of its responses."""

    prompt: str
    first: str
    second: str
    context: str | None = None
    reference: str | None = None

    @property
    def rubric_case(self) -> RubricCase:
        """The case that the pair belongs to, as a rubric is written from it."""
        return RubricCase(self.prompt, self.context, self.reference)


@dataclass(frozen=True, slots=True)
class RunEstimate:
    """What a run would take at most.

    ``calls`` are sent; ``too_long`` of the planned ones are not, since their prompts do
    not fit. ``prompt_tokens`` is estimated by ``method``. ``completion_tokens_max`` is
    ``None`` for a judge without an output limit, and ``cost`` then too, as where the
    model has no price on that day: unknown, never zero.
    """

    calls: int
    too_long: int
    prompt_tokens: int
    completion_tokens_max: int | None
    cost: Decimal | None
    currency: str | None
    method: str = METHOD


@dataclass(slots=True)
class _Sum:
    """The calls of one kind, which share an output limit."""

    limit: int | None
    calls: int = 0
    too_long: int = 0
    tokens: int = 0

    def add(self, rendered: Rendered | Invalid, times: int) -> None:
        if isinstance(rendered, Invalid):
            self.too_long += times
            return
        self.calls += times
        self.tokens += times * prompt_tokens(rendered)


def estimate(
    spec: JudgeSpec, pairs: Iterable[Work], prices: Iterable[Price], day: date
) -> RunEstimate:
    """Estimate a pairwise run: both orders, all repeats, and a rubric for each case.

    A rubric that is still to be written counts with the length that its step allows.
    Raises what ``ask`` raises for a judge that would not pass its lint.
    """
    step = rubric_step_of(spec)
    verdicts = _Sum(output_limit(spec.params))
    rubrics = _Sum(None if step is None else output_limit(step.params))
    cases: set[RubricCase] = set()
    for pair in pairs:
        verdicts.add(_asked(spec, pair, step), ORDERS * spec.repeats)
        if step is not None and pair.rubric_case not in cases:
            cases.add(pair.rubric_case)
            rubrics.add(ask_for_rubric(spec, step, pair.rubric_case), 1)
    sums = [verdicts] if step is None else [verdicts, rubrics]
    return _total(
        sums, price_on(prices, provider=spec.provider, model=spec.model, day=day)
    )


def estimate_pointwise(
    spec: PointwiseSpec,
    cases: Iterable[PointwiseCase],
    prices: Iterable[Price],
    day: date,
) -> RunEstimate:
    """Estimate a pointwise run: all repeats on every response."""
    scale = scale_of(spec)
    marks = _Sum(output_limit(spec.params))
    for case in cases:
        marks.add(ask_pointwise(spec, scale, case), spec.repeats)
    price = price_on(prices, provider=spec.provider, model=spec.model, day=day)
    return _total([marks], price)


def prompt_tokens(rendered: Rendered) -> int:
    """Estimate the tokens of one prompt, each message rounded up."""
    return sum(
        -(-len(message.content) // CHARS_PER_TOKEN) + TOKENS_PER_MESSAGE
        for message in rendered.messages
    )


def output_limit(params: Mapping[str, object]) -> int | None:
    """Give the most tokens that one reply may have, or ``None`` without a limit."""
    limits = [params[name] for name in TOKEN_LIMITS if name in params]
    known = [n for n in limits if isinstance(n, int) and not isinstance(n, bool)]
    return min(known, default=None)


def _asked(spec: JudgeSpec, pair: Work, step: RubricStep | None) -> Rendered | Invalid:
    case = prompt_case(
        spec,
        prompt=pair.prompt,
        first=pair.first,
        second=pair.second,
        context=pair.context,
        reference=pair.reference,
        made_rubric=None if step is None else "-" * step.max_chars,
    )
    return ask(spec, case)


def _total(sums: list[_Sum], price: Price | None) -> RunEstimate:
    prompt = sum(each.tokens for each in sums)
    limits = [(each.calls, each.limit) for each in sums if each.calls]
    known = [calls * limit for calls, limit in limits if limit is not None]
    completion = sum(known) if len(known) == len(limits) else None
    return RunEstimate(
        calls=sum(each.calls for each in sums),
        too_long=sum(each.too_long for each in sums),
        prompt_tokens=prompt,
        completion_tokens_max=completion,
        cost=cost_of(Usage(prompt=prompt, completion=completion), price),
        currency=None if price is None else price.currency,
    )
