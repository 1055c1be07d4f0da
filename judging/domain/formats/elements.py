"""Elements in angle brackets: layout, the judge's own, or somebody's text.

``<b>`` and ``<answer>`` only dress what the judge says, so that their tags are blanked.
Any other element that is closed holds a text that is only shown, and one named after a
response or a quotation does so even where it is never closed.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice

from judging.domain.formats.hiding import hide_spans

_TAG = re.compile(
    r"<(?P<slash>/?)(?P<name>[A-Za-z][\w:.-]{0,60})(?:\s[^<>]{0,300})?(?P<empty>/?)>"
)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TOKEN = re.compile(
    r"<\|(?:end|return|start|message|call|im_end|im_start|eot_id|eom_id|endoftext"
    r"|end_of_text)\|>|</s>\s*\Z",
    re.IGNORECASE,
)
_DRESS = re.compile(
    r"b|strong|i|em|u|p|br|hr|div|span|h[1-6]|center|big|small|font|mark|body|html"
    r"|(?:my[_-]?)?(?:final[_-]?)?(?:answer|verdict|decision|judge?ment|choice"
    r"|conclusion|result|evaluation|winner|preference)|final",
    re.IGNORECASE,
)
_SOMEBODY = re.compile(
    r"(?:.*[_:.-])?(?:responses?|assistants?|candidates?|users?|prompts?|quote"
    r"|quotation"
    r"|blockquote|references?|contexts?|documents?|examples?|messages?|inputs?|material"
    r"|cite|excerpt|text)(?:[_:.-]?[a-z0-9])?|(?:answer|output|option)[_:.-]?[ab12]",
    re.IGNORECASE,
)


def without_elements(text: str, *, swallow: bool = True) -> str:
    """Hide elements that hold somebody's text, and blank the tags of the others.

    With ``swallow`` an unclosed element that is named after somebody's text reaches to
    the end, and a closing tag of such a one alone hides all that stands before it.
    """
    if "<" not in text:
        return text
    text = hide_spans(text, [each.span() for each in _COMMENT.finditer(text)])
    text = _TOKEN.sub(lambda each: " " * len(each[0]), text)
    dress: list[tuple[int, int]] = []
    hidden: list[tuple[int, int]] = []
    open_now: list[tuple[str, int]] = []
    counts: Counter[str] = Counter()
    for tag in _TAG.finditer(text):
        name = tag["name"].lower()
        if tag["empty"] or _DRESS.fullmatch(name):
            dress.append(tag.span())
        elif not tag["slash"]:
            open_now.append((name, tag.start()))
            counts[name] += 1
        elif counts[name]:
            hidden.append((_opened(name, open_now, counts), tag.end()))
        elif swallow and _SOMEBODY.fullmatch(name):
            hidden.append((0, tag.end()))
    if swallow:
        unclosed = (at for name, at in open_now if _SOMEBODY.fullmatch(name))
        hidden += [(at, len(text)) for at in islice(unclosed, 1)]
    return hide_spans(hide_spans(text, dress, " "), hidden)


def _opened(name: str, open_now: list[tuple[str, int]], counts: Counter[str]) -> int:
    """Close the newest open element of that name; those opened since were none."""
    while True:
        last, start = open_now.pop()
        counts[last] -= 1
        if last == name:
            return start
