"""What one reply said, and how the calls for one pair become one case verdict.

Source: METHODS 3.1 and 3.3, DESIGN rules 1 to 5. All arithmetic is in exact fractions:
a third and two thirds must average to exactly one half.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from annotation.domain.outcomes import Order, Outcome, SlotChoice, outcome_of
from judging.domain.terms import (
    CombiningRule,
    Consistency,
    InvalidReason,
    JudgeOutcome,
    RepeatRule,
    TieSource,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

Strength = Literal[1, 2]

HALF = Fraction(1, 2)
MUCH = Fraction(3, 2)

_DECISIVE = (SlotChoice.FIRST, SlotChoice.SECOND)
_SIGN = {Outcome.CANDIDATE: 1, Outcome.TIE: 0, Outcome.BASELINE: -1}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a reply said about the slots.

    ``strength`` is 1 or 2 where the format has strengths (``None`` counts as 1), and is
    only meaningful for a decisive choice. ``flags`` name oddities worth counting, such
    as ``mixed_strength``. ``span`` is where the verdict stands in the raw reply, in
    characters. Raises ``ValueError`` for a strength on a tie or abstain.
    """

    choice: SlotChoice
    strength: Strength | None = None
    flags: tuple[str, ...] = ()
    span: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        if self.strength not in (None, 1, 2):
            msg = f"strength must be 1, 2 or None, not {self.strength!r}"
            raise ValueError(msg)
        if self.strength is not None and self.choice not in _DECISIVE:
            msg = f"{self.choice} can carry no strength"
            raise ValueError(msg)


@dataclass(frozen=True, slots=True)
class Invalid:
    """A call that gave no outcome, and why. ``detail`` is for people to read."""

    reason: InvalidReason
    detail: str = ""


Reading = Verdict | Invalid


@dataclass(frozen=True, slots=True)
class CallReading:
    """The reading of one call; ``repeat`` counts from 1."""

    order: Order
    repeat: int
    reading: Reading


@dataclass(frozen=True, slots=True)
class OrderResult:
    """What the repeats of one order came to.

    ``score`` is the mean towards the candidate, from -2 to 2, and ``None`` unless the
    outcome is baseline, candidate or tie.
    """

    outcome: JudgeOutcome
    score: Fraction | None


@dataclass(frozen=True, slots=True)
class CaseVerdict:
    """The judge's verdict on one pair.

    ``outcome`` follows from the frozen combining rule; ``consistency`` from the two
    order outcomes alone, whatever the rule. ``tie_source`` is set only for a tie.
    ``mean`` is the mean of both orders' scores towards the candidate and ``level`` its
    five-level reading (-2 much worse to 2 much better): both are given whenever both
    orders have a score, so under another rule than ``mean_strength`` they may say more
    than ``outcome`` does.
    """

    outcome: JudgeOutcome
    consistency: Consistency
    tie_source: TieSource | None
    level: int | None
    mean: Fraction | None
    baseline_first: JudgeOutcome
    candidate_first: JudgeOutcome


def call_outcome(call: CallReading) -> JudgeOutcome:
    """Map one call back to systems; an invalid reading stays invalid."""
    if isinstance(call.reading, Invalid):
        return JudgeOutcome.INVALID
    return JudgeOutcome(outcome_of(call.reading.choice, call.order))


def call_score(call: CallReading) -> int | None:
    """Score one call towards the candidate, -2 to 2; ``None`` if abstain or invalid."""
    if isinstance(call.reading, Invalid):
        return None
    sign = _SIGN.get(outcome_of(call.reading.choice, call.order))
    return None if sign is None else sign * (call.reading.strength or 1)


def three_way(score: Fraction) -> JudgeOutcome:
    """Read a mean score at the thresholds of plus and minus one half, inclusive."""
    if score >= HALF:
        return JudgeOutcome.CANDIDATE
    if score <= -HALF:
        return JudgeOutcome.BASELINE
    return JudgeOutcome.TIE


def five_level(score: Fraction) -> int:
    """Read a mean score as -2, -1, 0, 1 or 2 at 3/2 and 1/2, inclusive outwards."""
    size = 2 if abs(score) >= MUCH else 1 if abs(score) >= HALF else 0
    return size if score > 0 else -size


def order_result(
    calls: Sequence[CallReading], *, repeat_rule: RepeatRule, repeats: int
) -> OrderResult:
    """Summarise the calls of one order, of which ``repeats`` were planned.

    More than half of the planned calls invalid or missing: invalid. ``mean``: the mean
    over decisive and tie calls at the thresholds; abstains are left out unless nothing
    else is left. ``majority``: the outcome that over half of the planned repeats gave,
    else abstain; its score is the mean over the calls that gave it, so that score and
    outcome never disagree.
    """
    usable = [call for call in calls if isinstance(call.reading, Verdict)]
    if 2 * (repeats - len(usable)) > repeats:
        return OrderResult(JudgeOutcome.INVALID, None)
    if repeat_rule is RepeatRule.MAJORITY:
        return _by_majority(usable, repeats)
    score = _mean_score(usable)
    outcome = JudgeOutcome.ABSTAIN if score is None else three_way(score)
    return OrderResult(outcome, score)


