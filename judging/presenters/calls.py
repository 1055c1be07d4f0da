"""Calls and transcripts as they are shown: of open pairs only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotation.domain.outcomes import Order, SlotChoice, outcome_of
from judging.models import Call, Reply, Run
from judging.presenters.messages import (
    ORDER_NAMES,
    RUBRIC_TITLE,
    ShownRequest,
    request_of,
    rubric_request_of,
)
from judging.presenters.pairs import open_pairs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet

    from annotation.models import Pair
    from judging.domain.digests import JudgeSpec
    from judging.models import Attempt

ANSWERED = "valid"
OPEN = "unanswered"


@dataclass(frozen=True, slots=True)
class CallFilter:
    """Which calls a list shows; empty means all that may be shown."""

    reason: str = ""
    order: str = ""
    split: str = ""


@dataclass(frozen=True, slots=True)
class Marked:
    """A raw reply with the place of its verdict, where one was found."""

    before: str
    verdict: str
    after: str


@dataclass(frozen=True, slots=True)
class ShownCall:
    """One call with its answer and every attempt."""

    call: Call
    reply: Reply | None
    reading: str
    raw: Marked | None
    attempts: tuple[Attempt, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """One order of a pair, or the first step: what was sent, and its calls."""

    order: Order | None
    title: str
    request: ShownRequest | None
    calls: tuple[ShownCall, ...]

    @property
    def rubric(self) -> str:
        """What a first step wrote; empty where it did not, and for the orders."""
        replies = [shown.reply for shown in self.calls if shown.reply is not None]
        return replies[0].rubric if replies else ""


def open_calls(run: Run, wanted: CallFilter | None = None) -> QuerySet[Call]:
    """The calls of a run that may be read, in their order."""
    calls = Call.objects.filter(run=run, pair__in=open_pairs(run.gold_set))
    wanted = wanted or CallFilter()
    if wanted.order:
        calls = calls.filter(order=wanted.order)
    if wanted.split:
        calls = calls.filter(pair__case__split=wanted.split.replace("none", ""))
    return _of_reason(calls, wanted.reason).select_related("pair__case", "reply")


def _of_reason(calls: QuerySet[Call], reason: str) -> QuerySet[Call]:
    if reason == OPEN:
        return calls.filter(reply__isnull=True)
    if reason == ANSWERED:
        return calls.filter(reply__invalid_reason="")
    return calls.filter(reply__invalid_reason=reason) if reason else calls


def rubric_call_of(run: Run, pair: Pair, spec: JudgeSpec | None) -> Side | None:
    """The first step's call for the case of a pair; none where there was none."""
    call = (
        run.calls.rubrics()
        .filter(case=pair.case_id)
        .select_related("reply", "case")
        .prefetch_related("attempts")
        .first()
    )
    if call is None:
        return None
    return Side(
        order=None,
        title=RUBRIC_TITLE,
        request=None if spec is None else rubric_request_of(spec, call.case),
        calls=(shown_call(call, _rubric_words(call)),),
    )


def _rubric_words(call: Call) -> str:
    reply = reply_of(call)
    if reply is None:
        return "not written yet"
    return f"invalid: {reply.invalid_reason}" if reply.invalid_reason else "written"


def sides_of(
    run: Run, pair: Pair, spec: JudgeSpec | None, made_rubric: str = ""
) -> tuple[Side, ...]:
    """Both orders of a pair in a run; ``spec`` is none where nothing was asked."""
    calls = list(
        Call.objects.filter(run=run, pair=pair)
        .select_related("reply")
        .prefetch_related("attempts")
        .order_by("repeat")
    )
    return tuple(_side(order, pair, spec, calls, made_rubric) for order in Order)


def _side(
    order: Order,
    pair: Pair,
    spec: JudgeSpec | None,
    calls: Sequence[Call],
    made_rubric: str,
) -> Side:
    mine = [call for call in calls if call.order == order.value]
    return Side(
        order=order,
        title=ORDER_NAMES[order],
        request=None if spec is None else request_of(spec, pair, order, made_rubric),
        calls=tuple(shown_call(call, reading_words(call)) for call in mine),
    )


def shown_call(call: Call, reading: str) -> ShownCall:
    """A call with its answer and attempts; ``reading`` is what it came to, in words."""
    reply = reply_of(call)
    return ShownCall(
        call=call,
        reply=reply,
        reading=reading,
        raw=None if reply is None else marked(reply),
        attempts=tuple(sorted(call.attempts.all(), key=lambda each: each.pk)),
    )


def reply_of(call: Call) -> Reply | None:
    """The call's answer, if it has one."""
    return getattr(call, "reply", None)


def reading_words(call: Call) -> str:
    """What a call came to, in words."""
    reply = reply_of(call)
    if reply is None:
        return "not answered yet"
    if reply.invalid_reason:
        return f"invalid: {reply.invalid_reason}"
    outcome = outcome_of(SlotChoice(reply.choice), Order(call.order))
    slot = f" ({reply.choice} response)" if outcome.value != reply.choice else ""
    strength = {1: ", slightly", 2: ", clearly"}.get(reply.strength or 0, "")
    return f"{outcome.value}{slot}{strength}"


def marked(reply: Reply) -> Marked | None:
    """The raw text of a reply cut at the verdict's place."""
    return None if reply.raw is None else cut(reply.raw, reply.span)


def cut(text: str, span: Sequence[int] | None) -> Marked:
    """A text cut at a place in it, if there is one."""
    if not span:
        return Marked(text, "", "")
    start, end = span
    return Marked(text[:start], text[start:end], text[end:])
