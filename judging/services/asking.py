"""From a call of a pairwise judge to its request, and from the reply to its row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.outcomes import Order, Outcome, SlotChoice, choice_for
from judging.domain.asking import NotWhole, ask, format_of, prompt_case
from judging.domain.readings import reading_of
from judging.domain.rubrics import (
    MadeRubric,
    ask_for_rubric,
    rubric_from,
    rubric_step_of,
    without_rubric,
)
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid
from judging.services.asker import (
    Asker,
    Question,
    blank_row,
    invalid_row,
    optional_text,
    rubric_case,
    storable,
    stored_text,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from annotation.models import Pair
    from judging.domain.digests import JudgeSpec
    from judging.domain.ports import RawReply
    from judging.domain.prompts import PromptCase, Rendered
    from judging.domain.verdicts import Reading
    from judging.models import Call, Reply

__all__ = ["Asking", "Question", "case_of", "reply_row", "storable"]


class Asking(Asker):
    """A frozen pairwise judge: its verdicts, and the rubrics of its first step."""

    def __init__(self, spec: JudgeSpec, *, total_timeout: float) -> None:
        super().__init__(spec.model, total_timeout=total_timeout)
        self.spec = spec
        self.format = format_of(spec)
        self.step = rubric_step_of(spec)
        self._params = dict(spec.params)
        if spec.response_format is not None:
            self._params["response_format"] = dict(spec.response_format)

    def rendered(self, call: Call) -> tuple[Rendered | Invalid, Mapping[str, object]]:
        """The messages that ask for a verdict, or for the rubric of a case."""
        if call.case is not None and self.step is not None:
            asked = ask_for_rubric(self.spec, self.step, rubric_case(call.case))
            return asked, self.step.params
        if call.pair is None:
            raise NotWhole(("this judge compares pairs",))
        made = _made(call)
        if isinstance(made, Invalid):
            return made, {}
        case = case_of(self.spec, call.pair, Order(call.order), made)
        return ask(self.spec, case), self._params

    def row(self, call: Call, raw: RawReply, *, now: datetime) -> Reply:
        """Read a verdict, or a rubric."""
        if call.pair_id is None and self.step is not None:
            return _rubric_row(call, rubric_from(raw, self.step), now=now)
        return reply_row(call, self.reading(raw), now=now)

    def reading(self, raw: RawReply) -> Reading:
        """Read the verdict of a reply, or why there is none."""
        return reading_of(raw, self.format, offers_abstain=self.spec.offers_abstain)


def _made(call: Call) -> str | Invalid | None:
    """The rubric that was written for the call's case; ``None`` where there is none."""
    written = call.written
    if written is None:
        return None
    if written.invalid_reason:
        why = Invalid(InvalidReason(written.invalid_reason), written.detail)
        return without_rubric(why)
    return written.rubric


def _rubric_row(call: Call, made: MadeRubric | Invalid, *, now: datetime) -> Reply:
    if isinstance(made, Invalid):
        return invalid_row(call, made, now=now)
    reply = blank_row(call, now=now)
    reply.rubric = storable(made.text)
    reply.flags = list(made.flags)
    return reply


def case_of(
    spec: JudgeSpec, pair: Pair, order: Order, made_rubric: str | None = None
) -> PromptCase:
    """Put a pair into the slots of an order, as texts."""
    texts = (stored_text(pair.baseline.text), stored_text(pair.candidate.text))
    baseline_first = choice_for(Outcome.BASELINE, order) is SlotChoice.FIRST
    first, second = texts if baseline_first else texts[::-1]
    return prompt_case(
        spec,
        prompt=stored_text(pair.case.prompt),
        first=first,
        second=second,
        context=optional_text(pair.case.context),
        reference=optional_text(pair.case.reference),
        made_rubric=made_rubric,
    )


def reply_row(call: Call, reading: Reading, *, now: datetime) -> Reply:
    """Make the row of a call's one answer: a choice, or invalid with its reason."""
    if isinstance(reading, Invalid):
        return invalid_row(call, reading, now=now)
    reply = blank_row(call, now=now)
    reply.choice = reading.choice.value
    reply.strength = reading.strength
    reply.flags = list(reading.flags)
    reply.span = list(reading.span) if reading.span else None
    return reply
