"""Characters that act on a text and can't be seen: shown as written, held in rendered.

A reversed or hidden word may be what a response is judged by, so whoever looks at the
text as it was written sees each of them, and none acts there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

if TYPE_CHECKING:
    from collections.abc import Iterator

# Directions; zero width; soft hyphens; what else is not shown; tags. Joiners belong to
# many scripts and to emoji, and are odd only among plain letters.
_HIDDEN = re.compile(
    "[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
    "\u200b\u2060-\u2064\u206a-\u206f\ufeff\u00ad\u180e\U000e0000-\U000e007f]"
    "|(?<![^\x00-\x7f])[\u200c\u200d](?![^\x00-\x7f])"
)
# What starts a direction that goes on until it is ended, and the text after it.
_STARTED = re.compile("([\u202a\u202b\u202d\u202e\u2066-\u2068][^<]*)")


def with_hidden_shown(text: str) -> SafeString:
    """Escaped text, each character that can't be seen in words: [U+202E]."""
    return mark_safe("".join(_pieces(text)))  # noqa: S308 - each piece is escaped


def _pieces(text: str) -> Iterator[str]:
    end = 0
    for found in _HIDDEN.finditer(text):
        yield conditional_escape(text[end : found.start()])
        code = f"U+{ord(found[0]):04X}"
        yield format_html('<span class="hidden-mark">[{}]</span>', code)
        end = found.end()
    yield conditional_escape(text[end:])


def directions_held(html: str) -> str:
    """HTML, to be sanitised yet, in which no direction reaches beyond its own text."""
    return _STARTED.sub(r"<bdi>\1</bdi>", html)
