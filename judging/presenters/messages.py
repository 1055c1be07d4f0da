"""What a judge is sent, with the fences made visible."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from annotation.domain.outcomes import Order
from judging.domain.asking import NotWhole, ask, prompt_case
from judging.domain.formats.registry import BadOptions, UnknownFormat
from judging.domain.pointwise import PointwiseCase, ask_pointwise, scale_of
from judging.domain.rubrics import RubricCase, ask_for_rubric, rubric_step_of
from judging.domain.templates import TemplateError
from judging.domain.verdicts import Invalid
from judging.services.asker import rubric_case
from judging.services.asking import case_of
from judging.services.marking import response_case

if TYPE_CHECKING:
    from collections.abc import Callable

    from annotation.models import Case, Pair, Response
    from judging.domain.digests import JudgeSpec
    from judging.domain.pointwise import PointwiseSpec
    from judging.domain.prompts import PromptCase, Rendered

ORDER_NAMES = {
    Order.BASELINE_FIRST: "Baseline first",
    Order.CANDIDATE_FIRST: "Candidate first",
}
RUBRIC_TITLE = "First, once for each case: the rubric"
EXAMPLE = {
    "prompt": "What is the capital of Australia?",
    "context": "The question came from a school quiz.",
    "reference": "Canberra",
}
WRITTEN_LATER = "[The rubric that the first step writes for this case.]"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a message: the judge's own words, a fence line, or fenced material."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """One message in pieces."""

    role: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class ShownRequest:
    """One request: what would be sent, or why nothing may be.

    ``order`` is ``None`` where there is only one response, or none.
    """

    order: Order | None
    title: str
    messages: tuple[ShownMessage, ...]
    characters: int
    problem: str = ""


def requests_of(spec: JudgeSpec, pair: Pair | None) -> tuple[ShownRequest, ...]:
    """Both orders of a pair, or of an example where there is none."""
    return tuple(request_of(spec, pair, order) for order in Order)


def request_of(
    spec: JudgeSpec, pair: Pair | None, order: Order, made_rubric: str = ""
) -> ShownRequest:
    """One order of a pair as it is sent; a broken template is said, not raised.

    ``made_rubric`` is what the judge's first step wrote for the case, if it did.
    """
    return _shown(
        order,
        ORDER_NAMES[order],
        lambda: ask(*_question(spec, pair, order, made_rubric)),
    )


def rubric_request_of(spec: JudgeSpec, case: Case | None) -> ShownRequest | None:
    """What asks for the rubric of a case, or of an example; none without a step."""
    try:
        step = rubric_step_of(spec)
    except BadOptions as error:
        return ShownRequest(None, RUBRIC_TITLE, (), 0, str(error))
    if step is None:
        return None
    about = RubricCase(**EXAMPLE) if case is None else rubric_case(case)
    return _shown(None, RUBRIC_TITLE, lambda: ask_for_rubric(spec, step, about))


def mark_request_of(
    spec: PointwiseSpec, response: Response | None, title: str = "What is sent"
) -> ShownRequest:
    """What asks for the mark of a response, or of an example."""
    about = PointwiseCase(response="Canberra.", **EXAMPLE)
    if response is not None:
        about = response_case(response)
    return _shown(None, title, lambda: ask_pointwise(spec, scale_of(spec), about))


def _shown(
    order: Order | None, title: str, render: Callable[[], Rendered | Invalid]
) -> ShownRequest:
    try:
        found = render()
    except (NotWhole, TemplateError, UnknownFormat) as error:
        return ShownRequest(order, title, (), 0, str(error))
    if isinstance(found, Invalid):
        problem = f"{found.reason.value}: {found.detail}"
        return ShownRequest(order, title, (), 0, problem)
    return ShownRequest(order, title, _messages(found), found.length)


def _question(
    spec: JudgeSpec, pair: Pair | None, order: Order, made_rubric: str
) -> tuple[JudgeSpec, PromptCase]:
    if spec.rubric_step is not None:
        spec = replace(spec, rubric_step=None, rubric=made_rubric or WRITTEN_LATER)
    if pair is not None:
        return spec, case_of(spec, pair, order)
    example = prompt_case(spec, first="Canberra.", second="It is Sydney.", **EXAMPLE)
    swap = order is not Order.BASELINE_FIRST
    return spec, example.swapped if swap else example


def _messages(rendered: Rendered) -> tuple[ShownMessage, ...]:
    return tuple(
        ShownMessage(message.role.value, _pieces(message.content, rendered.fence))
        for message in rendered.messages
    )


def _pieces(content: str, fence: str) -> tuple[Piece, ...]:
    """Cut a message at its fence lines; between them is material."""
    pieces, kind = [], "own"
    for text in re.split(f"(<<<(?:BEGIN|END) {fence}>>>)", content):
        if text == f"<<<BEGIN {fence}>>>":
            pieces.append(Piece("fence", text))
            kind = "material"
        elif text == f"<<<END {fence}>>>":
            pieces.append(Piece("fence", text))
            kind = "own"
        elif text:
            pieces.append(Piece(kind, text))
    return tuple(pieces)
