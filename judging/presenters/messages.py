"""What a judge is sent, with the fences made visible."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from annotation.domain.outcomes import Order
from judging.domain.asking import NotWhole, ask, prompt_case
from judging.domain.formats.registry import UnknownFormat
from judging.domain.templates import TemplateError
from judging.domain.verdicts import Invalid
from judging.services.asking import case_of

if TYPE_CHECKING:
    from annotation.models import Pair
    from judging.domain.digests import JudgeSpec
    from judging.domain.prompts import PromptCase, Rendered

ORDER_NAMES = {
    Order.BASELINE_FIRST: "Baseline first",
    Order.CANDIDATE_FIRST: "Candidate first",
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
    """One order: what would be sent, or why nothing may be."""

    order: Order
    title: str
    messages: tuple[ShownMessage, ...]
    characters: int
    problem: str = ""


def requests_of(spec: JudgeSpec, pair: Pair | None) -> tuple[ShownRequest, ...]:
    """Both orders of a pair, or of an example where there is none."""
    return tuple(request_of(spec, pair, order) for order in Order)


def request_of(spec: JudgeSpec, pair: Pair | None, order: Order) -> ShownRequest:
    """One order of a pair as it is sent; a broken template is said, not raised."""
    title = ORDER_NAMES[order]
    try:
        found = ask(*_question(spec, pair, order))
    except (NotWhole, TemplateError, UnknownFormat) as error:
        return ShownRequest(order, title, (), 0, str(error))
    if isinstance(found, Invalid):
        problem = f"{found.reason.value}: {found.detail}"
        return ShownRequest(order, title, (), 0, problem)
    return ShownRequest(order, title, _messages(found), found.length)


def _question(
    spec: JudgeSpec, pair: Pair | None, order: Order
) -> tuple[JudgeSpec, PromptCase]:
    if spec.rubric_step is not None:
        spec = replace(spec, rubric_step=None, rubric=WRITTEN_LATER)
    if pair is not None:
        return spec, case_of(spec, pair, order)
    example = prompt_case(
        spec,
        prompt="What is the capital of Australia?",
        first="Canberra.",
        second="It is Sydney.",
        context="The question came from a school quiz.",
        reference="Canberra",
    )
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
