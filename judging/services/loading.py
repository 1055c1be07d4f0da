"""Verdicts that wait for the rubric of their case, and what was written for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef, Q

from judging.models import Call, Reply

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judging.models import Run


def ready() -> Q:
    """Calls that can be asked: a verdict waits for the rubric of its case."""
    rubric = Call.objects.filter(
        run_id=OuterRef("run_id"), case_id=OuterRef("pair__case_id")
    )
    return Q(pair__isnull=True) | Q(~Exists(rubric.unanswered()))


def attach_rubrics(run: Run, calls: Sequence[Call]) -> None:
    """Give calls the rubrics that were written for their cases, where there are any.

    A call is asked with the rubric of its own run, and of no other.
    """
    if not run.rubric_step:
        return
    cases = {call.pair.case_id for call in calls if call.pair is not None}
    replies = Reply.objects.filter(call__run=run, call__case__in=cases)
    written = {reply.call.case_id: reply for reply in replies.select_related("call")}
    for call in calls:
        if call.pair is not None:
            call.written = written.get(call.pair.case_id)
