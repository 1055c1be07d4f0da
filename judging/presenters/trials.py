"""A pair that a judge was tried on, as the page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotation.domain.outcomes import outcome_of
from judging.domain.verdicts import Invalid
from judging.presenters.calls import Marked, cut
from judging.presenters.messages import ORDER_NAMES

if TYPE_CHECKING:
    from judging.domain.ports import RawReply
    from judging.services.diagnosing import OrderTrial, PairTrial


@dataclass(frozen=True, slots=True)
class ShownOrder:
    """One order: what was read, and the reply or why there is none."""

    title: str
    reading: str
    invalid: bool
    detail: str
    flags: tuple[str, ...]
    reply: RawReply | None
    raw: Marked | None


@dataclass(frozen=True, slots=True)
class ShownTrial:
    """Both orders and what they come to together."""

    outcome: str
    consistency: str
    orders: tuple[ShownOrder, ...]


def shown_trial(trial: PairTrial) -> ShownTrial:
    """Put a trial into words."""
    verdict = trial.verdict
    return ShownTrial(
        outcome=verdict.outcome.value,
        consistency=verdict.consistency.value.replace("_", " "),
        orders=tuple(_order(each) for each in trial.orders),
    )


def _order(trial: OrderTrial) -> ShownOrder:
    reading, reply = trial.reading, trial.exchanged.reply
    text = None if reply is None else reply.text
    if isinstance(reading, Invalid):
        return ShownOrder(
            title=ORDER_NAMES[trial.order],
            reading=f"invalid: {reading.reason.value}",
            invalid=True,
            detail=reading.detail or trial.exchanged.failure,
            flags=(),
            reply=reply,
            raw=None if text is None else cut(text, None),
        )
    return ShownOrder(
        title=ORDER_NAMES[trial.order],
        reading=outcome_of(reading.choice, trial.order).value,
        invalid=False,
        detail="",
        flags=reading.flags,
        reply=reply,
        raw=None if text is None else cut(text, reading.span),
    )
