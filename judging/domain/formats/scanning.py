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
_LOOK_ABOVE = 400
_QUOTE_LINE = re.compile(r"[ \t]*>")
_EXEMPLAR = re.compile(
    r"(?:for example|e\.g\.|examples?(?: (?:output|reply|answer|verdict|response))?"
    r"|such as)[ \t]*[:,]?\s*[\"'`*\u201c]*(?:json)?\s*"
    r"(?:my final verdict is[^:\n]{0,20}:[ \t]*)?$",
    re.IGNORECASE,
)
# The prompt's own delimiters: what a reply repeats between them is a text of the case.
_MATERIAL = re.compile(r"<<<\s?(BEGIN|END) +([^<>\n]{1,80})>>>", re.IGNORECASE)
_PARAGRAPH = r"(?:[^{0}\n]|\n(?![ \t]*\n))*+"
_QUOTATION = re.compile(
    "|".join(
        (
            '"' + _PARAGRAPH.format('"') + '"',
            "\u201c" + _PARAGRAPH.format("\u201c\u201d") + "\u201d",
            "\u201e" + _PARAGRAPH.format("\u201e\u201c\u201d") + "[\u201c\u201d]",
            "\u00ab" + _PARAGRAPH.format("\u00ab\u00bb") + "\u00bb",
            r"(?<!`)``?(?!`)[^`\n]++``?(?!`)",
        )
    )
)
_MARKS = '"`\u201c\u201d\u201e\u00ab\u00bb'
_OPEN_FENCE = re.compile(r"(?:`{3,}|~{3,})\w*$")
_REPORTS = re.compile(
    r"\b(?:says?|said|saying|writes?|wrote|written|reads?|states?|stating|claims?"
    r"|claiming|ends?|ending|contains?|containing|includes?|including|outputs?"
    r"|tells?|told|asks?|asked|asking|instructs?|instructed|demands?|wants?|wanted"
    r"|requests?|adds?|added|tries|tried|quotes?|inserts?|embeds?|attempts?|injects?"
    r"|injection|prompts?|begins?|starts?|closes?|finishes|gives|gave|has|repeats?"
    r"|instruction)\b[^\n]{0,40}$"
    r"|\b(?:line|end|text|part|words) of (?:the )?\w+(?: [ab12])?$",
    re.IGNORECASE,
)
_ANNOUNCES = re.compile(
    r"\b(?:my|i) [^.:]{0,60}$|^[\s*_#]*(?:(?:the|final|overall) +){0,3}"
    r"(?:verdict|answer|choice|decision|output|result)(?: is)?[\s*_]*$",
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


def spoken(text: str) -> str:
    """Give what the judge says itself: no reasoning, no repeated text of the case."""
    return without_reasoning(without_material(text))


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
            parts += [text[position:start], _hidden(text[start : mark.end()])]
            position, code = mark.end(), None
    if code is not None:
        return "".join([*parts, text[position:start], _hidden(text[start:])])
    return "".join([*parts, text[position:]])


def without_quotations(text: str, verdict_alone: re.Pattern[str]) -> str:
    """Replace quotation marks and code spans with what they hold by QUOTED.

    They stay where they hold a verdict and nothing else, as some judges dress theirs:
    what such a one means shows in the words around it.
    """

    def shown(match: re.Match[str]) -> str:
        short = len(match[0]) <= _LONGEST_VERDICT
        if short and verdict_alone.fullmatch(match[0].strip(_MARKS)):
            return match[0]
        return _hidden(match[0])

    return _QUOTATION.sub(shown, text)


def reported_above(text: str, start: int) -> bool:
    """Whether the line above introduces what stands at ``start`` as somebody's words.

    "Response B ends with:" does; "My final verdict is:" does not.
    """
    end = len(text[max(0, start - _LOOK_ABOVE) : start].rstrip(" \t\n*_`#>[(\"'~"))
    above = text[max(0, start - _LOOK_ABOVE) :][:end]
    above = _OPEN_FENCE.sub("", above).rstrip(" *_\n")
    line = above.rpartition("\n")[2]
    if not line.endswith(":"):
        return False
    closing = re.split(r"[.!?]\s", line[:-1])[-1]
    return not _ANNOUNCES.search(closing) and _REPORTS.search(closing) is not None


def without_quoted_lines(text: str) -> str:
    """Replace block-quote lines by QUOTED, and leave code fences alone."""
    return "\n".join(_shown(line) for line in text.split("\n"))


def without_quotes(
    text: str, verdict_alone: re.Pattern[str], *, marks: bool = True
) -> str:
    """Replace what is merely quoted, in block-quote lines and code fences, by QUOTED.

    With ``marks`` also what stands in quotation marks and code spans. A fenced block
    stays (without its fence lines) if ``verdict_alone`` matches all of it or if it is
    the whole reply.
    """
    out: list[str] = []
    blocks = list(_blocks(text))
    spoken = [block for block in blocks if any(line.strip() for line in block[1])]
    for fenced, lines in blocks:
        if fenced:
            out += _unfenced(lines, verdict_alone, whole=len(spoken) == 1)
        else:
            out += [_shown(line) for line in lines]
    shown = "\n".join(out)
    return without_quotations(shown, verdict_alone) if marks else shown


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


def _hidden(text: str) -> str:
    return _NOT_NEWLINE.sub(QUOTED, text)


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
