"""What a simulated judge makes of a prompt: the two responses and the menu."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from annotation.domain.digests import text_digest
from judging.simulator.marking import MarkScale, scale_in
from judging.simulator.options import Menu

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# A fence is known by its delimiter: a long run of hexadecimal digits that stands on at
# least four lines (two blocks, each opened and closed).
_DELIMITER = re.compile(r"(?<![0-9A-Za-z])[0-9a-f]{8,64}(?![0-9A-Za-z])", re.IGNORECASE)
_FEWEST_LINES = 4
_ABSTAIN = {
    Menu.FIVE_TOKEN: re.compile(r"\[\[\s*abstain", re.IGNORECASE),
    Menu.JSON_WINNER: re.compile(r"[\"'`]abstain[\"'`]", re.IGNORECASE),
    Menu.CHOICE_123: re.compile(r"\b0\W{1,6}abstain", re.IGNORECASE),
    Menu.AB_BRACKET: re.compile(r"\[\[\s*abstain", re.IGNORECASE),
    Menu.OUTPUT_AB: re.compile(r"^\s*abstain\b", re.IGNORECASE | re.MULTILINE),
}
_SLOT = re.compile(
    r"\b(?:response|answer|assistant|output)[ _-]*(?:a|b|1|2|first|second)\b"
    r"|\b(?:first|second)[ _-]*(?:response|answer|assistant|output)\b",
    re.IGNORECASE,
)


_ONE = re.compile(r"\b(?:response|answer|output)\b", re.IGNORECASE)
_RUBRIC = re.compile(r"^\W*write a rubric\b", re.IGNORECASE | re.MULTILINE)
_FIELD = re.compile(r'Field "(\w+)": (?:a text, )?exactly one of')


@dataclass(frozen=True)
class Block:
    """One fenced text; the label is its opening line and the one above."""

    label: str
    text: str


@dataclass(frozen=True)
class Seen:
    """Two responses, the menu, and whether abstain is on it.

    ``field`` holds the verdict of a reply in JSON. ``scale`` is there where one
    response is to be marked, which then is ``first``; ``writes_rubric`` where a rubric
    is asked for.
    """

    first: str
    second: str
    menu: Menu
    offers_abstain: bool
    notation: Mapping[str, str] = field(default_factory=dict)
    field: str = ""
    scale: MarkScale | None = None
    writes_rubric: bool = False


def see(
    body: Mapping[str, object],
    *,
    oracle: Mapping[str, float | None],
    menu: Menu | None = None,
    notation: Mapping[str, str] | None = None,
) -> Seen:
    """Read a request body; a prompt without two fenced blocks shows two empty texts."""
    blocks, instructions = read_prompt("\n".join(_texts(body)))
    place = _FIELD.search(instructions)
    named = place[1] if place else ""
    scale = scale_in(instructions)
    if scale is not None:
        marked = _one_response(blocks)
        return Seen(
            marked, "", Menu.FIVE_TOKEN, offers_abstain=True, field=named, scale=scale
        )
    if _RUBRIC.search(instructions):
        about = "\n".join(_texts(body))
        return Seen(about, "", Menu.FIVE_TOKEN, offers_abstain=True, writes_rubric=True)
    first, second = responses(blocks, oracle)
    if notation:
        return Seen(
            first, second, Menu.FIVE_TOKEN, offers_abstain=True, notation=notation
        )
    found = menu or _menu(instructions, None if named else body.get("response_format"))
    asked = instructions + json.dumps(body.get("response_format"))
    offered = _ABSTAIN[found].search(asked) is not None
    return Seen(first, second, found, offered, field=named)


def _one_response(blocks: list[Block]) -> str:
    """The text that is to be marked: by its label, else the last one."""
    labelled = [block.text for block in blocks if _ONE.search(block.label)]
    found = labelled or [block.text for block in blocks]
    return found[-1] if found else ""


def read_prompt(prompt: str) -> tuple[list[Block], str]:
    """Part a prompt into fenced texts, in their order, and all that stands outside.

    The fence is found by its delimiter alone: lines that hold it open and close.
    """
    lines = prompt.split("\n")
    delimiter = _delimiter(lines)
    if delimiter is None:
        return [], prompt
    blocks: list[Block] = []
    outside: list[str] = []
    opened: int | None = None
    for number, line in enumerate(lines):
        if delimiter not in line:
            outside += [line] if opened is None else []
        elif opened is None:
            opened = number
        else:
            above = next((x for x in reversed(outside) if x.strip()), "")
            label = f"{above} {lines[opened].replace(delimiter, ' ')}".strip()
            blocks.append(Block(label, "\n".join(lines[opened + 1 : number])))
            opened = None
    return blocks, "\n".join(outside)


def responses(
    blocks: list[Block], oracle: Mapping[str, float | None]
) -> tuple[str, str]:
    """Pick the two responses: by label, else by the oracle, else the last two."""
    labelled = [block.text for block in blocks if _SLOT.search(block.label)]
    known = [b.text for b in blocks if text_digest(b.text.strip()) in oracle]
    for found in (labelled, known, [block.text for block in blocks[-2:]]):
        match found:
            case [first, second]:
                return first, second
    return "", ""


def _delimiter(lines: list[str]) -> str | None:
    """Give the first code on enough lines: a fence opens before any text in it."""
    counts: Counter[str] = Counter()
    for line in lines:
        counts.update(dict.fromkeys(_DELIMITER.findall(line)).keys())
    enough = (code for code, count in counts.items() if count >= _FEWEST_LINES)
    return next(enough, None)


def _texts(body: Mapping[str, object]) -> Iterator[str]:
    messages = body.get("messages")
    for message in messages if isinstance(messages, list) else []:
        content = message.get("content") if isinstance(message, dict) else None
        if isinstance(content, str):
            yield content


def _menu(instructions: str, response_format: object) -> Menu:
    compact = re.sub(r"\s", "", instructions)
    if isinstance(response_format, dict) and response_format.get("type") != "text":
        return Menu.JSON_WINNER
    if "[[A>" in compact:
        return Menu.FIVE_TOKEN
    if "[[A]]" in compact and "[[C]]" in compact:
        return Menu.AB_BRACKET
    if "Output(a)" in compact:
        return Menu.OUTPUT_AB
    if '"winner"' in compact or "'winner'" in compact:
        return Menu.JSON_WINNER
    return Menu.CHOICE_123
