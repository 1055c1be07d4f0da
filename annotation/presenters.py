"""How texts reach the screen: untrusted, sanitised, and loading nothing remote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from annotation.domain.outcomes import Order, Outcome, SlotChoice, choice_for
from annotation.domain.records import Message, text_from_json

if TYPE_CHECKING:
    from annotation.models import Assignment, Case, Pair, Response

# No links and no images: a click or a load could tell somebody who is reading what,
# and a file name could name a system. Their texts stay.
TAGS = {
    "p", "br", "hr", "strong", "em", "del", "s", "code", "pre", "blockquote",
    "ul", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6",
    "table", "thead", "tbody", "tr", "th", "td", "sup", "sub",
}  # fmt: skip
ATTRIBUTES = {"ol": {"start"}}
_MARKDOWN = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(
    ["table", "strikethrough"]
)


def markdown(text: str) -> SafeString:
    """Render untrusted Markdown; raw HTML in it shows as text."""
    html = _MARKDOWN.render(text)
    clean = nh3.clean(html, tags=TAGS, attributes=ATTRIBUTES, link_rel=None)
    return mark_safe(clean)  # noqa: S308 - sanitised by nh3 the line above


@dataclass(frozen=True, slots=True)
class Turn:
    """One chat message, or a whole plain text (then ``role`` is empty)."""

    role: str
    html: SafeString


def turns(stored: object) -> tuple[Turn, ...]:
    """The turns of a stored text: one without role for a plain string."""
    if stored is None or stored == "":
        return ()
    text = text_from_json(stored)
    if isinstance(text, str):
        return (Turn(role="", html=markdown(text)),)
    return tuple(_turn(message) for message in text)


def _turn(message: Message) -> Turn:
    return Turn(role=message.role, html=markdown(message.content))


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
    case: Case = pair.case
    left, right = slots_of(pair, assignment.order)
    return ShownPair(
        token=str(assignment.token),
        question=pair.gold_set.question,
        prompt=turns(case.prompt),
        context=turns(case.context),
        reference=turns(case.reference),
        left=turns(left.text),
        right=turns(right.text),
        same_case_again=assignment.same_case_again,
    )
