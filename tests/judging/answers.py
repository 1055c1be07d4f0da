"""Runs whose calls have answers, without anybody having been asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotation.domain.outcomes import SlotChoice
from judging.domain.verdicts import Invalid, Verdict
from judging.models import Attempt, Call, CallState, Run
from judging.services.asking import reply_row
from tests.annotation.factory import START, make_set
from tests.judging.factory import ADDRESS, make_run

if TYPE_CHECKING:
    from annotation.models import GoldSet
    from judging.domain.terms import InvalidReason

RAW = "Because.\n\n[[A>B]]"


def split_set(dev: int = 2, held_out: int = 1, unsplit: int = 0) -> GoldSet:
    """A set with so many cases in each split, in this order."""
    gold_set = make_set(dev + held_out + unsplit)
    splits = ["dev"] * dev + ["held_out"] * held_out + [""] * unsplit
    for case, split in zip(gold_set.cases.order_by("pk"), splits, strict=True):
        gold_set.cases.filter(pk=case.pk).update(split=split)
    return gold_set


def answered_run(gold_set: GoldSet | None = None, **spec: Any) -> Run:
    """A run in which every call said that the first response is better."""
    run = make_run(ADDRESS, gold_set=gold_set or split_set(), **spec)
    for call in run.calls.select_related("pair__baseline", "pair__candidate"):
        answer(call)
    return run


def answer(call: Call, invalid: InvalidReason | None = None) -> None:
    """Give a call its answer, by one request."""
    span = (RAW.index("["), len(RAW))
    reading = Verdict(SlotChoice.FIRST, 1, ("mixed_strength",), span)
    if invalid is not None:
        reply = reply_row(call, Invalid(invalid, "said nothing"), now=START)
    else:
        reply = reply_row(call, reading, now=START)
        reply.raw, reply.reasoning = RAW, "I thought of [[B>A]]."
    reply.usage = {"prompt": 100, "completion": 20}
    reply.latency_ms, reply.served_model = 120, "model-x"
    reply.save()
    Attempt.objects.create(
        call=call,
        sent_at=START,
        order=call.order,
        status=200,
        usage=reply.usage,
        baseline_sha256=reply.baseline_sha256,
        candidate_sha256=reply.candidate_sha256,
    )
    Call.objects.filter(pk=call.pk).update(
        state=CallState.DONE, tries=1, owner=None, lease_until=None
    )


def reanswer(call: Call, invalid: InvalidReason) -> None:
    """Make another call's answer invalid: replies themselves never change."""
    fresh = Call.objects.create(
        run=call.run, pair=call.pair, order=call.order, repeat=call.repeat + 1
    )
    answer(fresh, invalid)
