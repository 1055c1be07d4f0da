"""What of a reply may be searched for a verdict, for every format.

Each helper returns a text of the same length, so that positions stay those of the raw
reply, and takes time linear in its length.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from judging.domain.formats.elements import without_elements
from judging.domain.formats.hiding import QUOTED, hidden
from judging.domain.formats.quotations import without_quotations
from judging.domain.formats.reasoning import without_reasoning

if TYPE_CHECKING:
    from collections.abc import Iterator

_FOLDED = str.maketrans(
    "".join(map(chr, range(0xFF01, 0xFF5F)))
    + "\u3010\u3011\u3000\u2019\u200b\u200c\u200d\u2060\ufeff\u00a0\r",
    "".join(map(chr, range(0x21, 0x7F))) + "[] '" + " " * 7,
)
_FOLDS = re.compile(
    r"[\uff01-\uff5e\u3010\u3011\u3000\u2019\u200b-\u200d\u2060\ufeff\u00a0\r]"
)

# A verdict that is boxed as in mathematics: only dress.
_BOXED = re.compile(
    r"(?:\$+[ \t]*|\\[(\[][ \t]*)?\\boxed[ \t]*\{[ \t]*(?:\\(?:text|textbf|mathbf"
    r"|mathrm)"
    r"\{(?P<text>[^{}\n]{1,40})\}|(?P<bare>[^{}\n]{1,40}))[ \t]*\}"
    r"(?:[ \t]*\$+|[ \t]*\\[)\]])?"
)
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})([^`\n]*)$")
_LONGEST_VERDICT = 200
_QUOTE_LINE = re.compile(r"[ \t]*>(?![=>-])")
_INDENTED = re.compile(r"(?: {4}| {0,3}\t)[ \t]*\S")
_EXEMPLAR = re.compile(
    r"(?:for example|e\.g\.|examples?(?: (?:output|reply|answer|verdict|response))?"
    r"|such as)[ \t]*[:,]?\s*[\"'`*\u201c]*(?:json)?\s*"
    r"(?:my final verdict is[^:\n]{0,20}:[ \t]*)?$",
    re.IGNORECASE,
)
# The prompt's own delimiters: what a reply repeats between them is a text of the case.
_MATERIAL = re.compile(r"<<<\s?(BEGIN|END) +([^<>\n]{1,80})>>>", re.IGNORECASE)


def folded(text: str) -> str:
    """Write full-width and look-alike brackets, letters, digits and signs in ASCII."""
    if "\\boxed" in text:
        text = _BOXED.sub(_unboxed, text)
    if text.isascii():
        return text.replace("\r", " ")
    return text.translate(_FOLDED) if _FOLDS.search(text) else text


def spoken(text: str) -> str:
    """Give what the judge says itself: no reasoning, no repeated text of the case."""
    return without_reasoning(without_material(text))


def _unboxed(box: re.Match[str]) -> str:
    name = "bare" if box["text"] is None else "text"
    before, after = box.start(name) - box.start(), box.end() - box.end(name)
    return " " * before + box[name] + " " * after


@lru_cache(maxsize=4)
def heard(text: str) -> str:
    """Give what a judge says itself, folded; kept for the readers of one reply."""
    return spoken(folded(text))


def without_material(text: str) -> str:
    """Replace what stands between the prompt's own delimiters by QUOTED.

    A part that is never closed reaches to the end; only its own code closes it.
    """
    parts: list[str] = []
    position, start, code = 0, 0, None
    for mark in _MATERIAL.finditer(text):
        name = mark[2].strip().casefold()
        if code is None and mark[1].upper() == "BEGIN":
            start, code = mark.start(), name
        elif code == name and mark[1].upper() == "END":
            parts += [text[position:start], hidden(text[start : mark.end()])]
            position, code = mark.end(), None
    if code is not None:
        return "".join([*parts, text[position:start], hidden(text[start:])])
    return "".join([*parts, text[position:]])


def without_quoted_lines(text: str) -> str:
    """Replace block-quote lines by QUOTED, and leave code fences alone."""
    return "\n".join(_shown(line) for line in text.split("\n"))


def without_quotes(
    text: str,
    verdict_alone: re.Pattern[str],
    *,
    marks: bool = True,
    elements: bool = True,
) -> str:
    """Replace what is merely quoted, in block-quote lines and code, by QUOTED.

    With ``marks`` also what is indented like code or stands in quotation marks and code
    spans, with ``elements`` what stands in elements of a mark-up. A fenced block stays
    (without its fence lines) if ``verdict_alone`` matches all of it or if it is the
    whole reply; so does an indented one.
    """
    out: list[str] = []
    blocks = list(_blocks(text))
    spoken = [block for block in blocks if any(line.strip() for line in block[1])]
    for fenced, lines in blocks:
        if fenced:
            out += _unfenced(lines, verdict_alone, whole=len(spoken) == 1)
        else:
            shown = [_shown(line) for line in lines]
            out += _outdented(shown, verdict_alone) if marks else shown
    shown_text = "\n".join(out)
    if elements:
        shown_text = without_elements(shown_text)
    return without_quotations(shown_text, verdict_alone) if marks else shown_text


def is_exemplar(text: str, start: int) -> bool:
    """Whether what begins at ``start`` is introduced as an example of the format."""
    before = text[max(0, start - 80) : start].lower()
    if "example" not in before and "e.g." not in before and "such as" not in before:
        return False
    return _EXEMPLAR.search(text, max(0, start - 80), start) is not None


def _shown(line: str) -> str:
    return _hide(line) if _QUOTE_LINE.match(line) else line


def _hide(line: str) -> str:
    return QUOTED * len(line)


def _outdented(lines: list[str], verdict_alone: re.Pattern[str]) -> list[str]:
    """Hide runs of indented lines, unless every line is or a run is a verdict alone."""
    inside = [_INDENTED.match(line) is not None for line in lines]
    if all(inside[i] or not line.strip() for i, line in enumerate(lines)):
        return lines
    out, position = list(lines), 0
    while position < len(lines):
        end = position + 1
        if inside[position]:
            while end < len(lines) and (inside[end] or not lines[end].strip()):
                end += 1
            run = "\n".join(lines[position:end]).strip()
            if len(run) > _LONGEST_VERDICT or not verdict_alone.fullmatch(run):
                out[position:end] = [_hide(line) for line in lines[position:end]]
        position = end
    return out


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
