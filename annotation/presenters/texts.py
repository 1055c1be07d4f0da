"""How texts reach the screen: untrusted, sanitised, and loading nothing remote."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import version
from typing import TYPE_CHECKING

import nh3
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from annotation.domain.texts import Message, text_from_json, text_length
from annotation.presenters.code import TOKEN_CLASSES, highlighted
from annotation.presenters.controls import directions_held, with_hidden_shown
from annotation.presenters.rendered import Rendered, key_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token

    from annotation.domain.wording import MarkedTurn

TAGS = {
    "p", "br", "hr", "strong", "em", "del", "s", "code", "pre", "blockquote",
    "ul", "ol", "li", "h2", "h3", "h4", "h5", "h6",
    "table", "thead", "tbody", "tr", "th", "td", "span", "bdi",
}  # fmt: skip
BLOCKS = ("p", "ul", "ol", "blockquote", "table", "h2", "h3", "h4", "h5", "h6")
ATTRIBUTES = {tag: {"dir"} for tag in BLOCKS} | {"ol": {"start", "dir"}}
CLASSES = {"span": set(TOKEN_CLASSES)}
# Links and images show as they were written: nothing to click or to load, and an
# address that a response made up stays visible.
_MARKDOWN = (
    MarkdownIt(
        # A line break is what a reply shows as one: an address, a poem, a signature.
        "commonmark",
        {"html": False, "highlight": highlighted, "breaks": True},
    )
    .enable(["table", "strikethrough"])
    .disable(["link", "image", "autolink", "reference"])
)
_CLEANER = nh3.Cleaner(
    tags=TAGS, attributes=ATTRIBUTES, allowed_classes=CLASSES, link_rel=None
)
# What renders, for the key of what is kept.
RENDERER = f"markdown-it-py {version('markdown-it-py')}, nh3 {version('nh3')}"
# About 16 MB in each process at worst, where every character takes two bytes.
MOST_KEPT = 8_000_000
_KEPT = Rendered(MOST_KEPT)
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
PANEL_TOP = 2
SLOT_TOP = 3
DEEPEST = 6


def markdown(text: str, *, top: int = SLOT_TOP) -> SafeString:
    """Render untrusted Markdown; raw HTML in it shows as text.

    Its headings are numbered from ``top`` on, without gaps, so that the outline of the
    page stays in order whatever a response does.
    """
    key = key_of(text, renderer=RENDERER, options=(top,))
    return _KEPT.of(key, lambda: _render(text, top))


def _render(text: str, top: int) -> SafeString:
    tokens = _MARKDOWN.parse(text)
    _renumber(tokens, top)
    for token in tokens:
        # Each block takes the direction of its own first letters; what is inside one
        # follows by style sheet, as an own "dir" there would hide it from the block.
        if token.level == 0 and token.nesting == 1:
            token.attrSet("dir", "auto")
    html = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    # The sanitiser has the last word: nothing is changed after it.
    clean = _CLEANER.clean(directions_held(html))
    return mark_safe(clean)  # noqa: S308 - sanitised by nh3 here


def _renumber(tokens: Sequence[Token], top: int) -> None:
    headings = [token for token in tokens if token.tag in HEADINGS]
    used = sorted({token.tag for token in headings})
    for token in headings:
        token.tag = f"h{min(top + used.index(token.tag), DEEPEST)}"


@dataclass(frozen=True, slots=True)
class Turn:
    """One chat message, or a whole plain text (then ``role`` is empty)."""

    role: str
    html: SafeString


class View(StrEnum):
    """How texts are shown: rendered, as they were written, or that with differences."""

    RENDERED = "rendered"
    RAW = "raw"
    DIFF = "diff"


# Rendering Markdown takes a second for each half million characters; whoever waits for
# the next pair should not. Longer texts are shown as written.
LONGEST_RENDERED = 60_000


def turns(
    stored: object, *, top: int = SLOT_TOP, view: View = View.RENDERED
) -> tuple[Turn, ...]:
    """The turns of a stored text: one without role for a plain string."""
    if stored is None:
        return ()
    text = text_from_json(stored)
    as_written = view is not View.RENDERED or text_length(text) > LONGEST_RENDERED
    if isinstance(text, str):
        text = (Message("", text),) if text.strip() else ()
    if as_written:
        return tuple(Turn(turn.role, written(turn.content)) for turn in text)
    return tuple(Turn(turn.role, markdown(turn.content, top=top)) for turn in text)


def is_long(stored: object) -> bool:
    """Whether a text is shown as written because rendering it would take too long."""
    return stored is not None and text_length(text_from_json(stored)) > LONGEST_RENDERED


def written(content: str) -> SafeString:
    """A text as it was written: every character, in lines; the unseen ones, too."""
    shown = with_hidden_shown(content)
    return format_html('<pre class="written" dir="auto">{}</pre>', shown)


def marked(turn: MarkedTurn) -> Turn:
    """A text as written, with the words marked that the other text does not have."""
    pieces = format_html_join(
        "",
        "{}",
        (
            (format_html("<mark>{}</mark>", text) if differs else text,)
            for text, differs in (
                (with_hidden_shown(one.text), one.differs) for one in turn.pieces
            )
        ),
    )
    html = format_html('<pre class="written" dir="auto">{}</pre>', pieces)
    return Turn(turn.role, html)
