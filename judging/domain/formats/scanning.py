"""Helpers that every format shares: what of a reply may be searched for a verdict.

Each helper returns a text of the same length, so that positions stay those of the raw
reply, and takes time linear in its length.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# Stands for text that is only quoted: no format's notation contains it, and unlike a
# space it cannot be mistaken for an empty line.
QUOTED = "\ufffc"

_FOLDED = str.maketrans(
    "".join(map(chr, range(0xFF01, 0xFF5F))) + "\u3010\u3011\u3000\u2019",
    "".join(map(chr, range(0x21, 0x7F))) + "[] '",
)
_UNSEEN = str.maketrans("\u200b\u200c\u200d\u2060\ufeff\u00a0\r", " " * 7)

_REASONING = re.compile(
    r"<(/?)(?:think|thinking|thought|reasoning|scratchpad)>", re.IGNORECASE
)
_NOT_NEWLINE = re.compile(r"[^\n]")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})([^`\n]*)$")
_LONGEST_VERDICT = 200
_QUOTE_LINE = re.compile(r"[ \t]*>")
_EXEMPLAR = re.compile(
    r"(?:for example|e\.g\.|examples?(?: (?:output|reply|answer|verdict|response))?"
    r"|such as)[ \t]*[:,]?\s*[\"'`*\u201c]*(?:json)?\s*"
    r"(?:my final verdict is[^:\n]{0,20}:[ \t]*)?$",
    re.IGNORECASE,
)
_REFUSAL = re.compile(
    r"(?:^|[.!?\]][\"')\]}]*[ \t]+)[*_ \t]{0,4}(?:unfortunately,? |sorry,? (?:but )?)?"
    r"(?:i(?:'m| am) (?:very |so )?sorry,? (?:but )?(?:i|this|that)\b"
    r"|i (?:can(?:'|no)t|can not|won't|will not|(?:am|'m) (?:unable|not able) to) "
    r"(?:assist|help|comply|fulfill?|engage|participate|continue|process|"
    r"(?:judge|compare|evaluate|rate|review) (?:this|these|those|such|content))\b)",
    re.IGNORECASE | re.MULTILINE,
)


def folded(text: str) -> str:
    """Write full-width and look-alike brackets, letters, digits and signs in ASCII."""
    return text.translate(_FOLDED).translate(_UNSEEN)


def without_reasoning(text: str) -> str:
    """Blank the model's reasoning blocks.

    An unclosed block reaches to the end. A closing tag without an opening one ends a
    block that the prompt had opened: all before it is blanked.
    """
    kept: list[tuple[int, int]] = []
    inside, start = False, 0
    for tag in _REASONING.finditer(text):
        if tag[1]:
            if not inside:
                kept.clear()
            inside, start = False, tag.end()
        elif not inside:
            kept.append((start, tag.start()))
            inside = True
    if not inside:
        kept.append((start, len(text)))
    return _only(text, kept)


def without_quoted_lines(text: str) -> str:
    """Replace block-quote lines by QUOTED, and leave code fences alone."""
    return "\n".join(_shown(line) for line in text.split("\n"))


def without_quotes(text: str, verdict_alone: re.Pattern[str]) -> str:
    """Replace what is merely quoted, in block-quote lines and code fences, by QUOTED.

    A fenced block stays (without its fence lines) if ``verdict_alone`` matches all of
    it or if it is the whole reply.
    """
    out: list[str] = []
    blocks = list(_blocks(text))
    spoken = [block for block in blocks if any(line.strip() for line in block[1])]
    for fenced, lines in blocks:
        if fenced:
            out += _unfenced(lines, verdict_alone, whole=len(spoken) == 1)
        else:
            out += [_shown(line) for line in lines]
    return "\n".join(out)


def is_exemplar(text: str, start: int) -> bool:
    """Whether what begins at ``start`` is introduced as an example of the format."""
    before = text[max(0, start - 80) : start].lower()
    if "example" not in before and "e.g." not in before and "such as" not in before:
        return False
    return _EXEMPLAR.search(text, max(0, start - 80), start) is not None


def is_refusal(text: str) -> bool:
    """Whether the reply plainly declines to do the task (not: cannot decide)."""
    return _REFUSAL.search(text.replace("\u2019", "'")) is not None


def _only(text: str, kept: list[tuple[int, int]]) -> str:
    parts, position = [], 0
    for start, end in kept:
        parts += [_NOT_NEWLINE.sub(" ", text[position:start]), text[start:end]]
        position = end
    parts.append(_NOT_NEWLINE.sub(" ", text[position:]))
    return "".join(parts)


def _shown(line: str) -> str:
    return _hide(line) if _QUOTE_LINE.match(line) else line


def _hide(line: str) -> str:
    return QUOTED * len(line)


def _blocks(text: str) -> Iterator[tuple[bool, list[str]]]:
    """Cut the lines into runs outside fences and fenced blocks with their fences."""
    lines: list[str] = []
    mark = ""
    for line in text.split("\n"):
        fence = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if not mark and fence:
            if lines:
                yield False, lines
            lines, mark = [line], fence[1]
        elif mark and fence and not fence[2].strip() and fence[1].startswith(mark):
            yield True, [*lines, line]
            lines, mark = [], ""
        else:
            lines.append(line)
    if lines:
        yield bool(mark), lines


def _unfenced(
    lines: list[str], verdict_alone: re.Pattern[str], *, whole: bool
) -> list[str]:
    inside = "\n".join(lines[1:]).strip().rstrip("`~").strip()
    keep = whole or (
        len(inside) <= _LONGEST_VERDICT and verdict_alone.fullmatch(inside)
    )
    if not keep:
        return [_hide(line) for line in lines]
    closed = len(lines) > 1 and _FENCE.match(lines[-1]) is not None
    inner, last = (lines[1:-1], lines[-1:]) if closed else (lines[1:], [])
    return [" " * len(lines[0]), *inner, *(" " * len(line) for line in last)]
