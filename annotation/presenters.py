"""How texts reach the screen: untrusted, sanitised, and loading nothing remote."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from annotation.domain.outcomes import Order, Outcome, SlotChoice, choice_for
from annotation.domain.texts import Message, text_from_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token

    from annotation.models import Assignment, Pair, Response

TAGS = {
    "p", "br", "hr", "strong", "em", "del", "s", "code", "pre", "blockquote",
    "ul", "ol", "li", "h2", "h3", "h4", "h5", "h6",
    "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip
ATTRIBUTES = {"ol": {"start"}}
# Links and images show as they were written: nothing to click or to load, and an
# address that a response made up stays visible.
_MARKDOWN = (
    MarkdownIt("commonmark", {"html": False})
    .enable(["table", "strikethrough"])
    .disable(["link", "image", "autolink", "reference"])
)
PANEL_TOP = 2
SLOT_TOP = 3
DEEPEST = 6


def markdown(text: str, *, top: int = SLOT_TOP) -> SafeString:
    """Render untrusted Markdown; raw HTML in it shows as text.

    Its headings are numbered from ``top`` on, without gaps, so that the outline of the
    page stays in order whatever a response does.
    """
    tokens = _MARKDOWN.parse(text)
    _renumber(tokens, top)
    html = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    clean = nh3.clean(html, tags=TAGS, attributes=ATTRIBUTES, link_rel=None)
    return mark_safe(clean)  # noqa: S308 - sanitised by nh3 the line above


def _renumber(tokens: Sequence[Token], top: int) -> None:
    headings = [token for token in tokens if re.fullmatch(r"h[1-6]", token.tag)]
    used = sorted({token.tag for token in headings})
    for token in headings:
        token.tag = f"h{min(top + used.index(token.tag), DEEPEST)}"


@dataclass(frozen=True, slots=True)
class Turn:
    """One chat message, or a whole plain text (then ``role`` is empty)."""

    role: str
    html: SafeString


def turns(stored: object, *, top: int = SLOT_TOP) -> tuple[Turn, ...]:
    """The turns of a stored text: one without role for a plain string."""
    if stored is None:
        return ()
    text = text_from_json(stored)
    if isinstance(text, str):
        return (Turn(role="", html=markdown(text, top=top)),) if text.strip() else ()
    return tuple(_turn(message, top) for message in text)


def _turn(message: Message, top: int) -> Turn:
    return Turn(role=message.role, html=markdown(message.content, top=top))


@dataclass(frozen=True, slots=True)
class ShownPair:
    """All that a reviewer may see of an assignment, and nothing else."""

    token: str
    question: str
    prompt: tuple[Turn, ...]
    context: tuple[Turn, ...]
    reference: tuple[Turn, ...]
    left: tuple[Turn, ...]
    right: tuple[Turn, ...]
    same_case_again: bool


def slots_of(pair: Pair, order: str) -> tuple[Response, Response]:
    """The responses in the first and the second slot of an order."""
    first = choice_for(Outcome.BASELINE, Order(order)) is SlotChoice.FIRST
    both = (pair.baseline, pair.candidate)
    return both if first else (pair.candidate, pair.baseline)


def shown(assignment: Assignment, pair: Pair) -> ShownPair:
    """Put a pair on the screen in the order of its assignment."""
    case = pair.case
    left, right = slots_of(pair, assignment.order)
    return ShownPair(
        token=str(assignment.token),
        question=pair.gold_set.question,
        prompt=turns(case.prompt, top=PANEL_TOP),
        context=turns(case.context, top=PANEL_TOP),
        reference=turns(case.reference, top=PANEL_TOP),
        left=turns(left.text),
        right=turns(right.text),
        same_case_again=assignment.same_case_again,
    )
