"""From a call of a pointwise judge to its request, and from the reply to its row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.outcomes import SlotChoice
from judging.domain.asking import NotWhole
from judging.domain.marks import Abstained
from judging.domain.pointwise import PointwiseCase, ask_pointwise, mark_of, scale_of
from judging.domain.verdicts import Invalid
from judging.services.asker import (
    Asker,
    blank_row,
    invalid_row,
    optional_text,
    stored_text,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from annotation.models import Response
    from judging.domain.marks import MarkReading
    from judging.domain.pointwise import PointwiseSpec
    from judging.domain.ports import RawReply
    from judging.domain.prompts import Rendered
    from judging.models import Call, Reply


class Marking(Asker):
    """A frozen pointwise judge."""

    def __init__(self, spec: PointwiseSpec, *, total_timeout: float) -> None:
        super().__init__(spec.model, total_timeout=total_timeout)
        self.spec = spec
        self.scale = scale_of(spec)
        self._params = dict(spec.params)
        if spec.response_format is not None:
            self._params["response_format"] = dict(spec.response_format)

    def rendered(self, call: Call) -> tuple[Rendered | Invalid, Mapping[str, object]]:
        """The messages that ask for a mark."""
        if call.response is None:
            raise NotWhole(("this judge marks single responses",))
        case = response_case(call.response)
        return ask_pointwise(self.spec, self.scale, case), self._params

    def row(self, call: Call, raw: RawReply, *, now: datetime) -> Reply:
        """Read a mark."""
        return mark_row(call, self.reading(raw), now=now)

    def reading(self, raw: RawReply) -> MarkReading:
        """Read the mark of a reply, or why there is none."""
        return mark_of(raw, self.scale)


def response_case(response: Response) -> PointwiseCase:
    """One response with what it answers, as texts."""
    case = response.case
    return PointwiseCase(
        stored_text(case.prompt),
        stored_text(response.text),
        optional_text(case.context),
        optional_text(case.reference),
    )


def mark_row(call: Call, reading: MarkReading, *, now: datetime) -> Reply:
    """Make the row of a call's one answer: a mark, an abstain, or invalid and why."""
    if isinstance(reading, Invalid):
        return invalid_row(call, reading, now=now)
    reply = blank_row(call, now=now)
    reply.span = list(reading.span) if reading.span else None
    if isinstance(reading, Abstained):
        reply.choice = SlotChoice.ABSTAIN.value
        return reply
    reply.score, reply.stated = reading.score, reading.stated
    reply.passed = reading.passed
    reply.failed_gates = list(reading.failed_gates)
    reply.flags = list(reading.flags)
    return reply