def combine(
    calls: Sequence[CallReading],
    *,
    rule: CombiningRule,
    repeat_rule: RepeatRule,
    repeats: int,
) -> CaseVerdict:
    """Combine all calls for one pair into its case verdict (DESIGN rule 4).

    ``repeats`` is how many calls were planned in each order; those that are not in
    ``calls`` count as missing. Under ``mean_strength`` a strong verdict can outweigh a
    weak opposite one: the outcome is then decisive and the consistency class is still
    ``flip``, since the class comes from the order outcomes. Raises ``ValueError`` when
    two calls share order and repeat, or a repeat was not planned.
    """
    rule, repeat_rule = CombiningRule(rule), RepeatRule(repeat_rule)
    _check_plan(calls, repeats)
    baseline_first, candidate_first = (
        order_result(
            [call for call in calls if call.order == order],
            repeat_rule=repeat_rule,
            repeats=repeats,
        )
        for order in (Order.BASELINE_FIRST, Order.CANDIDATE_FIRST)
    )
    pair = (baseline_first.outcome, candidate_first.outcome)
    mean = _mean_of_orders(baseline_first, candidate_first)
    outcome = _outcome(pair, mean, rule)
    consistency = consistency_of(*pair)
    return CaseVerdict(
        outcome=outcome,
        consistency=consistency,
        tie_source=_tie_source(outcome, consistency),
        level=None if mean is None else five_level(mean),
        mean=mean,
        baseline_first=pair[0],
        candidate_first=pair[1],
    )


def consistency_of(one: JudgeOutcome, other: JudgeOutcome) -> Consistency:
    """Classify how two order outcomes relate (METHODS 3.3); symmetric."""
    if JudgeOutcome.INVALID in (one, other):
        return Consistency.INVALID
    if one == other:
        return Consistency.CONSISTENT
    if JudgeOutcome.ABSTAIN in (one, other):
        return Consistency.ABSTAIN_TRANSITION
    if JudgeOutcome.TIE in (one, other):
        return Consistency.TIE_TRANSITION
    return Consistency.FLIP


def _check_plan(calls: Sequence[CallReading], repeats: int) -> None:
    if repeats < 1:
        msg = f"repeats must be at least 1, not {repeats}"
        raise ValueError(msg)
    seen = Counter((Order(call.order), call.repeat) for call in calls)
    for (order, repeat), count in seen.items():
        if count > 1:
            msg = f"{count} calls for {order}, repeat {repeat}"
            raise ValueError(msg)
        if not 1 <= repeat <= repeats:
            msg = f"repeat {repeat} of {order} is not among 1 to {repeats}"
            raise ValueError(msg)


def _by_majority(usable: Sequence[CallReading], repeats: int) -> OrderResult:
    votes = Counter(call_outcome(call) for call in usable)
    outcome, count = votes.most_common(1)[0]
    if 2 * count <= repeats:
        return OrderResult(JudgeOutcome.ABSTAIN, None)
    agreeing = [call for call in usable if call_outcome(call) == outcome]
    return OrderResult(outcome, _mean_score(agreeing))


def _mean_score(calls: Sequence[CallReading]) -> Fraction | None:
    scores = [score for score in map(call_score, calls) if score is not None]
    return Fraction(sum(scores), len(scores)) if scores else None


def _mean_of_orders(one: OrderResult, other: OrderResult) -> Fraction | None:
    if one.score is None or other.score is None:
        return None
    return (one.score + other.score) / 2


def _outcome(
    pair: tuple[JudgeOutcome, JudgeOutcome], mean: Fraction | None, rule: CombiningRule
) -> JudgeOutcome:
    if JudgeOutcome.INVALID in pair:
        return JudgeOutcome.INVALID
    if mean is None:  # a usable order without a score has abstained
        return JudgeOutcome.ABSTAIN
    if rule is CombiningRule.MEAN_STRENGTH:
        return three_way(mean)
    if pair[0] == pair[1]:
        return pair[0]
    if rule is CombiningRule.AGREE_ELSE_ABSTAIN:
        return JudgeOutcome.ABSTAIN
    return JudgeOutcome.TIE


def _tie_source(outcome: JudgeOutcome, consistency: Consistency) -> TieSource | None:
    if outcome is not JudgeOutcome.TIE:
        return None
    if consistency is Consistency.CONSISTENT:
        return TieSource.STATED
    if consistency is Consistency.FLIP:
        return TieSource.FLIP
    return TieSource.TRANSITION
